"""The Space's pages: what visitors wrote is text, and what is shown are the figures."""

import base64
import csv
import io
import json
import re
from difflib import SequenceMatcher

import pytest
from shared import EXAMPLES, half_up
from uploads import columns, count

from green_gec import explain
from green_gec.inputs import Corpus
from green_gec.reporting.analysis import analyse_scores
from green_gec.space import pages, scoring

EVIL = '<img src=x onerror="alert(1)">'
SENTENCES = json.loads((EXAMPLES / "sentences.json").read_text("utf-8"))


def show(*systems, baseline=0):
    counted = count(systems=systems)
    return pages.scores(analyse_scores(counted.statistics, counted.corpus, baseline), counted)


def test_the_answer_comes_first():
    shown = show("bold.txt", "careful.txt", "broken.txt")
    assert "has the highest GREEN, <b>88.90</b>" in shown
    assert "It is significantly better than all 2 others." in shown
    assert "Read 4 files: 60 sentences, 2 references each." in shown
    assert re.findall("<h2>(.*?)</h2>", shown) == ["Scores", "Who beats whom"]
    assert shown.index("has the highest") < shown.index("<h2>Scores") < shown.index("Who beats")
    assert shown.count('<td class="better"') == 3
    assert shown.count(">0.0060</td>") == 4  # p-values and Holm; also in the list of pairs


def test_one_system_has_no_test():
    shown = show("bold.txt")
    assert "The GREEN of <b><bdi>bold.txt</bdi></b> is" in shown
    assert "p-value" not in shown
    assert "95% interval" in shown


def test_another_baseline():
    assert "Difference from <bdi>careful.txt</bdi>" in show("bold.txt", "careful.txt", baseline=1)


def test_csv_and_json_have_everything_in_full():
    shown, expected = (
        show("bold.txt", "careful.txt"),
        columns(count(systems=("bold.txt", "careful.txt"))),
    )
    data = {
        kind: base64.b64decode(text).decode()
        for kind, text in re.findall(r"data:text/(\w+);base64,([^\"]+)", shown)
    }
    rows = list(csv.DictReader(io.StringIO(data["csv"])))
    assert [float(row["green"]) for row in rows] == expected["green"]
    assert rows[0]["p_value"] == ""
    assert float(rows[1]["p_value"]) == expected["p_value"][1]
    results = json.loads(
        base64.b64decode(re.search(r"data:application/json;base64,([^\"]+)", shown)[1])
    )
    assert [row["green"] for row in results["results"]] == expected["green"]


def test_a_sentence_shows_its_texts_once():
    counted = count(systems=("bold.txt", "careful.txt"))
    shown = pages.sentences(counted, "bold.txt", "careful.txt")
    first = re.search(r"<details>(.*?)</details>", shown)[1]
    titles = re.findall(r"<dt>(.*?)</dt>", first)
    assert titles == [
        "source",
        "<bdi>bold.txt</bdi>",
        "<bdi>careful.txt</bdi>",
        "reference 1",
        "reference 2",
    ]
    number = int(re.search(r"<span>(\d+)</span>", first)[1]) - 1
    for name in ("bold.txt", "careful.txt"):
        texts = counted.corpus.sources[number], counted.corpus.systems[name][number]
        found = explain(*texts, counted.corpus.references[number])
        assert f"<span>{half_up(found.result['green'])}</span>" in first
        assert pages.link_to(found, f"Explain <bdi>{name}</bdi>") in first


def test_sentences_without_effect():
    assert "<details" not in pages.sentences(
        count(systems=["bold.txt"] * 2), "bold.txt", "bold.txt (2)"
    )


def test_what_visitors_wrote_is_text():
    corpus = Corpus([f"{EVIL} a b c"] * 9, {EVIL: [EVIL] * 9, "b": ["x"] * 9}, [[EVIL]] * 9)
    (statistics,) = scoring.count(
        corpus, [count().statistics.options.replace(paired="ar")], warn=None
    )
    found = []
    scoring.count(
        corpus,
        [statistics.options.replace(tokenizer="char")],
        warn=lambda warning: found.append(str(warning)),
    )
    counted = scoring.Counted(corpus, statistics, found, 1)
    shown = pages.scores(analyse_scores(statistics, corpus, 0), counted) + pages.sentences(
        counted, EVIL, "b"
    )
    shown += pages.problem(ValueError(f"{EVIL}: green report {EVIL}"))
    explanation = explain(EVIL, EVIL, EVIL)
    shown += pages.summary(explanation, found, 1) + pages.orders(explanation) + explanation.to_svg()
    assert EVIL not in shown
    assert shown.count("&lt;img src=x") > 20


@pytest.mark.parametrize("example", SENTENCES, ids=[each["name"] for each in SENTENCES])
def test_examples_call_only_wrong_deletions_wrong(example):
    """A word that the reference has elsewhere would look wrongly deleted where it had to go."""
    name, *texts, tokenizer = example.values()
    found, warnings = scoring.explain(*texts, tokenizer, None, 2.0, False)
    assert not warnings
    deleted = re.findall(r"green-od.*?<del>(.*?)</del>", found.sentences_to_html())
    assert deleted == (["old"] if name == "A long sentence" else [])


def test_the_long_example_marks_all_changes():
    """No word takes the place of an equal one elsewhere, which multisets would count as kept."""
    (example,) = (each for each in SENTENCES if each["name"] == "A long sentence")
    _, *texts, _ = example.values()
    found = explain(*texts[:2], texts[2].split("\n"))
    marked = dict(found.marked_sentences("{}".format))
    source, correction = texts[0].split(), texts[1].split()
    blocks = SequenceMatcher(None, source, correction, autojunk=False).get_matching_blocks()
    n_kept = sum(size for *_, size in blocks)
    assert marked["<b>source</b>"].count("<del>") == len(source) - n_kept
    assert marked["<b>correction</b>"].count("<ins>") == len(correction) - n_kept
