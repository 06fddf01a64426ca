"""Tables of scores: digits, tables of orders, text, CSV, JSON, Markdown, LaTeX and signatures."""

import csv
import io
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared import BOTH, EXAMPLES, GIVEN, LEVELS, half_up
from shared import BOTH_SYSTEMS as SYSTEMS
from shared import EXAMPLE_REFERENCES as REFERENCES
from shared import EXAMPLE_SOURCES as SOURCES
from shared import SYSTEMS as EVERY_SYSTEM

import oracle
from green_gec import compare, score
from green_gec.cli import tables

ALL_SYSTEMS = {f"{name}.txt": texts for name, texts in EVERY_SYSTEM.items()}
ALL = f"{GIVEN} -c {' '.join(ALL_SYSTEMS)}"


def csv_rows(printed):
    return list(csv.DictReader(io.StringIO(printed)))


def test_digits(output):
    value = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES)["green"]
    for digits in (0, 1, 7):
        line = output(f"green {GIVEN} -c bold.txt -d {digits}").splitlines()[2]
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
    assert tables.rounded(value, digits) == text


@pytest.mark.parametrize("command", LEVELS)
def test_tables_of_orders(output, command):
    level = LEVELS[command]
    printed = output(f"{command} {GIVEN} -c bold.txt -v -b 1 2 -n 3")
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
    assert output(f"green {GIVEN} -c bold.txt -v -l") == f"{line}\t{half_up(result['green'])}\n"


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


@pytest.mark.parametrize("command", ["green", "mgreen"])
def test_tables_of_gleu(output, command):
    printed = output(f"{command} -m gleu {GIVEN} -c bold.txt --max -v")
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
    lines = output(f"green -m gleu {GIVEN} -c bold.txt -v -d 3").splitlines()
    result = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES, "gleu", detailed=True)
    first, last = (lines[i].replace("|", "").split() for i in (4, -2))
    assert first[1:3] == [f"{result['numerator'][0]:.3f}", f"{result['denominator'][0]:.0f}"]
    assert last[-1] == half_up(result["gleu"], 3)


@pytest.mark.parametrize("options", ["", "--max", "-t char -n 3", "-d 4"])
def test_sentence_tables_are_those_of_the_public_gleu(output, options):
    """The package's own command, on files of examples: the same bytes."""
    ours = output(f"sgreen -m gleu {BOTH} -v {options}")
    path = Path(sys.executable).parent / "sgleu"
    theirs = f"{BOTH.replace('-c', '-o')} -v {options.replace('--max', '-m')}".split()
    ran = subprocess.run([path, *theirs], cwd=EXAMPLES, capture_output=True, check=True)
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


@pytest.mark.parametrize("command", LEVELS)
def test_json_has_everything(output, command):
    level = LEVELS[command]
    sure = "--confidence 0.9 --paired ar --resamples 100 --seed 5" if level != "sentence" else ""
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


def test_csv_is_the_table_of_compare(output):
    """At full precision, between 0 and 1, whatever -d says; NaN is an empty cell."""
    printed = output(f"green {ALL} --format csv --confidence --paired -d 3 -b 1 inf")
    table = compare(ALL_SYSTEMS, SOURCES, REFERENCES, beta=[1, math.inf])
    assert printed == table.to_csv(index=False)
    assert printed.splitlines()[0] == (
        "system,beta,green,precision,recall,low,high,difference,p_value,holm"
    )
    first, second, *_ = csv.DictReader(io.StringIO(printed))
    assert (first["beta"], second["beta"]) == ("1.0", "inf")
    assert first["difference"] == first["p_value"] == first["holm"] == ""


def test_csv_and_json_have_the_same_rows(output):
    """JSON has the parts of the score besides."""
    line = f"green {ALL} --confidence --paired"
    in_json = json.loads(output(f"{line} --format json"))["results"]
    for row, other in zip(csv_rows(output(f"{line} --format csv")), in_json, strict=True):
        shown = {name: "" if other[name] is None else str(other[name]) for name in row}
        assert row == shown


def test_sentences_count_from_0_for_programs_and_from_1_for_people(output):
    line = f"sgreen {BOTH} --format"
    rows = csv_rows(output(f"{line} csv"))
    assert list(rows[0]) == ["system", "beta", "sentence", "green", "precision", "recall"]
    assert [row["sentence"] for row in rows] == [str(i) for i in [*range(60)] * 2]
    assert [row["sentence"] for row in json.loads(output(f"{line} json"))["results"]] == [
        int(row["sentence"]) for row in rows
    ]
    for format_, mark in (("markdown", "|"), ("latex", "&")):
        cells = [row.strip(mark).split(mark) for row in output(f"{line} {format_}").splitlines()]
        numbers = [row[1].strip() for row in cells if len(row) > 3 and row[1].strip().isdigit()]
        assert numbers == [str(i) for i in [*range(1, 61)] * 2]


def test_text_markdown_and_latex_have_the_same_cells(output):
    line = f"green {ALL} --confidence 0.99 --paired"
    text = [re.split(r" {2,}", row.strip()) for row in output(line).splitlines()[:-1]]
    assert text[0] == [
        *("system", "GREEN", "precision", "recall", "99% interval"),
        *("difference", "p-value", "Holm"),
    ]
    markdown = [
        row.strip("|").split("|") for row in output(f"{line} --format markdown").splitlines()[:-2]
    ]
    latex = [row.split("&") for row in output(f"{line} --format latex").splitlines() if "&" in row]
    for row, in_markdown, in_latex in zip(text[2:], markdown[2:], latex[1:], strict=True):
        cells = [cell.strip().replace("**", "").replace(r"\*", "*") for cell in in_markdown]
        assert [cell for cell in cells if cell] == row
        cells_of_latex = [cell.strip().removesuffix(r"\\").rstrip() for cell in in_latex]
        plain = [
            re.sub(r"\\textbf\{(.*?)\}", r"\1", cell).replace("$^{*}$", "*").replace("$-$", "-")
            for cell in cells_of_latex
        ]
        assert plain == cells
    assert "99\\% interval" in latex[0][4]


@pytest.mark.parametrize(
    ("format_", "before", "mark"),
    [("text", "\n", "* "), ("markdown", "\n\n", r"\* "), ("latex", "\n% ", "* ")],
)
@pytest.mark.parametrize(
    ("options", "note"),
    [
        (
            f"{BOTH} --paired",
            "p < 0.05 against careful (approximate randomisation, two-sided, 1,000 resamples)",
        ),
        (
            f"{BOTH} --paired bs --resamples 20 --baseline bold.txt",
            "p < 0.05 against bold (paired bootstrap as in sacreBLEU, in effect one-sided, 20 "
            "resamples)",
        ),
        (
            f"{ALL} --paired",
            "p < 0.05 against careful (approximate randomisation, two-sided, 1,000 resamples; "
            "Holm's correction, 2 comparisons)",
        ),
    ],
)
def test_tables_say_which_test(output, options, note, format_, before, mark):
    printed = output(f"green {options} --format {format_}")
    assert printed.endswith(f"{before}{mark}{note}\n")
    printed = output(f"green {options} --format {format_} --signature")
    assert f"{before}{mark}{note}{before}green|nrefs:2|" in printed


def test_marks_are_those_of_corrected_p_values(output):
    """With 29 resamples, no p-value is small after the correction for two comparisons."""
    options = "--paired --resamples 29"
    _, bold, *_ = csv_rows(output(f"green {ALL} {options} --format csv"))
    assert float(bold["p_value"]) < 0.05 < float(bold["holm"])
    for systems, mark in ((BOTH, "*"), (ALL, "")):
        (row,) = re.findall("^bold .*", output(f"green {systems} {options}"), flags=re.M)
        assert row.split()[1].endswith(f"88.90{mark}")


def test_no_name_breaks_out_of_a_latex_comment(output, tmp_path):
    path = tmp_path / "a\nb"
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    printed = output(f"green {GIVEN} -c '{path}' bold.txt --paired --format latex")
    assert r" against a\nb (approximate" in printed.splitlines()[-1]
    assert r"a\textbackslash{}nb &" in printed


def test_markup_in_names(output, tmp_path):
    path = tmp_path / "a_b|c.txt"
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    assert r"| a\_b\|c |" in output(f"green {GIVEN} -c {path} --format markdown")
    assert r"a\_b\textbar{}c &" in output(f"green {GIVEN} -c {path} --format latex")


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
    (row, _) = csv_rows(output(f"green {BOTH} --format csv --signature"))
    assert row["signature"].startswith("green|nrefs:2|")


def test_intervals_alone_and_tests_alone(output):
    assert "p-value" not in output(f"green {BOTH} --confidence")
    assert "interval" not in output(f"green {BOTH} --paired")


def test_the_test_is_approximate_randomisation(output):
    line, json_ = f"green {BOTH}", "--format json"
    assert output(f"{line} --paired {json_}") == output(f"{line} --paired ar {json_}")
    assert json.loads(output(f"{line} --paired {json_}"))["options"]["paired"] == "ar"
    assert output(f"{line} --paired bs") != output(f"{line} --paired")


@pytest.mark.parametrize(("resamples", "digits"), [(9, 1), (1000, 4), (20000, 5)])
def test_p_values_have_as_many_digits_as_they_can_tell(output, resamples, digits):
    row = output(f"green {BOTH} --paired ar --resamples {resamples}").splitlines()[3]
    assert re.fullmatch(rf"[01]\.\d{{{digits}}}", row.split()[-1])
