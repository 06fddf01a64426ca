"""M2: sentences with the edits of one or more annotators."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

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
        """What the annotators' edits make of the sentence, in the order of their numbers."""
        return [_apply(self.tokens, self.edits[who]) for who in sorted(self.edits)]


def locate(name: str, sentence: Annotated) -> str:
    """A sentence in messages: the file and its line, if it comes from one."""
    return f"{name}:{sentence.line}" if sentence.line else name


def texts_of(name: str, sentences: Sequence[Annotated]) -> list[str]:
    """What a system's edits make of the sentences; its file or name is for messages."""
    for sentence in sentences:
        if len(sentence.edits) > 1:
            raise ValueError(
                f"{locate(name, sentence)}: {short_repr(sentence.source)} has edits of "
                f"{len(sentence.edits)} annotators; a system's edits have one"
            )
    return [sentence.references[0] for sentence in sentences]


def check_sources(
    name: str, sentences: Sequence[Annotated], sources: Sequence[str], origin: str
) -> None:
    """Check that edits are of the sources, as many as they, but for whitespace."""
    for number, (sentence, source) in enumerate(zip(sentences, sources, strict=True), 1):
        if sentence.source != source and sentence.source.split() != source.split():
            raise ValueError(
                f"{locate(name, sentence)}: sentence {number} corrects "
                f"{short_repr(sentence.source)}, but in {origin} sentence {number} is "
                f"{short_repr(source)}"
            )


def join_annotators(first: Sequence[Annotated], second: Sequence[Annotated]) -> list[Annotated]:
    """The same sentences with the edits of the annotators of both."""
    return [
        one._replace(edits=dict(enumerate([*one.edits.values(), *other.edits.values()])))
        for one, other in zip(first, second, strict=True)
    ]


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
    """What `read_edits` returns, from the lines of a file."""
    sentences: list[Annotated] = []
    for number, line in enumerate(lines, 1):
        try:
            if line.startswith("S ") or line == "S":
                sentences.append(Annotated(tokens_of(line[2:]), {}, number))
            elif line.startswith("A "):
                if not sentences:
                    raise ValueError("an edit before the first sentence")
                tokens, edits, _ = sentences[-1]
                annotator, edit = _parse_edit(line, number, len(tokens))
                edits.setdefault(annotator, []).extend(edit)
            elif line.strip():
                raise ValueError(
                    f"a line of M2 begins with 'S ' or 'A ', not like {short_repr(line)}"
                )
        except ValueError as error:
            raise ValueError(f"{show_name(path)}:{number}: {error}") from None
    for position, (tokens, edits, line) in enumerate(sentences):
        sorted_edits = {who: _sort_edits(each) for who, each in edits.items()} or {0: []}
        sentences[position] = Annotated(tokens, sorted_edits, line)
        for each in sorted_edits.values():
            for before, edit in _overlaps(each):
                raise ValueError(
                    f"{show_name(path)}:{edit.line}: this edit overlaps that of line {before.line}"
                )
    return sentences


def _parse_edit(line: str, number: int, n_tokens: int) -> tuple[int, list[Edit]]:
    """The annotator and the edit of a line of M2; no edit for a noop."""
    parts = line[2:].split("|||")
    try:
        span, kind, correction, _, _, who = parts
        start, stop = map(int, span.split())
        annotator = int(who)
    except ValueError:
        raise ValueError(
            f"an edit must read 'A start end|||type|||correction|||…|||…|||annotator', "
            f"not {short_repr(line)}"
        ) from None
    if kind == "noop":
        return annotator, []
    if not 0 <= start <= stop <= n_tokens:
        raise ValueError(f"an edit from {start} to {stop} in a sentence of {n_tokens} tokens")
    corrections = [tuple(tokens_of(text)) for text in correction.split("||")]
    if ("-NONE-",) in corrections:
        corrections = [() if words == ("-NONE-",) else words for words in corrections]
    return annotator, [Edit(start, stop, tuple(corrections), kind, number)]


def _sort_edits(edits: list[Edit]) -> list[Edit]:
    """An annotator's edits of a sentence; those at the same place stay in the order given."""
    return sorted(edits, key=lambda edit: edit[:2])


def _overlaps(edits: list[Edit]) -> Iterator[tuple[Edit, Edit]]:
    """Neighbouring edits that change the same tokens, unless they are equal."""
    for before, edit in pairwise(edits):
        if edit.start < before.stop and edit[:3] != before[:3]:
            yield before, edit


def checked(name: str, sentence: Annotated) -> Annotated:
    """A sentence that a user made, after the checks that the reader makes; `name` is for errors."""
    tokens, edits, line = sentence
    if isinstance(tokens, str) or not all(isinstance(token, str) for token in tokens):
        raise TypeError(f"{name}: tokens must be a list of strings, not {short_repr(tokens)}")
    if not edits:
        raise ValueError(f"{name} has no annotator; without edits, it has one with an empty list")
    sorted_edits = {}
    for who, each in edits.items():
        for edit in each:
            alternatives = (edit.corrections, *edit.corrections)
            if not edit.corrections or any(isinstance(words, str) for words in alternatives):
                raise TypeError(
                    f"{name}: corrections must be alternatives, each a tuple of tokens, like "
                    f"(('the',),), not {short_repr(edit.corrections)}"
                )
            if not 0 <= edit.start <= edit.stop <= len(tokens):
                raise ValueError(
                    f"{name}: an edit from {edit.start} to {edit.stop} in a sentence of "
                    f"{len(tokens)} tokens"
                )
        sorted_edits[who] = _sort_edits(
            [edit._replace(corrections=tuple(map(tuple, edit.corrections))) for edit in each]
        )
        for before, edit in _overlaps(sorted_edits[who]):
            raise ValueError(f"{name}: {short_repr(edit)} overlaps {short_repr(before)}")
    return Annotated(list(tokens), sorted_edits, line)


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
