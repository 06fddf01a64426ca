"""Tables: which column is what, and errors with the line."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS

from green_gec.corpus import read_table


def table(path, rows, **dialect):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, **dialect).writerows(rows)
    return read_table(path)


@pytest.mark.parametrize(("ending", "delimiter"), [("csv", ","), ("tsv", "\t"), ("csv", ";")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_of_any_order(tmp_path, ending, delimiter, end):
    header = ["bold", "Reference 1", " Original ", "careful", "ref_2"]
    first, second = zip(*EXAMPLE_REFERENCES, strict=True)
    columns = [SYSTEMS["bold"], first, EXAMPLE_SOURCES, SYSTEMS["careful"], second]
    rows = [header, *zip(*columns, strict=True)]
    found = table(tmp_path / f"x.{ending}", rows, delimiter=delimiter, lineterminator=end)
    assert found.sources == EXAMPLE_SOURCES
    assert found.references == [list(row) for row in EXAMPLE_REFERENCES]
    assert found.systems == {name: SYSTEMS[name] for name in ("bold", "careful")}


CELL = st.text(st.characters(exclude_characters="\r\n\x00", exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5))
def test_quotes_commas_and_line_ends_are_part_of_cells(tmp_path_factory, rows):
    rows = [[f"{cell}.\n{cell}" for cell in row] for row in rows]
    path = tmp_path_factory.mktemp("tables") / "x.csv"
    found = table(path, [["source", "reference", "system"], *rows])
    texts = zip(
        found.sources,
        [texts[0] for texts in found.references],
        found.systems["system"],
        strict=True,
    )
    assert [*map(list, texts)] == rows


def test_fewer_references_empty_corrections_and_blank_rows(tmp_path):
    header = ["source", "reference1", "reference2", "a"]
    rows = [["s", "", "r", "c"], [], ["s", "q", "r", ""], ["", "", "", ""]]
    found = table(tmp_path / "x.csv", [header, *rows])
    assert found.references == [["r"], ["q", "r"]]
    assert found.systems == {"a": ["c", ""]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.csv:1: the first row must name one column source"),
        ("a,b,c\n1,2,3\n", "x.csv:1: the first row must name one column source.*it names a, b, c"),
        ("source,reference\ns,r\n", "x.csv:1: the first row must name"),
        ("source,src,reference,a\n", "x.csv:1: the first row must name one column source"),
        ("source,reference,a,a\n", "x.csv:1: each column needs a title of its own"),
        ("source,reference,a,\n", "x.csv:1: each column needs a title of its own"),
        ("source,reference,a\n", "x.csv has no sentences"),
        ("source,reference,a\ns,r,c\ns,r\n", "x.csv:3: 2 cells, but there are 3 columns"),
        ("source,reference,a\ns,r,c\ns, ,c\n", "x.csv:3: no reference in column reference"),
        ("source,reference,a\n,r,c\n", "x.csv:2: an empty cell in column source"),
        (
            'source,reference,a\ns,r,"c\n',
            r"x.csv:2: unexpected end of data \(is a quotation mark not closed\?\)",
        ),
    ],
)
def test_errors_name_the_line(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ValueError, match=f"^{message}"):
        read_table("x.csv")
