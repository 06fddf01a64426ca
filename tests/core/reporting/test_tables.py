"""Tables: sorted cells, and names that cannot break out."""

import math

from green_gec.reporting.tables import Cell, matrix, sortable

EVIL = '"><script>alert(1)</script>'


def test_sortable(read):
    rows = [[Cell("B", "B"), Cell("2.00", 2.0)], [Cell(EVIL, EVIL), Cell("", math.nan)]]
    found = read(sortable(EVIL, ["system", EVIL], rows, by=1))
    assert found.tables[EVIL] == [["system", EVIL], ["B", "2.00"], [EVIL, ""]]
    assert found.values[EVIL][1:] == [["B", "2.0"], [EVIL, ""]]
    heads = [given for tag, given in found.tags if tag == "th"][:2]
    assert [given.get("aria-sort") for given in heads] == [None, "descending"]
    assert ["data-up" in given for given in heads] == [True, False]  # after a click
    assert "script" not in [tag for tag, _ in found.tags]


def test_matrix(read):
    found = read(matrix("all", ["A", EVIL], lambda row, column: Cell(f"{row}{column}", title=EVIL)))
    head, first, second = found.tables["all"]
    assert head == ["", "1 A", f"2 {EVIL}"]
    assert (first, second) == (["1 A", "00", "01"], [f"2 {EVIL}", "10", "11"])
    titles = [given["title"] for tag, given in found.tags if "title" in given]
    assert titles == [EVIL] * 4
    assert "script" not in [tag for tag, _ in found.tags]
