"""The names of columns: singular, plural and synonyms."""

import pytest

from green_gec.corpus.columns import COLUMNS, find_column


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (["id", "src", "hyp", "gold"], {"sources": "src", "predictions": "hyp"}),
        (["original", "output"], {"sources": "original", "predictions": "output"}),
        (["input", "source", "pred", "predictions"], {"sources": "source"}),
        (["input", "sources", "pred", "predictions"], {"predictions": "predictions"}),
        (["target", "reference", "references"], {"references": "references"}),
        (["target", "gold", "reference"], {"references": "reference"}),
    ],
)
def test_columns_have_synonyms(columns, names):
    """The singular and the plural win over all others."""
    for argument, name in names.items():
        assert find_column(columns, *COLUMNS[argument]) == name


def test_columns_that_could_be_the_same():
    message = "^'refs' and 'target' could both be the references; rename the right one to 'referen"
    with pytest.raises(ValueError, match=message):
        find_column(["target", "refs"], *COLUMNS["references"])


def test_a_column_that_is_missing():
    columns = {"prediction": ["a"], "references": ["a"], "reference": ["b"]}
    with pytest.raises(ValueError, match="no column 'source', only prediction, references, refer"):
        find_column(columns, "source", "sources")
    with pytest.raises(ValueError, match="there is no column 'source', only none"):
        find_column([], "source", "sources")
