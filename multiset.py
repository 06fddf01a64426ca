"""Texts to tokens to n-gram multiset sizes: Arrow in, NumPy out. This module knows no score.

A text is, for each order n, the multiset of its n-grams. The sizes of these multisets and of their
intersections are all that an n-gram score needs, and all that is computed here.

The texts of a sentence (source, corrections, references) are counted together. Each position of
each text becomes one 64-bit key that holds, from the top, the ids of the next tokens and the text's
slot. Sorting the keys of a sentence brings equal n-grams side by side for all orders at once: a new
n-gram of order n begins where two neighbouring keys differ in the first n ids. Most n-grams are in
all texts alike: they add the same to every size, and leave before the rest is counted.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain, pairwise, product
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from . import arrow
from .options import shown

# Intersections of a source S, a correction C and a reference R as functions of how often they have
# an n-gram. "SC-R" counts what S and C share of the n-grams that R lacks altogether, "CU" what C
# shares with U, the union of all references.
_SHARED = {
    "SR": lambda s, c, r, u: np.minimum(s, r),
    "SC": lambda s, c, r, u: np.minimum(s, c),
    "RC": lambda s, c, r, u: np.minimum(r, c),
    "SRC": lambda s, c, r, u: np.minimum(np.minimum(r, c), s),
    "SC-R": lambda s, c, r, u: np.minimum(s, c) * (r == 0),
    "CU": lambda s, c, r, u: np.minimum(c, u),
}
# All that can be counted: |S|, |C|, |R| and the above.
SIZES = ("S", "C", "R", *_SHARED)

# Takes texts and the positions of those whose tokens to number. Returns the ids of all tokens, not
# negative, and each text's number of tokens.
ToIds = Callable[[pa.LargeStringArray, np.ndarray], tuple[np.ndarray, np.ndarray]]

# Besides whitespace of one byte, `str.split` splits at these characters.
WIDE_BLANKS = frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
# To put after each text; and after the last, so that eight bytes can be read from any position.
_BLANKS = arrow.strings([" ", " " * 8])
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)  # masks, by number

# Bytes of text in a work unit: its arrays stay small. Words make fewer keys than characters.
_BYTES_AT_ONCE = 3 << 17
_BYTES_OF_WORDS_AT_ONCE = 1 << 20
# References of a sentence that are counted together, and the most sizes of a kind that are yielded
# together, with as much room for each sentence as the one with most references needs.
_REFERENCES_AT_ONCE = 16
_ENTRIES_AT_ONCE = 1 << 16
_KEY_BITS = 64
_PADDING = np.uint64(2**64 - 1)  # sorts last; which keys it is, their position says
_WORDS_KEPT = 8  # of counts, see `_count_runs`
_FEW_VALUES = 1000  # sorting them takes less time than hashing
# Rows of keys are sorted as one matrix if it has at most this many places per key, or few in all.
_PLACES_PER_KEY = 1.15
_FEW_PLACES = 1 << 13
_MOST_ROWS = 64
_ROW_NUMBERS = np.arange(1, _MOST_ROWS + 1)

# glibc returns freed arrays to the system, and getting the memory back takes longer than counting,
# unless it has seen a large array come and go: from then on it keeps that much.
np.empty(31 << 20, dtype=np.uint8)


def count(
    texts: pa.LargeStringArray,
    n_references: np.ndarray,
    n_systems: int,
    tokenizer: "Tokenizer",
    max_order: int,
    names: Sequence[str],
) -> Iterator[np.ndarray]:
    """Count the n-grams that each sentence's source, corrections and references have and share.

    The texts are all sources, if there are any, all corrections of one system after the other, and
    the references of one sentence after the other. `names` are the `SIZES` to count. Yields the
    sizes of a few sentences at a time, in order: (system, sentence, reference, order, size).
    Entries of references that a sentence does not have are 0.
    """
    n_sentences, ends = len(n_references), n_references.cumsum()
    n_others = len(texts) - int(ends[-1])
    first_references = ends - n_references + n_others
    columns = np.arange(0, n_others, n_sentences)  # where the others begin
    if len(columns) == n_systems and any("S" in name for name in names):
        raise ValueError(f"without sources, {', '.join(names)} cannot be counted")
    bounds = arrow.bytes_of(texts)[1]
    n_bytes = bounds[first_references + n_references] - bounds[first_references]
    of_others = bounds[1 : n_others + 1] - bounds[:n_others]
    n_bytes += np.add.reduce(of_others.reshape(-1, n_sentences))

    for start, stop in _ranges(n_references, _ENTRIES_AT_ONCE // (max_order * n_systems)):
        n_of_range = n_references[start:stop]
        sizes = _zeros(n_systems, stop - start, n_of_range.max(), max_order, len(names))
        for n in dict.fromkeys(n_of_range.tolist()):
            alike = (n_of_range == n).nonzero()[0] + start
            if not tokenizer.is_python:
                # Sentences of similar length are sorted together. A user's function, however, gets
                # one sentence after the other, unless they have different numbers of references.
                alike = alike[n_bytes[alike].argsort()]
            unit = (n_bytes[alike].cumsum() - n_bytes[alike]) // tokenizer.bytes_at_once
            cuts = ((unit[1:] != unit[:-1]).nonzero()[0] + 1).tolist()
            units = [alike[begin:end] for begin, end in pairwise([0, *cuts, len(alike)])]
            for some, (first, last, wanted) in product(units, _spans(n, names)):
                of_references = first_references[some, None] + np.arange(first, last)
                index = np.concatenate([some[:, None] + columns, of_references], axis=1)
                ids, lengths = tokenizer.to_ids(texts, index.ravel())
                lengths = lengths.reshape(index.shape)
                counted = _count_ids(ids, lengths, n_systems, last - first, max_order, wanted)
                begin = names.index(wanted[0])
                sizes[:, some - start, first:last, :, begin : begin + len(wanted)] = counted
        yield sizes


def _zeros(*shape: int) -> np.ndarray:
    """Zeros (…, size), laid out size by size: NumPy is slow along an axis of a few entries."""
    zeros = np.zeros((shape[-1], *shape[:-1]), dtype=np.int64)
    return zeros.transpose(*range(1, len(shape)), 0)


def _ranges(n_references: np.ndarray, most: int) -> Iterator[tuple[int, int]]:
    """Halve the sentences until they, times the most references, are at most `most`, or one."""
    ranges = [(0, len(n_references))]
    while ranges:
        start, stop = ranges.pop()
        if stop - start > 1 and (stop - start) * n_references[start:stop].max() > most:
            middle = (start + stop) // 2
            ranges += [(middle, stop), (start, middle)]
        else:
            yield start, stop


def _spans(n_references: int, names: Sequence[str]) -> Iterator[tuple[int, int, Sequence[str]]]:
    """The references to count together, from first to last, and what to count of them."""
    for first in range(0, n_references, _REFERENCES_AT_ONCE):
        yield first, min(first + _REFERENCES_AT_ONCE, n_references), names
    if "CU" in names and n_references > _REFERENCES_AT_ONCE:  # so far, for some references only
        yield 0, n_references, ["CU"]


def _count_ids(
    ids: np.ndarray,
    lengths: np.ndarray,
    n_systems: int,
    n_references: int,
    max_order: int,
    names: Sequence[str],
) -> np.ndarray:
    """Sizes (system, sentence, reference, order, size), given all tokens of some sentences.

    `lengths` are those of a sentence's source, if any, corrections and references: (sentence,
    text). A text's slot is its number there.
    """
    n_sentences, n_texts = lengths.shape
    n_others = n_texts - n_references
    sizes = _zeros(n_systems, n_sentences, n_references, max_order, len(names))
    sizes_of = {name: sizes[..., index] for index, name in enumerate(names)}

    # |S|, |C| and |R|: a text of k tokens has k - n + 1 n-grams.
    n_grams = np.maximum(lengths.T[:, :, None] - np.arange(max_order), 0)[:, :, None]
    of_texts = {"S": n_grams[:1], "C": n_grams[n_others - n_systems : n_others]}
    of_texts["R"] = n_grams[n_others:].swapaxes(0, 2)
    for name in of_texts.keys() & sizes_of.keys():
        sizes_of[name][:] = of_texts[name]

    longest = int(lengths.max())
    shared = [name for name in _SHARED if name in sizes_of]
    done = 0
    for keys, is_key, starts, steps in _sort(ids, lengths, min(max_order, longest)):
        kept = (is_key if "SC-R" in names else is_key > _are_common(keys, n_texts)).nonzero()[0]
        starts = kept.searchsorted(starts)
        # What all texts have once adds 1 to each size: min(a + 1, b + 1) = min(a, b) + 1.
        n_dropped = np.add.reduce(lengths, axis=1) + n_texts - (starts[1:] - starts[:-1])
        n_common = n_dropped[:, None, None] // n_texts
        # Neither a count nor a sentence's sum of counts exceeds the longest text.
        dtype = np.min_scalar_type(longest)
        counts, bounds = _count_runs(keys[kept], starts, steps, n_texts, dtype)
        orders = slice(done, done + len(steps))
        for system, references, some, sums in _add_up(
            *(counts, bounds, n_systems, n_texts, n_references, shared)
        ):
            for name, of_name in zip(some, sums.transpose(0, 2, 3, 1), strict=True):
                systems = slice(system, system + 1) if "C" in name else slice(None)
                if "R" in name:
                    of_references = sizes_of[name][systems, :, references, orders]
                else:
                    of_references, of_name = sizes_of[name][systems, :, :, orders], of_name[:, :1]
                np.add(of_name, n_common, out=of_references)
        done += len(steps)
    return sizes


def _sort(
    ids: np.ndarray, lengths: np.ndarray, max_order: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]]:
    """Bring equal n-grams of a sentence side by side.

    Yields the sorted keys of all sentences, some of them padding; which are not; where each
    sentence begins and the last one ends; and for each order how much the keys of two n-grams
    differ at least. Usually one sort does for all orders. If whole n-grams do not fit into a key,
    each of several sentences gets ids of its own; if they still do not fit, those that do are
    numbered, and their numbers begin the keys of longer ones.
    """
    if not max_order:
        return
    n_sentences, n_texts = lengths.shape
    slot_bits = (n_texts - 1).bit_length()
    # How many keys each text and, last, the padding has. A text's end gets an id of its own: no
    # n-gram beyond it equals one of another text.
    n_keys = np.empty((n_sentences, n_texts + 1), dtype=np.int64)
    np.add(lengths, 1, out=n_keys[:, :-1])
    n_of_sentences = np.add.reduce(n_keys[:, :-1], axis=1)
    matrices = _matrices(n_of_sentences)
    widths = np.array([width for _, width in matrices]).repeat([n_rows for n_rows, _ in matrices])
    n_keys[:, -1] = widths - n_of_sentences
    ends = n_keys.cumsum().reshape(n_keys.shape)[:, :-1] - 1
    starts = arrow.offsets(widths)
    n_places, n_ids = int(starts[-1]), int(ids.max()) + 1
    id_bits = (n_ids + n_texts - 1).bit_length()
    # Slots; and the highest bit, which differs between neighbouring sentences.
    places = np.empty(n_keys.shape, dtype=np.uint64)
    places[:] = np.arange(n_sentences, dtype=np.uint64)[:, None] << np.uint64(_KEY_BITS - 1)
    places |= np.arange(n_texts + 1, dtype=np.uint64)
    places[:, -1] = _PADDING
    places = places.ravel().repeat(n_keys.ravel())
    is_key = places != _PADDING
    is_token = is_key.copy()
    is_token[ends] = False
    tokens = np.zeros(n_places + max_order, dtype=_unsigned(id_bits))
    tokens[:n_places][is_token] = ids
    tokens[ends] = np.arange(n_ids, n_ids + n_texts)
    if n_sentences > 1 and max_order * id_bits > _KEY_BITS - 1 - slot_bits:
        tokens[:n_places] = _number_by_sentence(tokens[:n_places], starts, matrices)
        id_bits = int(tokens.max()).bit_length()

    order, prefixes, prefix_bits = 0, None, 0
    while order < max_order:
        room = _KEY_BITS - 1 - prefix_bits - slot_bits
        n = max(min(max_order - order, room // id_bits), 1)
        grams = _windows(tokens[order : n_places + order + n - 1], n, id_bits)
        grams = grams.astype(np.uint64, copy=False)
        if order:
            grams = grams | prefixes << np.uint64(n * id_bits)
        if n * id_bits > room:
            grams = _number(grams).astype(np.uint64)
        order += n
        if order < max_order:
            prefixes = grams if n * id_bits > room else _number(grams).astype(np.uint64)
            prefix_bits = int(prefixes.max()).bit_length()
        keys = grams << np.uint64(slot_bits)
        keys |= places
        del grams  # as large as the keys
        _sort_rows(keys, matrices)
        yield keys, is_key, starts, [1 << slot_bits + id_bits * left for left in reversed(range(n))]


def _number_by_sentence(
    ids: np.ndarray, starts: np.ndarray, matrices: Sequence[tuple[int, int]]
) -> np.ndarray:
    """Number the ids of each sentence from 0, equal ones alike: far fewer bits for many texts.

    Padding is numbered as if it were tokens, which does no harm.
    """
    widths = starts[1:] - starts[:-1]
    firsts = starts[:-1].repeat(widths)
    position_bits = np.uint64(int(widths.max()).bit_length())
    keys = ids.astype(np.uint64) << position_bits
    keys |= (np.arange(len(ids)) - firsts).view(np.uint64)
    _sort_rows(keys, matrices)
    found = keys >> position_bits
    ranks = np.zeros(len(ids), dtype=np.int64)
    ranks[1:] = found[1:] != found[:-1]
    ranks.cumsum(out=ranks)
    positions = (keys ^ found << position_bits).view(np.int64) + firsts
    numbers = np.empty_like(ranks)
    numbers[positions] = ranks - ranks[firsts]
    return numbers


def _windows(ids: np.ndarray, n: int, bits: int) -> np.ndarray:
    """Each id and the n - 1 next ones in one number, the first in the highest bits."""
    if n == 1:
        return ids
    first, second = n - n // 2, n // 2
    windows = _windows(ids, first, bits)
    rest = windows if first == second else _windows(ids, second, bits)
    joined = windows[: len(ids) - n + 1].astype(_unsigned(n * bits))
    joined <<= joined.dtype.type(second * bits)
    joined |= rest[first:]
    return joined


def _unsigned(bits: int) -> np.dtype:
    return np.min_scalar_type((1 << bits) - 1)


def _matrices(n_keys: np.ndarray) -> list[tuple[int, int]]:
    """Sentences to sort together, as rows of matrices: numbers of rows and widths.

    NumPy sorts many short rows several times as fast as one long array.
    """
    if len(n_keys) == 1:
        return [(1, int(n_keys[0]))]
    matrices, done = [], 0
    while done < len(n_keys):
        some = n_keys[done : done + _MOST_ROWS]
        n_places = np.maximum.accumulate(some) * _ROW_NUMBERS[: len(some)]
        is_small = n_places <= np.maximum(some.cumsum() * _PLACES_PER_KEY, _FEW_PLACES)
        n_rows = int(is_small.argmin()) or len(some)
        matrices.append((n_rows, int(n_places[n_rows - 1]) // n_rows))
        done += n_rows
    return matrices


def _sort_rows(keys: np.ndarray, matrices: Iterable[tuple[int, int]]) -> None:
    """Sort the keys of each sentence in place."""
    done = 0
    for n_rows, width in matrices:
        stop = done + n_rows * width
        keys[done:stop].reshape(n_rows, width).sort(axis=1)
        done = stop


def _are_common(keys: np.ndarray, n_texts: int) -> np.ndarray:
    """Which sorted keys are of an n-gram that every text of the sentence has once."""
    grams = keys >> np.uint64((n_texts - 1).bit_length())
    # As many equal n-grams as there are texts, none of them twice in a text, are one of each text.
    is_first = grams[n_texts - 1 :] == grams[: len(grams) - n_texts + 1]
    is_twice = np.zeros(len(keys) + 1, dtype=bool)
    np.equal(keys[1:], keys[:-1], out=is_twice[1:-1])
    for offset in range(n_texts + 1):
        np.greater(is_first, is_twice[offset : offset + len(is_first)], out=is_first)
    is_common = np.zeros(len(keys), dtype=bool)
    for offset in range(n_texts):
        is_common[offset : offset + len(is_first)] |= is_first
    return is_common


def _count_runs(
    keys: np.ndarray, starts: np.ndarray, steps: Sequence[int], n_texts: int, dtype: np.dtype
) -> tuple[Callable[[int], np.ndarray], np.ndarray]:
    """Count each text's n-grams of all orders, but for n-grams that occur only once in a sentence.

    Counts of several texts stand side by side in one 64-bit word, so that one running sum over the
    keys counts them all, and an n-gram's counts are the difference of two of its entries. Returns
    a function from the number of the word to the counts in it, and where in them each sentence's
    counts of each order begin and the last sentence's end, (order, sentence).
    """
    is_same = np.zeros((len(steps), len(keys) + 1), dtype=bool)  # as the n-gram before
    np.less(keys[1:] ^ keys[:-1], np.array(steps, np.uint64)[:, None], out=is_same[:, 1:-1])
    is_same = is_same.ravel()
    edges = (is_same[1:] != is_same[:-1]).nonzero()[0]
    width = len(keys) + 1
    bounds = edges.searchsorted(np.arange(len(steps))[:, None] * width + starts) // 2
    for order, first, last in zip(range(len(steps)), *bounds[:, [0, -1]].T.tolist(), strict=True):
        edges[2 * first : 2 * last] -= order * width
    begin, end = edges[::2], edges[1::2] + 1
    slots = (keys & np.uint64((1 << (n_texts - 1).bit_length()) - 1)).view(np.int64)
    words: dict[int, np.ndarray] = {}

    def counts(word: int) -> np.ndarray:
        if word not in words:
            if len(words) == _WORDS_KEPT:  # many references make many words
                words.clear()
            running = _running_sum(_ones(n_texts, dtype, word)[slots])
            words[word] = (running[end] - running[begin]).view(dtype)
        return words[word]

    return counts, bounds


@lru_cache(maxsize=64)
def _ones(n_texts: int, dtype: np.dtype, word: int) -> np.ndarray:
    """For each text, a 1 at its place in a word of counts, if it has one there."""
    per_word = 8 // dtype.itemsize
    return np.eye(n_texts, per_word, -per_word * word, dtype=dtype).view(np.uint64)[:, 0].copy()


def _running_sum(values: np.ndarray) -> np.ndarray:
    sums = np.zeros(len(values) + 1, dtype=values.dtype)
    values.cumsum(out=sums[1:])
    return sums


def _add_up(
    counts: Callable[[int], np.ndarray],
    bounds: np.ndarray,
    n_systems: int,
    n_texts: int,
    n_references: int,
    names: Sequence[str],
) -> Iterator[tuple[int, slice, Sequence[str], np.ndarray]]:
    """Add up what texts share: yields system, references, names, and sums.

    Sums are (name, order, sentence, reference). Each word of the counts holds those of several
    references. What they are compared with is repeated to fill a word, so that one operation
    compares them all. What does not depend on the system, or on the reference, comes with the first
    one only.
    """
    dtype = counts(0).dtype
    per_word = 8 // dtype.itemsize
    ones = np.uint64((2**64 - 1) // (2 ** (8 * dtype.itemsize) - 1))
    n_others = n_texts - n_references

    def of_text(slot: int) -> np.ndarray:
        return counts(slot // per_word)[slot % per_word :: per_word]

    def repeat(values: np.ndarray) -> np.ndarray:
        return (values * ones).view(dtype)

    s, u = repeat(of_text(0)), None
    if "CU" in names:
        u = repeat(reduce(np.maximum, map(of_text, range(n_others, n_texts))))
    for system in range(n_systems):
        c = repeat(of_text(n_others - n_systems + system))
        some = [name for name in names if system == 0 or "C" in name]
        for word in range(n_others // per_word, -(-n_texts // per_word)):
            offset = word * per_word
            places = slice(max(n_others - offset, 0), min(n_texts - offset, per_word))
            references = slice(places.start + offset - n_others, places.stop + offset - n_others)
            if references.start:
                some = [name for name in some if "R" in name]
            if not some:
                break
            sums = np.empty((len(some), *bounds.shape), dtype=np.uint64)
            for of_name, name in zip(sums, some, strict=True):
                shared = _SHARED[name](s, c, counts(word), u)
                _running_sum(shared.view(np.uint64)).take(bounds, out=of_name)
            sums = sums[..., 1:] - sums[..., :-1]
            sums = sums.view(dtype).reshape(*sums.shape, per_word)
            yield system, references, some, sums[..., places]


def sizes_of_ngrams(counts: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """What each n-gram adds to the sizes: (n-gram, size) from its counts in S, C and R."""
    s, c, r = counts.T
    of_texts = {"S": s, "C": c, "R": r}
    sizes = [of_texts[name] if name in of_texts else _SHARED[name](s, c, r, r) for name in names]
    return np.stack(sizes, axis=-1)


def word_ids(texts: pa.LargeStringArray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ids of the tokens that `str.split` yields."""
    data, ends = _join(texts, index)
    wide_blanks = WIDE_BLANKS.intersection(data[data > 127].tobytes().decode())
    data = data.copy() if wide_blanks else data
    for first, *others in map(str.encode, wide_blanks):
        at = (data == first).nonzero()[0]
        for offset, byte in enumerate(others, 1):
            at = at[data[at + offset] == byte]
        data[at[:, None] + np.arange(len(others) + 1)] = ord(" ")
    # Whitespace of one byte is 9 to 13 and 28 to 32; smaller bytes wrap around.
    is_blank = np.empty(len(data) + 1, dtype=bool)
    is_blank[0] = True
    np.logical_or(data - np.uint8(9) < 5, data - np.uint8(28) < 5, out=is_blank[1:])
    edges = (is_blank[1:] != is_blank[:-1]).nonzero()[0]
    starts, stops = edges[::2], edges[1::2]
    lengths = starts.searchsorted(ends)
    lengths[1:] -= lengths[:-1].copy()
    return _number_bytes(data, starts, stops - starts), lengths


def _join(texts: pa.LargeStringArray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of some texts, each followed by a blank, and where they end; more blanks follow."""
    if 2 * len(index) < len(texts):  # do not copy the others
        texts, index = arrow.take(texts, index), np.arange(len(index))
    with_blanks = np.empty((len(index) + 1, 2), dtype=np.int64)
    with_blanks[:-1, 0] = index
    with_blanks[:, 1] = len(texts)
    with_blanks[-1] = len(texts) + 1
    joined = arrow.take(arrow.concat([texts, _BLANKS]), with_blanks.ravel())
    data, bounds = arrow.bytes_of(joined)
    return data[: bounds[-1]], bounds[1:-2:2]


def _number_bytes(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Number the tokens at `starts`, equal ones alike: eight bytes at a time, as integers."""
    eight_bytes = np.ndarray(len(data) - 7, dtype="<u8", buffer=data, strides=(1,))
    ids = _number(eight_bytes[starts] & _FIRST_BYTES.take(lengths, mode="clip"))
    longer = (lengths > 8).nonzero()[0]
    done = 8
    while len(longer) and done < 64:
        rest = _FIRST_BYTES.take(lengths[longer] - done, mode="clip")
        more = _number(eight_bytes[starts[longer] + done] & rest)
        ids[longer] = ids.max() + 1 + _pair(ids[longer], more)
        done += 8
        longer = longer[lengths[longer] > done]
    if len(longer):  # rare, so one by one
        pieces = zip(starts[longer], lengths[longer], strict=True)
        tokens = [data[start : start + length].tobytes() for start, length in pieces]
        ids[longer] = ids.max() + 1 + _number_objects(tokens)
    # So far, NULs at the end of a token make no difference.
    return ids if data.all() else _pair(ids, lengths)


def _pair(ids: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Number the pairs of two numbers."""
    return _number(ids * (others.max() + 1) + others)


def _number(values: np.ndarray) -> np.ndarray:
    """Number the values from 0, equal ones alike."""
    if len(values) < _FEW_VALUES:
        order = values.argsort()
        ordered = values[order]
        numbers = np.zeros(len(values), dtype=np.int64)
        numbers[order[1:]] = (ordered[1:] != ordered[:-1]).cumsum()
        return numbers
    encoded = arrow.call("dictionary_encode", arrow.numbers(values))
    return arrow.to_numpy(encoded.indices).astype(np.int64)


def _number_objects(values: Iterable[Hashable]) -> np.ndarray:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def char_ids(texts: pa.LargeStringArray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ids of the code points: ASCII's are their own, others follow."""
    texts = arrow.take(texts, index)
    data, bounds = arrow.bytes_of(texts)
    data = data[bounds[0] : bounds[-1]]
    if not (data > 127).any():
        return data, bounds[1:] - bounds[:-1]
    code_points = np.frombuffer(data.tobytes().decode().encode("utf-32-le"), "<u4")
    at = (code_points > 127).nonzero()[0]
    others = code_points[at]
    occurs = np.zeros(others.max() + 1, dtype=bool)
    occurs[others] = True
    ids = code_points.copy()
    ids[at] = (occurs.cumsum() + 127)[others]
    return ids, arrow.lengths("utf8_length", texts)


def ids_of(split: Callable[[str], Sequence[str]]) -> ToIds:
    """The ids of the tokens that a function returns."""

    def to_ids(texts: pa.LargeStringArray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        tokens = [split(text) for text in arrow.take(texts, index).to_pylist()]
        lengths = np.array([len(of_text) for of_text in tokens], dtype=np.int64)
        return _number_objects(chain.from_iterable(tokens)), lengths

    return to_ids


def _split_by(function: Callable[[str], Sequence[str]], text: str) -> list[str]:
    """The tokens that a user's function returns for a text, checked."""
    try:
        tokens = function(text)
        tokens = tokens if isinstance(tokens, (str, bytes)) else list(tokens)
    except Exception as error:
        raise ValueError(f"the tokenizer failed on {shown(text)}: {error!r}") from error
    if isinstance(tokens, (str, bytes)):
        raise TypeError(
            f"the tokenizer returned a {type(tokens).__name__} for {shown(text)}; it must return "
            "a sequence of strings, one per token"
        )
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(
                f"the tokenizer returned {shown(token)} ({type(token).__name__}) among the tokens "
                f"of {shown(text)}; tokens must be strings"
            )
    return list(map(str.__str__, tokens))  # not of a class that compares otherwise


# sacreBLEU's "13a", in order: plain replacements, then patterns. They have ^ and $ where sacreBLEU
# puts a space before and after a text; the spaces that it puts around spaces make no difference.
_UNESCAPED = (
    *(("<skipped>", ""), ("-\n", ""), ("\n", " ")),
    *(("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")),
)
_13A = (
    (r"([!-&(-+:-@\[-`{-~/])", r" \1 "),
    (r"(^|[^0-9])([.,])", r"\1 \2 "),  # unless after a digit
    (r"([.,])([^0-9]|$)", r" \1 \2"),  # unless before a digit
    (r"([0-9])-", r"\1 - "),
)


def _category(name: str, added: str) -> str:
    """A class of characters, with those of Unicode 16 and 17, which Arrow's RE2 does not know."""
    return rf"\p{{{name}}}" + re.sub(r"\w+", r"\\x{\g<0>}", added).replace(" ", "")


_P = _category(
    "P",
    "1B4E-1B4F 1B7F 2E60-2E63 10D6E 10ED0 113D4-113D5 113D7-113D8 11BE1 16D6D-16D6F 1E5FF",
)
_N = _category(
    "N",
    "10D40-10D49 116D0-116E3 11BF0-11BF9 11DE0-11DE9 1246F 12475-1247F 12550-12686 16130-16139 "
    "16D70-16D79 16FF4-16FF6 1CCF0-1CCF9 1E5F1-1E5FA",
)
_S = _category(
    "S",
    "20C1-20C4 2427-2429 2B96 31E4-31E5 FBC3-FBD2 FD90-FD91 FDC8-FDCE 10D8E-10D8F 10EC9-10ECA "
    "10ED1-10ED8 1CC00-1CCEF 1CCFA-1CCFC 1CD00-1CEB3 1CEBA-1CED0 1CED2-1CED4 1CEDD-1CEFD "
    "1D1EB-1D1FF 1D253-1D25A 1D25D-1D25E 1D260-1D27F 1DB00-1DB1C 1F1AE 1F6D8-1F6D9 1F777-1F77A "
    "1F7DA-1F7DB 1F7F1-1F7FF 1F8B2-1F8BB 1F8C0-1F8C1 1F8D0-1F8D8 1FA54-1FA57 1FA89-1FA8F 1FABE "
    "1FAC6 1FAC8 1FACC-1FACD 1FADC-1FADD 1FADF 1FAE9-1FAEB 1FAEF 1FAF9-1FAFA 1FBCB-1FBEF 1FBFA",
)
_INTL = (
    (rf"([^{_N}])([{_P}])", r"\1 \2 "),
    (rf"([{_P}])([^{_N}])", r" \1 \2"),
    (rf"([{_S}])", r" \1 "),
)


class Tokenizer(NamedTuple):
    """How texts become tokens."""

    split: Callable[[str], Sequence[str]]  # one text, as strings
    to_ids: ToIds  # many texts, as ids
    bytes_at_once: int = _BYTES_AT_ONCE
    is_python: bool = False  # then threads would not speed it up, and might confuse it


def _rewriting(rewrite: Callable[[pa.LargeStringArray], pa.LargeStringArray]) -> Tokenizer:
    """A tokenizer that puts spaces around tokens and then splits at whitespace."""
    return Tokenizer(
        lambda text: rewrite(arrow.strings([text]))[0].as_py().split(),
        lambda texts, index: word_ids(rewrite(arrow.take(texts, index)), np.arange(len(index))),
        _BYTES_OF_WORDS_AT_ONCE,
    )


def _as_13a(texts: pa.LargeStringArray) -> pa.LargeStringArray:
    """Separate ASCII punctuation as sacreBLEU's "13a", the tokenizer of mteval-v13a, does."""
    data = arrow.bytes_of(texts)[0].tobytes()
    if any(rare in data for rare in (b"<skipped>", b"\n", b"&")):
        for old, new in _UNESCAPED:
            texts = arrow.replace(texts, old, new)
    return _substitute(texts, _13A)


def _as_intl(texts: pa.LargeStringArray) -> pa.LargeStringArray:
    """Separate punctuation and symbols as sacreBLEU's "intl", that of mteval-v14, does."""
    return _substitute(texts, _INTL)


def _substitute(
    texts: pa.LargeStringArray, steps: Sequence[tuple[str, str]]
) -> pa.LargeStringArray:
    for pattern, by in steps:
        texts = arrow.substitute(texts, pattern, by)
    return texts


TOKENIZERS = {
    "word": Tokenizer(str.split, word_ids, _BYTES_OF_WORDS_AT_ONCE),
    "char": Tokenizer(list, char_ids),
    "13a": _rewriting(_as_13a),
    "intl": _rewriting(_as_intl),
}
# sacreBLEU's, for languages that write no spaces between words: modules and classes.
_SACREBLEUS = {
    "zh": ("tokenizer_zh", "TokenizerZh"),
    "ja-mecab": ("tokenizer_ja_mecab", "TokenizerJaMecab"),
    "ko-mecab": ("tokenizer_ko_mecab", "TokenizerKoMecab"),
}


def tokenizer(choice: str | Callable[[str], Sequence[str]]) -> Tokenizer:
    """The tokenizer of a name, or the one that a user's function makes."""
    if isinstance(choice, str) and choice in TOKENIZERS:
        return TOKENIZERS[choice]
    split = partial(_split_by, choice if callable(choice) else _of_sacrebleu(choice))
    return Tokenizer(split, ids_of(split), is_python=True)


def _of_sacrebleu(name: str) -> Callable[[str], list[str]]:
    """One of sacreBLEU's tokenizers for languages that write no spaces between words."""
    from importlib import import_module

    module, kind = _SACREBLEUS[name]
    try:
        tokenize = getattr(import_module(f"sacrebleu.tokenizers.{module}"), kind)()
    except (ImportError, RuntimeError) as error:
        raise ImportError(
            f'tokenizer="{name}" needs sacreBLEU and its dictionaries: install green-gec with the '
            f'extra "cjk" (pip install "green-gec[cjk]"), or pip install "sacrebleu[ja,ko]"'
        ) from error
    return lambda text: tokenize(text).split()
