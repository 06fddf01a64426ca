"""Tables: sorted cells, and names that cannot break out."""

import math

from green_gec.reporting.markup import Cell, matrix, sortable

EVIL = '"><script>alert(1)</script>'


def test_sortable(read):
    rows = [[Cell("B"), Cell("2.00", 2.0)], [Cell(EVIL), Cell("", math.nan)]]
    page = read(sortable(EVIL, ["system", EVIL], rows, by=1))
    assert page.tables[EVIL] == [["system", EVIL], ["B", "2.00"], [EVIL, ""]]
    assert page.values[EVIL][1:] == [["B", "2.0"], [EVIL, ""]]
    heads = [attributes for tag, attributes in page.tags if tag == "th"][:2]
    assert [head.get("aria-sort") for head in heads] == [None, "descending"]
    assert "script" not in [tag for tag, _ in page.tags]


def test_matrix(read):
    page = read(matrix("all", ["A", EVIL], lambda row, column: Cell(f"{row}{column}{EVIL}")))
    head, first, second = page.tables["all"]
    assert head == ["", "1 A", f"2 {EVIL}"]
    assert first == ["1 A", f"00{EVIL}", f"01{EVIL}"]
    assert second == [f"2 {EVIL}", f"10{EVIL}", f"11{EVIL}"]
    assert "script" not in [tag for tag, _ in page.tags]
