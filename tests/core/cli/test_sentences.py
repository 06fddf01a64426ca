"""`green sentences`: the sentences of the functions, for people and for programs."""

import csv
import io
import json
import re

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS, half_up

from green_gec import compare, differences, explain, worst_sentences

FILES = {f"{name}.txt": texts for name, texts in SYSTEMS.items()}
CORPUS = (FILES, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
LINE = "green sentences --m2 references.m2 -c careful.txt bold.txt broken.txt"
PAIR = ("careful.txt", "bold.txt")
EFFECT = re.compile(r"sentence (\d+): (\S+) in favour of (\w+) \(careful (\S+), bold (\S+)\)")


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ("", {}),
        ("-t char -b 0.5", {"tokenizer": "char", "beta": 0.5}),
        ("--selection mean --level mean", {"selection": "mean", "level": "mean"}),
        ("--level mean", {"level": "mean"}),
        ("-m gleu", {"metric": "gleu"}),
        ("-m gleu --max", {"metric": "gleu", "selection": "max"}),
        ("-m m2", {"metric": "m2"}),
    ],
)
def test_json_and_csv_are_the_tables_of_the_functions(output, options, settings):
    if settings.get("metric") == "m2":
        corpus, settings = [FILES], {**settings, "gold": "references.m2"}
    else:
        corpus = CORPUS
    for line, expected in {
        "--between careful bold": differences(*corpus, between=PAIR, **settings),
        "": worst_sentences(*corpus, **settings),
    }.items():
        line = f"{LINE} {options} {line}"
        found = json.loads(output(f"{line} --format json"))
        assert found["results"] == expected.to_dict("records")
        assert found["options"]["level"] == settings.get("level", "corpus")
        assert f"|level:{settings.get('level', 'corpus')}|" in found["signature"]
        assert found["n_sentences"] == 60
        rows = list(csv.DictReader(io.StringIO(output(f"{line} --format csv"))))
        assert [json.loads(row["references"]) for row in rows] == expected["references"].tolist()
        for name in expected.columns[1:4]:
            assert [row[name] for row in rows] == [str(value) for value in expected[name]]


def test_scores_without_sources(output):
    line = (
        "green sentences -m bleu -r reference0.txt -c careful.txt bold.txt --between bold careful"
    )
    found = json.loads(output(f"{line} --format json"))
    assert found["options"]["between"] == ["bold.txt", "careful.txt"]
    assert "source" not in found["results"][0]
    assert "\nsource " not in output(line)
    assert "\nreference  " in output(line)  # there is one


def test_differences_in_text(output):
    """Sentences count from 1, in percent."""
    table = differences(*CORPUS, between=PAIR, n=12)
    printed = output(f"{LINE} --between careful bold --top 12")
    careful, bold = map(half_up, compare(*CORPUS, n_resamples=0)["green"][:2])
    first, _, text = printed.partition("\n\n")
    assert first == f"GREEN of the corpus: careful {careful}, bold {bold}, difference -7.40"
    blocks = text.split("\n\n")
    assert len(blocks) == len(table) == 12
    for block, row in zip(blocks, table.to_dict("records"), strict=True):
        heading, *lines = block.splitlines()
        favoured = "careful" if row["contribution"] > 0 else "bold"
        assert EFFECT.fullmatch(heading).groups() == (
            *(str(row["sentence"] + 1), half_up(abs(row["contribution"]), 4), favoured),
            *(half_up(row[f"green_{name}"]) for name in PAIR),
        )
        shown = [row["source"], *(row[f"prediction_{name}"] for name in PAIR), *row["references"]]
        assert [re.split(" {2,}", line)[1] for line in lines] == shown
        labels = ["source", "careful", "bold", "reference 1", "reference 2"]
        assert [re.split(" {2,}", line)[0] for line in lines] == labels
    assert {EFFECT.match(block)[3] for block in blocks} == {"careful", "bold"}


def test_the_worst_in_text(output):
    table = worst_sentences(*CORPUS, n=2)
    printed = output(f"{LINE} --worst 2 -d 3")
    headings = [line for line in printed.splitlines() if line.startswith("sentence ")]
    assert headings == [
        f"sentence {row['sentence'] + 1}: costs {half_up(row['cost'], 5)} "
        f"({row['system'][:-4]} {half_up(row['green'], 3)})"
        for row in table.to_dict("records")
    ]
    assert output(f"{LINE} --worst") == output(f"{LINE} --worst 10")
    mean = output(f"{LINE} --worst 1 --selection mean --level mean")
    assert mean.startswith("mean GREEN of sentences: careful 75.03, bold ")


def test_systems_go_by_name_or_file(output):
    expected = output(f"{LINE} --between careful bold")
    assert output(f"{LINE} --between careful.txt bold.txt") == expected
    named = "green sentences --m2 references.m2 -c A=careful.txt B=bold.txt --between A B"
    renamed = expected.replace("careful", "A").replace("bold", "B")
    assert re.sub(" +", " ", output(named)) == re.sub(" +", " ", renamed)


def test_explained_sentences(output):
    table = differences(*CORPUS, between=PAIR, n=2)
    printed = output(f"{LINE} --between careful bold --top 2 --explain")
    row = table.iloc[1]
    effect = f"{half_up(abs(row['contribution']), 4)} in favour of bold"
    for name in PAIR:
        explained = explain(row["source"], row[f"prediction_{name}"], row["references"])
        text = explained.to_text(show=half_up)
        shown = name.removesuffix(".txt")
        assert f"\n\nsentence {row['sentence'] + 1}, {shown}: {effect}\n{text}\n" in printed
    assert printed.count("\nsentence ") == 4
    worst = output(f"{LINE} --worst 1 --explain")
    assert re.findall(r"^sentence \d+, (\S+): costs \d", worst, flags=re.M) == [*SYSTEMS]


@pytest.mark.parametrize("metric", ["bleu", "m2", "errant"])
def test_scores_of_edits_have_no_ngrams_to_explain(refused, metric):
    line = f"green sentences -m {metric} --m2 references.m2 -c bold.txt --worst 1 --explain"
    assert refused(line).startswith("argument --explain: ")


def test_saved_reports(output, tmp_path):
    path = tmp_path / "saved.json"
    line = f"{LINE} --between careful bold --explain"
    assert output(f"{line} --save {path}") == output(line)
    as_json = output(f"{LINE} --between careful bold --format json")
    assert path.read_text("utf-8") == as_json


def test_no_such_sentences(output):
    alike = "green sentences --m2 references.m2 -c A=bold.txt B=bold.txt --between A B"
    assert output(alike).endswith("difference 0.00\n\nno such sentences\n")
    assert json.loads(output(f"{alike} --format json"))["results"] == []
    perfect = "green sentences --m2 references.m2 -c reference0.txt --worst"
    assert output(f"{perfect} --explain").endswith("no such sentences\n")


def test_the_signature(output):
    line = f"{LINE} --between careful bold --signature"
    signature = "green|nrefs:2|tok:word|order:4|beta:2|level:corpus|eff:no|strip:no|version:"
    assert output(line).splitlines()[-1].startswith(signature)
    (row, *_) = csv.DictReader(io.StringIO(output(f"{line} --format csv")))
    assert row["signature"].startswith(signature)
