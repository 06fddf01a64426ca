"""The parts of a corpus, files or arguments, and whether they belong together."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from ..options import short_repr
from .files import Path, read_lines, show_name
from .m2 import Annotated, is_m2, parse_edits


class Part(NamedTuple):
    """A file or an argument with one text per sentence or, for references, several.

    If it has edits, the texts are their sources.
    """

    name: str
    texts: Sequence[str] | Sequence[Sequence[str]]
    edits: list[Annotated] | None = None
    is_file: bool = True

    @classmethod
    def make(cls, name: str, edits: list[Annotated], is_file: bool = True) -> "Part":
        return cls(name, [sentence.source for sentence in edits], edits, is_file)

    @property
    def references(self) -> list[list[str]]:
        if self.edits is None:
            return [[text] if isinstance(text, str) else text for text in self.texts]
        return [sentence.references for sentence in self.edits]

    @property
    def corrections(self) -> Sequence[str]:
        """The texts of a system."""
        for index, sentence in enumerate(self.edits or ()):
            if len(sentence.edits) > 1:
                raise ValueError(
                    f"{self.locate(index)} has edits of {len(sentence.edits)} annotators; a "
                    "system's edits have one"
                )
        return self.texts if self.edits is None else [texts[0] for texts in self.references]

    def locate(self, index: int) -> str:
        """What errors call a sentence: x.m2:7 (sentence 3), or gold[2]."""
        if not self.is_file:
            return f"{self.name}[{index}]"
        line = "" if self.edits is None else f":{self.edits[index].line}"
        return f"{self.name}{line} (sentence {index + 1})"

    def check_length(self, other: "Part") -> None:
        """Check that there are as many sentences as in another part."""
        n_more, hint = len(self.texts) - len(other.texts), ""
        if not n_more:
            return
        longer = self if n_more > 0 else other
        if not any("".join(texts).strip() for texts in longer.texts[-abs(n_more) :]):
            lines = "blank line" if abs(n_more) == 1 else f"{abs(n_more)} blank lines"
            hint = f"; remove the {lines} at the end of {longer.name}"
        raise ValueError(
            f"{self.name} has {len(self.texts):,} sentences, but {other.name} has "
            f"{len(other.texts):,}{hint}"
        )

    def check_sources(self, origin: "Part") -> None:
        """Check that the edits' sources equal another part's, apart from whitespace."""
        self.check_length(origin)
        for index, (ours, theirs) in enumerate(zip(self.texts, origin.texts, strict=True)):
            if ours != theirs and ours.split() != theirs.split():
                raise ValueError(
                    f"{self.locate(index)} differs from {origin.locate(index)} at "
                    f"{_first_difference(ours, theirs)}"
                )


def read_part(path: Path, is_gold: bool = False) -> Part:
    """A file in plain text or, by its name or its lines, in M2, as gold edits always are."""
    name, lines = show_name(path), read_lines(path)
    if not lines:
        raise ValueError(f"{name} has no sentences")
    if name.lower().endswith((".jsonl", ".jsonl.gz")) or re.match(r'\{\s*"', lines[0]):
        raise ValueError(f"{name} is JSON Lines, not plain text; give it as jsonl (--jsonl)")
    if is_gold or name.lower().endswith((".m2", ".m2.gz")) or is_m2(lines):
        return Part.make(name, parse_edits(path, lines))
    return Part(name, lines)


def _first_difference(one: str, other: str) -> str:
    """The first character that differs, and both texts from a little before it."""
    texts = [" ".join(text.split()) for text in (one, other)]
    differs = (index for index, (a, b) in enumerate(zip(*texts, strict=False)) if a != b)
    place = next(differs, min(map(len, texts)))
    # Texts that look the same differ in code points: é may be one or two of them.
    show = ascii if len({normalize("NFC", text) for text in texts}) == 1 else short_repr
    here, there = (show(text[max(place - 20, 0) :][:60]) for text in texts)
    return f"character {place + 1}: {here}, but there {there}"
