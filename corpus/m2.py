"""M2: sentences with annotators' edits, from a file or from Python, which get the same checks.

This module knows no score and no corpus.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from numbers import Integral
from operator import itemgetter
from typing import Any, NamedTuple

from ..options import short_repr
from .files import Path, read_lines, show_name

_LINE = re.compile(r"S( |$)|A -?\d+ -?\d+\|\|\|")


class Edit(NamedTuple):
    """An annotator's edit: the tokens start to stop become one of the corrections."""

    start: int
    stop: int
    corrections: tuple[tuple[str, ...], ...]  # alternatives; the first one makes the reference
    type: str = ""
    line: int = 0  # of the file


class Annotated(NamedTuple):
    """A sentence of an M2 file."""

    tokens: list[str]
    edits: dict[int, list[Edit]]  # by annotator, as the file lists them; none for a noop
    line: int = 0

    @property
    def source(self) -> str:
        return " ".join(self.tokens)

    @property
    def references(self) -> list[str]:
        """The corrected sentences of the annotators, in the order of their numbers."""
        return [_apply(self.tokens, self.edits[annotator]) for annotator in sorted(self.edits)]


def is_m2(lines: Sequence[str]) -> bool:
    """Whether lines are sentences with edits, or with blank lines in between, and nothing else."""
    first = next(filter(str.strip, lines), "")
    return (
        first.startswith("S ")
        and all(_LINE.match(line) for line in lines if line.strip())
        and any(line.startswith("A ") or not line.strip() for line in lines)
    )


def read_m2(path: Path) -> tuple[list[str], list[list[str]]]:
    """The sources of an M2 file and, for each, the references that its annotators' edits make.

    The references are in the order of the annotators' numbers. A sentence has one reference per
    annotator that it lists; if it lists none, the source is its reference.
    """
    sentences = read_edits(path)
    return [each.source for each in sentences], [each.references for each in sentences]


def read_edits(path: Path) -> list[Annotated]:
    """The sentences of an M2 file with their edits.

    A sentence has `tokens`, and `edits` by annotator; if it lists no annotator, it has one without
    edits. An edit has `start`, `stop`, `corrections` (alternatives, each a tuple of tokens), `type`
    and `line`.
    """
    return parse_edits(path, read_lines(path))


def parse_edits(path: Path, lines: Sequence[str]) -> list[Annotated]:
    """The sentences in the lines of a file, which errors name."""
    sentences: list[Annotated] = []
    for number, line in enumerate(lines, 1):
        try:
            if line.startswith("S ") or line == "S":
                sentences.append(Annotated(tokens_of(line[2:]), {}, number))
            elif line.startswith("A "):
                if not sentences:
                    raise ValueError("an edit before the first sentence")
                annotator, edit = _parse_edit(line, number)
                sentences[-1].edits.setdefault(annotator, []).append(edit)
            elif line.strip():
                raise ValueError(
                    f"a line of M2 begins with 'S ' or 'A ', not like {short_repr(line)}"
                )
        except ValueError as error:
            raise ValueError(f"{show_name(path)}:{number}: {error}") from None
    return [_arrange(show_name(path), sentence) for sentence in sentences]


def _parse_edit(line: str, number: int) -> tuple[int, Edit]:
    """The annotator and the edit of a line of M2."""
    try:
        span, kind, correction, _, _, annotator = line[2:].split("|||")
        start, stop = map(int, span.split())
        corrections = _alternatives(map(tokens_of, correction.split("||")))
        return int(annotator), Edit(start, stop, corrections, kind, number)
    except ValueError:
        raise ValueError(
            f"an edit must read 'A start end|||type|||correction|||…|||…|||annotator', "
            f"not {short_repr(line)}"
        ) from None


def check_sentence(name: str, sentence: Any) -> Annotated:
    """Check a sentence that was made in Python; `name` is for errors."""
    _expect(isinstance(sentence, Annotated), f"{name} must be a sentence with edits", sentence)
    tokens, edits, line = sentence
    _expect(_are_words(tokens), f"{name}: tokens must be a list of words without spaces", tokens)
    is_by_annotator = isinstance(edits, Mapping) and all(
        isinstance(who, Integral) and isinstance(own, (list, tuple)) for who, own in edits.items()
    )
    form = "a dictionary of annotators' numbers and lists of edits"
    _expect(is_by_annotator, f"{name}: edits must be {form}", edits)
    checked = {who: [_check_edit(name, edit) for edit in own] for who, own in edits.items()}
    return _arrange(name, Annotated(list(tokens), checked, line))


def _check_edit(name: str, edit: Any) -> Edit:
    is_edit = isinstance(edit, Edit) and isinstance(edit.type, str)
    is_edit = is_edit and isinstance(edit.start, Integral) and isinstance(edit.stop, Integral)
    form = "an Edit with a type, whose start and stop are whole numbers"
    _expect(is_edit, f"{name}: an edit must be {form}", edit)
    if edit.type == "noop":
        return edit
    is_list = isinstance(edit.corrections, (list, tuple)) and len(edit.corrections) > 0
    form = "alternatives, each a tuple of words without spaces, like (('the',),)"
    are_alternatives = is_list and all(map(_are_words, edit.corrections))
    _expect(are_alternatives, f"{name}: corrections must be {form}", edit.corrections)
    return edit._replace(corrections=_alternatives(edit.corrections))


def _alternatives(corrections: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Corrections as tuples; -NONE- is no words."""
    return tuple(() if list(words) == ["-NONE-"] else tuple(words) for words in corrections)


def _arrange(name: str, sentence: Annotated) -> Annotated:
    """Sort each annotator's edits and check that they fit; a noop only lists its annotator."""
    arranged, n_tokens = {}, len(sentence.tokens)
    for annotator, own in sentence.edits.items():
        edits = [edit for edit in own if edit.type != "noop"]
        edits.sort(key=itemgetter(0, 1))  # edits at the same place stay in the order given
        for before, edit in pairwise([Edit(0, 0, ()), *edits]):
            is_inside = 0 <= edit.start <= edit.stop <= n_tokens
            if is_inside and (edit.start >= before.stop or edit[:3] == before[:3]):
                continue
            place = f"{name}:{edit.line}" if edit.line else name
            span = f"edit from {edit.start} to {edit.stop}"
            if not is_inside:
                raise ValueError(f"{place}: an {span} in a sentence of {n_tokens} tokens")
            line = f" in line {before.line}" if before.line else ""
            raise ValueError(
                f"{place}: the {span} overlaps that from {before.start} to {before.stop}{line}"
            )
        arranged[annotator] = edits
    return sentence._replace(edits=arranged or {0: []})


def _expect(is_right: bool, expected: str, value: Any) -> None:
    if not is_right:
        raise TypeError(f"{expected}, not {short_repr(value)}")


def _are_words(words: Any) -> bool:
    """Whether these are strings as M2 has them: not empty, without spaces and line breaks."""
    are_strings = isinstance(words, (list, tuple)) and all(isinstance(word, str) for word in words)
    return are_strings and "" not in words and not re.search("[ \n\r]", "".join(words))


def _apply(tokens: list[str], edits: list[Edit]) -> str:
    """The sentence after an annotator's edits."""
    corrected: list[str] = []
    done = 0
    for edit in edits:
        if edit.start < done:  # a duplicate
            continue
        corrected += [*tokens[done : edit.start], *edit.corrections[0]]
        done = edit.stop
    return " ".join([*corrected, *tokens[done:]])


def tokens_of(text: str) -> list[str]:
    """The tokens of a text as M2 has them: separated by spaces, not by any whitespace."""
    return list(filter(None, text.split(" ")))
