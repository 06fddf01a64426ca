"""Multiset sizes to scores: pure functions on arrays. This module knows no text.

The axes are always in the order (beta, system, sentence, reference, order, size), those that exist.
"""

import numpy as np

# The seven regions of the Venn diagram of source, reference and correction (Koyama et al. 2024,
# Table 1).
REGIONS = (
    "true_keep",
    "true_delete",
    "true_insert",
    "over_delete",
    "over_insert",
    "under_delete",
    "under_insert",
)

# The paper's settings (Section 4.1): N = 4 as in GLEU, N = 6 as in chrF, recall counts double.
GREEN_ORDERS = {"word": 4, "char": 6}
GREEN_BETA = 2.0


def regions(sizes: np.ndarray) -> np.ndarray:
    """Turn the last axis, `multiset.SIZES`, into `REGIONS`: Equations 1 to 7 as sums of sizes."""
    s, c, r, sr, sc, rc, src = np.moveaxis(sizes, -1, 0)
    tk = src
    td, ti = s - sr - sc + src, rc - src
    od, oi = sr - src, c - sc - rc + src
    ud, ui = sc - src, r - sr - rc + src
    return np.stack([tk, td, ti, od, oi, ud, ui], axis=-1)


def outcomes(sizes: np.ndarray) -> np.ndarray:
    """Turn the last axis, `multiset.SIZES`, into true positives, false positives, false negatives.

    The paper's TP = TD + TI + TK, FP = OD + OI and FN = UD + UI, without the detour over `regions`.
    """
    s, c, r, sr, sc, rc, src = np.moveaxis(sizes, -1, 0)
    return np.stack([s - sr - sc + rc + src, c - sc - rc + sr, r - sr - rc + sc], axis=-1)


def green(outcomes: np.ndarray, betas: np.ndarray, effective_order: bool) -> dict[str, np.ndarray]:
    """GREEN from outcomes (beta, …, order, outcome); `betas` has shape (beta,).

    "precisions" and "recalls" have a value for each order; the others are over all orders.
    """
    precisions, recalls, *means = _ratios(outcomes, effective_order)
    precision, recall = (values[..., -1] for values in means)
    return {
        "green": f_beta(precision, recall, betas.reshape(-1, *[1] * (precision.ndim - 1))),
        "precision": precision,
        "recall": recall,
        "precisions": precisions,
        "recalls": recalls,
    }


def by_order(
    outcomes: np.ndarray, betas: np.ndarray, effective_order: bool
) -> dict[str, np.ndarray]:
    """What GREEN has at each order, alone and over all orders up to it ("cum"), as in `green`."""
    precisions, recalls, *means = _ratios(outcomes, effective_order)
    betas = betas.reshape(-1, *[1] * (precisions.ndim - 1))
    return {
        "P": precisions,
        "R": recalls,
        "F": f_beta(precisions, recalls, betas),
        "cumP": means[0],
        "cumR": means[1],
        "cumF": f_beta(*means, betas),
    }


def choose(
    sizes: np.ndarray, n_references: np.ndarray, betas: np.ndarray, effective_order: bool
) -> np.ndarray:
    """Choose each sentence's best reference, for every beta on its own (Equation 8).

    Takes sizes (sentence, reference, order, size) and returns indices (beta, sentence). References
    that tie over the orders 1 to N are compared over 1 to N - 1, and so on down to order 1; the
    first of those that still tie is taken.
    """
    _, _, precision, recall = _ratios(outcomes(sizes), effective_order)
    f = f_beta(precision, recall, betas[:, None, None, None])
    best = np.arange(f.shape[2]) < n_references[:, None]  # (sentence, reference)
    for n in reversed(range(f.shape[3])):
        candidates = np.where(best, f[..., n], -1.0)
        best = candidates == candidates.max(axis=-1, keepdims=True)
    return best.argmax(axis=-1)


def _ratios(outcomes: np.ndarray, effective_order: bool) -> tuple[np.ndarray, ...]:
    """Precision and recall of each order, then their geometric means over all orders up to it."""
    precisions, recalls = precision_recall(outcomes)
    used = outcomes.any(axis=-1) if effective_order else None
    return precisions, recalls, geometric_means(precisions, used), geometric_means(recalls, used)


def precision_recall(outcomes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P_n and R_n of each order; where there is nothing to divide by, 1 and 0."""
    tp, fp, fn = np.moveaxis(outcomes, -1, 0)
    with np.errstate(invalid="ignore"):
        return (
            np.where(tp + fp > 0, tp / (tp + fp), 1.0),
            np.where(tp + fn > 0, tp / (tp + fn), 0.0),
        )


def geometric_means(ratios: np.ndarray, used: np.ndarray | None) -> np.ndarray:
    """The geometric means over the orders 1 to n, for every n; only over those `used`, if given."""
    if used is None:
        n_orders = np.arange(1, ratios.shape[-1] + 1)
    else:
        n_orders = np.maximum(np.cumsum(used, axis=-1), 1)
        ratios = np.where(used, ratios, 1.0)
    with np.errstate(divide="ignore"):
        return np.exp(np.cumsum(np.log(ratios), axis=-1) / n_orders)


def f_beta(precision: np.ndarray, recall: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """The weighted harmonic mean of precision and recall, 0 where one of them is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        alpha = 1 / (np.square(beta) + 1)  # 0 for an infinite beta
        f = 1 / (alpha / precision + (1 - alpha) / recall)
    return np.where((precision > 0) & (recall > 0), f, 0.0)
