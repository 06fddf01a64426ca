"""The Space's pages: what visitors wrote is text, and what is shown are the figures."""

import base64
import csv
import gc
import io
import re
import tracemalloc
from difflib import SequenceMatcher

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, EXAMPLES, SYSTEMS

from green_gec import explain
from green_gec.space import pages, visitors
from green_gec.space.examples import SENTENCES

EVIL = '<img src=x onerror="alert(1)">'


@pytest.fixture
def show(count):
    """The page of uploaded files."""

    def show(paired="ar", baseline=None, **given):
        counted = count(**given)
        return pages.systems(counted.find_all(paired, baseline), counted)

    return show


@pytest.fixture
def shown(show):
    return show(systems=["bold.txt", "careful.txt"])


def section(shown, title):
    return re.search(rf"<h3>{title}</h3>(.*?)(<h3>|$)", shown, flags=re.S)[1]


def test_names_of_files_are_text_in_tables_and_pictures(show, tmp_path):
    names = ["<b>&amp;", "$x^2$", "_hidden", "a\x01b", "x" * 80]
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    shown = show(systems=paths)
    for name in ("&lt;b&gt;&amp;amp;", "$x^2$", "_hidden", "a\\x01b"):
        # In the picture of scores, in the table, beside a curve, and in the figures of the curves.
        assert len(re.findall(rf"<(?:bdi|tspan[^>]*)>{re.escape(name)}</", shown)) >= 4
    assert "<b>&" not in shown


def test_dots_and_curves_are_those_of_the_report(shown):
    assert section(shown, "Scores").count("<circle") == 2
    assert "The dashed line is the baseline, bold.txt." in shown
    markers = [
        re.findall(r'<svg class="marker" x="([\d.]+%)"', curve)
        for curve in section(shown, "GREEN against β").split('<g class="curve')[1:]
    ]
    assert markers == [[f"{12.5 * n:.2f}%" for n in range(9)]] * 2


def test_the_tables_of_the_report(show):
    shown = show(systems=["bold.txt", "careful.txt", "broken.txt"])
    for title in ("Who beats whom", "Ranks", "GREEN against β", "By sentence length"):
        assert f"<h3>{title}</h3>" in shown
    assert shown.count('<td class="better"') == 3
    assert "its 95% interval in 1,000 bootstrap resamples" in shown
    assert "GREEN by the number of words in the source" in shown


def test_another_baseline(show):
    shown = show(baseline="careful.txt", systems=["bold.txt", "careful.txt"])
    assert "The dashed line is the baseline, careful.txt." in shown
    assert "Difference from <bdi>careful.txt</bdi>" in shown


def test_one_system_has_no_test(show):
    shown = show()
    assert "p-value" not in shown
    assert "difference" not in shown
    assert "95% interval" in shown


def test_csv_has_everything_in_full(shown, scored):
    link = re.search(r"data:text/csv;base64,([^\"]+)", shown)[1]
    rows = list(csv.DictReader(io.StringIO(base64.b64decode(link).decode())))
    assert [row["system"] for row in rows] == ["bold.txt", "careful.txt"]
    assert float(rows[1]["p_value"]) == scored.columns["p_value"][1]
    assert rows[0]["p_value"] == rows[0]["difference"] == ""
    assert [float(row["green"]) for row in rows] == scored.columns["green"]


def test_the_table_is_in_percent_and_names_the_test(shown):
    assert ">88.90</td>" in shown
    assert "approximate randomisation, two-sided, 1,000 res" in shown
    assert "Holm" not in section(shown, "Table")


def test_three_systems_have_corrected_p_values(show):
    shown = show(systems=["bold.txt", "careful.txt", "broken.txt"])
    assert section(shown, "Table").count(">0.0060</td>") == 2
    assert ">0.0020</td>" in section(shown, "Table")


def test_the_scores_of_rows():
    of_all = {"green": 0.25, "precision": 0.5, "recall": 0.125}
    each = {"row": [3], "green": [0.75], "precision": [1.0], "recall": [0.5]}
    each |= {"source": ["<s>"], "prediction": ["p"], "references": [["r", "<q>"]]}
    shown = pages.rows(of_all, each, ["mind <the> gap"])
    assert "<dt>GREEN</dt><dd>25.00</dd>" in shown
    cells = re.findall(r"<(?:td|th scope=.row)[^>]*>(.*?)</t", shown)
    figures = ["<bdi>3</bdi>", "75.00", "100.00", "50.00"]
    assert cells == [*figures, "&lt;s&gt;", "p", "r / &lt;q&gt;"]
    assert "mind &lt;the&gt; gap" in shown
    link = re.search(r"data:text/csv;base64,([^\"]+)", shown)[1]
    (row,) = csv.DictReader(io.StringIO(base64.b64decode(link).decode()))
    assert row["green"] == "0.75"
    assert row["references"] == '["r", "<q>"]'


def test_warnings_are_text(counted, scored):
    counted.warnings.append("mind <the> gap")
    assert "<b>Warning:</b> mind &lt;the&gt; gap.</p>" in pages.systems(scored, counted)


@pytest.mark.parametrize(("name", "source", "correction", "references", "tokenizer"), SENTENCES)
def test_examples_call_only_wrong_deletions_wrong(name, source, correction, references, tokenizer):
    """A word that the reference has elsewhere would look wrongly deleted where it had to go."""
    found, warnings = visitors.explain(source, correction, references, tokenizer, None)
    assert not warnings
    assert 0 <= found.result["green"] <= 1
    deleted = [token for token, region in found._marked["S"] if region == "over_delete"]
    assert deleted == (["old"] if name == "A long sentence" else [])


def test_the_long_example_marks_all_changes():
    """No word takes the place of an equal one elsewhere, which multisets would count as kept."""
    (texts,) = (texts for name, *texts in SENTENCES if name == "A long sentence")
    found, _ = visitors.explain(*texts, None)
    source, correction = ([token for token, _ in found._marked[text]] for text in "SC")
    blocks = SequenceMatcher(None, source, correction, autojunk=False).get_matching_blocks()
    in_place = [token for start, _, size in blocks for token in source[start : start + size]]
    for text, change in (("S", "delete"), ("C", "insert")):
        changed = (f"true_{change}", f"over_{change}")
        assert [token for token, name in found._marked[text] if name not in changed] == in_place


def test_messages_are_text():
    assert EVIL not in pages.problem(ValueError(EVIL))
    assert "&lt;img" in pages.problem(ValueError(EVIL))
    assert EVIL not in pages.pair({EVIL: explain(EVIL, EVIL, EVIL)})
    assert EVIL not in pages.note(EVIL) + pages.warning(EVIL)


def test_nothing_is_kept_of_what_was_shown():
    columns = (EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES)

    def show_all():
        for texts in list(zip(*columns, strict=True))[:8]:
            found, warnings = visitors.explain(*texts, "word", None)
            assert pages.summary(found, warnings, "?") + pages.venn(found, 1) + pages.orders(found)
        gc.collect()

    show_all()  # fonts, and the widths of all words
    tracemalloc.start()
    show_all()
    before, _ = tracemalloc.get_traced_memory()
    show_all()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100_000  # bytes; one picture has more
