"""The seven regions of the Venn diagram of source S, correction C and reference R: names, sizes."""

from typing import NamedTuple

import numpy as np


class Region(NamedTuple):
    """What a region of the Venn diagram is called and means; colour is never the only sign."""

    code: str  # as in the paper
    texts: str  # which of source (S), correction (C) and reference (R) have its n-grams
    title: str
    meaning: str
    outcome: str  # for the correction: kept, right, wrong or missed


# The paper's Table 1: what the reference wants (true, over, under) and what the correction does.
REGIONS = {
    "true_keep": Region("TK", "SCR", "true keep", "rightly kept", "kept"),
    "true_delete": Region("TD", "S", "true delete", "rightly deleted", "right"),
    "true_insert": Region("TI", "CR", "true insert", "rightly inserted", "right"),
    "over_delete": Region("OD", "SR", "over-delete", "wrongly deleted", "wrong"),
    "over_insert": Region("OI", "C", "over-insert", "wrongly inserted", "wrong"),
    "under_delete": Region("UD", "SC", "under-delete", "should have been deleted", "missed"),
    "under_insert": Region("UI", "R", "under-insert", "should have been inserted", "missed"),
}
# The sizes that all regions follow from, of `multiset.SIZES`.
SIZES = ("S", "C", "R", "SR", "SC", "RC", "SRC")


def regions(sizes: np.ndarray) -> np.ndarray:
    """`SIZES`, the last axis, to `REGIONS` (Equations 1 to 7)."""
    s, c, r, sr, sc, rc, src = np.moveaxis(sizes, -1, 0)
    td, ti = s - sr - sc + src, rc - src
    od, oi = sr - src, c - sc - rc + src
    ud, ui = sc - src, r - sr - rc + src
    return np.stack([src, td, ti, od, oi, ud, ui], axis=-1)


def outcomes(sizes: np.ndarray) -> np.ndarray:
    """`SIZES`, the last axis, to true positives, false positives and false negatives."""
    s, c, r, sr, sc, rc, src = (sizes[..., index] for index in range(len(SIZES)))
    tp = s - sr - sc + rc + src  # TK + TD + TI
    fp = c + sr - sc - rc  # OD + OI
    fn = r - sr + sc - rc  # UD + UI
    # Laid out one after the other: NumPy is slow along an axis of three entries.
    return np.array([tp, fp, fn]).transpose(*range(1, sizes.ndim), 0)
