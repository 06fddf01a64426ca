"""What visitors of the Space send is read as they mean it, and what they see is text."""

import base64
import csv
import gc
import io
import re
import tracemalloc
import xml.etree.ElementTree

import numpy as np
import pytest
from conftest import ROOT

from green_gec import explain, score
from green_gec.corpus import read_lines, read_m2

Figure = pytest.importorskip("matplotlib.figure").Figure
from green_gec import page, space  # noqa: E402

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
        'a b\tc d\t"[""e"", ""f""]"\r\n g \th\ti',
        'sources\tpredictions\treferences\na b\tc d\t["e", "f"]\n g \th\ti\n',
        'references,sources,predictions\n"[""e"", ""f""]",a b,c d\ni, g ,h\n',
    ],
)
def test_pasted_rows(text):
    assert space.read_rows(text) == [["a b", "c d", '["e", "f"]'], [" g ", "h", "i"]]


def test_pasted_quotes_are_quotes():
    """Tokenised text is full of them; only a spreadsheet's doubled ones mean something else."""
    many = '"' + '""' * 100_000 + "x"  # to be read in no time
    rows = [['" I agree , " he said .', '"Hello"', '""'], ['" e f', many, '"""']]
    assert space.read_rows("\n".join("\t".join(row) for row in rows)) == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb", "row 1 has 2 columns, but there are 3: sources, predictions, references"),
        ("a\tb\tc\nd\te\tf\tg", "row 2 has 4 columns"),
        ("He left , she stayed , all well .", "row 1 has 1 columns"),
        ("a\tb\tc\n" * 1001, "at most 1,000 rows, not 1,001"),
        ('sources,predictions,references\na,b,"c', "this is not CSV"),
    ],
)
def test_rows_that_cannot_be_pasted(text, message):
    with pytest.raises(ValueError, match=message):
        space.read_rows(text)


def test_scores_of_rows():
    rows = [
        ["She go home .", "She goes home .", '["She goes home .", "She went home ."]'],
        ["", None, float("nan")],
        ["Hello !", "Hello !", "Hello !"],
    ]
    of_all, of_each = space.score_rows(space.COLUMNS, rows)
    other_order = [[row[2], row[0], row[1]] for row in rows]
    names = ["references", "sources", "predictions"]
    assert space.score_rows(names, other_order) == (of_all, of_each)
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
        space.score_rows(space.COLUMNS, rows)


@pytest.mark.parametrize("columns", [["a", "b"], ["sources", "predictions", "reference"]])
def test_tables_of_other_columns(columns):
    with pytest.raises(
        ValueError, match="the columns must be sources, predictions, references, not"
    ):
        space.score_rows(columns, [["x"] * len(columns)])


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ((None, ["references.m2"] + ["reference0.txt"] * 20, ["bold.txt"]), "20 files with ref"),
        ((None, ["references.m2"] + ["reference0.txt"] * 19, ["bold.txt"]), "20 references of a s"),
    ],
)
def test_too_many_references(files, message):
    source, references, systems = files
    with pytest.raises(ValueError, match=f"at most {message}"):
        space.compare(source, example(*references), example(*systems), *OPTIONS)


def test_too_large_a_file(tmp_path):
    path = tmp_path / "large.txt"
    path.write_text("a" * 5_000_001)
    with pytest.raises(ValueError, match="larger than 5 MB"):
        space.compare(str(path), example("reference0.txt"), example("bold.txt"), *OPTIONS)


def test_references_are_split_at_ends_of_lines_only():
    found = space.explain("a", "b", "a\u2028b\r\nc\rd\n", "word", 0, 2.0, False)
    assert found.references == ["a\u2028b", "c", "d"]


def test_a_system_may_have_the_name_of_the_source(tmp_path):
    path = tmp_path / space.SOURCE
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    scored = space.compare(None, example("references.m2"), [str(path)], *OPTIONS)
    assert space.sentences(scored).names == [space.SOURCE, f"{space.SOURCE} (2)"]


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
    names = ["<b>&amp;", "$x^2$", "_hidden", "a\x01b", "x" * 80]
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
        for name in ("&lt;b&gt;&amp;amp;", "$x^2$", "_hidden", "a\\x01b", "xxx…"):
            assert name in drawn
        xml.etree.ElementTree.fromstring(drawn)
        assert "alt=" in picture
        assert "<b>" not in picture


def decoded(picture):
    return base64.b64decode(re.search(r"base64,([^\"]+)", picture)[1]).decode()


def test_bars_have_their_intervals(scored):
    ax = Figure().subplots()
    page.draw_bars(scored, ax)
    columns = scored.columns
    assert [bar.get_width() for bar in ax.patches] == columns["green"]
    (lines,) = ax.containers[0].lines[2]
    shown = [(x0, x1) for (x0, _), (x1, _) in lines.get_segments()]
    bounds = zip(columns["low"], columns["high"], strict=True)
    assert shown == [pytest.approx(pair) for pair in bounds]
    assert [label.get_text() for label in ax.get_yticklabels()] == scored.names


def test_curves_show_beta(scored):
    ax = Figure().subplots()
    scores = space.beta_curves(scored)
    page.draw_curves(scored, space.BETAS, scores, ax)
    *lines, beta = ax.lines
    assert list(beta.get_xdata()) == [2, 2]
    for line, values in zip(lines, scores.T, strict=True):
        assert list(line.get_ydata()) == list(values)
    assert len({line.get_markevery() for line in lines}) == 2  # equal systems can both be seen
    assert [text.get_text() for text in ax.get_legend().get_texts()] == scored.names


def test_csv_has_everything_in_full(scored):
    rows = list(csv.DictReader(io.StringIO(page.to_csv(scored.columns))))
    assert [row["system"] for row in rows] == ["bold.txt", "careful.txt"]
    assert float(rows[1]["p_value"]) == scored.columns["p_value"][1]
    assert rows[0]["p_value"] == rows[0]["difference"] == ""


def test_messages_are_text():
    assert EVIL not in page.problem(ValueError(EVIL))
    assert "&lt;img" in page.problem(ValueError(EVIL))
    assert EVIL not in page.pair({EVIL: explain(EVIL, EVIL, EVIL)})
    assert EVIL not in page.note(EVIL) + page.table(EVIL, [EVIL], [[EVIL, EVIL]])


def test_nothing_is_kept_of_what_was_shown():
    sources, references = read_m2(EXAMPLES / "references.m2")
    corrected = read_lines(EXAMPLES / "bold.txt")

    def show_all():
        for texts in list(zip(sources, corrected, references, strict=True))[:8]:
            found = space.explain(*texts, "word", None, 2.0, False)
            assert page.summary(found) + page.venn(found, 1) + page.orders(found)
        gc.collect()

    show_all()  # fonts, and the widths of all words
    tracemalloc.start()
    show_all()
    before, _ = tracemalloc.get_traced_memory()
    show_all()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100_000  # bytes; one picture has more
