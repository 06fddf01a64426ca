"""The commands' arguments: the authors' names, what each score has, and what is refused."""

import shlex
import subprocess
import sys
from argparse import ArgumentTypeError

import pytest
from shared import BOTH, EXAMPLES, GIVEN, LEVELS

import green_gec
from green_gec import cli
from green_gec.cli import sentences
from green_gec.cli.arguments import as_flag
from green_gec.cli.score import make_parser
from green_gec.options import (
    MAX_ORDER,
    METRICS,
    N_SENTENCES,
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
        ("-b 1 3", "--be 1 3"),
        ("-d 4", "--digit 4"),
        ("-t char", "--token char"),
        ("-t char", "--tokenize char"),
        ("-t char", "--tokenizer char"),
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


COMMANDS = {
    **{command: 80 for command in LEVELS},
    **{f"green {name}": 60 for name in cli.COMMANDS if name != "score"},
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_is_short(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    status, printed, errors = run(f"{command} --help")
    assert (status, errors) == (0, "")
    assert printed.startswith(f"usage: {command}")
    lines = printed.splitlines()
    assert len(lines) <= COMMANDS[command]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("command", LEVELS)
def test_the_help_has_every_score_and_every_option(run, command):
    """All options that decide the figures, but the level."""
    _, printed, _ = run(f"{command} --help")
    assert ", ".join(METRICS) in " ".join(printed.split())
    options = {name for metric in METRICS for name in option_names(metric)} - {"detailed", "level"}
    if command == "sgreen":
        options -= {"confidence_level", "paired", "n_resamples", "seed"}
    actions = {}
    for action in make_parser(command, LEVELS[command])._actions:
        actions.setdefault(action.dest, action)  # the first one; others are synonyms
    for name in options:
        assert f"  {actions[name].option_strings[0]}" in printed


def test_the_help_names_the_commands(run):
    _, printed, _ = run("green --help")
    for command in cli.COMMANDS:
        assert f"green {command}" in printed
    assert "green report" not in run("mgreen --help")[1]


def test_how_many_sentences_are_listed():
    actions = {each.option_strings[0]: each for each in sentences.make_parser("x")._actions}
    assert actions["--worst"].const == N_SENTENCES
    for flag in ("--worst", "--top"):
        assert f"(default: {N_SENTENCES})" in actions[flag].help


def test_the_longest_ngrams():
    action = next(each for each in make_parser("x", "corpus")._actions if each.dest == "max_order")
    assert action.type(str(MAX_ORDER)) == MAX_ORDER
    with pytest.raises(ArgumentTypeError):
        action.type(str(MAX_ORDER + 1))


def test_warnings_name_flags():
    flags = [flag for each in make_parser("x", "corpus")._actions for flag in each.option_strings]
    for name in ("max_order", "effective_order", "strip"):
        assert as_flag(name, None) in flags
    assert as_flag("tokenizer", "13a") == "-t 13a"


def test_the_version(output):
    for command in LEVELS:
        assert output(f"{command} --version") == f"{command} {green_gec.__version__}\n"


def test_repeated_metrics_add_up(output):
    expected = output("green --m2 references.m2 -c bold.txt -m m2 green")
    assert output("green --m2 references.m2 -c bold.txt -m m2 -m green") == expected


def test_other_names_of_the_command(output):
    expected = output(f"green {BOTH}")
    assert output(f"green score {BOTH}") == expected
    line = [sys.executable, "-m", "green_gec", *shlex.split(BOTH)]
    assert subprocess.run(line, cwd=EXAMPLES, capture_output=True, text=True).stdout == expected


BAD = [
    (f"green {GIVEN} -c", "argument -c/--corrected: expected at least one argument"),
    (f"green {GIVEN}", "there are no systems to score; give their files with -c"),
    (f"green {BOTH} --fail-under 0.8", "argument --fail-under: is in percent, like 80, not 0.8"),
    (f"green {BOTH} --fail-under nan", "argument --fail-under: is in percent, like 80, not nan"),
    ("green types --m2 references.m2 -c bold.txt --selection max", "unknown argument --selection"),
    ("green --m2 references.m2", "there are no systems to score"),
    ("green -s source.txt -c bold.txt", "there are no references; give them with -r, --m2,"),
    ("green -m bleu -c bold.txt", "there are no references"),
    ("green --m2 references.m2 --gold m2=references.m2", "argument --gold: not allowed with"),
    (f"green {BOTH} --gold x=references.m2", "argument --gold: expected m2=FILE and errant=FILE"),
    (f"green {BOTH} --gold m2", "argument --gold: expected m2=FILE and errant=FILE"),
    (f"green {BOTH} -t words", "argument -t/--tokenizer: invalid choice: 'words'"),
    (f"green {BOTH} -n 0", "argument -n: must be a whole number from 1 to 100, not 0"),
    (f"green {BOTH} -n 2.5", "argument -n: must be a whole number from 1 to 100, not '2.5'"),
    (f"green {BOTH} -n {10**20}", "argument -n: must be a whole number from 1 to 100, not 1"),
    (f"green {BOTH} -b 0", "argument -b/--beta: must be a positive number, not 0"),
    (f"green {BOTH} -b 1 nan", "argument -b/--beta: must be a positive number, not nan"),
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
        "argument --paired: compares systems, but bold.txt is the only one",
    ),
    (f"green {BOTH} --baseline bold.txt", "argument --baseline: needs --paired"),
    (f"green {BOTH} --resamples 100", "argument --resamples: needs --confidence or --paired"),
    (f"green {BOTH} --seed 0", "argument --seed: needs --confidence or --paired"),
    (f"green {BOTH} --paired --resamples 0", "argument --resamples: must be a whole number from 1"),
    (f"green {BOTH} --paired --seed -1", "argument --seed: "),
    (f"green {BOTH} --format pdf", "argument --format: invalid choice: 'pdf'"),
    (f"green {BOTH} --format json -v", "argument -v: its tables are for --format text, not json"),
    (f"green {BOTH} --save nowhere/x", "argument --save: cannot write 'nowhere/x'"),
    (f"green {BOTH} --save .", "argument --save: cannot write '.'"),
    (f"green {BOTH} --save x.pdf", "argument --save: unknown ending '.pdf'; use .txt, .json, .csv"),
    (f"green {BOTH} --save -", "argument --save: cannot write '-'"),
    (f"green {BOTH} --save ''", "argument --save: cannot write ''"),
    (f"green {BOTH} --save ./bold.txt", "argument --save: ./bold.txt is an input; choose another"),
    *(
        (f"green {given} --save {path}", f"argument --save: {path} is an input; choose another")
        for given, path in {
            BOTH: "source.txt",
            f"{BOTH} -d 1": "reference1.txt",
            "--m2 edits.txt -c bold.txt": "edits.txt",
            "--gold m2=edits.txt -c bold.txt": "edits.txt",
            f"{GIVEN} -c Ours=bold.txt": "bold.txt",
            "--jsonl array.json": "array.json",
        }.items()
    ),
    (f"green {BOTH} --fail-under x", "argument --fail-under: invalid float value: 'x'"),
    (f"sgreen {BOTH} --fail-under 50", "unknown argument --fail-under"),
    (f"green {BOTH} --what", "unknown argument --what; see green --help"),
    (f"green {BOTH} --fomat=json", "unknown argument --fomat=json; did you mean --format?"),
    (f"green {BOTH} --confidance", "unknown argument --confidance; did you mean --confidence?"),
    (f"sgreen {BOTH} --level mean", "unknown argument --level"),
    (f"green explain {BOTH} --ignore-case", "unknown argument --ignore-case"),
    (f"green types {BOTH} --formula paper", "unknown argument --formula"),
    (
        f"green sentences {BOTH} --explain --format csv",
        "argument --explain: is for --format text, not csv",
    ),
    (f"sgreen {BOTH} --confidence", "unknown argument --confidence"),
    (f"green {BOTH} -m blue", "argument -m/--metric: invalid choice: 'blue'"),
    (f"green {BOTH} -m bleu", "bleu takes no sources; leave them out"),
    (f"green {BOTH} -m gleu -b 1", "gleu has no option 'beta'; its options are"),
    (f"green {BOTH} -m gleu -v -l", "argument -l: gleu has no beta"),
    (f"green {BOTH} -m gleu --effective-order", "gleu has no option 'effective_order'"),
    (f"green {BOTH} --selection min", "argument --selection: invalid choice: 'min'"),
    (f"green {BOTH} --selection mean", "selection='mean' averages the scores of a sentence"),
    (f"green {BOTH} --selection sample", "selection must be 'max' or 'mean' for green"),
    (f"mgreen {BOTH} -m gleu --selection mean", "selection must be 'sample' or 'max' for gleu"),
    ("green -m bleu -r short -c short --max", "bleu has no option 'selection'"),
    (f"green {BOTH} -i 5", "green has no option 'iterations'"),
    (f"green {BOTH} -m gleu -i 0", "argument -i/--iterations: must be a whole number from 1 to 1"),
    (f"green {BOTH} -m gleu --formula book", "argument --formula: invalid choice: 'book'"),
    ("green -m f1 -r short -c short --formula paper", "f1 has no option 'formula'"),
    (
        "green --m2 references.m2 --m2 edits.txt -c bold.txt",
        "argument --m2: takes one file, not both references.m2 and edits.txt",
    ),
    (f"green {BOTH} --src short", "argument --src: takes one file, not both source.txt and short"),
    (f"green report {BOTH} -o x -o y", "argument -o: takes one file, not both x and y"),
    ("green explain --text a b c -c bold.txt", "argument --text: not allowed with files"),
    (f"green {BOTH} --worst", "unknown argument --worst; see green --help"),
    ("green reprot", "there is no command 'reprot'; did you mean report?"),
    ("green bold.txt", "there is no command 'bold.txt'; the commands are score, report,"),
    (f"green report {BOTH}", "argument -o: name the page to write"),
    (f"green report {BOTH} -o .", "argument -o: cannot write '.'"),
    (f"green report {BOTH} -o bold.txt", "argument -o: bold.txt is an input; choose another file"),
    (f"green report {BOTH} -o x.html -b 1 2", "argument -b: takes one value here, not 2"),
    (f"green report {BOTH} -o x.html --baseline x", "argument --baseline: must be one of care"),
    (f"green explain {BOTH} -b 1 -b 2", "argument -b: takes one value here, not 2"),
    (f"green explain {BOTH} -m green gleu", "argument -m: takes one value here, not 2"),
    ("green explain -m bleu -r short -c short", "argument -m/--metric: invalid choice: 'bleu'"),
    ("green explain --text a b", "argument --text: needs a source, a correction and at least one"),
    (f"green sentences {BOTH} --worst -1", "argument --worst: must be a whole number of at least"),
    (f"green sentences {BOTH} --worst ten", "argument --worst: must be a whole number of at leas"),
    (
        f"green sentences {BOTH} --between careful best",
        "argument --between: must be one of careful.txt, bold.txt, not 'best'",
    ),
    (f"green sentences {BOTH} --between careful", "argument --between: expected 2 arguments"),
    (f"green sentences {BOTH} --between bold bold.txt", "argument --between: compares two systems"),
    (
        f"green sentences {GIVEN} -c bold.txt --between bold bold",
        "argument --between: compares two systems, not bold alone",
    ),
    (
        f"green sentences {BOTH} --between careful bold --worst",
        "argument --worst: not allowed with argument --between",
    ),
    (f"green sentences {BOTH} --between careful bold --top 0", "argument --top: must be a whole n"),
    (
        f"green sentences {BOTH} --top 3",
        "argument --top: needs --between; --worst",
    ),
    (f"green sentences {BOTH} -v", "unknown argument -v"),
    (f"green sentences {BOTH} -b 1 -b 2", "argument -b: takes one value here, not 2"),
    (f"green sentences {BOTH} --format latex", "argument --format: invalid choice: 'latex'"),
    (f"green sentences {BOTH} --save x.md", "argument --save: unknown ending '.md'; use .txt, .j"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_bad_arguments(refused, line, message):
    assert refused(line).startswith(message)


def test_fail_under(run):
    """The scores as printed: 81.50 and 88.90."""
    line = f"green {BOTH}"
    _, printed, _ = run(line)
    for limit, expected in {"81.5": 0, "81.51": 1, "88.9": 1, "0": 0}.items():
        found = run(f"{line} --fail-under {limit}")
        assert found[:2] == (expected, printed)
        assert ("careful has 81.50" in found[2]) == (expected == 1)
    for digits, expected in {0: 0, 1: 1, 2: 1}.items():  # 88.90 is printed as 89
        limit = "--fail-under 88.95"
        assert run(f"green {GIVEN} -c bold.txt -d {digits} {limit}")[0] == expected
    # Of several scores, and of several betas, the first one counts.
    several = "green --m2 references.m2 -c careful.txt"  # M² 80.06
    assert run(f"{several} -m green m2 --fail-under 81")[0] == 0
    assert run(f"{several} -m m2 green --fail-under 81")[0] == 1
    assert run(f"{line} -b 2 0.5 --fail-under 81")[0] == 0


def test_strict(run, tmp_path):
    (tmp_path / "a").write_text("a b\n", "utf-8")
    (tmp_path / "b").write_text(" a c \n", "utf-8")
    line = f"-s {tmp_path}/a -r {tmp_path}/b -c {tmp_path}/b -t char -n 2"
    assert run(f"green {line}")[0] == 0
    for command in ("green", "mgreen", "green sentences", "green explain"):
        status, printed, errors = run(f"{command} {line} --strict")
        assert (status, printed) == (2, "")
        assert "begin or end" in errors
    assert run(f"green {BOTH} --strict")[0] == 0


def test_some_systems_are_named(output):
    assert output(f"green {GIVEN} -c careful.txt best=bold.txt").splitlines()[2:] == [
        "careful.txt\t81.50",
        "best\t88.90",
    ]


def test_a_url_is_no_name(refused):
    url = "https://example.org/get?file=bold.txt"
    assert refused(f"green {GIVEN} -c {url}").startswith(f"{url} is a URL")
