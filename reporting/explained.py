"""The section with single sentences: texts with marked regions, where there are any."""

import re
from collections.abc import Sequence
from functools import cache
from html import escape

from ..explanation import legend, of_sentence, visible
from ..options import EDIT_METRICS, Options
from . import figures
from .charts import named
from .findings import PER_PAIR, PER_SYSTEM, Findings
from .sections import signed

# Longer sentences, all texts together, are cut and not explained, and so is what follows so much
# markup.
_MOST_CHARACTERS = 4000
MOST_MARKUP = 2_200_000
_CUT = 300
_MOST_REFERENCES = 4
# The page has the style of explanations once. User's quotes are escaped, so they never match.
_STYLE = re.compile(r' style="[^"]*"')


class Explainer:
    """Shows the correction of a sentence by a system, beside its source and references."""

    def __init__(self, found: Findings, digits: int, room: int) -> None:
        statistics, texts = found.statistics, found.texts
        self._texts, self._digits = texts, digits
        self._metric = statistics.options.metric
        fixed = {"level": "sentence", "detailed": True, "n_resamples": 0, "paired": None}
        of_ngrams = self._metric not in EDIT_METRICS
        self._options = statistics.options.replace(**fixed) if of_ngrams else Options(**fixed)
        self._prefix = "" if of_ngrams else "GREEN "  # whose regions and scores stand in for edits
        self.has_regions = texts.sources is not None
        self._explained = cache(self._explain)
        self._n_left = room

    @property
    def is_full(self) -> bool:
        """Whether the page has no room for further marks."""
        return self._n_left <= 0

    def show(self, system: int, sentence: int) -> str:
        """The texts as markup; with marks, unless they are too long or the page is."""
        texts = self._texts
        source = "" if texts.sources is None else texts.sources[sentence]
        shown = (source, texts.systems[system][1][sentence], *texts.references[sentence])
        is_short = sum(map(len, shown)) <= _MOST_CHARACTERS
        if self.has_regions and is_short and not self.is_full:
            markup = self._explained(system, sentence)
            self._n_left -= len(markup)
            return markup
        source, correction, *references = shown
        rows = {"source": source} if self.has_regions else {}
        rows["correction"] = correction
        some = references[:_MOST_REFERENCES]
        rows |= {f"reference {n}": text for n, text in enumerate(some, 1)}
        if len(some) < len(references):
            rows["more references"] = f"{len(references) - len(some):,}"
        return f"<h5>{named(texts.systems[system][0])}</h5>{_plain(rows)}"

    def _explain(self, system: int, sentence: int) -> str:
        source, references = self._texts.sources[sentence], self._texts.references[sentence]
        name, corrected = self._texts.systems[system]
        # The whole corpus has been warned about already.
        found = of_sentence(source, corrected[sentence], references, self._options, warn=None)
        markup = _STYLE.sub("", found.sentences_to_html(self._percent))
        score = found.result.get(self._metric)
        shown = "" if score is None else f" <span>{self._percent(score)}</span>"
        return f"<h5>{named(name)}{shown}</h5>{markup}"

    def _percent(self, value: float) -> str:
        return f"{self._prefix}{figures.percent(value, self._digits)}"


def _plain(rows: dict[str, str]) -> str:
    shown = "".join(
        f"<div><div><b>{title}</b></div><div dir=auto>{escape(visible(_cut(text)))}</div></div>"
        for title, text in rows.items()
    )
    return f'<div class="green-sentences">{shown}</div>'


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[:_CUT]}… ({len(text):,} characters)"


def sentences(found: Findings, digits: int, room: int) -> str:
    """The sentences that make the difference of two systems, and each system's most costly ones.

    `room` is how much markup there may be.
    """
    explainer = Explainer(found, digits, room)
    parts = [_STYLE.sub("", legend())] if explainer.has_regions else []
    if found.sentences.of_pairs:
        parts.append(_of_pairs(found, explainer, digits))
    parts.append(_of_systems(found, explainer, digits))
    if explainer.is_full:
        note = "To keep the page small, the last sentences are cut and have no marks."
        parts.append(f'<p class="note">{note}</p>')
    return "".join(parts)


def _of_pairs(found: Findings, explainer: Explainer, digits: int) -> str:
    (of_pairs, of_systems), names = found.sentences, found.names
    which = "systems" if len(of_systems) == len(names) else f"the {len(of_systems)} best systems"
    parts = [
        "<h3>What makes the difference</h3>"
        f'<p class="note">For each pair of {which}, up to {PER_PAIR} sentences, those that '
        "contribute most to the difference between the two scores. A sentence contributes half of "
        "what the difference would lose if the two systems exchanged their corrections of it.</p>"
    ]
    parts += [_choice(list(of_systems), names)] if len(of_pairs) > 1 else []
    for (one, other), rows in of_pairs.items():
        shown = "".join(
            f"<article><h4>Sentence {sentence + 1:,}: <b>{signed(effect, digits + 2)}</b></h4>"
            f"{explainer.show(one, sentence)}{explainer.show(other, sentence)}</article>"
            for sentence, effect in rows
        )
        difference = signed(found.scores[one] - found.scores[other], digits)
        title = f"{named(names[one])} against {named(names[other])}: {difference}"
        pair = "-".join(map(str, sorted((one, other))))
        about = f'data-pair="{pair}"{" open" * (len(of_pairs) == 1)}'
        nothing = "<p>No sentence makes a difference.</p>"
        parts.append(f"<details {about}><summary>{title}</summary>{shown or nothing}</details>")
    return "".join(parts)


def _of_systems(found: Findings, explainer: Explainer, digits: int) -> str:
    of_systems, names = found.sentences.of_systems, found.names
    which = "system" if len(of_systems) == len(names) else f"of the {len(of_systems)} best systems"
    parts = [
        "<h3>What costs most</h3>"
        f'<p class="note">For each {which}, up to {PER_SYSTEM} sentences, those for which the '
        "score of the corpus would gain most by a perfect correction.</p>"
    ]
    for system, rows in of_systems.items():
        shown = "".join(
            f"<article><h4>Sentence {sentence + 1:,}: costs "
            f"<b>{figures.percent(cost, digits + 2)}</b></h4>"
            f"{explainer.show(system, sentence)}</article>"
            for sentence, cost in rows
        )
        summary = f"<summary>{named(names[system])}</summary>"
        opened = " open" * (len(names) == 1)
        nothing = "<p>No sentence costs anything.</p>"
        parts.append(f"<details{opened}>{summary}{shown or nothing}</details>")
    return "".join(parts)


def _choice(systems: Sequence[int], names: Sequence[str]) -> str:
    """Two lists to choose a pair from; a script shows them."""

    def select(label: str, name: str, chosen: int) -> str:
        options = "".join(
            f'<option value="{system}"{" selected" * (system == chosen)}>'
            f"{escape(names[system])}</option>"
            for system in systems
        )
        return f'<label>{label} <select aria-label="{name}">{options}</select></label>'

    first, second, *_ = systems
    return (
        f'<p class="choice" hidden>{select("Systems", "first system", first)} '
        f"{select('and', 'second system', second)} "
        '<span role="status" hidden>Choose two different systems.</span></p>'
    )
