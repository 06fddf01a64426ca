"""M2: sentences with the edits of one or more annotators."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..options import shown
from .files import Path, read_lines, show_name

_LINE = re.compile(r"S( |$)|A -?\d+ -?\d+\|\|\|")


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
    return parse_m2(path, read_lines(path))


def parse_m2(path: Path, lines: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """What `read_m2` returns, from the lines of a file."""
    sources, references = [], []
    tokens: list[str] = []
    edits: dict[int, list[_Edit]] = {}  # the current sentence's, by annotator
    for number, line in enumerate([*lines, "S"], 1):
        try:
            if line.startswith("S ") or line == "S":
                if sources:
                    of_annotators = [_apply(tokens, edits[who]) for who in sorted(edits)]
                    references.append(of_annotators or [sources[-1]])
                tokens, edits = _tokens(line[2:]), {}
                sources.append(" ".join(tokens))
            elif line.startswith("A "):
                if not sources:
                    raise ValueError("an edit before the first sentence")
                who, edit = _parse_edit(line, number, len(tokens))
                of_annotator = edits.setdefault(who, [])
                if edit:
                    of_annotator.append(edit)
            elif line.strip():
                raise ValueError(f"a line of M2 begins with 'S ' or 'A ', not like {shown(line)}")
        except _Misplaced as error:
            raise ValueError(f"{show_name(path)}:{error.line}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{show_name(path)}:{number}: {error}") from None
    return sources[:-1], references


class _Edit(NamedTuple):
    start: int
    stop: int
    correction: list[str]
    line: int


class _Misplaced(ValueError):
    """An edit that overlaps another one; found when all edits of a sentence are known."""

    def __init__(self, edit: _Edit, other: _Edit):
        super().__init__(f"this edit overlaps that of line {other.line}")
        self.line = edit.line


def _parse_edit(line: str, number: int, n_tokens: int) -> tuple[int, _Edit | None]:
    """The annotator and the edit of a line of M2; no edit for a noop."""
    parts = line[2:].split("|||")
    try:
        span, kind, correction, _, _, who = parts
        start, stop = map(int, span.split())
        annotator = int(who)
    except ValueError:
        raise ValueError(
            f"an edit must read 'A start end|||type|||correction|||…|||…|||annotator', "
            f"not {shown(line)}"
        ) from None
    if kind == "noop":
        return annotator, None
    if not 0 <= start <= stop <= n_tokens:
        raise ValueError(f"an edit from {start} to {stop} in a sentence of {n_tokens} tokens")
    # "||" separates alternatives; the first one counts.
    first = _tokens(correction.split("||")[0])
    return annotator, _Edit(start, stop, [] if first == ["-NONE-"] else first, number)


def _apply(tokens: list[str], edits: list[_Edit]) -> str:
    """The sentence after the edits; edits at the same place apply in the order given."""
    corrected: list[str] = []
    done, last = 0, None
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        if edit.start < done:
            raise _Misplaced(edit, last)
        corrected += tokens[done : edit.start]
        corrected += edit.correction
        done, last = edit.stop, edit
    return " ".join(corrected + tokens[done:])


def _tokens(text: str) -> list[str]:
    return [token for token in text.split(" ") if token]
