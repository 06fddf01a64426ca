"""Ids of tokens to sizes of n-gram multisets and of their intersections. Knows no score, no text.

The texts of a sentence are counted together, all orders at once. Each position of a text becomes a
key of 64 bits: the ids of the next N tokens, then the slot of the text. The end of a text is a
token that no other text has. With N = 2, the source "go", the correction "go home" and the
reference "home" have these keys, sorted:

    go home C | go ⊣S S | home ⊣R R | home ⊣C C | ⊣R … R | ⊣C … C | ⊣S … S

Equal n-grams of every order are neighbours now: keys that agree in their first n ids are a run of
order n. At order 1, "go" is a run of C and S, and "home" is one of C and R; at order 2, each key is
a run of its own. So |S∩C| and |R∩C| are 1 at order 1, and all other intersections are 0. Runs of
one key are shared by nobody, so they are skipped.

How often does each text have the n-gram of a run? Each key stands for a word of 64 bits with a 1 in
the lane of its text: eight lanes of 8 bits, fewer if texts are long. A running sum over the keys
counts all texts at once (lanes overflow, but differences of two sums are exact), minima of words
compare several references at once, and a running sum over the runs adds these up. N-grams that
every text of a sentence has once, which are most, leave before that: they add 1 to each size.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise

import numpy as np

from . import arrow_arrays
from .inputs import Block
from .tokenization import Tokenizer

# The sizes of a source S, a correction C, a reference R and of their intersections, given how often
# each has an n-gram. "SC-R" is what S and C share of the n-grams that R lacks altogether, "CU" what
# C shares with U, the union of all references.
SIZES: dict[str, Callable[..., np.ndarray]] = {
    "S": lambda s, c, r, u: s,
    "C": lambda s, c, r, u: c,
    "R": lambda s, c, r, u: r,
    "SR": lambda s, c, r, u: np.minimum(s, r),
    "SC": lambda s, c, r, u: np.minimum(s, c),
    "RC": lambda s, c, r, u: np.minimum(r, c),
    "SRC": lambda s, c, r, u: np.minimum(np.minimum(r, c), s),
    "SC-R": lambda s, c, r, u: np.minimum(s, c) * (r == 0),
    "CU": lambda s, c, r, u: np.minimum(c, u),
}

_KEY_BITS = 63  # the highest bit differs between neighbouring sentences
_PADDING = np.uint64(2**64 - 1)  # sorts last
# Sentences are sorted as rows of a matrix, which NumPy does several times as fast as one long
# array, if the matrix has at most this many places per key, or few in all.
_PLACES_PER_KEY = 1.15
_FEW_PLACES = 1 << 13
_MOST_ROWS = 64


def count(
    block: Block, tokenizer: Tokenizer, max_order: int, names: Sequence[str]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Count the n-grams that each sentence's source, corrections and references have and share.

    `names` are the `SIZES` to count, with S in one of them exactly if there are sources. Yields
    numbers of sentences that have as many references as each other, and their sizes (system,
    sentence, reference, order, size).
    """
    # glibc returns freed arrays to the system, and getting the memory back takes half as long as
    # counting, unless it has seen a large array come and go: from then on it keeps that much.
    np.empty(31 << 20, dtype=np.uint8)
    for sentences in _work_units(block, tokenizer.bytes_at_once):
        n_references = int(block.n_references[sentences[0]])
        positions = block.positions(sentences, n_references)
        ids, lengths = tokenizer.number(arrow_arrays.take(block.texts, positions.ravel()))
        lengths = lengths.reshape(positions.shape)
        yield sentences, count_ids(ids, lengths, block.n_systems, max_order, names)


def _work_units(block: Block, bytes_at_once: int) -> list[np.ndarray]:
    """Sentences to count together: with as many references, of similar length, few bytes."""
    if len(block) == 1:
        return [np.zeros(1, dtype=np.int64)]
    n_bytes = arrow_arrays.n_bytes(block.texts)
    first = block.first_references
    n_bytes_each = np.add.reduceat(n_bytes, first)
    n_bytes_each += np.add.reduce(n_bytes[: first[0]].reshape(-1, len(block)))
    order = np.lexsort((n_bytes_each, block.n_references))
    unit = n_bytes_each[order].cumsum() // bytes_at_once
    n_references = block.n_references[order]
    is_last = (unit[1:] != unit[:-1]) | (n_references[1:] != n_references[:-1])
    stops = [*(is_last.nonzero()[0] + 1).tolist(), len(block)]
    return [order[start:stop] for start, stop in pairwise([0, *stops])]


def count_ids(
    ids: np.ndarray,
    lengths: np.ndarray,
    n_systems: int,
    max_order: int,
    names: Sequence[str],
) -> np.ndarray:
    """Sizes (system, sentence, reference, order, size), given all tokens of some sentences.

    `lengths` are those of a sentence's references, corrections and, if a size needs it, source:
    (sentence, text). A text's slot is its number there.
    """
    n_sentences, n_texts = lengths.shape
    n_references = n_texts - n_systems - any("S" in name for name in names)
    longest = int(lengths.max())
    # Laid out size by size: NumPy is slow along an axis of a few entries.
    shape = (len(names), n_systems, n_sentences, n_references, max_order)
    sizes = np.zeros(shape, dtype=np.int64).transpose(1, 2, 3, 4, 0)
    # |R|, |C| and |S|: a text of k tokens has k - n + 1 n-grams.
    n_ngrams = np.maximum(lengths.T[:, :, None] - np.arange(max_order), 0)[:, :, None]
    r, c = n_ngrams[:n_references].swapaxes(0, 2), n_ngrams[n_references:][:n_systems]
    for name, size in {"R": r, "C": c, "S": n_ngrams[n_references + n_systems :]}.items():
        if name in names:
            sizes[..., names.index(name)] = size

    shared = [name for name in names if len(name) > 1]
    lane = np.min_scalar_type(longest)  # no count, nor a sentence's sum of counts, is larger
    done = 0
    for keys, is_key, starts, steps in _sort(ids, lengths, min(max_order, longest)):
        kept = (is_key if "SC-R" in names else is_key > _are_common(keys, n_texts)).nonzero()[0]
        starts = kept.searchsorted(starts)
        # What all texts have once adds 1 to each size: min(a + 1, b + 1) = min(a, b) + 1.
        n_dropped = np.add.reduce(lengths, axis=1) + n_texts - (starts[1:] - starts[:-1])
        n_common = n_dropped[:, None, None] // n_texts
        counts, bounds = _count_runs(keys[kept], starts, steps, n_texts, lane)
        orders = slice(done, done + len(steps))
        intersections = _intersect(counts, bounds, n_systems, n_references, shared)
        for name, systems, references, sums in intersections:
            sizes[systems, :, references, orders, names.index(name)] = sums + n_common
        done += len(steps)
    return sizes


def _intersect(
    counts: np.ndarray,
    bounds: np.ndarray,
    n_systems: int,
    n_references: int,
    names: Sequence[str],
) -> Iterator[tuple[str, slice, slice, np.ndarray]]:
    """Add up what texts share: yields names, systems, references, and sums.

    Sums are (sentence, reference, order). Each word of the counts has those of several references.
    What they are compared with is repeated in all lanes, so that one operation compares them all.
    """
    lane = counts.dtype
    n_lanes = 8 // lane.itemsize
    ones = np.uint64((2**64 - 1) // np.iinfo(lane).max)  # a 1 in each lane

    def in_all_lanes(text: int) -> np.ndarray:
        return (counts[text // n_lanes, text % n_lanes :: n_lanes] * ones).view(lane)

    has_source = any("S" in name for name in names)
    s = in_all_lanes(n_references + n_systems) if has_source else None
    u = reduce(np.maximum, map(in_all_lanes, range(n_references))) if "CU" in names else None
    for system in range(n_systems):
        c = in_all_lanes(n_references + system)
        for first in range(0, n_references, n_lanes):
            r = counts[first // n_lanes]
            for name in names if system == 0 else [name for name in names if "C" in name]:
                running = _running_sum(SIZES[name](s, c, r, u).view(np.uint64))[bounds]
                sums = (running[:, 1:] - running[:, :-1]).view(lane)
                sums = sums.reshape(len(bounds), -1, n_lanes)[..., : n_references - first]
                systems = slice(system, system + 1) if "C" in name else slice(None)
                yield name, systems, slice(first, first + n_lanes), sums.transpose(1, 2, 0)


def _sort(
    ids: np.ndarray, lengths: np.ndarray, n_orders: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]]:
    """Bring equal n-grams of a sentence side by side.

    Yields the sorted keys of all sentences, some of them padding; which are not; where each
    sentence begins and the last one ends; and for each order how much the keys of two n-grams
    differ at least. Usually one sort does for all orders. If whole n-grams do not fit into a key,
    each sentence gets ids of its own; if they still do not fit, those that do are numbered, and
    their numbers begin the keys of longer ones. There is always room for one more order, because
    ids and numbers are fewer than the tokens of a work unit.
    """
    n_sentences, n_texts = lengths.shape
    slot_bits = (n_texts - 1).bit_length()
    # How many keys each text, with its end, and, last, the padding has.
    n_keys = np.empty((n_sentences, n_texts + 1), dtype=np.int64)
    np.add(lengths, 1, out=n_keys[:, :-1])
    n_keys_each = np.add.reduce(n_keys[:, :-1], axis=1)
    matrices = _matrices(n_keys_each)
    widths = np.array([width for _, width in matrices]).repeat([n_rows for n_rows, _ in matrices])
    n_keys[:, -1] = widths - n_keys_each
    starts = arrow_arrays.offsets(widths)
    n_places = int(starts[-1])
    # What keys have besides ids: slots, and the highest bit.
    places = np.empty(n_keys.shape, dtype=np.uint64)
    places[:] = np.arange(n_sentences, dtype=np.uint64)[:, None] << np.uint64(_KEY_BITS)
    places |= np.arange(n_texts + 1, dtype=np.uint64)
    places[:, -1] = _PADDING
    places = places.ravel().repeat(n_keys.ravel())
    is_key = places != _PADDING

    n_ids = int(ids.max(initial=0)) + 1
    id_bits = (n_ids + n_texts - 1).bit_length()
    ends = n_keys.cumsum().reshape(n_keys.shape)[:, :-1] - 1
    is_token = is_key.copy()
    is_token[ends] = False
    tokens = np.zeros(n_places + n_orders, dtype=_unsigned(id_bits))
    tokens[:n_places][is_token] = ids
    tokens[ends] = np.arange(n_ids, n_ids + n_texts)
    if n_sentences > 1 and n_orders * id_bits > _KEY_BITS - slot_bits:
        tokens[:n_places] = _number_by_sentence(tokens[:n_places], starts)
        id_bits = int(tokens.max()).bit_length()

    order, prefixes, prefix_bits = 0, np.uint64(0), 0
    while order < n_orders:
        n = min(n_orders - order, (_KEY_BITS - slot_bits - prefix_bits) // id_bits)
        keys = _windows(tokens[order : n_places + order + n - 1], n, id_bits).astype(np.uint64)
        keys |= prefixes << np.uint64(n * id_bits)
        order += n
        if order < n_orders:
            prefixes = arrow_arrays.number_values(keys).astype(np.uint64)
            prefix_bits = int(prefixes.max()).bit_length()
        keys <<= np.uint64(slot_bits)
        keys |= places
        _sort_rows(keys, matrices)
        yield keys, is_key, starts, [1 << slot_bits + id_bits * left for left in reversed(range(n))]


def _number_by_sentence(ids: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Number the ids of each sentence from 0, equal ones alike: few bits are enough."""
    widths = starts[1:] - starts[:-1]
    n_ids = int(ids.max()) + 1
    numbers = arrow_arrays.number_values(ids + n_ids * np.arange(len(widths)).repeat(widths))
    return numbers - numbers[starts[:-1]].repeat(widths)


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
    """Sentences to sort together, as rows of matrices: numbers of rows and widths."""
    matrices, done = [], 0
    while done < len(n_keys):
        rows = n_keys[done : done + _MOST_ROWS]
        n_places = np.maximum.accumulate(rows) * np.arange(1, len(rows) + 1)
        is_small = n_places <= np.maximum(rows.cumsum() * _PLACES_PER_KEY, _FEW_PLACES)
        n_rows = int(is_small.argmin()) or len(rows)
        matrices.append((n_rows, int(n_places[n_rows - 1]) // n_rows))
        done += n_rows
    return matrices


def _sort_rows(keys: np.ndarray, matrices: Sequence[tuple[int, int]]) -> None:
    """Sort the keys of each sentence in place."""
    done = 0
    for n_rows, width in matrices:
        stop = done + n_rows * width
        keys[done:stop].reshape(n_rows, width).sort(axis=1)
        done = stop


def _are_common(keys: np.ndarray, n_texts: int) -> np.ndarray:
    """Which sorted keys are of an n-gram that every text of the sentence has once."""
    ngrams = keys >> np.uint64((n_texts - 1).bit_length())
    # As many equal n-grams as there are texts, none of them twice in a text, are one of each text.
    is_first = ngrams[n_texts - 1 :] == ngrams[: len(ngrams) - n_texts + 1]
    is_twice = np.zeros(len(keys) + 1, dtype=bool)
    np.equal(keys[1:], keys[:-1], out=is_twice[1:-1])
    for offset in range(n_texts + 1):
        np.greater(is_first, is_twice[offset : offset + len(is_first)], out=is_first)
    is_common = np.zeros(len(keys), dtype=bool)
    for offset in range(n_texts):
        is_common[offset : offset + len(is_first)] |= is_first
    return is_common


def _count_runs(
    keys: np.ndarray, starts: np.ndarray, steps: Sequence[int], n_texts: int, lane: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """Count the texts of each run of two or more keys, for all orders: (word, run and lane).

    Also returns where among the runs each sentence's of each order begin and the last sentence's
    end: (order, sentence).
    """
    is_same = np.zeros((len(steps), len(keys) + 1), dtype=bool)  # as the n-gram before
    np.less(keys[1:] ^ keys[:-1], np.array(steps, np.uint64)[:, None], out=is_same[:, 1:-1])
    is_same = is_same.ravel()
    # The first and the last key of each run; orders lie one after the other, `width` apart.
    edges = (is_same[1:] != is_same[:-1]).nonzero()[0]
    width = len(keys) + 1
    bounds = edges.searchsorted(np.arange(len(steps))[:, None] * width + starts) // 2
    for order, first, last in zip(range(len(steps)), *bounds[:, [0, -1]].T.tolist(), strict=True):
        edges[2 * first : 2 * last] -= order * width
    begin, end = edges[::2], edges[1::2] + 1
    slots = (keys & np.uint64((1 << (n_texts - 1).bit_length()) - 1)).view(np.int64)
    n_lanes = 8 // lane.itemsize
    ones = np.eye(n_lanes, dtype=lane).view(np.uint64)[:, 0]  # in the first lane, the second, …
    counts = np.empty((-(-n_texts // n_lanes), len(begin)), dtype=np.uint64)
    for word in range(len(counts)):
        texts = slice(word * n_lanes, (word + 1) * n_lanes)
        in_word = np.zeros(n_texts, dtype=np.uint64)
        in_word[texts] = ones[: len(in_word[texts])]
        running = _running_sum(in_word[slots])
        np.subtract(running[end], running[begin], out=counts[word])
    return counts.view(lane), bounds


def _running_sum(values: np.ndarray) -> np.ndarray:
    sums = np.zeros(len(values) + 1, dtype=values.dtype)
    values.cumsum(out=sums[1:])
    return sums
