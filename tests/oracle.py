"""GREEN written down straight from the paper, slowly: what everything is tested against."""

from collections import Counter

import numpy as np

REGIONS = (
    "true_keep",
    "true_delete",
    "true_insert",
    "over_delete",
    "over_insert",
    "under_delete",
    "under_insert",
)


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def region_counts(s, r, c):
    """Equations 1 to 7, summed over all n-grams, of three Counters."""
    total = Counter()
    for x in s | r | c:
        total += Counter(
            true_delete=max(s[x] - max(r[x], c[x]), 0),
            true_insert=max(min(r[x], c[x]) - s[x], 0),
            true_keep=min(s[x], r[x], c[x]),
            over_delete=max(min(s[x], r[x]) - c[x], 0),
            over_insert=max(c[x] - max(s[x], r[x]), 0),
            under_delete=max(min(s[x], c[x]) - r[x], 0),
            under_insert=max(r[x] - max(s[x], c[x]), 0),
        )
    return total


def precision_recall(counts):
    tp = counts["true_delete"] + counts["true_insert"] + counts["true_keep"]
    fp = counts["over_delete"] + counts["over_insert"]
    fn = counts["under_delete"] + counts["under_insert"]
    return tp / (tp + fp) if tp + fp else 1.0, tp / (tp + fn) if tp + fn else 0.0


def prf(orders, beta, effective_order=False):
    """P, R, F over the orders given, each a Counter of regions."""
    if effective_order:
        orders = [counts for counts in orders if counts.total()]
        if not orders:
            return 1.0, 1.0, 1.0
    with np.errstate(divide="ignore"):
        logs = np.log(np.array([precision_recall(counts) for counts in orders]))
    p, r = np.exp(np.cumsum(logs, axis=0)[-1] / len(orders))
    if p == 0 or r == 0:
        return p, r, 0.0
    alpha = 0.0 if np.isinf(beta) else 1 / (beta**2 + 1)
    return p, r, 1 / (alpha / p + (1 - alpha) / r)


def tokens_of(text, tokenizer):
    return text.split() if tokenizer == "word" else list(text)


def green(
    sources,
    predictions,
    references,
    tokenizer="word",
    max_order=None,
    beta=2.0,
    level="corpus",
    effective_order=False,
    strip=False,
):
    """The same dictionary as `green_gec.score(..., detailed=True)`, signature aside."""
    max_order = max_order or {"word": 4, "char": 6}[tokenizer]
    chosen, sentences = [], []
    for source, prediction, candidates in zip(sources, predictions, references, strict=True):
        candidates = [candidates] if isinstance(candidates, str) else candidates

        def split(text):
            return tokens_of(text.strip() if strip else text, tokenizer)

        by_reference = [
            [
                region_counts(*(ngrams(split(text), n) for text in (source, reference, prediction)))
                for n in range(1, max_order + 1)
            ]
            for reference in candidates
        ]
        ranks = [
            [prf(orders[:n], beta, effective_order)[2] for n in range(max_order, 0, -1)]
            for orders in by_reference
        ]
        chosen.append(ranks.index(max(ranks)))
        sentences.append(by_reference[chosen[-1]])

    if level == "corpus":
        total = [sum((orders[n] for orders in sentences), Counter()) for n in range(max_order)]
        return detailed(total, beta, effective_order)
    each = [detailed(orders, beta, effective_order) for orders in sentences]
    if level == "sentence":
        result = {name: [one[name] for one in each] for name in each[0]}
        return {**result, "chosen_reference": chosen}
    return {
        name: float(np.mean([one[name] for one in each]))
        for name in ("green", "precision", "recall")
    }


def detailed(orders, beta, effective_order):
    p, r, f = prf(orders, beta, effective_order)
    alone = [precision_recall(counts) for counts in orders]
    return {
        "green": f,
        "precision": p,
        "recall": r,
        "precisions": [p_n for p_n, _ in alone],
        "recalls": [r_n for _, r_n in alone],
        **{region: [counts[region] for counts in orders] for region in REGIONS},
    }
