"""The Space's pages: what visitors wrote is text, and pictures show the figures."""

import base64
import csv
import gc
import io
import re
import tracemalloc
import xml.etree.ElementTree

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, EXAMPLES, SYSTEMS

from green_gec import explain
from green_gec.space import visitors

Figure = pytest.importorskip("matplotlib.figure").Figure
from green_gec.space import pages  # noqa: E402

EVIL = '<img src=x onerror="alert(1)">'


def test_names_of_files_are_text_in_tables_and_pictures(compare, tmp_path):
    """Whatever a file is called: markup, mathematics, a name that matplotlib would hide."""
    names = ["<b>&amp;", "$x^2$", "_hidden", "a\x01b", "x" * 80]
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    scored = compare(systems=paths)
    shown = pages.systems(scored)
    assert "&lt;b&gt;&amp;amp;" in shown
    assert "<b>&" not in shown
    for picture in (pages.bars(scored), pages.curves(scored)):
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
    pages.draw_bars(scored, ax)
    columns = scored.columns
    assert [bar.get_width() / 100 for bar in ax.patches] == pytest.approx(columns["green"])
    (lines,) = ax.containers[0].lines[2]
    shown = [(x0 / 100, x1 / 100) for (x0, _), (x1, _) in lines.get_segments()]
    bounds = zip(columns["low"], columns["high"], strict=True)
    assert shown == [pytest.approx(pair) for pair in bounds]
    assert [label.get_text() for label in ax.get_yticklabels()] == scored.names


def test_curves_show_beta(scored):
    ax = Figure().subplots()
    pages.draw_curves(scored, ax)
    *lines, beta = ax.lines
    assert list(beta.get_xdata()) == [2, 2]
    for line, values in zip(lines, scored.beta_curves.T, strict=True):
        assert list(line.get_ydata()) == list(100 * values)
    assert len({line.get_markevery() for line in lines}) == 2  # equal systems can both be seen
    assert [text.get_text() for text in ax.get_legend().get_texts()] == scored.names


def test_csv_has_everything_in_full(scored):
    link = re.search(r"data:text/csv;base64,([^\"]+)", pages.systems(scored))[1]
    rows = list(csv.DictReader(io.StringIO(base64.b64decode(link).decode())))
    assert [row["system"] for row in rows] == ["bold.txt", "careful.txt"]
    assert float(rows[1]["p_value"]) == scored.columns["p_value"][1]
    assert rows[0]["p_value"] == rows[0]["difference"] == ""
    assert [float(row["green"]) for row in rows] == scored.columns["green"]


def test_the_table_is_in_percent_and_names_the_test(scored):
    shown = pages.systems(scored)
    assert "<td>88.90</td>" in shown
    assert "p-value against bold.txt: approximate randomisation, two-sided, 1,000 res" in shown
    assert "Holm" not in shown


def test_three_systems_have_corrected_p_values(compare):
    scored = compare(systems=["bold.txt", "careful.txt", "broken.txt"])
    assert scored.columns["holm"][1:] == [0.005994005994005994, 0.001998001998001998]
    assert "<td>0.0060</td><td>0.0060</td>" in pages.systems(scored)


def test_the_scores_of_rows():
    of_all, of_each = {"green": 0.25, "precision": 0.5, "recall": 0.125}, {3: [0.75, 1.0, 0.5]}
    shown = pages.rows(of_all, of_each, ["mind <the> gap"])
    assert "<dt>GREEN</dt><dd>25.00</dd>" in shown
    assert '<th scope="row">3</th><td>75.00</td><td>100.00</td><td>50.00</td>' in shown
    assert "mind &lt;the&gt; gap" in shown


def test_warnings_are_notes_below_the_table(scored):
    shown = pages.systems(scored._replace(warnings=["mind <the> gap"]))
    assert "</table></div><p class=" in shown
    assert "<b>Warning:</b> mind &lt;the&gt; gap.</p>" in shown


def test_messages_are_text():
    assert EVIL not in pages.problem(ValueError(EVIL))
    assert "&lt;img" in pages.problem(ValueError(EVIL))
    assert EVIL not in pages.pair({EVIL: explain(EVIL, EVIL, EVIL)})
    assert EVIL not in pages.note(EVIL) + pages.table(EVIL, [EVIL], [[EVIL, EVIL]])


def test_nothing_is_kept_of_what_was_shown():
    columns = (EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES)

    def show_all():
        for texts in list(zip(*columns, strict=True))[:8]:
            found, warnings = visitors.explain(*texts, "word", None)
            assert pages.summary(found, warnings) + pages.venn(found, 1) + pages.orders(found)
        gc.collect()

    show_all()  # fonts, and the widths of all words
    tracemalloc.start()
    show_all()
    before, _ = tracemalloc.get_traced_memory()
    show_all()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100_000  # bytes; one picture has more
