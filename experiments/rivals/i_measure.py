"""I-measure (Felice and Briscoe 2015): by how much does a correction improve on its source?

Source, hypothesis and reference are aligned at once. A column of the alignment has at most one word
of each text. It is counted by which of the three agree; a gap agrees with a gap:

    all three                    TN
    hypothesis and reference     TP
    source and reference         FP
    source and hypothesis        FN
    none                         FP and FN at once; FPN counts these columns

The best alignment costs least over the three pairs of texts: 2 for a word beside a gap, 3 for two
different words. If several cost the same, the counts decide: most TP, then most TN, then fewest FP,
FN and FPN. Annotators are not mixed: each sentence is compared with one reference.

The search maximises what an alignment saves over one in which every word stands alone: two words in
one column save two gaps, that is 4 if they are equal and 1 if they differ.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from green_gec.corpus.m2 import Annotated, Edit

Words = Sequence[str]
Node = tuple[int, int, int]  # words of source, hypothesis and reference that are aligned
Column = tuple[int, int, int, int]  # words taken from each text; the column's value

_GAP, _SUBSTITUTION = 2, 3


class Counts(NamedTuple):
    """The columns of an alignment by kind."""

    tp: int
    tn: int
    fp: int
    fn: int
    fpn: int


class Alignment(NamedTuple):
    """A best alignment of three texts."""

    cost: int
    counts: Counts


def statistics(
    sources: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> np.ndarray:
    """Count each sentence's columns: (sentence, text, count).

    The texts are the hypothesis and, as its baseline, the source in place of the hypothesis. Both
    are compared with the reference that gives the hypothesis the highest weighted accuracy; on a
    tie the one with more TP, then the first. Words are separated by whitespace. For the statistics
    of a corpus, sum over the sentences.
    """
    rows = []
    triples = zip(sources, hypotheses, references, strict=True)
    for number, (source, hypothesis, alternatives) in enumerate(triples):
        if not alternatives:
            raise ValueError(f"references[{number}] is empty; a sentence needs at least one")
        s, h = source.split(), hypothesis.split()
        candidates = [(counts(s, h, r), r) for r in map(str.split, alternatives)]
        best, reference = max(candidates, key=lambda one: (_accuracy(*one[0]), one[0].tp))
        rows.append((best, counts(s, s, reference)))
    return np.array(rows)


def weighted_accuracy(counts: np.ndarray) -> np.ndarray:
    """WAcc of counts (…, count), between 0 and 1; 1 for texts without words."""
    return np.vectorize(_accuracy, otypes=[float])(*np.moveaxis(counts, -1, 0))


def _accuracy(tp: int, tn: int, fp: int, fn: int, fpn: int) -> float:
    total = 2 * (tp + fp) + tn + fn - 1.5 * fpn
    return (2 * tp + tn) / total if total else 1.0


def improvement(statistics: np.ndarray) -> np.ndarray:
    """I of statistics (…, text, count), between -1 and 1.

    A positive I is the share of the possible improvement that was achieved, a negative one the
    share of the source's accuracy that was lost.
    """
    accuracy, base = np.moveaxis(weighted_accuracy(statistics), -1, 0)
    possible = np.where(accuracy > base, 1 - base, base)
    return (accuracy - base) / np.where(possible, possible, 1)


def score(
    sources: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> float:
    """I of a corpus; each sentence has one or more references.

    >>> value = score(["He go there"], ["He goes there"], [["He goes there .", "He went there ."]])
    >>> round(value, 3)
    0.6
    """
    return float(improvement(statistics(sources, hypotheses, references).sum(axis=0)))


def sentence_scores(
    sources: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> np.ndarray:
    """I of each sentence: (sentence,)."""
    return improvement(statistics(sources, hypotheses, references))


def official_references(
    sentences: Iterable[Annotated], tokenize: Callable[[str], Iterable[str]]
) -> list[list[str]]:
    """Make references from M2 as the official converter does.

    It tokenises the text of each edit again: pass NLTK's `TreebankWordTokenizer().tokenize`. If an
    annotator deletes the whole sentence, the reference is the source.
    """

    def tokenized(edit: Edit) -> Edit:
        return edit._replace(corrections=(tuple(tokenize(" ".join(edit.corrections[0]))),))

    references = []
    for sentence in sentences:
        edits = {who: [tokenized(edit) for edit in of] for who, of in sentence.edits.items()}
        corrected = sentence._replace(edits=edits).references
        references.append([text or sentence.source for text in corrected])
    return references


def counts(source: Words, hypothesis: Words, reference: Words) -> Counts:
    """Count the columns of the best alignment of three texts, given as words.

    >>> counts("She go to home".split(), "She goes to home".split(), "She goes home".split())
    Counts(tp=1, tn=2, fp=0, fn=1, fpn=0)
    """
    return align(source, hypothesis, reference).counts


def align(source: Words, hypothesis: Words, reference: Words) -> Alignment:
    """Find the best alignment of three texts, given as words."""
    texts = source, hypothesis, reference
    # Words that all three texts share at either end are columns of a best alignment. To see this
    # for the first words, move them from their columns of any best alignment to one of their own:
    # no pair of texts then costs more, and since none can cost less, the counts stay the same.
    start, most = 0, min(map(len, texts))
    while start < most and source[start] == hypothesis[start] == reference[start]:
        start += 1
    end, most = 0, most - start
    while end < most and source[-1 - end] == hypothesis[-1 - end] == reference[-1 - end]:
        end += 1
    cost, found = _align(*(tuple(text[start : len(text) - end]) for text in texts))
    return Alignment(cost, found._replace(tn=found.tn + start + end))


# The value of an alignment is one integer with several digits, so that the largest is the best and
# values of columns can be added: what is saved, TP, TN, and with a minus sign FP, FN and FPN.
_BITS = 20  # of a digit
_SAVED, _TP, _TN, _FP, _FN, _FPN = (1 << _BITS * place for place in (5, 4, 3, 2, 1, 0))


@lru_cache(maxsize=1 << 17)
def _align(*texts: tuple[str, ...]) -> Alignment:
    """Search the part of the cube of nodes in which all best alignments lie.

    No alignment saves more than the best alignments of the three pairs do together; the difference
    is its loss. A node is left out if every alignment through it loses more than a limit. If none
    reaches the end, the limit was lower than the loss of the best alignment, and rises; usually,
    that loss is 0.
    """
    savings = [_savings(*pair) for pair in combinations(texts, 2)]
    limit = 0
    while (value := _best_value(texts, savings, limit)) is None:
        limit = 2 * limit + 1
    digits = []
    half = 1 << _BITS - 1
    for _ in range(5):
        digit = (value + half) % (2 * half) - half
        digits.append(digit)
        value = (value - digit) >> _BITS
    fpn, fn, fp, tn, tp = digits
    # Each word stands beside two gaps unless words share its column.
    cost = 2 * _GAP * sum(map(len, texts)) - value
    return Alignment(cost, Counts(tp, tn, -fp, -fn, -fpn))


def forget() -> None:
    """Forget the alignments that were found, so that the next search takes its time again."""
    _align.cache_clear()


def _savings(first: Words, second: Words) -> list[list[int]]:
    """What a best alignment of two texts saves after each node of the two."""
    ids = {word: number for number, word in enumerate({*first, *second})}
    # The texts are read from their ends, and so is the table until it is returned.
    rows, columns = (
        np.array([ids[word] for word in reversed(text)], int) for text in (first, second)
    )
    saved = np.where(rows[:, None] == columns, 2 * _GAP, 2 * _GAP - _SUBSTITUTION)
    savings = np.zeros((len(first) + 1, len(second) + 1), int)
    for i, of_words in enumerate(saved):
        row = savings[i + 1]
        np.add(savings[i, :-1], of_words, out=row[1:])
        np.maximum(row, savings[i], out=row)
        np.maximum.accumulate(row, out=row)
    return savings[::-1, ::-1].tolist()


def _best_value(
    texts: Sequence[Words], savings: Sequence[list[list[int]]], limit: int
) -> int | None:
    """The value of the best alignment, or None if all alignments lose more than the limit."""
    source, hypothesis, reference = ((*text, None) for text in texts)
    of_sh, of_sr, of_hr = savings
    # Rounded down by a half, because the digits after what is saved may be negative.
    least = (of_sh[0][0] + of_sr[0][0] + of_hr[0][0] - limit) * _SAVED - _SAVED // 2
    # The best value of the ways to each node; nodes by the number of words aligned.
    fronts: list[dict[Node, int]] = [{} for _ in range(sum(map(len, texts)) + 1)]
    fronts[0][0, 0, 0] = 0
    for n_aligned, front in enumerate(fronts[:-1]):
        for (i, j, k), value in front.items():
            s, h, r = source[i], hypothesis[j], reference[k]
            for di, dj, dk, of_column in _COLUMNS[_pattern(s, h, r)]:
                a, b, c = node = i + di, j + dj, k + dk
                reached = value + of_column
                if reached + (of_sh[a][b] + of_sr[a][c] + of_hr[b][c]) * _SAVED >= least:
                    ahead = fronts[n_aligned + di + dj + dk]
                    if node not in ahead or reached > ahead[node]:
                        ahead[node] = reached
        front.clear()
    return next(iter(fronts[-1].values()), None)


def _pattern(s: str | None, h: str | None, r: str | None) -> tuple[bool, ...]:
    """Which texts have ended, and which of their next words are equal."""
    return s is None, h is None, r is None, s == h, s == r, h == r


def _columns() -> dict[tuple[bool, ...], list[Column]]:
    """The columns that an alignment may continue with, by the pattern of the next words."""
    columns = {}
    for words in product("abc", "abc", "abc"):
        for ended in product((False, True), repeat=3):
            s, h, r = (None if end else word for word, end in zip(words, ended, strict=True))
            taken = list(product(*((0,) if end else (1, 0) for end in ended)))[:-1]
            if s == h == r:
                taken = taken[:1]  # three equal words are a column of a best alignment: see `align`
            columns[_pattern(s, h, r)] = [
                (*which, _value(*(w if t else None for w, t in zip((s, h, r), which, strict=True))))
                for which in taken
            ]
    return columns


def _value(s: str | None, h: str | None, r: str | None) -> int:
    """The value of a column of words and gaps."""
    if s == h:
        kind = _TN if h == r else -_FN
    elif s == r:
        kind = -_FP
    else:
        kind = _TP if h == r else -_FP - _FN - _FPN
    pairs = [pair for pair in combinations((s, h, r), 2) if None not in pair]
    saved = sum(2 * _GAP - _SUBSTITUTION * (one != other) for one, other in pairs)
    return saved * _SAVED + kind


_COLUMNS = _columns()
