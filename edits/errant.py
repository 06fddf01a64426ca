"""ERRANT's comparison of edits (Bryant et al. 2017): an edit is right if a gold edit equals it.

The edits of a system are those of an M2 file; ERRANT itself, if it is installed, finds them in a
text.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from ..corpus.m2 import Annotated, Edit, tokens_of
from ..inputs import Corpus
from ..options import Options
from ..significance import Progress
from .matches import Match, Matches


def match_corpus(corpus: Corpus, options: Options, progress: Progress) -> Matches:
    sentences = corpus.gold["errant"]
    gold = [[corrections(edits) for edits in each.edits.values()] for each in sentences]
    systems = []
    for name, texts in corpus.systems.items():
        edits = corpus.edits.get(name)
        if edits is None:
            tokens = [sentence.tokens for sentence in sentences]
            edits = annotate(corpus.label.format(name), tokens, texts)
        matches = []
        for sentence, annotators in progress(zip(edits, gold, strict=True), len(gold)):
            (own,) = map(corrections, sentence.edits.values())
            matches.append([match(own, each) for each in annotators])
        systems.append(matches)
    return Matches(options, gold, systems)


def corrections(edits: Iterable[Edit]) -> list[Edit]:
    """The edits that correct something: not those that only say where an error is."""
    return [edit for edit in edits if edit.type != "UNK"]


def match(edits: Sequence[Edit], gold: Sequence[Edit]) -> Match:
    """Compare a system's edits with an annotator's.

    As in ERRANT, edits that are listed twice count twice, gold edits as well as wrong ones.
    """
    ours, theirs = ({edit[:3] for edit in each} for each in (edits, gold))
    correct = [number for number, edit in enumerate(gold) if edit[:3] in ours]
    wrong = [edit.type for edit in edits if edit[:3] not in theirs]
    return Match(correct, len(correct) + len(wrong), wrong)


def annotate(
    name: str, sources: Iterable[Sequence[str]], texts: Iterable[str]
) -> Iterable[Annotated]:
    """Find the edits of a system with ERRANT, which must be installed; `name` is the system's."""
    try:
        annotator = _load()
    except (ImportError, OSError) as error:
        raise ValueError(
            f"errant compares edits, but {name} is plain text, and ERRANT cannot annotate it here "
            f"({error}); give an M2 file that errant_parallel wrote, or install both: pip install "
            "errant, python -m spacy download en_core_web_sm"
        ) from None
    for source, text in zip(sources, texts, strict=True):
        words = tokens_of(text)
        edits = []
        if list(source) != words:
            parsed = (annotator.parse(" ".join(tokens)) for tokens in (source, words))
            edits = [
                Edit(each.o_start, each.o_end, (tuple(each.c_str.split()),), each.type)
                for each in annotator.annotate(*parsed)
            ]
        yield Annotated(list(source), {0: edits})


@lru_cache
def _load() -> Any:
    import errant

    return errant.load("en")
