"""The section with single sentences: texts with marked regions, where there are any."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from itertools import takewhile

from ..explanation import legend, of_sentence, visible
from ..options import EDIT_METRICS, Options
from . import figures
from .charts import name_html
from .findings import PER_PAIR, PER_SYSTEM, Findings
from .sections import signed

# Sentences with more characters, in all texts together, are not marked.
_MOST_CHARACTERS = 12_000
# Texts without marks are cut: a few characters before their first difference, the rest after it.
_CUT = 300
_BEFORE = 60
_MOST_REFERENCES = 4
_LEFT_OUT = '<p class="note">Left out, to keep the page small.</p>'
# The page has the style of explanations once. User's quotes are escaped, so they never match.
_STYLE = re.compile(r' style="[^"]*"')

# Some systems and the sentence whose corrections by them an article shows.
Place = tuple[tuple[int, ...], int]


def n_bytes(markup: str) -> int:
    """The bytes of markup in a file; names of files may hold what cannot be encoded."""
    return len(markup.encode("utf-8", "replace"))


class Explainer:
    """Shows corrections of a sentence beside its source and references."""

    def __init__(self, findings: Findings, digits: int) -> None:
        options = findings.statistics.options
        self._corpus, self._digits = findings.corpus, digits
        self._systems = [*zip(findings.names, findings.corpus.systems.values(), strict=True)]
        self._metric = options.metric
        fixed = {"level": "sentence", "detailed": True, "n_resamples": 0, "paired": None}
        has_ngrams = self._metric not in EDIT_METRICS
        self._options = options.replace(**fixed) if has_ngrams else Options(**fixed)
        self._prefix = "" if has_ngrams else "GREEN "  # whose regions and scores stand in for edits
        self.has_regions = findings.corpus.sources is not None
        self._explained = cache(self._explain)

    def marked(self, place: Place) -> str:
        """The texts with marks, for each system; empty if they cannot be marked."""
        systems, sentence = place
        if not self.has_regions or _are_long(self._rows(place)):
            return ""
        return "".join(self._explained(system, sentence) for system in systems)

    def plain(self, place: Place) -> str:
        """The texts without marks, and the reason; long texts are cut where they differ first."""
        rows = self._rows(place)
        letters = zip(*(text for _, text in rows), strict=False)
        first = sum(1 for _ in takewhile(lambda column: len({*column}) == 1, letters))
        n_left_out = max(len(self._corpus.references[place[1]]) - _MOST_REFERENCES, 0)
        shown = [(title, _cut(text, first)) for title, text in rows[: len(rows) - n_left_out]]
        shown += [("more references", f"{n_left_out:,}")] if n_left_out else []
        markup = "".join(
            f"<div><div><b>{title}</b></div><div dir=auto>{escape(visible(text))}</div></div>"
            for title, text in shown
        )
        reason = (
            "Too long to be marked" if _are_long(rows) else "Not marked, to keep the page small"
        )
        note = f'<p class="note">{reason}.</p>' if self.has_regions else ""
        return f'<div class="green-sentences">{markup}</div>{note}'

    def _rows(self, place: Place) -> list[tuple[str, str]]:
        """Each text of an article with its title, which is markup."""
        corpus, (systems, sentence) = self._corpus, place
        rows = [("source", corpus.sources[sentence])] if self.has_regions else []
        for name, texts in (self._systems[system] for system in systems):
            rows.append((name_html(name), texts[sentence]))
        references = enumerate(corpus.references[sentence], 1)
        return rows + [(f"reference {number}", text) for number, text in references]

    def _explain(self, system: int, sentence: int) -> str:
        source, references = self._corpus.sources[sentence], self._corpus.references[sentence]
        name, texts = self._systems[system]
        # The whole corpus has been warned about already.
        explanation = of_sentence(source, texts[sentence], references, self._options, warn=None)
        markup = _STYLE.sub("", explanation.sentences_to_html(self._percent))
        score = explanation.result.get(self._metric)
        shown = "" if score is None else f" <span>{self._percent(score)}</span>"
        return f"<h5>{name_html(name)}{shown}</h5>{markup}"

    def _percent(self, value: float) -> str:
        return f"{self._prefix}{figures.percent(value, self._digits)}"


def _are_long(rows: Sequence[tuple[str, str]]) -> bool:
    return sum(len(text) for _, text in rows) > _MOST_CHARACTERS


def _cut(text: str, first: int) -> str:
    if len(text) <= _CUT:
        return text
    start = min(max(first - _BEFORE, 0), len(text) - _CUT)
    before, after = "…" * (start > 0), "…" * (start + _CUT < len(text))
    return f"{before}{text[start : start + _CUT]}{after} ({len(text):,} characters)"


def sentences(findings: Findings, digits: int, room: int) -> str:
    """The sentences that make the difference of two systems, and each system's most costly ones.

    `room` is the number of bytes that they may take.
    """
    explainer, (pairs, systems) = Explainer(findings, digits), findings.sentences
    # Costs come first: they are few, and each system has its own.
    effects = {
        ((system,), sentence): f"costs <b>{figures.percent(cost, digits + 2)}</b>"
        for system, rows in systems.items()
        for sentence, cost in rows
    }
    effects |= {
        (pair, sentence): f"<b>{signed(effect, digits + 2)}</b>"
        for pair, rows in pairs.items()
        for sentence, effect in rows
    }
    articles = _articles(explainer, effects, room)
    parts = [_STYLE.sub("", legend())] if explainer.has_regions else []
    if n_left_out := len(effects) - len(articles):
        note = f"To keep the page small, it leaves out {n_left_out:,} of these sentences."
        parts.append(f'<p class="note">{note}</p>')
    if pairs:
        parts.append(_pair_sentences(findings, articles, digits))
    parts.append(_system_sentences(findings, articles))
    return "".join(parts)


def _articles(explainer: Explainer, effects: Mapping[Place, str], room: int) -> dict[Place, str]:
    """An article per sentence while there is room, and then marks while there is room for them."""
    articles: dict[Place, str] = {}
    for show in (explainer.plain, explainer.marked):
        for place, effect in effects.items():
            if texts := show(place):
                shown = f"<article><h4>Sentence {place[1] + 1:,}: {effect}</h4>{texts}</article>"
                more = n_bytes(shown) - n_bytes(articles.get(place, ""))
                if more > room:
                    break
                articles[place] = shown
                room -= more
    return articles


def _pair_sentences(findings: Findings, articles: Mapping[Place, str], digits: int) -> str:
    (pairs, systems), names = findings.sentences, findings.names
    which = "systems" if len(systems) == len(names) else f"the {len(systems)} best systems"
    parts = [
        "<h3>What makes the difference</h3>"
        f'<p class="note">For each pair of {which}, up to {PER_PAIR} sentences, those that '
        "contribute most to the difference between the two scores. A sentence contributes half of "
        "what the difference would lose if the two systems exchanged their corrections of it.</p>"
    ]
    parts += [_choice(list(systems), names)] if len(pairs) > 1 else []
    for (one, other), rows in pairs.items():
        shown = "".join(articles.get(((one, other), sentence), "") for sentence, _ in rows)
        difference = signed(findings.scores[one] - findings.scores[other], digits)
        title = f"{name_html(names[one])} against {name_html(names[other])}: {difference}"
        pair = "-".join(map(str, sorted((one, other))))
        about = f'data-pair="{pair}"{" open" * (len(pairs) == 1)}'
        shown = shown or (_LEFT_OUT if rows else "<p>No sentence makes a difference.</p>")
        parts.append(f"<details {about}><summary>{title}</summary>{shown}</details>")
    return "".join(parts)


def _system_sentences(findings: Findings, articles: Mapping[Place, str]) -> str:
    systems, names = findings.sentences.systems, findings.names
    which = "system" if len(systems) == len(names) else f"of the {len(systems)} best systems"
    parts = [
        "<h3>What costs most</h3>"
        f'<p class="note">For each {which}, up to {PER_SYSTEM} sentences, those for which the '
        "score of the corpus would gain most by a perfect correction.</p>"
    ]
    for system, rows in systems.items():
        shown = "".join(articles.get(((system,), sentence), "") for sentence, _ in rows)
        shown = shown or (_LEFT_OUT if rows else "<p>No sentence costs anything.</p>")
        opened = " open" * (len(names) == 1)
        summary = f"<summary>{name_html(names[system])}</summary>"
        parts.append(f"<details{opened}>{summary}{shown}</details>")
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
