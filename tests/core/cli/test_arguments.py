"""The commands' arguments: the authors' names, what each score has, and what is refused."""

from argparse import ArgumentTypeError

import pytest
from shared import BOTH, GIVEN, LEVELS

import green_gec
from green_gec.api import N_RESAMPLES
from green_gec.cli.arguments import FLAGS, make_parser
from green_gec.options import (
    MAX_ORDER,
    METRICS,
    N_SENTENCES,
    OWN_OPTIONS,
    TOKENIZERS,
    Options,
    option_names,
)


@pytest.mark.parametrize("source", ["-s", "--src", "--source"])
@pytest.mark.parametrize("references", ["-r", "--ref", "--refs", "--references"])
def test_names_of_sources_and_references(output, source, references):
    line = f"green {source} source.txt {references} reference0.txt reference1.txt -c bold.txt"
    assert output(line) == output(f"green {GIVEN} -c bold.txt")


@pytest.mark.parametrize(
    "name",
    [
        *("-c", "--cor", "--cors", "--corrected", "--corrected-sentences", "-o", "--out", "--outs"),
        *("--outputs", "--hyp", "--hyps", "--hypotheses"),
    ],
)
def test_names_of_systems(output, name):
    assert output(f"green {GIVEN} {name} careful.txt bold.txt") == output(f"green {BOTH}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-b 1 3", "--beta 1 3"),
        ("-b 1 -b 3", "-b 1 3"),
        ("-b 1 3", "--be 1 3"),  # which --between must not make ambiguous
        ("-b 1 3", "--bet 1 3"),
        ("-d 4", "--digit 4"),
        ("-t char", "--token char"),
        ("-t char", "--tokenize char"),
        ("-t char", "--tokenization char"),
        ("-v", "--verbose"),
        ("-v -l", "--verbose --line-verbose"),
        ("-l", ""),
        ("-b 2 -n 4 -t word -d 2", ""),
        ("-t char -n 6", "-t char"),
    ],
)
def test_names_and_defaults_of_options(output, one, other):
    assert output(f"green {BOTH} {one}") == output(f"green {BOTH} {other}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-m gleu", "--metric gleu"),
        ("-m gleu -i 9", "-m gleu --iterations 9"),
        ("-m gleu -i 9", "-m gleu --iter 9"),
        ("-m gleu", "-m gleu -i 500 --formula official"),
        ("-m gleu --max", "-m gleu --selection max"),
        ("-m gleu", "-m gleu --selection sample"),
        ("-m green", ""),
        ("--selection max", ""),
        ("--max", ""),
    ],
)
def test_names_of_options_of_scores(output, one, other):
    assert output(f"green {BOTH} {one}") == output(f"green {BOTH} {other}")


@pytest.mark.parametrize("command", LEVELS)
def test_the_help_has_every_score_and_every_option(run, command):
    """All options that decide the figures, but the level, which is the command's name."""
    status, printed, errors = run(f"{command} --help")
    assert (status, errors) == (0, "")
    assert printed.startswith(f"usage: {command} ")
    assert f"one of {', '.join(METRICS)}" in " ".join(printed.split())
    every_option = {name for metric in METRICS for name in option_names(metric)}
    assert every_option - set(FLAGS) == {"level", "detailed"}
    for flags in FLAGS.values():
        for flag in flags.split("/"):
            assert flag in printed


@pytest.mark.parametrize("level", LEVELS.values())
def test_flags_repeat_the_choices_and_defaults_of_the_options(level):
    """The module of the flags imports nothing, so it cannot take them from there."""
    actions = {action.option_strings[0]: action for action in make_parser("x", level)._actions}
    for name, flags in FLAGS.items():
        action = actions[flags.partition("/")[0]]
        assert (action.dest, "/".join(action.option_strings)) == (name, flags)
        assert action.default is None  # the metric's own
    assert actions["-m"].choices == METRICS
    assert actions["-m"].default == [Options.metric]
    assert actions["-t"].choices == actions["--token"].choices == TOKENIZERS
    for flag, default in {
        "-t": Options.tokenizer,
        "-b": f"{OWN_OPTIONS['green']['beta']:g}; {OWN_OPTIONS['m2']['beta']:g} for m2 and errant",
        "--formula": OWN_OPTIONS["gleu"]["formula"],
        "-i": OWN_OPTIONS["gleu"]["iterations"],
        "--max-unchanged-words": OWN_OPTIONS["m2"]["max_unchanged_words"],
        "--confidence": Options.confidence_level,
        "--resamples": N_RESAMPLES,
        "--seed": Options.seed,
        "--worst": N_SENTENCES,
        "--top": N_SENTENCES,
    }.items():
        assert f"(default: {default})" in actions[flag].help
    assert OWN_OPTIONS["errant"]["beta"] == OWN_OPTIONS["m2"]["beta"]
    assert actions["--worst"].const == N_SENTENCES
    assert actions["--confidence"].const == Options.confidence_level
    assert actions["-n"].type(str(MAX_ORDER)) == MAX_ORDER
    with pytest.raises(ArgumentTypeError):
        actions["-n"].type(str(MAX_ORDER + 1))


def test_the_version(output):
    for command in LEVELS:
        assert output(f"{command} --version") == f"{command} {green_gec.__version__}\n"


BAD = [
    (f"green {GIVEN} -c", "argument -c/--corrected: expected at least one argument"),
    (f"green {GIVEN}", "one of the arguments -c/--corrected --jsonl is required: there are no sys"),
    ("green --m2 references.m2", "one of the arguments -c/--corrected --jsonl is required"),
    (
        "green -s source.txt -c bold.txt",
        "one of the arguments -r/--references --m2 --jsonl is required: there are no references",
    ),
    ("green -m bleu -c bold.txt", "one of the arguments -r/--references --m2 --jsonl is required"),
    (f"green {BOTH} --m2 references.m2", "argument --m2: not allowed with argument -s/--source"),
    (f"green {BOTH} -t words", "argument -t/--tokenize: invalid choice: 'words'"),
    (f"green {BOTH} -n 0", "argument -n: must be a whole number from 1 to 100, not '0'"),
    (f"green {BOTH} -n 2.5", "argument -n: must be a whole number from 1 to 100, not '2.5'"),
    (f"green {BOTH} -n {10**20}", "argument -n: must be a whole number from 1 to 100, not '1"),
    (f"green {BOTH} -b 0", "argument -b/--beta: must be a positive number, not '0'"),
    (f"green {BOTH} -b 1 nan", "argument -b/--beta: must be a positive number, not 'nan'"),
    (f"green {BOTH} -b two", "argument -b/--beta: must be a positive number, not 'two'"),
    (f"green {BOTH} -d -1", "argument -d/--digit: "),
    (f"green {BOTH} -d 1e3", "argument -d/--digit: must be a whole number from 0 to 100, not '1e"),
    (f"green {BOTH} --confidence 95", "argument --confidence: must be a number between 0 and 1, n"),
    (f"green {BOTH} --confidence 1", "argument --confidence: must be a number between 0 and 1, no"),
    (f"green {BOTH} --paired t", "argument --paired: invalid choice: 't'"),
    (
        f"green {BOTH} --paired --baseline best",
        "argument --baseline: must be one of careful.txt, bold.txt",
    ),
    (
        f"green {GIVEN} -c bold.txt --paired",
        "argument --paired: compares systems, but bold.txt is the only one; give at least two with",
    ),
    (f"green {BOTH} --baseline bold.txt", "argument --baseline: needs --paired"),
    (f"green {BOTH} --resamples 100", "argument --resamples: needs --confidence or --paired"),
    (f"green {BOTH} --seed 0", "argument --seed: needs --confidence or --paired"),
    (f"green {BOTH} --paired --resamples 0", "argument --resamples: must be at least 1, not '0'"),
    (f"green {BOTH} --confidence --resamples 0", "argument --resamples: must be at least 1"),
    (f"green {BOTH} --paired --seed -1", "argument --seed: "),
    (f"green {BOTH} --format pdf", "argument --format: invalid choice: 'pdf'"),
    (f"green {BOTH} --format json -v", "argument -v: its tables are for --format text, not json"),
    (f"green {BOTH} --save nowhere/x", "argument --save: cannot write 'nowhere/x'"),
    (f"green {BOTH} --save .", "argument --save: cannot write '.'"),
    (
        f"green {BOTH} --save x.pdf",
        "argument --save: unknown ending '.pdf'; use .json, .csv, .md, .tex, .html or .txt, or",
    ),
    (f"green {BOTH} --save -", "argument --save: cannot write '-'"),
    (f"sgreen {BOTH} --save x.html", "argument --save: a report is of a corpus; use green or"),
    (f"sgreen {BOTH} --format html", "argument --format html: a report is of a corpus; use green"),
    (f"green {BOTH} --save x.html -b 1 2", "argument --save: a report takes one beta; it shows"),
    (
        "green --m2 references.m2 -c bold.txt --types --save x.html",
        "argument --save: a report has no error types; leave --types out",
    ),
    (f"green {BOTH} --save ''", "argument --save: cannot write ''"),
    (f"green {BOTH} --save ./bold.txt", "argument --save: ./bold.txt is an input; choose another"),
    *(
        (f"green {given} --save {path}", f"argument --save: {path} is an input; choose another")
        for given, path in {
            BOTH: "source.txt",
            f"{BOTH} -d 1": "reference1.txt",
            "--m2 edits.txt -c bold.txt": "edits.txt",
            "--jsonl array.json": "array.json",
        }.items()
    ),
    (f"green {BOTH} --what", "unrecognized arguments: --what"),
    (f"mgreen {BOTH} --register", "unrecognized arguments: --register"),
    (f"sgreen {BOTH} --confidence", "argument --confidence: resamples sentences; use green or mgr"),
    (f"sgreen {BOTH} --paired", "argument --paired: resamples sentences; use green or mgreen"),
    (f"green {BOTH} -m blue", "argument -m/--metric: invalid choice: 'blue'"),
    (f"green {BOTH} -m bleu", "argument -s/--source: bleu takes no sources; leave it out"),
    (f"green {BOTH} -m gleu -b 1", "argument -b/--beta: gleu has no such option"),
    (f"green {BOTH} -m gleu -v -l", "argument -l/--line-verbose: gleu has no such option"),
    (f"green {BOTH} -m gleu --effective-order", "argument --effective-order: gleu has no such"),
    (f"green {BOTH} --selection min", "argument --selection: invalid choice: 'min'"),
    (f"green {BOTH} --selection mean", "argument --selection: mean needs the scores of sentences"),
    (f"green {BOTH} --selection sample", "argument --selection: green takes max or mean"),
    (f"green {BOTH} -m gleu --selection mean", "argument --selection: gleu takes sample or max"),
    (f"mgreen {BOTH} -m gleu --selection mean", "argument --selection: gleu takes sample or max"),
    ("green -m bleu -r short -c short --selection max", "argument --selection: bleu has no such"),
    ("green -m bleu -r short -c short --max", "argument --selection: bleu has no such option"),
    (f"green {BOTH} -i 5", "argument -i/--iterations: green has no such option"),
    (f"green {BOTH} -m gleu -i 0", "argument -i/--iterations: must be a whole number from 1 to 1"),
    (f"green {BOTH} -m gleu --formula book", "argument --formula: invalid choice: 'book'"),
    ("green -m f1 -r short -c short --formula paper", "argument --formula: f1 has no such option"),
    (f"green {BOTH} --explain", "argument --explain: explains single sentences; use sgreen"),
    (f"sgreen {BOTH} --explain -v", "argument --explain: not allowed with -v"),
    (f"sgreen {BOTH} --explain -l", "argument --explain: not allowed with -l"),
    (f"sgreen {BOTH} --explain --format csv", "argument --explain: not allowed with --format"),
    (f"sgreen {BOTH} --explain --signature", "argument --explain: not allowed with --signature"),
    (f"sgreen {BOTH} --explain -b 1 2", "argument --explain: takes one beta"),
    ("sgreen -m bleu -r short -c short --explain", "argument --explain: needs sources, and bleu t"),
    (f"green {BOTH} --worst", "argument --worst: lists single sentences; use sgreen"),
    (f"mgreen {BOTH} --between careful bold", "argument --between: lists single sentences; use sg"),
    (f"sgreen {BOTH} --worst -1", "argument --worst: must be a whole number of at least 1, not '-"),
    (f"sgreen {BOTH} --worst ten", "argument --worst: must be a whole number of at least 1, not '"),
    (
        f"sgreen {BOTH} --between careful best",
        "argument --between: must be one of careful.txt, bold.txt, not 'best'",
    ),
    (f"sgreen {BOTH} --between careful", "argument --between: expected 2 arguments"),
    (
        f"sgreen {BOTH} --between bold bold.txt",
        "argument --between: compares two systems, but both are bold.txt",
    ),
    (
        f"sgreen {GIVEN} -c bold.txt --between bold bold",
        "argument --between: compares systems, but bold.txt is the only one; give at least two",
    ),
    (f"sgreen {BOTH} --between careful bold --worst", "argument --worst: not allowed with argumen"),
    (f"sgreen {BOTH} --between careful bold --top 0", "argument --top: must be a whole number of"),
    (f"sgreen {BOTH} --top 3", "argument --top: needs --between"),
    (f"sgreen {BOTH} --worst 3 --top 3", "argument --top: needs --between; --worst takes the numb"),
    (f"sgreen {BOTH} --worst -v", "argument --worst: not allowed with -v"),
    (f"sgreen {BOTH} --worst -b 1 2", "argument --worst: takes one score with one beta"),
    (f"sgreen {BOTH} --worst -m green gleu", "argument --worst: takes one score with one beta"),
    (f"sgreen {BOTH} --worst --format latex", "argument --worst: lists texts in text, json or csv"),
    (f"sgreen {BOTH} --worst --save x.md", "argument --worst: lists texts in text, json or csv, n"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_bad_arguments(refused, line, message):
    assert refused(line).startswith(message)
