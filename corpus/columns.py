"""The names that columns of datasets and DataFrames and fields of JSON Lines may have."""

from collections.abc import Collection, Sequence

# The first two names, singular and plural, win; the others are synonyms of equal rank.
COLUMNS = {
    "sources": ("source", "sources", "src", "input", "original"),
    "predictions": ("prediction", "predictions", "pred", "preds", "hypothesis", "hyp", "output"),
    "references": ("references", "reference", "refs", "ref", "targets", "target", "tgt", "gold"),
}


def name_among(columns: Collection[str], names: Sequence[str]) -> str | None:
    """The one of the names that a column has, if any; an error if synonyms leave it open."""
    known = [name for name in names if name in columns]
    if len(known) > 1 and known[0] not in names[:2]:
        raise ValueError(
            f"{known[0]!r} and {known[1]!r} could both be the {names[0]}; rename the right one to "
            f"{names[0]!r}"
        )
    return known[0] if known else None


def find_column(columns: Collection[str], *names: str) -> str:
    """The column that has one of the names."""
    name = name_among(columns, names)
    if name is None:
        known = ", ".join(columns) or "none"
        raise ValueError(f"there is no column {names[0]!r}, only {known}")
    return name
