"""The papers' tables."""

import pytest

from experiments import published, report, tables


@pytest.mark.parametrize(
    ("cell", "off", "is_wrong"),
    [
        (("corpus level", "wordGREEN", "CoNLL r", "0.741", 0.7406), 0, False),
        (("corpus level", "wordGREEN", "CoNLL r", "0.741", 0.7404), 1, True),
        (("sentence level", "wordGLEU", "CoNLL r", "0.779", 0.7810), 2, False),
        (("sentence level", "wordGLEU", "CoNLL r", "0.779", 0.7793), 0, True),
        (("scores", "charGLEU", "NULL", "0.00", 0.0), 0, False),
    ],
)
def test_cells(cell, off, is_wrong):
    found = tables.Cell(*cell)
    assert (found.off, found.is_wrong) == (off, is_wrong)


def test_printed_tables_are_whole():
    for columns, rows in (
        (published.CORRELATION_COLUMNS, published.CORPUS_LEVEL),
        (published.CORRELATION_COLUMNS, published.SENTENCE_LEVEL),
        (published.SCORE_COLUMNS, published.SCORES),
        (published.FIRST_COLUMNS, published.FIRST),
        (published.FIRST_COLUMNS, published.BEST_BETAS),
    ):
        assert {len(cells) for cells in rows.values()} == {len(columns)}


def test_a_published_metric_of_the_user():
    """Both rows are shown, since whoever has PT-M² can compare it with the printed figures."""
    columns, printed = ["CoNLL r"], {"PT-M²": ["0.686"], "M²": ["0.623"]}
    table = tables.Table("corpus level", columns, printed, {"M²": [0.6231]}, {"PT-M²": [0.69]})
    rows = [line.split("|")[1:-1] for line in report.paper_table(table).splitlines()[2:]]
    assert [[cell.strip(" *") for cell in row] for row in rows] == [
        ["PT-M²", "published", "0.686"],
        ["PT-M²", "your file", "0.690"],
        ["M²", "here", "0.623"],
    ]


def test_tables_on_small_corpora(small_bench):
    """Every row that can be computed is, and ERRANT's printed row stays beside ours."""
    corpus, mean = tables.correlation_tables(small_bench)
    assert set(corpus.printed) - set(corpus.ours) == {"PT-M²"}
    assert set(mean.printed) - set(mean.ours) == {"PT-M²"}
    text = report.paper_table(corpus)
    assert text.count("| ERRANT ") == 2
    scores = tables.score_table(small_bench)
    assert scores.ours["M²"][1] == scores.ours["ERRANT"][1] == 0  # of the source
    assert scores.ours["wordGLEU"][3] == 0  # of empty lines
    first = tables.first_table(small_bench)
    assert list(first.ours) == list(published.FIRST)


def test_wiki_with_and_without_lines(small_bench):
    rows = {row.metric: row for row in tables.wiki_lines(small_bench)}
    assert list(rows) == list(published.FIRST)
    table = tables.first_table(small_bench)
    for metric, row in rows.items():
        assert row.intact == pytest.approx(table.ours[metric][-2:])
    assert rows["charGREEN"].intact != pytest.approx(rows["charGREEN"].whole)
