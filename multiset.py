"""Texts to tokens to n-gram multiset sizes: Arrow in, NumPy out. This module knows no score.

A text is, for each order n, the multiset of its n-grams. The sizes of these multisets and of their
intersections are all that an n-gram score needs, and all that is computed here.

The texts of a sentence (source, corrections, references) are counted together. Each position of
each text becomes one 64-bit key that holds, from the top, the sentence, the ids of the next tokens
and the text's slot. One sort brings equal n-grams side by side for all orders at once: a new n-gram
of order n begins where two neighbouring keys differ in the sentence or in the first n ids.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from . import arrow
from .options import shown

# Intersections of a source S, corrections C and references R, as functions of how often they have
# each n-gram: arrays (system, reference, n-gram), the first two of length 1 where they make no
# difference. "SC-R" counts what S and C share of the n-grams that R lacks altogether, "CU" what C
# shares with the union of all references.
_SHARED = {
    "SR": lambda s, c, r: np.minimum(s, r),
    "SC": lambda s, c, r: np.minimum(s, c),
    "RC": lambda s, c, r: np.minimum(r, c),
    "SRC": lambda s, c, r: np.minimum(np.minimum(r, c), s),
    "SC-R": lambda s, c, r: np.minimum(s, c) * (r == 0),
    "CU": lambda s, c, r: np.minimum(c, r.max(axis=1, keepdims=True)),
}
# All that can be counted: |S|, |C|, |R| and the above.
SIZES = ("S", "C", "R", *_SHARED)

# Takes texts and the largest order. Returns the ids of all tokens, counted from 0, with `_padding`
# places left free after each text, and each text's number of tokens.
ToIds = Callable[[pa.LargeStringArray, int], tuple[np.ndarray, np.ndarray]]

# Besides whitespace of one byte, `str.split` splits at these characters.
WIDE_BLANKS = frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_SLACK = 8  # bytes behind the texts, so that eight bytes can be read from any position in them
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)  # masks, by number

# Token bytes times texts per sentence in a work unit: the arrays stay small, and few enough tokens
# differ for n-grams to fit into 64 bits. Words make far fewer keys per byte than characters.
_COST_AT_ONCE = 3 << 19
_WORD_COST_AT_ONCE = 9 << 18
# References of a sentence that are counted together, and sentences times references times orders in
# a work unit: its array has as much room for each sentence as the one with most references needs.
_REFERENCES_AT_ONCE = 16
_ENTRIES_AT_ONCE = 1 << 18


def count(
    sources: pa.LargeStringArray | None,
    systems: Sequence[pa.LargeStringArray],
    references: pa.LargeListArray,
    to_ids: ToIds,
    max_order: int,
    names: Sequence[str],
) -> Iterator[np.ndarray]:
    """Count the n-grams that each sentence's source, corrections and references have and share.

    A system is an array of corrections; all systems are counted in one pass. `names` are the
    `SIZES` to count; sources may be missing if none of them needs sources. Yields the sizes of one
    work unit after another, (system, sentence, reference, order, size). Missing references of
    sentences that have fewer than others count as empty texts.
    """
    if sources is None and any("S" in name for name in names):
        raise ValueError(f"without sources, {', '.join(names)} cannot be counted")
    others = [*systems] if sources is None else [sources, *systems]
    # glibc returns freed arrays to the system, and getting the memory back takes longer than
    # counting, unless it has seen a large array come and go: from then on it keeps that much.
    np.empty(31 << 20, dtype=np.uint8)

    n_references = arrow.lengths("list_value_length", references)
    bytes_of_references = arrow.lengths("binary_length", arrow.flat(references))
    ends = arrow.offsets(bytes_of_references)[np.cumsum(n_references)]
    at_once = np.minimum(n_references, _REFERENCES_AT_ONCE)
    n_texts = at_once + len(others)
    n_bytes = np.diff(ends, prepend=0) * (at_once / n_references) + max_order * n_texts
    for texts in others:
        n_bytes += arrow.lengths("binary_length", texts)

    most = _WORD_COST_AT_ONCE if to_ids in OF_WORDS else _COST_AT_ONCE
    n_pairs = max(_ENTRIES_AT_ONCE // max_order, 1)
    for start, stop in _ranges(n_bytes, n_references, len(others), most, n_pairs):
        texts = [array.slice(start, stop - start) for array in others]
        listed = references.slice(start, stop - start)
        n_listed = n_references[start:stop]
        shape = (len(systems), stop - start, n_listed.max(), max_order, len(names))
        sizes = np.zeros(shape, dtype=np.int64)
        for first in range(0, shape[2], _REFERENCES_AT_ONCE):
            some, n_some = _some_references(listed, n_listed, first)
            ids, lengths = to_ids(pa.concat_arrays([*texts, some]), max_order)
            some_sizes = sizes[:, :, first : first + _REFERENCES_AT_ONCE]
            _count_ids(ids, lengths, n_some, some_sizes, names)
        if "CU" in names and shape[2] > _REFERENCES_AT_ONCE:  # so far, for some references only
            ids, lengths = to_ids(pa.concat_arrays([*texts, arrow.flat(listed)]), max_order)
            index = names.index("CU")
            _count_ids(ids, lengths, n_listed, sizes[..., index : index + 1], ["CU"])
        yield sizes


def _ranges(
    n_bytes: np.ndarray, n_references: np.ndarray, n_others: int, most: int, most_pairs: int
) -> Iterator[tuple[int, int]]:
    """Halve the sentences until each part is cheap enough or a single sentence."""
    parts = [(0, len(n_bytes))] if len(n_bytes) else []
    while parts:
        start, stop = parts.pop()
        most_references = int(n_references[start:stop].max())
        n_texts = n_others + min(most_references, _REFERENCES_AT_ONCE)
        too_much = n_bytes[start:stop].sum() * n_texts > most
        if stop - start > 1 and (too_much or (stop - start) * most_references > most_pairs):
            middle = (start + stop) // 2
            parts += [(middle, stop), (start, middle)]
        else:
            yield start, stop


def _some_references(
    references: pa.LargeListArray, n_references: np.ndarray, first: int
) -> tuple[pa.LargeStringArray, np.ndarray]:
    """Each sentence's references from number `first` on, as many as are counted together."""
    flat = arrow.flat(references)
    if n_references.max() <= _REFERENCES_AT_ONCE:
        return flat, n_references
    n_some = np.clip(n_references - first, 0, _REFERENCES_AT_ONCE)
    begins = np.cumsum(n_references) - n_references + first
    within = np.arange(n_some.sum()) - np.repeat(np.cumsum(n_some) - n_some, n_some)
    return flat.take(arrow.numbers(np.repeat(begins, n_some) + within)), n_some


def _count_ids(
    ids: np.ndarray,
    lengths: np.ndarray,
    n_references: np.ndarray,
    sizes: np.ndarray,
    names: Sequence[str],
) -> None:
    """Fill the `sizes` (system, sentence, reference, order, size) of a work unit.

    The texts come in this order: all sources, if any, all corrections of each system, all
    references.
    """
    n_systems, n_sentences, most_references, max_order, _ = sizes.shape
    n_others = (len(lengths) - int(n_references.sum())) // n_sentences
    n_slots = n_others + most_references
    sentence_of_text, slot_of_text = _places(n_references, n_others)
    sizes_of = dict(zip(names, np.moveaxis(sizes, -1, 0), strict=True))

    # |S|, |C| and |R|: a text of k tokens has k - n + 1 n-grams.
    length_of = np.zeros((n_slots, n_sentences, 1), dtype=np.int64)
    length_of[slot_of_text, sentence_of_text, 0] = lengths
    n_grams = np.maximum(length_of - np.arange(max_order), 0)  # (slot, sentence, order)
    for name, of_name in zip("SCR", _split(n_grams, n_others, n_systems), strict=True):
        if name in sizes_of:
            sizes_of[name][:] = np.moveaxis(of_name, 2, 1)

    # The padding's id is the text's slot, so that an n-gram that runs past the end of its text
    # equals none of another text. The ids of tokens follow.
    longest = int(lengths.max())
    padding = (len(ids) - lengths.sum()) // len(lengths)
    padded = lengths + padding
    ids = ids.astype(np.uint64)
    ids += np.uint64(n_slots)
    ids[np.cumsum(padded)[:, None] - np.arange(1, padding + 1)] = slot_of_text[:, None]

    keys_of_sentence = np.bincount(sentence_of_text, weights=padded).astype(np.int64)
    first_keys = np.cumsum(keys_of_sentence) - keys_of_sentence
    slot_bits = (n_slots - 1).bit_length()
    places = np.repeat((sentence_of_text << slot_bits | slot_of_text).astype(np.uint64), padded)
    # Neither a count nor a sentence's sum of counts exceeds the longest text and its padding.
    dtype = np.min_scalar_type(longest + padding)
    done = 0
    for slots, edges in _sort(places, slot_bits, ids, min(max_order, longest)):
        # All orders in one row. A run between the edges of two orders is not an n-gram: drop it.
        counts = _count_runs(slots, np.concatenate([*edges, [0]]), n_slots, n_others, dtype)
        starts = np.array([np.append(np.searchsorted(e, first_keys), len(e) - 1) for e in edges])
        starts += np.cumsum([0, *map(len, edges)])[:-1, None]
        for name in _SHARED.keys() & sizes_of.keys():
            shared = _SHARED[name](*_split(counts, n_others, n_systems))
            sums = _add_up(shared, starts)[..., :-1]  # (system, reference, order, sentence)
            sizes_of[name][..., done : done + len(edges)] = np.moveaxis(sums, 3, 1)
        done += len(edges)


def _split(slots: np.ndarray, n_others: int, n_systems: int) -> tuple[np.ndarray, ...]:
    """Source (if any), corrections and references: (slot, …) to (system, reference, …)."""
    return slots[:1, None], slots[n_others - n_systems : n_others, None], slots[None, n_others:]


def _add_up(shared: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Add up (…, n-gram) from each start to the next: (…, *starts), in the type it has."""
    # One row at a time: with several, reduceat would block other threads.
    rows = shared.reshape(-1, shared.shape[-1])
    sums = [np.add.reduceat(row, starts.ravel(), dtype=shared.dtype) for row in rows]
    return np.array(sums).reshape(*shared.shape[:-1], *starts.shape)


def _places(n_references: np.ndarray, n_others: int) -> tuple[np.ndarray, np.ndarray]:
    """The sentence and the slot (source, systems, then references) of each text."""
    sentences, slots = np.arange(len(n_references)), np.arange(n_others)
    references_before = np.repeat(np.cumsum(n_references) - n_references, n_references)
    slots_of_references = np.arange(len(references_before)) - references_before + len(slots)
    return (
        np.concatenate([np.tile(sentences, len(slots)), np.repeat(sentences, n_references)]),
        np.concatenate([np.repeat(slots, len(sentences)), slots_of_references]),
    )


def _sort(
    places: np.ndarray, slot_bits: int, ids: np.ndarray, max_order: int
) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
    """Bring equal n-grams side by side.

    A position has a place, which is its sentence and below that its slot, and an id. Yields the
    slots in sorted order and, for each order, the edges of the runs of equal n-grams.

    Usually one sort does for all orders. If whole n-grams do not fit into 64 bits, each sentence
    gets ids of its own; if they still do not fit, the prefixes that do are numbered, and these
    numbers take the place of the sentences.
    """
    sentences = places >> np.uint64(slot_bits)
    slots = places & np.uint64((1 << slot_bits) - 1)
    id_bits = _bits(ids)
    prefixes = sentences
    if _bits(prefixes) + max_order * id_bits + slot_bits > 64:
        ids = _number_by_sentence(ids, sentences)
        id_bits = _bits(ids)
    order = 0
    while order < max_order:
        room = 64 - _bits(prefixes)
        n_ids = min(max_order - order, room // id_bits)
        keys = prefixes.copy()
        for offset in range(order, order + n_ids):
            keys <<= np.uint64(id_bits)
            keys[: len(keys) - offset] |= ids[offset:]
        order += n_ids
        if order == max_order and n_ids * id_bits + slot_bits <= room:
            keys <<= np.uint64(slot_bits)
            keys |= slots
            keys.sort()
            differ = keys[1:] ^ keys[:-1]
            differ >>= np.uint64(slot_bits)
            keys &= np.uint64((1 << slot_bits) - 1)
            sorted_slots = keys
        else:
            positions = np.argsort(keys)
            keys = keys[positions]
            differ = keys[1:] ^ keys[:-1]
            sorted_slots = slots[positions]
            prefixes = np.zeros_like(keys)
            prefixes[positions[1:]] = np.cumsum(differ != 0)
        yield sorted_slots.view(np.int64), list(_edges(differ, n_ids, id_bits))


def _number_by_sentence(ids: np.ndarray, sentences: np.ndarray) -> np.ndarray:
    """Number the ids of each sentence from 0, equal ones alike: far fewer bits for many texts."""
    id_bits = np.uint64(_bits(ids))
    encoded = arrow.call("dictionary_encode", arrow.numbers(sentences << id_bits | ids))
    sentence_of_id = arrow.to_numpy(encoded.dictionary) >> id_bits
    in_order = np.argsort(sentence_of_id, kind="stable")
    n_of_sentence = np.bincount(sentence_of_id.view(np.int64))
    numbers = np.empty(len(in_order), dtype=np.uint64)
    numbers[in_order] = np.arange(len(in_order)) - np.repeat(
        np.cumsum(n_of_sentence) - n_of_sentence, n_of_sentence
    )
    return numbers[arrow.to_numpy(encoded.indices)]


def _bits(numbers: np.ndarray) -> int:
    return int(numbers.max()).bit_length()


def _edges(differ: np.ndarray, n_ids: int, id_bits: int) -> Iterator[np.ndarray]:
    is_edge = np.ones(len(differ) + 2, dtype=bool)
    for n in range(1, n_ids + 1):
        np.greater_equal(differ, np.uint64(1 << id_bits * (n_ids - n)), out=is_edge[1:-1])
        yield np.flatnonzero(is_edge)


def _count_runs(
    slots: np.ndarray, edges: np.ndarray, n_slots: int, n_others: int, dtype: np.dtype
) -> np.ndarray:
    """Count each slot between each edge and the next: (slot, run).

    Counts of several slots stand side by side in one 64-bit number, so that one running sum over
    the positions counts them all, and a run's counts are the difference of two of its entries. Very
    many references would take too much room: then a single slot holds their union.
    """
    per_word = 8 // dtype.itemsize
    counts, union = [], None
    for first in range(0, n_slots, per_word):
        one = np.eye(n_slots, per_word, -first, dtype=dtype).view(np.uint64)[:, 0]
        running = np.zeros(len(slots) + 1, dtype=np.uint64)
        np.cumsum(one[slots], out=running[1:])
        some = np.diff(running[edges]).view(dtype).reshape(-1, per_word)
        if n_slots - n_others > _REFERENCES_AT_ONCE:
            n_kept = max(n_others - first, 0)
            largest = some[:, n_kept:].max(axis=1, initial=0)
            union = largest if union is None else np.maximum(union, largest)
            some = some[:, :n_kept].copy()  # a view would keep all of it in memory
        counts.append(some)
    found = np.concatenate(counts, axis=1)[:, :n_slots]
    if union is not None:
        found = np.column_stack([found, union])
    return np.ascontiguousarray(found.T)


def sizes_of_ngrams(counts: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """What each n-gram adds to the sizes: (n-gram, size) from its counts in S, C and R."""
    s, c, r = counts.T
    of_texts = {"S": s, "C": c, "R": r}
    sizes = [of_texts[name] if name in of_texts else _SHARED[name](s, c, r) for name in names]
    return np.stack(sizes, axis=-1)


def word_ids(texts: pa.LargeStringArray, max_order: int) -> tuple[np.ndarray, np.ndarray]:
    """The ids of the tokens that `str.split` yields."""
    n_bytes = arrow.lengths("binary_length", texts)
    padding = _padding(max_order, n_bytes)
    data = _join(texts, b" ." * padding + b" ")
    for blank in WIDE_BLANKS.intersection(data[data > 127].tobytes().decode()):
        blanked = data.tobytes().replace(blank.encode(), b" " * len(blank.encode()))
        data = np.frombuffer(blanked, dtype=np.uint8)
    # Whitespace of one byte is 9 to 13 and 28 to 32; smaller bytes wrap around.
    is_blank = np.ones(len(data) + 1, dtype=bool)
    np.logical_or(data - np.uint8(9) < 5, data - np.uint8(28) < 5, out=is_blank[1:])
    edges = np.flatnonzero(is_blank[1:] != is_blank[:-1])
    starts, stops = edges[::2], edges[1::2]
    ends_of_texts = np.cumsum(n_bytes + 2 * padding + 1)
    lengths = np.diff(np.searchsorted(starts, ends_of_texts), prepend=0) - padding
    return _number_bytes(data, starts, stops - starts), lengths


def _number_bytes(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Number the tokens at `starts`, equal ones alike: eight bytes at a time, as integers."""
    eight_bytes = np.ndarray(len(data) - 7, dtype="<u8", buffer=data, strides=(1,))
    ids = _number(arrow.numbers(eight_bytes[starts] & _FIRST_BYTES[np.minimum(lengths, 8)]))
    longer = np.flatnonzero(lengths > 8)
    done = 8
    while len(longer) and done < 64:
        rest = _FIRST_BYTES[np.minimum(lengths[longer] - done, 8)]
        more = _number(arrow.numbers(eight_bytes[starts[longer] + done] & rest))
        ids[longer] = ids.max() + 1 + _pair(ids[longer], more)
        done += 8
        longer = longer[lengths[longer] > done]
    if len(longer):  # rare, so one by one
        pieces = zip(starts[longer], lengths[longer], strict=True)
        rest = arrow.strings([data[start : start + length].tobytes() for start, length in pieces])
        ids[longer] = ids.max() + 1 + _number(rest)
    # So far, NULs at the end of a token make no difference.
    return ids if data.all() else _pair(ids, lengths)


def _pair(ids: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Number the pairs of two numbers."""
    return _number(arrow.numbers(ids * (others.max() + 1) + others))


def char_ids(texts: pa.LargeStringArray, max_order: int) -> tuple[np.ndarray, np.ndarray]:
    """The ids of the code points."""
    lengths = arrow.lengths("utf8_length", texts)
    code_points = _join(texts, b"." * _padding(max_order, lengths))[:-_SLACK]
    if code_points.max() > 127:
        code_points = np.frombuffer(code_points.tobytes().decode().encode("utf-32-le"), "<u4")
    code_points = code_points.astype(np.int64)
    occurs = np.zeros(code_points.max() + 1, dtype=bool)
    occurs[code_points] = True
    return (np.cumsum(occurs) - 1)[code_points], lengths


def ids_of(split: Callable[[str], Sequence[str]]) -> ToIds:
    """The ids of the tokens that a function returns."""

    def to_ids(texts: pa.LargeStringArray, max_order: int) -> tuple[np.ndarray, np.ndarray]:
        tokens = [split(text) for text in texts.to_pylist()]
        lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
        padding = [""] * _padding(max_order, lengths)
        padded = chain.from_iterable(chain(text, padding) for text in tokens)
        encoded = [token.encode("utf-8", "surrogatepass") for token in padded]
        return _number(arrow.strings(encoded)), lengths

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
    return tokens


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
    is_python: bool = False  # then threads would not speed it up, and might confuse it


def _rewriting(rewrite: Callable[[pa.LargeStringArray], pa.LargeStringArray]) -> Tokenizer:
    """A tokenizer that puts spaces around tokens and then splits at whitespace."""
    return Tokenizer(
        lambda text: rewrite(arrow.strings([text.encode()]))[0].as_py().split(),
        lambda texts, max_order: word_ids(rewrite(texts), max_order),
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
    "word": Tokenizer(str.split, word_ids),
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
OF_WORDS = {TOKENIZERS[name].to_ids for name in ("word", "13a", "intl")}


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


def _padding(max_order: int, lengths: np.ndarray) -> int:
    """Places after each text: as many as the longest n-gram can reach beyond it, at least one."""
    return max(min(max_order, int(lengths.max())) - 1, 1)


def _join(texts: pa.LargeStringArray, padding: bytes) -> np.ndarray:
    """The bytes of all texts, each followed by the padding; some blanks at the end."""
    texts = pa.concat_arrays([texts, arrow.strings([b" " * _SLACK])])
    bounds = arrow.numbers(np.array([0, len(texts)], dtype=np.int32))
    joined = arrow.call(
        "binary_join", pa.ListArray.from_arrays(bounds, texts), arrow.strings([padding])
    )
    return np.frombuffer(joined[0].as_buffer(), dtype=np.uint8)


def _number(values: pa.Array) -> np.ndarray:
    """Number the values from 0, equal ones alike."""
    return arrow.to_numpy(arrow.call("dictionary_encode", values).indices).astype(np.int64)
