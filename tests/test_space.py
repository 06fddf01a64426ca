"""What visitors of the Space send is read as they mean it, and what they see is text."""

import csv
import io

import numpy as np
import pytest
from conftest import ROOT

from green_gec import score

pytest.importorskip("matplotlib")
from green_gec import page, space

EXAMPLES = ROOT / "examples"
EVIL = '<img src=x onerror="alert(1)">'
OPTIONS = ("green", "word", None, 2.0, "bs", False)


def example(*names):
    return [str(EXAMPLES / name) for name in names]


@pytest.fixture(scope="module")
def scored():
    return space.compare(
        None, example("references.m2"), example("bold.txt", "careful.txt"), *OPTIONS
    )


@pytest.mark.parametrize(
    "text",
    [
        'a b\tc d\t["e", "f"]\n\n g \th\ti\n',
        '"a b"\t"c d"\t"[""e"", ""f""]"\r\n g \th\ti',
        'sources\tpredictions\treferences\na b\tc d\t["e", "f"]\n g \th\ti\n',
        'references,sources,predictions\n"[""e"", ""f""]",a b,c d\ni, g ,h\n',
    ],
)
def test_pasted_rows(text):
    assert space.read_rows(text) == [["a b", "c d", '["e", "f"]'], [" g ", "h", "i"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb", "row 1 has 2 columns, but there are 3: sources, predictions, references"),
        ("a\tb\tc\nd\te\tf\tg", "row 2 has 4 columns"),
        ("a\tb\tc\n" * 1001, "at most 1,000 rows, not 1,001"),
        ("a\t" + "b" * 200_000 + "\tc", "cannot be read as rows"),
    ],
)
def test_rows_that_cannot_be_pasted(text, message):
    with pytest.raises(ValueError, match=message):
        space.read_rows(text)


def test_scores_of_rows():
    rows = [
        ["She go home .", "She goes home .", '["She goes home .", "She went home ."]'],
        ["", None, " "],
        ["Hello !", "Hello !", "Hello !"],
    ]
    of_all, of_each = space.score_rows(rows)
    texts = (["She go home .", "Hello !"], ["She goes home .", "Hello !"])
    references = [["She goes home .", "She went home ."], ["Hello !"]]
    assert of_all == score(*texts, references)
    assert of_each == {1: [1.0, 1.0, 1.0], 3: [1.0, 1.0, 1.0]}
    assert "<dd>1.0000</dd>" in page.rows(of_all, of_each)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["", None, ""]], "there are no rows"),
        ([["", "", ""], ["a", "b", '["c"']], "row 2: the references are not a JSON list"),
        ([["a", "b", "[" * 4_000]], "row 1: the references are not a JSON list"),
        ([["a", "b", "[]"]], "row 1: the references must be a JSON list of one or more texts"),
        ([["a", "b", '["c", 1]']], "row 1: the references must be a JSON list"),
        ([["a", "b", '["c"' + ', "c"' * 20 + "]"]], "at most 20 references of a row, not 21"),
        ([["a" * 5_001, "b", "c"]], "a cell can have at most 5,000 characters, not 5,001"),
        ([["a", "b", "c"]] * 1_001, "at most 1,000 rows"),
    ],
)
def test_rows_that_cannot_be_scored(rows, message):
    with pytest.raises(ValueError, match=message):
        space.score_rows(rows)


def test_curves_are_the_scores_of_every_beta(scored):
    curves = space.beta_curves(scored)
    for beta, values in zip(space.BETAS, curves, strict=True):
        for (_, texts), value in zip(scored.texts.systems, values, strict=True):
            alone = score(scored.texts.sources, texts, scored.texts.references, beta=beta)
            assert value == pytest.approx(alone["green"], abs=1e-12)


def test_the_most_different_sentences(scored):
    sentences = space.sentences(scored)
    assert sentences.names == ["bold.txt", "careful.txt", space.SOURCE]
    found = sentences.most_different("careful.txt", space.SOURCE, 10)
    sizes = [abs(one - other) for _, one, other in found]
    assert sizes == sorted(sizes, reverse=True)
    values = sentences.values[1:]
    assert sizes[0] == np.abs(values[0] - values[1]).max()
    for index, one, _ in found:
        assert sentences.explain("careful.txt", index).result["green"] == one
    assert sentences.most_different("bold.txt", "bold.txt", 10) == []


@pytest.mark.filterwarnings("ignore:.*strip=True")
def test_whitespace_that_counts_is_told(tmp_path):
    spaced = tmp_path / "spaced.txt"
    lines = (EXAMPLES / "bold.txt").read_text().splitlines()
    spaced.write_text("\n".join(f"{line} " for line in lines))
    for options, n in (("word", False), 0), (("char", False), 60), (("char", True), 0):
        tokenizer, strip = options
        files = (None, example("references.m2"), [str(spaced)])
        scored = space.compare(*files, "green", tokenizer, None, 2.0, "bs", strip)
        assert space.n_with_whitespace(scored) == n
        assert ("60 texts begin or end" in page.systems(scored, n)) == bool(n)


def test_names_of_files_are_text_in_tables_and_pictures(tmp_path):
    """Whatever a file is called: markup, mathematics, a name that matplotlib would hide."""
    names = ["<b>&amp;", "$x^2$", "_hidden", "x" * 80]
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    files = (None, example("references.m2"), [str(path) for path in paths])
    scored = space.compare(*files, *OPTIONS)
    shown = page.systems(scored, 0)
    assert "&lt;b&gt;&amp;amp;" in shown
    assert "<b>&" not in shown
    for picture in (page.bars(scored), page.curves(scored, space.BETAS, space.beta_curves(scored))):
        drawn = decoded(picture)
        for name in ("&lt;b&gt;&amp;amp;", "$x^2$", "_hidden", "xxx…"):
            assert name in drawn
        assert "alt=" in picture
        assert "<b>" not in picture


def decoded(picture):
    import base64
    import re

    return base64.b64decode(re.search(r"base64,([^\"]+)", picture)[1]).decode()


def test_csv_has_everything_in_full(scored):
    rows = list(csv.DictReader(io.StringIO(page.to_csv(scored.columns))))
    assert [row["system"] for row in rows] == ["bold.txt", "careful.txt"]
    assert float(rows[1]["p_value"]) == scored.columns["p_value"][1]
    assert rows[0]["p_value"] == rows[0]["difference"] == ""


def test_messages_are_text():
    assert EVIL not in page.problem(ValueError(EVIL))
    assert "&lt;img" in page.problem(ValueError(EVIL))
    assert EVIL not in page.note(EVIL) + page.table(EVIL, [EVIL], [[EVIL, EVIL]])
