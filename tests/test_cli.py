"""The command line: the authors' output to the byte, every kind of file, every format."""

import contextlib
import csv
import fcntl
import gzip
import io
import json
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from conftest import ROOT

import green_gec
import oracle
from green_gec import cli, compare, explain, report, score
from green_gec.corpus import read_lines, read_m2

EXAMPLES = ROOT / "examples"
GOLDENS = ROOT / "tests" / "goldens" / "cli"
LEVELS = {"green": "corpus", "mgreen": "mean", "sgreen": "sentence"}
SOURCES, REFERENCES = read_m2(EXAMPLES / "references.m2")
SYSTEMS = {f"{name}.txt": read_lines(EXAMPLES / f"{name}.txt") for name in ("careful", "bold")}
CORPUS = "-s source.txt -r reference0.txt reference1.txt"
BOTH = f"{CORPUS} -c careful.txt bold.txt"
RESAMPLED = {"corpus", "mean"}

pytestmark = pytest.mark.filterwarnings("ignore:.*strip=True")


@pytest.fixture
def run(monkeypatch, capfd):
    """Run a command line among the examples, in this process: status, output, errors."""
    monkeypatch.chdir(EXAMPLES)

    def run(line):
        command, *arguments = shlex.split(line)
        try:
            status = cli.main(command, LEVELS[command], arguments)
        except SystemExit as end:
            status = end.code
        return status, *capfd.readouterr()

    return run


@pytest.fixture
def output(run):
    """The output of a command line that works and has nothing to complain about."""

    def output(line):
        status, printed, errors = run(line)
        assert (status, errors) == (0, "")
        return printed

    return output


def start(line, **settings):
    """Start an installed command in a process of its own."""
    command, *arguments = shlex.split(line)
    path = Path(sys.executable).parent / command
    return subprocess.Popen([path, *arguments], cwd=EXAMPLES, **settings)


@pytest.mark.parametrize("path", sorted(GOLDENS.glob("*.cmd")), ids=lambda path: path.stem)
def test_the_output_is_that_of_the_authors(data_dir, run, monkeypatch, path):
    monkeypatch.chdir(data_dir / "conll14")
    status, printed, _ = run(path.read_text("utf-8"))
    assert (status, printed) == (0, path.with_suffix(".txt").read_text("utf-8"))


def half_up(value, digits=2):
    return str(Decimal(str(100 * value)).quantize(Decimal(f"1e-{digits}"), ROUND_HALF_UP))


@pytest.mark.parametrize("options", [{}, {"tokenizer": "char"}, {"max_order": 2, "beta": 0.5}])
@pytest.mark.parametrize("command", LEVELS)
def test_plain_output_is_that_of_the_oracle(output, command, options):
    values = [
        oracle.green(SOURCES, texts, REFERENCES, level=LEVELS[command], **options)["green"]
        for texts in SYSTEMS.values()
    ]
    line = f"{command} {BOTH} -t {options.get('tokenizer', 'word')}"
    if "max_order" in options:
        line += " -n 2 -b 0.5"
    if command == "sgreen":
        expected = ["\t".join(map(half_up, row)) for row in zip(*values, strict=True)]
    else:
        header = (
            ["alpha\t0.80", "beta\t0.50"] if "beta" in options else ["alpha\t0.20", "beta\t2.00"]
        )
        rows = zip(SYSTEMS, values, strict=True)
        expected = [*header, *(f"{name}\t{half_up(value)}" for name, value in rows)]
    assert output(line).splitlines() == expected


def test_digits(output):
    value = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES)["green"]
    for digits in (0, 1, 7):
        line = output(f"green {CORPUS} -c bold.txt -d {digits}").splitlines()[2]
        assert line == f"bold.txt\t{half_up(value, digits)}"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (2.675, 2, "2.68"),
        (0.125, 2, "0.13"),
        (0.5, 0, "1"),
        (100.0, 2, "100.00"),
        (1e-9, 2, "0.00"),
        (12.3, 40, "12.3" + "0" * 39),
        (float("inf"), 2, "inf"),
    ],
)
def test_rounding_is_half_up_on_the_digits_shown(value, digits, text):
    assert report.rounded(value, digits) == text


@pytest.mark.parametrize("source", ["-s", "--src", "--source"])
@pytest.mark.parametrize("references", ["-r", "--ref", "--refs", "--references"])
def test_names_of_sources_and_references(output, source, references):
    line = f"green {source} source.txt {references} reference0.txt reference1.txt -c bold.txt"
    assert output(line) == output(f"green {CORPUS} -c bold.txt")


@pytest.mark.parametrize(
    "name",
    [
        *("-c", "--cor", "--cors", "--corrected", "--corrected-sentences", "-o", "--out", "--outs"),
        *("--outputs", "--hyp", "--hyps", "--hypotheses"),
    ],
)
def test_names_of_systems(output, name):
    assert output(f"green {CORPUS} {name} careful.txt bold.txt") == output(f"green {BOTH}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-b 1 3", "--beta 1 3"),
        ("-b 1 -b 3", "-b 1 3"),
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


@pytest.mark.parametrize("option", ["strip", "effective_order"])
@pytest.mark.parametrize("command", ["green", "mgreen"])
def test_options_of_the_library(run, tmp_path, monkeypatch, command, option):
    texts, predictions = ["a b", " c d ", "g h i j k"], ["a c", " c d", "g h i j k"]
    (tmp_path / "texts").write_text("\n".join(texts), "utf-8")
    (tmp_path / "system").write_text("\n".join(predictions), "utf-8")
    # With n-grams this long, not even the whole corpus has some of each order.
    settings = {"tokenizer": "char", "max_order": 12 if option == "effective_order" else 2}
    settings["level"] = LEVELS[command]
    value = score(texts, predictions, texts, **settings, **{option: True})["green"]
    assert value != score(texts, predictions, texts, **settings)["green"]
    monkeypatch.chdir(tmp_path)
    line = f"{command} -s texts -r texts -c system -t char -n {settings['max_order']} -d 9"
    flag = "--" + option.replace("_", "-")
    assert run(f"{line} {flag}")[1].splitlines()[2].split("\t")[1] == half_up(value, 9)
    assert run(f"{line} {flag} -v -l")[1].split("\t")[-1] == half_up(value, 9) + "\n"


def test_whitespace_is_a_warning_on_one_line(run, tmp_path):
    path = tmp_path / "texts"
    path.write_text("a b\n c \n", "utf-8")
    status, printed, errors = run(f"green -s {path} -r {path} -c {path} -t char")
    assert status == 0
    assert printed.startswith("alpha")
    assert re.fullmatch(r"green: warning: 3 texts begin or end .*--strip\) removes it\n", errors)


# Other scores.


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ("", {}),
        ("-t char", {"tokenizer": "char"}),
        ("-n 2", {"max_order": 2}),
        ("--max", {"selection": "max"}),
        ("--formula paper", {"formula": "paper"}),
        ("-i 3", {"iterations": 3}),
    ],
)
@pytest.mark.parametrize("command", LEVELS)
def test_gleu(output, command, options, settings):
    settings = {**settings, "level": LEVELS[command]}
    values = [oracle.gleu(SOURCES, texts, REFERENCES, **settings) for texts in SYSTEMS.values()]
    if command == "sgreen":
        expected = ["\t".join(map(half_up, row)) for row in zip(*values, strict=True)]
    else:
        rows = zip(SYSTEMS, values, strict=True)
        expected = [f"{name}\t{half_up(value)}" for name, value in rows]
    assert output(f"{command} -m gleu {BOTH} {options}").splitlines() == expected


@pytest.mark.parametrize("metric", ["bleu", "rouge", "f1"])
@pytest.mark.parametrize("command", LEVELS)
def test_scores_without_sources(output, command, metric):
    line = f"{command} -m {metric} -d 5 -c careful.txt bold.txt"
    expected = output(f"{line} -r reference0.txt reference1.txt")
    values = [
        getattr(oracle, metric)(texts, REFERENCES, level=LEVELS[command])
        for texts in SYSTEMS.values()
    ]
    values = zip(*values, strict=True) if command == "sgreen" else zip(SYSTEMS, values, strict=True)
    for printed, row in zip(expected.splitlines(), values, strict=True):
        row = [value if isinstance(value, str) else half_up(value, 5) for value in row]
        assert printed == "\t".join(row)
    assert output(f"{line} --m2 references.m2") == expected
    assert output(f"{line} -r references.m2") == expected


def test_json_without_sources(output, tmp_path):
    path = tmp_path / "x.jsonl"
    rows = zip(REFERENCES, SYSTEMS["bold.txt"], strict=True)
    lines = [json.dumps({"references": listed, "prediction": text}) for listed, text in rows]
    path.write_text("\n".join(lines), "utf-8")
    value = half_up(score(None, SYSTEMS["bold.txt"], REFERENCES, "bleu")["bleu"])
    assert output(f"green -m bleu --jsonl {path}") == f"prediction\t{value}\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-m gleu", "--metric gleu"),
        ("-m gleu -i 9", "-m gleu --iterations 9"),
        ("-m gleu -i 9", "-m gleu --iter 9"),
        ("-m gleu", "-m gleu -i 500 --formula official"),
        ("-m green", ""),
    ],
)
def test_names_of_options_of_scores(output, one, other):
    assert output(f"green {BOTH} {one}") == output(f"green {BOTH} {other}")


@pytest.mark.parametrize("command", ["green", "mgreen"])
def test_tables_of_gleu(output, command):
    printed = output(f"{command} -m gleu {CORPUS} -c bold.txt --max -v")
    lines = printed.splitlines()
    assert lines[0] == "bold.txt"
    assert lines[2].replace("|", "").split() == ["numer", "denom", "p", "bp", "gleu"]
    options = {"metric": "gleu", "selection": "max", "detailed": True, "level": LEVELS[command]}
    result = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES, **options)
    rows = [line.replace("|", "").split() for line in lines[4:-1]]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "total"]
    for n, row in enumerate(rows[:-1]):
        assert row[1:4] == [
            str(result["numerator"][n]),
            str(result["denominator"][n]),
            half_up(result["precisions"][n]),
        ]
    assert rows[-1][1] == str(sum(result["numerator"]))
    assert rows[-1][-1] == half_up(result["gleu"])


def test_tables_of_sampled_gleu_show_means(output):
    lines = output(f"green -m gleu {CORPUS} -c bold.txt -v -d 3").splitlines()
    result = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES, "gleu", detailed=True)
    first, last = (lines[i].replace("|", "").split() for i in (4, -2))
    assert first[1:3] == [f"{result['numerator'][0]:.3f}", f"{result['denominator'][0]:.0f}"]
    assert last[-1] == half_up(result["gleu"], 3)


@pytest.mark.parametrize("options", ["", "--max", "-t char -n 3", "-d 4"])
def test_sentence_tables_are_those_of_the_public_gleu(output, options):
    """The package's own command, on files of examples: the same bytes."""
    ours = output(f"sgreen -m gleu {BOTH} -v {options}")
    path = Path(sys.executable).parent / "sgleu"
    theirs = f"{path} {BOTH.replace('-c', '-o')} -v {options.replace('--max', '-m')}"
    ran = subprocess.run(shlex.split(theirs), cwd=EXAMPLES, capture_output=True, check=True)
    assert ours.encode() == ran.stdout


@pytest.mark.parametrize("command", LEVELS)
@pytest.mark.parametrize("metric", ["bleu", "rouge", "f1"])
def test_tables_without_sources(output, command, metric):
    printed = output(f"{command} -m {metric} -r reference0.txt -c bold.txt -v")
    lines = printed.splitlines()
    assert lines[0] == "bold.txt"
    if command == "sgreen":
        assert lines[1] == f"C-1-1 \t{SYSTEMS['bold.txt'][0]}"
        assert lines[2] == f"R-1-1 \t{REFERENCES[0][0]}"
        lines = lines[2:]
    columns = [cell.strip() for cell in lines[2].split("|")[2:-1]]
    assert (
        columns
        == {
            "bleu": ["match", "total", "p", "bp", "bleu"],
            "rouge": ["match", "total", "rouge"],
            "f1": ["match", "total", "p", "bp", "bleu", "rouge", "f1"],
        }[metric]
    )
    if command != "sgreen":
        options = {"metric": metric, "level": LEVELS[command]}
        first = [texts[:1] for texts in REFERENCES]
        value = score(None, SYSTEMS["bold.txt"], first, **options)[metric]
        assert lines[-2].replace("|", "").split()[-1] == half_up(value)


@pytest.mark.parametrize("metric", ["gleu", "bleu", "rouge", "f1"])
@pytest.mark.parametrize("command", ["green", "mgreen"])
def test_intervals_and_tests_of_other_scores(output, command, metric):
    sources = "-s source.txt" if metric == "gleu" else ""
    line = (
        f"{command} -m {metric} {sources} -r reference0.txt reference1.txt -c careful.txt bold.txt"
    )
    resampled = "--confidence --paired ar --resamples 50"
    found = json.loads(output(f"{line} {resampled} --format json"))
    table = compare(
        SYSTEMS,
        SOURCES if sources else None,
        REFERENCES,
        paired="ar",
        n_resamples=50,
        metric=metric,
        level=LEVELS[command],
        detailed=True,
    )
    for row, expected in zip(found["results"], table.to_dict("records"), strict=True):
        assert row.keys() == expected.keys()
        for name in (metric, "low", "high"):
            assert row[name] == pytest.approx(expected[name], abs=1e-12)
    assert found["results"][1]["p_value"] == pytest.approx(table["p_value"][1])
    assert found["options"]["metric"] == metric
    assert "beta" not in found["options"]
    assert found["n_sentences"] == len(SOURCES)
    text = output(f"{line} {resampled}").splitlines()
    title = {"rouge": "ROUGE-4"}.get(metric, metric.upper())
    assert text[0].split()[:2] == ["system", title]


def test_the_help_names_every_score():
    from green_gec.scores import SCORES

    action = next(a for a in cli._parser("green", "corpus")._actions if a.dest == "metric")
    assert action.choices == list(SCORES)


# What goes in.


def test_m2(output):
    assert output("green --m2 references.m2 -c careful.txt bold.txt") == output(f"green {BOTH}")
    line = "green -s source.txt -r references.m2 -c careful.txt bold.txt"
    assert output(line) == output(f"green {BOTH}")


@pytest.mark.parametrize("name", ["errant", "official"])
def test_m2_of_conll14(data_dir, output, monkeypatch, name):
    monkeypatch.chdir(data_dir / "conll14")
    expected = {"errant": "79.25", "official": half_up(score(*official(data_dir))["green"])}
    assert output(f"green --m2 {name}.m2 -c systems/AMU").split()[-1] == expected[name]


def official(data_dir):
    sources, references = read_m2(data_dir / "conll14" / "official.m2")
    return sources, read_lines(data_dir / "conll14" / "systems" / "AMU"), references


@pytest.mark.parametrize("form", ["object", "list"])
def test_jsonl(output, tmp_path, form):
    path = tmp_path / "x.jsonl"
    columns = zip(SOURCES, REFERENCES, *SYSTEMS.values(), strict=True)
    path.write_text(
        "".join(
            json.dumps(
                {
                    "source": source,
                    "references": references,
                    "predictions": dict(zip(SYSTEMS, texts, strict=True))
                    if form == "object"
                    else texts,
                }
            )
            + "\n"
            for source, references, *texts in columns
        ),
        "utf-8",
    )
    expected = output(f"green {BOTH}")
    if form == "list":
        expected = expected.replace("careful.txt", "predictions[0]")
        expected = expected.replace("bold.txt", "predictions[1]")
    assert output(f"green --jsonl {path}") == expected


def test_standard_input():
    text = (EXAMPLES / "bold.txt").read_bytes()
    for data in (text, gzip.compress(text), b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")):
        process = start(f"green {CORPUS} -c -", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        printed, _ = process.communicate(data)
        expected = half_up(score(SOURCES, SYSTEMS["bold.txt"], REFERENCES)["green"])
        assert printed.decode().splitlines()[2] == f"-\t{expected}"


def test_compressed_files(output, tmp_path):
    zipped = []
    for name in ("source.txt", "references.m2", "bold.txt"):
        zipped.append(tmp_path / f"{name}.gz")
        zipped[-1].write_bytes(gzip.compress((EXAMPLES / name).read_bytes()))
    source, references, system = zipped
    printed = output(f"green -s {source} -r {references} -c {system}")
    assert printed.split()[-1] == output(f"green {CORPUS} -c bold.txt").split()[-1]


def test_a_system_may_be_given_twice(output):
    lines = output(f"green {CORPUS} -c bold.txt bold.txt --paired").splitlines()
    assert lines[2].split()[-1] == "(baseline)"
    assert lines[3].split()[-2:] == ["0.00", "1.0000"]


# What comes out.


@pytest.mark.parametrize("command", LEVELS)
def test_tables_of_orders(output, command):
    level = LEVELS[command]
    printed = output(f"{command} {CORPUS} -c bold.txt -v -b 1 2 -n 3")
    rows = re.findall(r"^\| +[1-3] .*", printed, flags=re.M)
    n_tables = 2 * (60 if level == "sentence" else 1)
    assert len(rows) == 3 * n_tables
    assert printed.count("bold.txt\talpha=0.50\tbeta=1.00\n") == n_tables / 2
    details = score(
        SOURCES,
        SYSTEMS["bold.txt"],
        REFERENCES,
        level=level,
        beta=[1, 2],
        max_order=3,
        detailed=True,
    )
    cells = [row.strip("| ").replace(" ", "").split("|") for row in rows]
    for index, row in enumerate(cells):
        table, order = divmod(index, 3)
        sentence, beta = divmod(table, 2)

        def value(name, beta=beta, sentence=sentence):
            of_beta = details[name][beta]
            return of_beta[sentence] if level == "sentence" else of_beta

        counts = [value(name)[order] for name in oracle.REGIONS]
        tk, td, ti, od, oi, ud, ui = counts
        assert row[:11] == list(map(str, [order + 1, *counts, tk + td + ti, od + oi, ud + ui]))
        assert row[11:13] == [half_up(value("precisions")[order]), half_up(value("recalls")[order])]
        if order == 2:
            whole = [half_up(value(name)) for name in ("precision", "recall", "green")]
            assert row[14:] == whole


def test_lines_of_orders(output):
    result = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES)
    line = "\t".join(["0.20", "2.00", *map(half_up, (result["precision"], result["recall"]))])
    assert output(f"green {CORPUS} -c bold.txt -v -l") == f"{line}\t{half_up(result['green'])}\n"


def test_sentences_with_their_texts(output):
    blocks = output(f"sgreen {BOTH} -v").split("careful.txt\t")[1:]
    assert len(blocks) == 60
    chosen = score(SOURCES, SYSTEMS["careful.txt"], REFERENCES, level="sentence", detailed=True)[
        "chosen_reference"
    ]
    for number, block in enumerate(blocks):
        lines = block.splitlines()
        assert lines[1] == f"S-{number + 1}   \t{SOURCES[number]}"
        assert lines[2] == f"C-{number + 1}-1 \t{SYSTEMS['careful.txt'][number]}"
        marks = ["*" if rank == chosen[number] else " " for rank in (0, 1)]
        assert lines[3:5] == [
            f"R-{number + 1}-{rank + 1}{mark}\t{REFERENCES[number][rank]}"
            for rank, mark in enumerate(marks)
        ]


@pytest.mark.parametrize("command", LEVELS)
def test_json_has_everything(output, command):
    level = LEVELS[command]
    sure = "--confidence 0.9 --paired ar --resamples 100 --seed 5" if level in RESAMPLED else ""
    found = json.loads(output(f"{command} {BOTH} --format json -b 1 2 {sure}"))
    options = {"level": level, "beta": [1.0, 2.0]}
    if sure:
        options |= {"confidence_level": 0.9, "paired": "ar", "n_resamples": 100, "seed": 5}
    table = compare(SYSTEMS, SOURCES, REFERENCES, detailed=True, **options)
    expected = json.loads(table.to_json(orient="records", double_precision=15))
    assert len(found["results"]) == len(expected)
    for row, other in zip(found["results"], expected, strict=True):
        assert row.keys() == other.keys()
        for name, value in row.items():
            assert value == pytest.approx(other[name], abs=1e-12), name
    assert found["signature"].startswith("green|nrefs:2|tok:word|order:4|beta:1,2|")
    assert found["n_sentences"] == 60
    assert found["options"]["max_order"] == 4
    assert found["options"] | options == found["options"]
    assert found["options"]["baseline"] == ("careful.txt" if sure else None)


def test_json_knows_no_infinity(output):
    found = json.loads(output(f"green {BOTH} --format json -b inf"), parse_constant=pytest.fail)
    assert found["options"]["beta"] == ["inf"]
    assert found["results"][0]["beta"] == "inf"


def test_csv(output):
    printed = output(f"green {BOTH} --format csv --confidence --paired -d 3")
    first, second = csv.DictReader(io.StringIO(printed))
    table = compare(SYSTEMS, SOURCES, REFERENCES)
    assert second["system"] == "bold.txt"
    assert second["beta"] == "2"
    for name in ("green", "precision", "recall", "low", "high", "difference"):
        assert float(second[name]) == pytest.approx(100 * table[name][1], abs=0.0006)
    assert float(second["p_value"]) == pytest.approx(table["p_value"][1], abs=0.00006)
    assert first["difference"] == first["p_value"] == ""


def test_csv_of_sentences(output):
    rows = list(csv.DictReader(io.StringIO(output(f"sgreen {BOTH} --format csv"))))
    assert [int(row["sentence"]) for row in rows] == [*range(60)] * 2
    assert list(rows[0]) == ["system", "beta", "sentence", "green", "precision", "recall"]


def test_text_markdown_and_latex_have_the_same_cells(output):
    line = f"green {BOTH} --confidence 0.99 --paired"
    text = [re.split(r" {2,}", row.strip()) for row in output(line).splitlines()]
    assert text[0] == [
        *("system", "beta", "GREEN", "precision", "recall", "99% interval", "difference", "p-value")
    ]
    markdown = [
        row.strip("|").split("|") for row in output(f"{line} --format markdown").splitlines()
    ]
    latex = [row.split("&") for row in output(f"{line} --format latex").splitlines() if "&" in row]
    for row, in_markdown, in_latex in zip(text[2:], markdown[2:], latex[1:], strict=True):
        cells = [cell.strip() for cell in in_markdown]
        assert [cell for cell in cells if cell] == row
        assert [cell.strip(" \\") for cell in in_latex] == cells
    assert "99\\% interval" in latex[0][5]


def test_markup_in_names(output, tmp_path):
    path = tmp_path / "a_b|c.txt"
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    assert r"a_b\|c.txt |" in output(f"green {CORPUS} -c {path} --format markdown")
    assert r"a\_b|c.txt" in output(f"green {CORPUS} -c {path} --format latex")


@pytest.mark.parametrize(
    ("format_", "last"),
    [("text", ""), ("markdown", ""), ("latex", "% ")],
)
def test_signature(output, format_, last):
    printed = output(f"mgreen {BOTH} --format {format_} --signature")
    signature = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES, level="mean", detailed=True)
    assert printed.splitlines()[-1] == last + signature["signature"]


def test_signature_of_tests(output):
    printed = output(f"green {BOTH} --paired ar --resamples 10 --seed 3 --signature")
    assert "|strip:no|ar:10|seed:3|version:" in printed.splitlines()[-1]
    printed = output(f"green {BOTH} --paired ar --confidence --resamples 10 --seed 3 --signature")
    assert "|strip:no|bs:10|ar:10|conf:0.95|seed:3|version:" in printed.splitlines()[-1]
    (row, _) = csv.DictReader(io.StringIO(output(f"green {BOTH} --format csv --signature")))
    assert row["signature"].startswith("green|nrefs:2|")


def test_intervals_alone_and_tests_alone(output):
    assert "p-value" not in output(f"green {BOTH} --confidence")
    assert "interval" not in output(f"green {BOTH} --paired")


def test_the_baseline(output):
    rows = output(f"green {BOTH} --paired --baseline bold.txt").splitlines()[2:]
    assert [row.split()[-1] == "(baseline)" for row in rows] == [False, True]
    found = json.loads(output(f"green {BOTH} --paired --baseline bold.txt --format json"))
    assert found["options"]["baseline"] == "bold.txt"
    assert [row["p_value"] is None for row in found["results"]] == [False, True]


@pytest.mark.parametrize(("resamples", "digits"), [(9, 1), (1000, 4), (20000, 5)])
def test_p_values_have_as_many_digits_as_they_can_tell(output, resamples, digits):
    row = output(f"green {BOTH} --paired ar --resamples {resamples}").splitlines()[3]
    assert re.fullmatch(rf"[01]\.\d{{{digits}}}", row.split()[-1])


@pytest.mark.parametrize("ending", ["txt", "json", "csv", "md", "tex"])
def test_save(output, tmp_path, ending):
    formats = {"txt": "text", "json": "json", "csv": "csv", "md": "markdown", "tex": "latex"}
    path = tmp_path / f"results.{ending}"
    path.write_text("old", "utf-8")
    printed = output(f"green {BOTH} --save {path}")
    assert printed == output(f"green {BOTH}")
    assert path.read_text("utf-8") == output(f"green {BOTH} --format {formats[ending]}")
    assert os.listdir(tmp_path) == [path.name]


def test_save_in_the_format_asked_for(output, tmp_path):
    output(f"green {BOTH} --format json --save {tmp_path / 'results'}")
    assert json.loads((tmp_path / "results").read_text("utf-8"))["n_sentences"] == 60


def test_save_never_leaves_half_a_file(run, tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    path.write_text("old", "utf-8")
    monkeypatch.setattr(
        os, "fsync", lambda file: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    status, printed, errors = run(f"green {BOTH} --save {path}")
    assert (status, printed) == (2, "")
    assert errors == f"green: error: cannot write {path}: No space left\n"
    assert path.read_text("utf-8") == "old"
    assert os.listdir(tmp_path) == [path.name]


def test_save_to_a_device_or_a_pipe(output):
    output(f"green {BOTH} --save /dev/null")
    assert not Path("/dev/null").is_file()
    reader, writer = os.pipe()
    printed = output(f"green {BOTH} --save /dev/fd/{writer}")
    os.close(writer)
    with open(reader, encoding="utf-8") as file:
        assert file.read() == printed


def test_save_keeps_links_and_permissions(output, tmp_path):
    secret, link, new = tmp_path / "secret", tmp_path / "link", tmp_path / "new"
    secret.touch(0o600)
    link.symlink_to(secret)
    printed = output(f"green {BOTH} --save {link}")
    assert link.is_symlink()
    assert secret.read_text("utf-8") == printed
    assert secret.stat().st_mode & 0o777 == 0o600
    output(f"green {BOTH} --save {new}")
    (tmp_path / "ordinary").touch()
    assert new.stat().st_mode == (tmp_path / "ordinary").stat().st_mode


def test_names_that_are_not_utf8(tmp_path):
    path = os.fsencode(tmp_path / "b") + b"\xff"
    Path(os.fsdecode(path)).write_bytes((EXAMPLES / "bold.txt").read_bytes())
    green = Path(sys.executable).parent / "green"
    line = [green, *shlex.split(CORPUS), "-c", path, "--save", tmp_path / "saved"]
    ran = subprocess.run(line, cwd=EXAMPLES, capture_output=True, check=True)
    assert ran.stdout.splitlines()[2] == path + b"\t88.90"
    assert (tmp_path / "saved").read_bytes() == ran.stdout


# What is wrong.

BAD = [
    ("green -s no.txt -r reference0.txt -c bold.txt", "no.txt: No such file or directory"),
    ("green -s . -r reference0.txt -c bold.txt", ".: Is a directory"),
    (
        "green -s source.txt -r reference0.txt -c short",
        "short has 2 sentences, but source.txt has 60",
    ),
    ("green -s source.txt -r short -c bold.txt", "short has 2 sentences, but source.txt has 60"),
    ("green -s source.txt -r reference0.txt -c latin", "latin:2: not UTF-8: byte 0xe9 at offset 6"),
    ("green --m2 malformed.m2 -c short", "malformed.m2:2: an edit must read 'A start end|||"),
    (
        "green --m2 outside.m2 -c short",
        "outside.m2:2: an edit from 0 to 2 in a sentence of 1 tokens",
    ),
    ("green --jsonl bad.jsonl", "bad.jsonl:2: not JSON: "),
    (f"green {CORPUS}", "there are no systems: source.txt has none, and no file is given"),
    (f"green {CORPUS} -c", "argument -c/--corrected: expected at least one argument"),
    ("green -s source.txt -c bold.txt", "there are no references: source.txt has none"),
    ("green -r reference0.txt -c bold.txt", "one of the arguments -s/--source --m2 --jsonl is"),
    (f"green {BOTH} --m2 references.m2", "argument --m2: not allowed with argument -s/--source"),
    (f"green {BOTH} -t words", "argument -t/--tokenize: invalid choice: 'words'"),
    (f"green {BOTH} -n 0", "argument -n: must be a whole number from 1 to 1000, not '0'"),
    (f"green {BOTH} -n 2.5", "argument -n: must be a whole number from 1 to 1000, not '2.5'"),
    (f"green {BOTH} -n {10**20}", "argument -n: must be a whole number from 1 to 1000, not '1000"),
    (f"green {BOTH} -b 0", "argument -b/--beta: must be a positive number, not '0'"),
    (f"green {BOTH} -b 1 nan", "argument -b/--beta: must be a positive number, not 'nan'"),
    (f"green {BOTH} -d -1", "argument -d/--digit: "),
    (f"green {BOTH} --confidence 95", "argument --confidence: must be a number between 0 and 1"),
    (f"green {BOTH} --confidence 1", "argument --confidence: must be a number between 0 and 1"),
    (f"green {BOTH} --paired t", "argument --paired: invalid choice: 't'"),
    (
        f"green {BOTH} --paired --baseline best",
        "argument --baseline: must be one of careful.txt, bold.txt",
    ),
    (f"green {BOTH} --baseline bold.txt", "argument --baseline: needs --paired"),
    (f"green {BOTH} --resamples 100", "argument --resamples: needs --confidence or --paired"),
    (f"green {BOTH} --seed 0", "argument --seed: needs --confidence or --paired"),
    (f"green {BOTH} --paired --resamples 0", "argument --resamples: must be a whole number from 1"),
    (f"green {BOTH} --format html", "argument --format: invalid choice: 'html'"),
    (f"green {BOTH} --format json -v", "argument -v: its tables are for --format text, not json"),
    (f"green {BOTH} --save nowhere/x", "argument --save: cannot write 'nowhere/x'"),
    (f"green {BOTH} --save .", "argument --save: cannot write '.'"),
    (f"green {BOTH} --save -", "argument --save: cannot write '-'"),
    (f"green {BOTH} --save ''", "argument --save: cannot write ''"),
    (f"green {BOTH} --save ./bold.txt", "argument --save: ./bold.txt is to be read, not to be wri"),
    ("green -s 'no\nfi  le' -r short -c short", r"no\nfi  le: No such file or directory"),
    ("green -s source.txt -r reference0.txt -c /proc/self/mem", "/proc/self/mem: Input/output er"),
    (f"green {BOTH} --what", "unrecognized arguments: --what"),
    (f"sgreen {BOTH} --confidence", "argument --confidence: resamples sentences; use green or mgr"),
    (f"sgreen {BOTH} --paired", "argument --paired: resamples sentences; use green or mgreen"),
    (f"green {BOTH} -m blue", "argument -m/--metric: invalid choice: 'blue'"),
    (f"green {BOTH} -m bleu", "argument -s/--source: bleu takes no sources; leave it out"),
    ("green -m gleu -r short -c short", "one of the arguments -s/--source --m2 --jsonl is require"),
    ("green -m gleu --jsonl unsourced.jsonl", "unsourced.jsonl has no sources; gleu needs them"),
    ("green -m bleu -c short", "there are no references: no file is given"),
    ("green -m bleu -r short -c bold.txt", "bold.txt has 60 sentences, but short has 2"),
    (f"green {BOTH} -m gleu -b 1", "argument -b: gleu has no such option"),
    (f"green {BOTH} -m gleu -v -l", "argument -l: gleu has no such option"),
    (f"green {BOTH} -m gleu --effective-order", "argument --effective-order: gleu has no such"),
    (f"green {BOTH} --max", "argument --max: green has no such option"),
    (f"green {BOTH} -i 5", "argument -i: green has no such option"),
    (
        f"green {BOTH} -m gleu -i 0",
        "argument -i/--iterations: must be a whole number of draws for gle",
    ),
    (
        f"green {BOTH} -m gleu --formula book",
        "gleu's formula must be 'official' or 'paper', not 'book'",
    ),
    ("green -m f1 -r short -c short --formula paper", "argument --formula: f1 has no such option"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_bad_input(run, tmp_path, monkeypatch, line, message):
    for name in ("source.txt", "reference0.txt", "reference1.txt", "careful.txt", "bold.txt"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    (tmp_path / "references.m2").write_bytes((EXAMPLES / "references.m2").read_bytes())
    (tmp_path / "short").write_text("a\nb\n", "utf-8")
    (tmp_path / "latin").write_bytes(b"ab\ncaf\xe9\n")
    (tmp_path / "malformed.m2").write_text("S a\nA 0 1|||X|||b\n", "utf-8")
    (tmp_path / "outside.m2").write_text("S a\nA 0 2|||X|||b|||REQUIRED|||-NONE-|||0\n", "utf-8")
    (tmp_path / "unsourced.jsonl").write_text('{"references": "a", "prediction": "b"}', "utf-8")
    (tmp_path / "bad.jsonl").write_text('{"source": "a", "prediction": "b"}\n{"source\n', "utf-8")
    before = sorted(os.listdir(tmp_path))
    monkeypatch.chdir(tmp_path)
    status, printed, errors = run(f"{line} --save saved" if "--save" not in line else line)
    assert (status, printed) == (2, "")
    assert errors.startswith(f"{line.split()[0]}: error: {message}")
    assert errors.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_ends_quietly(unbuffered):
    """Also when the reader takes a part, and Python keeps no buffer of its own."""
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    pipe = subprocess.PIPE
    process = start(f"sgreen {BOTH} -v", stdout=pipe, stderr=pipe, env=env)
    assert process.stdout.read(5) == b"caref"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


def test_ctrl_c_ends_quietly():
    pipe = subprocess.PIPE
    process = start(
        f"green {CORPUS} -c -",
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        # Where the tests run in the background, the signal may be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == (b"", b"")
    assert process.returncode == 130


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_an_error(unbuffered):
    with open("/dev/full", "wb") as full:
        env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        process = start(f"green {BOTH}", stdout=full, stderr=subprocess.PIPE, env=env)
        errors = process.communicate()[1]
    assert errors == b"green: error: cannot write the output: No space left on device\n"
    assert process.returncode == 2


def test_closed_outputs():
    command = f"{Path(sys.executable).parent / 'green'} {BOTH}"
    for closed, status, printed, errors in [
        (">&-", 2, "", "green: error: cannot write the output: standard output is closed\n"),
        ("-s - <&-", 2, "", "green: error: standard input is closed\n"),
        ("2>&-", 0, "alpha\t0.20\n", ""),
    ]:
        ran = subprocess.run(
            f"{command} {closed}", shell=True, cwd=EXAMPLES, capture_output=True, text=True
        )
        assert (ran.returncode, ran.stderr) == (status, errors)
        assert ran.stdout.startswith(printed)


def test_help_and_version(run):
    for command in LEVELS:
        status, printed, _ = run(f"{command} --help")
        assert status == 0
        assert printed.startswith(f"usage: {command} ")
        assert run(f"{command} --version") == (0, f"{command} {green_gec.__version__}\n", "")


def test_nothing_slow_is_imported():
    code = """
import sys
from green_gec import cli
assert "numpy" not in sys.modules
cli.main("green", "corpus", sys.argv[1:])
slow = {"evaluate", "datasets", "pandas", "tabulate", "tqdm", "pyarrow.compute"}
assert not slow & set(sys.modules), slow & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code, *shlex.split(BOTH)], cwd=EXAMPLES, check=True)


def read_all(controller):
    """What is shown on a terminal until the last program that writes there has ended."""
    shown = b""
    with contextlib.suppress(OSError):  # that is how Linux tells the end
        while piece := os.read(controller, 4096):
            shown += piece
    os.close(controller)
    return shown


def test_a_bar_on_a_terminal_for_long_work(tmp_path):
    path = tmp_path / "texts"
    path.write_text("\n".join(SOURCES * 500), "utf-8")
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 80, 0, 0))
    line = f"green -s {path} -r {path} -c {path} --confidence --resamples 40000"
    process = start(line, stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read_all, controller)
        printed = process.communicate()[0].decode()
        shown = reading.result().decode()
    assert printed.splitlines()[2].split()[:3] == [str(path), "2", "100.00"]
    assert "resampling:" in shown
    assert shown.endswith("\r")  # nothing is left of it


def test_explain(output, tmp_path):
    printed = output(f"sgreen {BOTH} --explain -t char -n 2 -b 1 --strip --save {tmp_path}/x.json")
    parts = []
    for index, source in enumerate(SOURCES):
        for name, corrected in SYSTEMS.items():
            options = {"tokenizer": "char", "max_order": 2, "beta": 1, "strip": True}
            found = explain(source, corrected[index], REFERENCES[index], **options)
            text = found.to_text(show=lambda value: report.percent(value, 2))
            parts.append(f"sentence {index + 1}, {name}\n{text}\n")
    assert printed == "\n".join(parts)
    saved = json.loads((tmp_path / "x.json").read_text())["results"]
    assert len(saved) == len(parts)


def test_names_of_files_do_nothing_to_a_terminal(output, tmp_path):
    path = tmp_path / "a\x1b[31mb\x07"
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    printed = output(f"sgreen {CORPUS} -c {shlex.quote(str(path))} --explain -n 1")
    assert "a\\x1b[31mb\\x07" in printed
    assert "\x1b" not in printed


def test_explanations_are_coloured_on_a_terminal_only(tmp_path):
    line = f"sgreen {CORPUS} -c careful.txt --explain -n 1 --save {tmp_path}/saved.txt"
    plain = start(line, stdout=subprocess.PIPE).communicate()[0]
    assert plain == (tmp_path / "saved.txt").read_bytes()
    assert b"\x1b" not in plain
    for settings, colored in ({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False):
        controller, terminal = pty.openpty()
        env = {**os.environ, "TERM": "xterm", **settings}
        with start(line, stdout=terminal, env=env):
            os.close(terminal)
            shown = read_all(controller)
        assert (b"have[UD]\x1b[0m" in shown) == colored
        unstyled = re.sub(rb"\x1b\[[\d;]*m", b"", shown).replace(b"\r\n", b"\n")
        assert unstyled == plain == (tmp_path / "saved.txt").read_bytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"green {BOTH} --explain", "argument --explain: explains each sentence; use sgreen"),
        (f"sgreen {BOTH} --explain -v", "argument --explain: not allowed with -v"),
        (f"sgreen {BOTH} --explain -l", "argument --explain: not allowed with -l"),
        (f"sgreen {BOTH} --explain --format csv", "not allowed with --format"),
        (f"sgreen {BOTH} --explain --signature", "not allowed with --signature"),
        (f"sgreen {BOTH} --explain -b 1 2", "argument --explain: takes one beta"),
        ("sgreen -m bleu -r reference0.txt -c bold.txt --explain", "needs sources"),
    ],
)
def test_explain_says_what_it_cannot_do(run, line, message):
    status, printed, errors = run(line)
    assert (status, printed) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
