"""Texts to tokens: strings for one text, numbers (ids) for many. Knows no n-grams."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
import pyarrow as pa

from . import arrow_arrays
from .options import short_repr

Texts = pa.LargeStringArray
Split = Callable[[str], Sequence[str]]
# The ids of all tokens, not negative and equal for equal tokens; each text's number of tokens.
Ids = tuple[np.ndarray, np.ndarray]

# Besides whitespace of one byte, `str.split` splits at these characters.
WIDE_BLANKS = frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_BLANK = arrow_arrays.strings([" "])[0]
_PADDING = arrow_arrays.strings([" " * 8])  # so that eight bytes can be read from any position
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)  # masks of n bytes
# Bytes of text to count at once, so that arrays stay small: words are fewer than characters.
_BYTES_AT_ONCE = 3 << 17
_BYTES_OF_WORDS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Tokenizer:
    split: Split  # one text
    number: Callable[[Texts], Ids]  # many texts
    bytes_at_once: int = _BYTES_AT_ONCE
    is_python: bool = False  # then threads would not speed it up, and might confuse it


def get_tokenizer(choice: str | Split) -> Tokenizer:
    """The tokenizer of a name, or the one that a user's function makes."""
    if isinstance(choice, str) and choice in TOKENIZERS:
        return TOKENIZERS[choice]
    function = choice if callable(choice) else _load_sacrebleu(choice)
    split = partial(_checked_split, function)

    def number(texts: Texts) -> Ids:
        tokens = list(map(split, texts.to_pylist()))
        n_tokens = np.array(list(map(len, tokens)), dtype=np.int64)
        return _number_objects(chain.from_iterable(tokens)), n_tokens

    return Tokenizer(split, number, is_python=True)


def number_words(texts: Texts) -> Ids:
    """The tokens that `str.split` yields."""
    data, ends = _join(texts)
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
    n_tokens = starts.searchsorted(ends)  # up to the end of each text
    n_tokens[1:] -= n_tokens[:-1].copy()
    return _number_bytes(data, starts, stops - starts), n_tokens


def _join(texts: Texts) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of all texts, each followed by a blank, and where they end; more blanks follow."""
    padded = arrow_arrays.concat([texts, _PADDING])
    one_list = arrow_arrays.lists(np.array([len(padded)]), padded)
    data, bounds = arrow_arrays.text_bytes(arrow_arrays.call("binary_join", one_list, _BLANK))
    return data[: bounds[-1]], (arrow_arrays.n_bytes(texts) + 1).cumsum()


def _number_bytes(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Number the tokens at `starts`: eight bytes at a time, as integers."""
    eight_bytes = np.ndarray(len(data) - 7, dtype="<u8", buffer=data, strides=(1,))
    ids = arrow_arrays.number_values(eight_bytes[starts] & _FIRST_BYTES.take(lengths, mode="clip"))
    longer = (lengths > 8).nonzero()[0]
    done = 8
    while len(longer) and done < 64:
        rest = _FIRST_BYTES.take(lengths[longer] - done, mode="clip")
        more = arrow_arrays.number_values(eight_bytes[starts[longer] + done] & rest)
        ids[longer] = ids.max() + 1 + _number_pairs(ids[longer], more)
        done += 8
        longer = longer[lengths[longer] > done]
    if len(longer):  # rare: texts without spaces
        spans = zip(starts[longer], lengths[longer], strict=True)
        tokens = [data[start : start + length].tobytes() for start, length in spans]
        ids[longer] = ids.max() + 1 + _number_objects(tokens)
    # So far, NULs at the end of a token make no difference.
    return ids if data.all() else _number_pairs(ids, lengths)


def _number_pairs(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return arrow_arrays.number_values(first * (second.max(initial=0) + 1) + second)


def _number_objects(values: Iterable[Hashable]) -> np.ndarray:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def number_characters(texts: Texts) -> Ids:
    """The code points: ASCII's are their own ids, others follow."""
    data, bounds = arrow_arrays.text_bytes(texts)
    data = data[bounds[0] : bounds[-1]]
    if not (data > 127).any():
        return data, bounds[1:] - bounds[:-1]
    ids = np.frombuffer(data.tobytes().decode().encode("utf-32-le"), "<u4").copy()
    is_wide = ids > 127
    occurs = np.zeros(ids.max() + 1, dtype=bool)
    occurs[ids[is_wide]] = True
    ids[is_wide] = (occurs.cumsum() + 127)[ids[is_wide]]
    n_characters = arrow_arrays.to_numpy(arrow_arrays.call("utf8_length", texts))
    return ids, n_characters.astype(np.int64)


def _checked_split(function: Split, text: str) -> list[str]:
    """The tokens that a user's function returns for a text."""
    try:
        returned = function(text)
        tokens = list(returned)
    except Exception as error:
        raise ValueError(f"the tokenizer failed on {short_repr(text)}: {error!r}") from error
    if isinstance(returned, str):
        raise TypeError(
            f"the tokenizer returned a str for {short_repr(text)}; it must return a sequence of "
            "strings, one per token"
        )
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(
                f"the tokenizer returned {short_repr(token)} ({type(token).__name__}) among the "
                f"tokens of {short_repr(text)}; tokens must be strings"
            )
    return tokens


# sacreBLEU's "13a": what is rare, then the rest, in order. Patterns have ^ and $ where sacreBLEU
# puts spaces around a text; the spaces that it puts around spaces make no difference.
_13A_RARE = (
    *(("<skipped>", ""), ("-\n", ""), ("\n", " ")),
    *(("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")),
)
_13A = (
    (r"([!-&(-+:-@\[-`{-~/])", r" \1 "),
    (r"(^|[^0-9])([.,])", r"\1 \2 "),  # unless after a digit
    (r"([.,])([^0-9]|$)", r" \1 \2"),  # unless before a digit
    (r"([0-9])-", r"\1 - "),
)
# Characters of Unicode 16 and 17, which Arrow's RE2 does not know, by category.
_UNICODE_17 = {
    "P": "1B4E-1B4F 1B7F 2E60-2E63 10D6E 10ED0 113D4-113D5 113D7-113D8 11BE1 16D6D-16D6F 1E5FF",
    "N": "10D40-10D49 116D0-116E3 11BF0-11BF9 11DE0-11DE9 1246F 12475-1247F 12550-12686 "
    "16130-16139 16D70-16D79 16FF4-16FF6 1CCF0-1CCF9 1E5F1-1E5FA",
    "S": "20C1-20C4 2427-2429 2B96 31E4-31E5 FBC3-FBD2 FD90-FD91 FDC8-FDCE 10D8E-10D8F "
    "10EC9-10ECA 10ED1-10ED8 1CC00-1CCEF 1CCFA-1CCFC 1CD00-1CEB3 1CEBA-1CED0 1CED2-1CED4 "
    "1CEDD-1CEFD 1D1EB-1D1FF 1D253-1D25A 1D25D-1D25E 1D260-1D27F 1DB00-1DB1C 1F1AE 1F6D8-1F6D9 "
    "1F777-1F77A 1F7DA-1F7DB 1F7F1-1F7FF 1F8B2-1F8BB 1F8C0-1F8C1 1F8D0-1F8D8 1FA54-1FA57 "
    "1FA89-1FA8F 1FABE 1FAC6 1FAC8 1FACC-1FACD 1FADC-1FADD 1FADF 1FAE9-1FAEB 1FAEF 1FAF9-1FAFA "
    "1FBCB-1FBEF 1FBFA",
}
_P, _N, _S = (
    rf"\p{{{category}}}" + re.sub(r"\w+", r"\\x{\g<0>}", added).replace(" ", "")
    for category, added in _UNICODE_17.items()
)
_INTL = (
    (rf"([^{_N}])([{_P}])", r"\1 \2 "),
    (rf"([{_P}])([^{_N}])", r" \1 \2"),
    (rf"([{_S}])", r" \1 "),
)


def _separating(
    patterns: Iterable[tuple[str, str]], rare: Iterable[tuple[str, str]] = ()
) -> Tokenizer:
    """A tokenizer that puts spaces around tokens and then splits at whitespace."""

    def separate(texts: Texts) -> Texts:
        for old, new in rare:  # looking for them takes less time than replacing them
            if old.encode() in arrow_arrays.text_bytes(texts)[0].tobytes():
                texts = arrow_arrays.replace_pattern(texts, old, new)
        for pattern, new in patterns:
            texts = arrow_arrays.replace_pattern(texts, pattern, new)
        return texts

    return Tokenizer(
        split=lambda text: separate(arrow_arrays.strings([text]))[0].as_py().split(),
        number=lambda texts: number_words(separate(texts)),
        bytes_at_once=_BYTES_OF_WORDS_AT_ONCE,
    )


TOKENIZERS = {
    "word": Tokenizer(str.split, number_words, _BYTES_OF_WORDS_AT_ONCE),
    "char": Tokenizer(list, number_characters),
    "13a": _separating(_13A, _13A_RARE),  # that of mteval-v13a: ASCII punctuation
    "intl": _separating(_INTL),  # that of mteval-v14: punctuation and symbols
}


def _load_sacrebleu(name: str) -> Split:
    """A tokenizer of sacreBLEU, for languages that write no spaces between words."""
    try:
        from sacrebleu import BLEU

        tokenize = BLEU(tokenize=name).tokenizer
    except (ImportError, RuntimeError) as error:
        raise ImportError(
            f'tokenizer="{name}" needs sacreBLEU and its dictionaries: install green-gec with the '
            f'extra "cjk" (pip install "green-gec[cjk]"), or pip install "sacrebleu[ja,ko]"'
        ) from error
    return lambda text: tokenize(text).split()
