"""The scores written down straight from the papers, slowly: what everything is tested against."""

import math
import random
from collections import Counter
from functools import lru_cache, reduce
from operator import or_

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
    return _ngrams(tuple(tokens), n)


@lru_cache(maxsize=10_000)  # resampling counts the same sentences again and again
def _ngrams(tokens, n):
    return Counter(tokens[i : i + n] for i in range(len(tokens) - n + 1))


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
    selection="max",
):
    """The same dictionary as `green_gec.score(..., detailed=True)`, signature aside."""
    max_order = max_order or {"word": 4, "char": 6}[tokenizer]
    chosen, sentences, means = [], [], []
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
        of_each = [detailed(orders, beta, effective_order) for orders in by_reference]
        means.append({name: np.mean([one[name] for one in of_each], axis=0) for name in of_each[0]})

    if level == "corpus":
        total = [sum((orders[n] for orders in sentences), Counter()) for n in range(max_order)]
        return detailed(total, beta, effective_order)
    each = [detailed(orders, beta, effective_order) for orders in sentences]
    each = means if selection == "mean" else each
    if level == "sentence":
        result = {name: [one[name] for one in each] for name in each[0]}
        return {**result, "chosen_reference": chosen} if selection == "max" else result
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


def gleu(
    sources,
    predictions,
    references,
    tokenizer="word",
    max_order=None,
    level="corpus",
    formula="official",
    selection="sample",
    iterations=500,
    strip=False,
):
    """The formulas of the re-implementation's documentation, a sentence and an n-gram at a time."""
    orders = range(1, (max_order or {"word": 4, "char": 6}[tokenizer]) + 1)
    parts = []  # of each sentence and reference: (numerators, denominators, lengths)
    for s, h, listed in _split_all(sources, predictions, references, tokenizer, strip):
        parts.append([gleu_parts(s, h, r, orders, formula) for r in listed])
    each = [[gleu_of(part)[0] for part in of_sentence] for of_sentence in parts]
    if level != "corpus":
        of = max if selection == "max" else np.mean
        values = [float(of(values)) for values in each]
        return values if level == "sentence" else float(np.mean(values))
    if selection == "max":
        return gleu_of(added([max(of_sentence, key=gleu_of) for of_sentence in parts]))[0]
    values = []
    for i in range(iterations):
        random.seed(i * 101, version=1)
        drawn = [of_sentence[int(random.random() * len(of_sentence))] for of_sentence in parts]
        values.append(gleu_of(added(drawn))[0])
    return float(np.mean(values))


def gleu_parts(s, h, r, orders, formula):
    numerators, denominators = [], []
    for n in orders:
        sigma, eta, rho = ngrams(s, n), ngrams(h, n), ngrams(r, n)
        match = sum(min(rho[x], eta[x]) for x in eta)
        if formula == "official":
            penalty = sum(min(sigma[x], eta[x]) for x in eta if rho[x] == 0)
        else:
            penalty = sum(max(0, min(sigma[x], eta[x]) - min(rho[x], eta[x])) for x in eta)
        numerators.append(max(0, match - penalty))
        denominators.append(eta.total())
    return numerators, denominators, [len(r), len(h)]


def added(parts):
    return [np.sum(column, axis=0).tolist() for column in zip(*parts, strict=True)]


def gleu_of(part):
    """GLEU and, for ties, the orders' brevity penalty times precision from high to low."""
    numerators, denominators, (r, h) = part
    log_bp = 0.0 if r < h or r == 0 else 1 - r / h if h else -math.inf
    p = [a / b if b else 1.0 for a, b in zip(numerators, denominators, strict=True)]
    with np.errstate(divide="ignore"):
        logs = np.log(p)
    by_order = np.exp(log_bp + logs)
    return float(np.exp(log_bp + logs.mean())), by_order[::-1].tolist()


def bleu(predictions, references, tokenizer="word", max_order=None, level="corpus", strip=False):
    orders = range(1, (max_order or {"word": 4, "char": 6}[tokenizer]) + 1)
    parts = []
    for _, c, listed in _split_all(predictions, predictions, references, tokenizer, strip):
        clipped = [
            (ngrams(c, n) & reduce(or_, (ngrams(r, n) for r in listed))).total() for n in orders
        ]
        closest = min((abs(len(r) - len(c)), len(r)) for r in listed)[1]
        parts.append((clipped, [ngrams(c, n).total() for n in orders], [closest, len(c)]))
    if level == "corpus":
        return _bleu(added(parts))
    values = [_bleu(part) for part in parts]
    return values if level == "sentence" else float(np.mean(values))


def _bleu(part):
    matches, totals, (r, c) = part
    if not all(matches):
        return 0.0
    bp = 1.0 if c > r else math.exp(1 - r / c)
    logs = [math.log(a / b) for a, b in zip(matches, totals, strict=True)]
    return bp * math.exp(sum(logs) / len(logs))


def rouge(predictions, references, tokenizer="word", max_order=None, level="corpus", strip=False):
    n = max_order or {"word": 4, "char": 6}[tokenizer]
    values = [
        max((ngrams(c, n) & ngrams(r, n)).total() / max(ngrams(r, n).total(), 1) for r in listed)
        for _, c, listed in _split_all(predictions, predictions, references, tokenizer, strip)
    ]
    return values if level == "sentence" else float(np.mean(values))


def f1(predictions, references, level="corpus", **options):
    if level == "corpus":
        return _harmonic(
            bleu(predictions, references, **options), rouge(predictions, references, **options)
        )
    pairs = zip(
        bleu(predictions, references, level="sentence", **options),
        rouge(predictions, references, level="sentence", **options),
        strict=True,
    )
    values = [_harmonic(*pair) for pair in pairs]
    return values if level == "sentence" else float(np.mean(values))


def _harmonic(a, b):
    return 2 * a * b / (a + b) if a + b else 0.0


def _split_all(sources, predictions, references, tokenizer, strip):
    def split(text):
        return tokens_of(text.strip() if strip else text, tokenizer)

    for source, prediction, listed in zip(sources, predictions, references, strict=True):
        listed = [listed] if isinstance(listed, str) else listed
        yield split(source), split(prediction), [split(text) for text in listed]
