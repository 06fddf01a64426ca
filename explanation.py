"""One sentence explained: which n-gram lies in which region; as a table, as HTML and as text.

`venn` draws the picture.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from itertools import groupby
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import venn, venn_regions
from .counting import Statistics, count
from .input_warnings import InputWarning, warn_user
from .inputs import Corpus, check_text, check_texts, reference_list
from .metrics import make_metric
from .multiset import SIZES
from .options import Options
from .tokenization import get_tokenizer

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Region(NamedTuple):
    """How a region of the Venn diagram is shown; colour is never the only sign."""

    code: str  # as in the paper
    texts: str  # which of source (S), correction (C) and reference (R) have its n-grams
    title: str
    meaning: str
    outcome: str


class Look(NamedTuple):
    fill: str
    ink: str
    terminal: str  # number of the colour


_SHOWN = [
    ("SCR", "true keep", "rightly kept", "kept"),
    ("S", "true delete", "rightly deleted", "right"),
    ("CR", "true insert", "rightly inserted", "right"),
    ("SR", "over-delete", "wrongly deleted", "wrong"),
    ("C", "over-insert", "wrongly inserted", "wrong"),
    ("SC", "under-delete", "should have been deleted", "missed"),
    ("R", "under-insert", "should have been inserted", "missed"),
]
REGIONS = {
    name: Region(code.upper(), *shown)
    for (code, name), shown in zip(venn_regions.REGIONS.items(), _SHOWN, strict=True)
}
# Tints of Okabe and Ito's green, vermilion and yellow, each with a legible ink.
LOOKS = {
    "kept": Look("#f1f3f5", "#343a40", ""),
    "right": Look("#c6ebdc", "#00412f", "32"),
    "wrong": Look("#fbd3bd", "#6e2c00", "31"),
    "missed": Look("#fbeea5", "#4f4300", "33"),
}
# Invisible characters that some scripts are written with.
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class NGram:
    """An n-gram with its number in each text and in each region."""

    tokens: tuple[str, ...]
    source: int
    prediction: int
    reference: int
    regions: Mapping[str, int]


@dataclass(frozen=True)
class Explanation:
    """Which n-grams of a sentence were kept, deleted or inserted, rightly or wrongly.

    Notebooks display it; `print` writes it as text.
    """

    source: str
    prediction: str
    references: list[str]
    chosen_reference: int  # the one that the n-grams are compared with, counted from 0
    reference_scores: list[float]  # the score with each reference alone
    result: dict[str, Any]  # what `score` returns for the sentence, with details
    orders: list[list[NGram]]  # the n-grams of order 1, of order 2, …, in the order of the texts
    options: Options

    @property
    def reference(self) -> str:
        """The chosen reference."""
        return self.references[self.chosen_reference]

    def region_counts(self, order: int) -> dict[str, int]:
        """The number of n-grams of an order in each region."""
        ngrams = self._ngrams(order)
        return {name: sum(ngram.regions[name] for ngram in ngrams) for name in REGIONS}

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per n-gram of each order."""
        return [
            {
                "order": order,
                "ngram": self._separator.join(ngram.tokens),
                "source": ngram.source,
                "prediction": ngram.prediction,
                "reference": ngram.reference,
                **ngram.regions,
            }
            for order, ngrams in enumerate(self.orders, 1)
            for ngram in ngrams
        ]

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with one row per n-gram of each order."""
        import pandas as pd  # takes longer than the explanation

        columns = ["order", "ngram", "source", "prediction", "reference", *REGIONS]
        return pd.DataFrame(self.to_dicts(), columns=columns)

    def plot(self, order: int = 1, ax: "Axes | None" = None) -> "Axes":
        """Draw the paper's Venn diagram with the n-grams of an order in its regions.

        The letters are as large as the axes have room for.
        """
        return venn.draw(self._lobes(order), self._circles, order, ax)

    def to_svg(self, order: int = 1) -> str:
        """The same picture as SVG for a page; needs no matplotlib, and all text is escaped."""
        counts = self.region_counts(order)
        numbers = ", ".join(f"{REGIONS[name].title} {n}" for name, n in counts.items())
        title = f"Venn diagram of the {order}-grams: {numbers}"
        return venn.to_svg(self._lobes(order), self._circles, order, title)

    def _lobes(self, order: int) -> "dict[str, venn.Lobe]":
        lobes = {}
        for name, ngrams in self._in_regions(order).items():
            region, look = REGIONS[name], LOOKS[REGIONS[name].outcome]
            title = f"{region.code} {sum(n for _, n in ngrams)}"
            labels = [text + _times(n) for text, n in ngrams]
            lobes[region.texts] = venn.Lobe(title, labels, region.outcome, look.fill, look.ink)
        return lobes

    @property
    def _circles(self) -> dict[str, str]:
        return {"S": "source", "C": "correction", "R": self._reference_name}

    def to_text(self, color: bool = False, show: Callable[[float], str] = "{:.4f}".format) -> str:
        """Format for a terminal; marks in brackets show each token's region."""

        def mark(text: str, name: str, tag: str) -> str:
            region = REGIONS[name]
            if name == "true_keep":
                return text
            code = LOOKS[region.outcome].terminal + {"del": ";9", "ins": ";4"}.get(tag, "")
            marked = f"{text}[{region.code}]"
            return f"\x1b[{code}m{marked}\x1b[0m" if color else marked

        shown = [f"{name} {show(self.result[name])}" for name in self._results]
        lines = ["  ".join(shown)]
        sentences = [*self._sentences()]
        width = max(len(title) for title, *_ in sentences)
        for title, runs, score in sentences:
            text = self._separator.join(mark(text, name, _tag(title, name)) for text, name in runs)
            note = "" if score is None else f"  {show(score)}"
            lines.append(f"{title:{width}}  {text}{note}".rstrip())
        for order in range(1, len(self.orders) + 1):
            groups = {name: ngrams for name, ngrams in self._in_regions(order).items() if ngrams}
            lines += [f"{order}-grams"] if groups else []
            for name, ngrams in groups.items():
                region = REGIONS[name]
                title = f"{region.title} ({region.code})"
                code = LOOKS[region.outcome].terminal
                title = f"{title:18}{sum(n for _, n in ngrams):4}"
                title = f"\x1b[{code}m{title}\x1b[0m" if color and code else title
                lines.append(f"  {title}  {' · '.join(text + _times(n) for text, n in ngrams)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.to_text()

    def to_html(self, show: Callable[[float], str] = "{:.4f}".format) -> str:
        """Format for a page or a notebook; all text is escaped."""
        values = [f"{name} <b>{show(self.result[name])}</b>" for name in self._results]
        groups = "".join(self._html_of(order) for order in range(1, len(self.orders) + 1))
        sentences = self.sentences_to_html(show)
        return f"<div><p>{' &nbsp; '.join(values)}</p>{sentences}{groups}</div>"

    _repr_html_ = to_html

    def sentences_to_html(self, show: Callable[[float], str] = "{:.4f}".format) -> str:
        """The sentences alone, each token marked with its region."""

        def mark(text: str, name: str, tag: str) -> str:
            text = escape(text)
            return text if name == "true_keep" else chip(text, name, tag, REGIONS[name].code)

        def row(title: str, runs: Sequence[tuple[str, str]], score: float | None) -> str:
            text = self._separator.join(mark(text, name, _tag(title, name)) for text, name in runs)
            note = "" if score is None else f" <small>({show(score)})</small>"
            space = "pre-wrap" if self._is_char else "normal"
            direction = _direction("".join(text for text, _ in runs))
            style = f'dir="{direction}" style="white-space: {space}; overflow-wrap: anywhere"'
            return _row(f"<b>{title}</b>{note}", f"<div {style}>{text}</div>")

        rows = "".join(row(*sentence) for sentence in self._sentences())
        return f'<div class="green-sentences">{rows}</div>'

    def _html_of(self, order: int) -> str:
        """The n-grams of an order by their regions."""
        rows = []
        for name, ngrams in self._in_regions(order).items():
            region, total = REGIONS[name], sum(n for _, n in ngrams)
            chips = " ".join(chip(escape(text) + _times(n), name) for text, n in ngrams)
            rows += [_row(f"<b>{region.code}</b> {region.meaning}: {total}", chips)] * bool(ngrams)
        opened = " open" if order == 1 else ""
        summary = f"<summary>{order}-grams</summary>"
        return f"<details{opened}>{summary}{''.join(rows)}</details>" if rows else ""

    def _sentences(self) -> Iterator[tuple[str, list[tuple[str, str]], float | None]]:
        """Name, runs of tokens with their region and, for references, score of each text."""
        yield "source", self._runs("S"), None
        yield "correction", self._runs("C"), None
        for index, text in enumerate(self.references):
            score = self.reference_scores[index] if len(self.references) > 1 else None
            if index == self.chosen_reference:
                yield self._reference_name, self._runs("R"), score
            else:
                tokens = [(token, "true_keep") for token in self._split(text)]
                yield f"reference {index + 1}", self._joined(tokens), score

    @property
    def _reference_name(self) -> str:
        if len(self.references) == 1:
            return "reference"
        how = "best" if make_metric(self.options).per_reference else "chosen"
        return f"reference {self.chosen_reference + 1} ({how})"

    def _runs(self, text: str) -> list[tuple[str, str]]:
        return self._joined(self._marked[text])

    def _joined(self, marked: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Tokens as they are shown; neighbouring characters of a region form one run."""
        if not self._is_char:
            return [(visible(token), name) for token, name in marked]
        runs = []
        for name, run in groupby(marked, key=lambda pair: pair[1]):
            text = visible("".join(token for token, _ in run))
            runs.append((text if name == "true_keep" else text.replace(" ", "␣"), name))
        return runs

    @cached_property
    def _marked(self) -> dict[str, list[tuple[str, str]]]:
        """The tokens of the three texts, each with a region.

        The score does not determine which of several equal tokens lies in which region. This picks
        the one that has the same neighbours in the texts that the region belongs to.
        """
        texts = {"S": self.source, "C": self.prediction, "R": self.reference}
        tokens = {text: self._split(value) for text, value in texts.items()}
        unigrams = {ngram.tokens[0]: ngram.regions for ngram in self._ngrams(1)}
        return {text: _mark(text, tokens, unigrams) for text in texts}

    def _in_regions(self, order: int) -> dict[str, list[tuple[str, int]]]:
        """The n-grams of each region, as they are shown, with their number in it."""
        ngrams = self._ngrams(order)

        def show(tokens: tuple[str, ...]) -> str:
            text = visible(self._separator.join(tokens))
            return text.replace(" ", "␣") if self._is_char else text

        return {
            name: [(show(n.tokens), n.regions[name]) for n in ngrams if n.regions[name]]
            for name in REGIONS
        }

    def _ngrams(self, order: int) -> list[NGram]:
        if order not in range(1, len(self.orders) + 1) or not isinstance(order, Integral):
            raise ValueError(f"order must be from 1 to {len(self.orders)}, not {order!r}")
        return self.orders[order - 1]

    def _split(self, text: str) -> Sequence[str]:
        return get_tokenizer(self.options.tokenizer).split(text)

    @property
    def _results(self) -> tuple[str, ...]:
        return make_metric(self.options).results

    @property
    def _is_char(self) -> bool:
        return self.options.tokenizer == "char"

    @property
    def _separator(self) -> str:
        return "" if self._is_char else " "


def explain(
    source: str,
    prediction: str,
    references: str | Sequence[str],
    metric: str = "green",
    **options: Any,
) -> Explanation:
    """Explain a sentence's score: which n-grams were kept, deleted or inserted, rightly or wrongly.

    Args:
        source: The original sentence. The regions need it even if the score does not.
        prediction: The corrected sentence.
        references: The reference corrections, one text or several. The n-grams are compared with
            the reference that the score chooses or, if it chooses none, with the best one.
        metric: The score, as for `score`.
        options: The options of `score` that apply to a single sentence, with one value of beta.

    Returns:
        The scores and the n-grams; a notebook displays them.

    Examples:
        >>> from green_gec import explain
        >>> explanation = explain(
        ...     "She go to school .", "She goes to school .", "She went to school .", max_order=1
        ... )
        >>> print(explanation)
        green 0.8333  precision 0.8333  recall 0.8333
        source      She go[TD] to school .
        correction  She goes[OI] to school .
        reference   She went[UI] to school .
        1-grams
          true keep (TK)       4  She · to · school · .
          true delete (TD)     1  go
          over-insert (OI)     1  goes
          under-insert (UI)    1  went
    """
    checked = Options.make_for_sentence(metric, options, detailed=True)
    return of_sentence(source, prediction, references, checked)


def of_sentence(
    source: str,
    prediction: str,
    references: Any,
    options: Options,
    warn: Callable[[InputWarning], None] | None = warn_user,
) -> Explanation:
    """Explain a sentence with options that have been checked; without `warn`, silently."""
    needs_sources = make_metric(options).needs_sources
    source, prediction, *references = _check_sentence(source, prediction, references, options)

    def count_with(reference_lists: list[list[str]], warn: Callable | None) -> Statistics:
        """The statistics of the sentence with each of several lists of references."""
        n = len(reference_lists)
        sources, predictions = [source] * n if needs_sources else None, [prediction] * n
        corpus = Corpus.check(sources, {"predictions": predictions}, reference_lists)
        (statistics,) = count(corpus, [options], warn=warn, is_whole_corpus=False)
        return statistics

    statistics = count_with([references], warn)
    alone = count_with([[text] for text in references], warn=None)
    reference_scores = alone.results()[options.metric][0, 0].tolist()
    chosen = statistics.chosen
    index = int(np.argmax(reference_scores) if chosen is None else chosen[0, 0, 0])
    split = get_tokenizer(options.tokenizer).split
    tokens = [split(text) for text in (source, prediction, references[index])]
    return Explanation(
        source=source,
        prediction=prediction,
        references=references,
        chosen_reference=index,
        reference_scores=reference_scores,
        result={name: value[0, 0, 0].tolist() for name, value in statistics.results().items()},
        orders=[_count_ngrams(tokens, order) for order in range(1, options.order + 1)],
        options=options,
    )


def _check_sentence(source: Any, prediction: Any, references: Any, options: Options) -> list[str]:
    """All texts, checked and, if asked to, stripped; the references last."""
    references = reference_list("references", references)
    if not len(references):
        raise ValueError("references are empty; a sentence needs at least one")
    texts = [check_text("source", source), check_text("prediction", prediction)]
    texts += check_texts("references", references).to_pylist()
    return [text.strip() for text in texts] if options.strip else texts


def _count_ngrams(tokens: Sequence[Sequence[str]], order: int) -> list[NGram]:
    """The n-grams of an order, in the order of the texts."""
    counters = [Counter(_ngrams(text, order)) for text in tokens]
    ngrams = list(dict.fromkeys(ngram for counter in counters for ngram in counter))
    counts = [[counter[ngram] for counter in counters] for ngram in ngrams]
    s, c, r = np.array(counts, dtype=np.int64).reshape(-1, len(counters)).T
    sizes = np.stack([SIZES[name](s, c, r, r) for name in venn_regions.SIZES], axis=-1)
    regions = venn_regions.regions(sizes).tolist()
    return [
        NGram(ngram, *row, dict(zip(REGIONS, numbers, strict=True)))
        for ngram, row, numbers in zip(ngrams, counts, regions, strict=True)
    ]


def _ngrams(tokens: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    return zip(*(tokens[start:] for start in range(order)), strict=False)


def _mark(
    text: str, tokens: Mapping[str, Sequence[str]], unigrams: Mapping[str, Mapping[str, int]]
) -> list[tuple[str, str]]:
    """Assign one region to each token of a text."""
    own = tokens[text]
    neighbours = cache(lambda other: _neighbours(own, tokens[other]))  # rarely needed

    def fit(position: int, name: str) -> float:
        signs = {other: 1 if other in REGIONS[name].texts else -1 for other in "SCR"}
        del signs[text]
        return sum(sign * neighbours(other)[position] for other, sign in signs.items())

    found = [""] * len(own)
    positions: dict[str, list[int]] = {}
    for position, token in enumerate(own):
        positions.setdefault(token, []).append(position)
    for token, places in positions.items():
        left = {name: n for name, n in unigrams[token].items() if n and text in REGIONS[name].texts}
        pairs = [(place, name) for place in places for name in left]
        for place, name in sorted(pairs, key=lambda pair: -fit(*pair)) if len(left) > 1 else pairs:
            if left[name] and not found[place]:
                found[place] = name
                left[name] -= 1
    return list(zip(own, found, strict=True))


def _neighbours(tokens: Sequence[str], others: Sequence[str]) -> list[float]:
    """Share of the n-grams around each token that the other text has: from none (-1) to all (1)."""
    n_all, n_shared = [0] * len(tokens), [0] * len(tokens)
    for order in (2, 3, 4):
        known = set(_ngrams(others, order))
        for start, ngram in enumerate(_ngrams(tokens, order)):
            is_shared = ngram in known
            for position in range(start, start + order):
                n_all[position] += 1
                n_shared[position] += is_shared
    pairs = zip(n_shared, n_all, strict=True)
    return [2 * shared / max(of_all, 1) - 1 for shared, of_all in pairs]


def visible(text: str) -> str:
    """Spell out the characters that are invisible or act on a terminal."""
    return "".join(c if c.isprintable() or c in _JOINERS else ascii(c)[1:-1] for c in text)


def _times(n: int) -> str:
    return f"\u00a0×{n}" if n > 1 else ""


def _tag(title: str, name: str) -> str:
    """HTML's element for a token: the system deleted it from the source, inserted it, or neither.

    Tokens of references are marked, too, but the system did nothing to them.
    """
    members = REGIONS[name].texts
    if title == "source" and "C" not in members:
        return "del"
    return "ins" if title == "correction" and "S" not in members else "span"


def _direction(text: str) -> str:
    """The writing direction of a text, which its first letter decides."""
    strong = (kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL"))
    return "ltr" if next(strong, "L") == "L" else "rtl"


def _row(title: str, markup: str) -> str:
    """A title and its content, side by side, or one above the other on narrow pages."""
    flex = "display: flex; flex-wrap: wrap; gap: 0 1em; margin: 0 0 .35em; line-height: 1.7"
    return (
        f'<div style="{flex}"><div style="flex: 0 0 13em">{title}</div>'
        f'<div style="flex: 1 1 16em; min-width: 0; max-width: 60em">{markup}</div></div>'
    )


def chip(markup: str, name: str, tag: str = "span", code: str = "") -> str:
    """Markup in a region's colours, with its code; pages may set the colours as variables."""
    region, look = REGIONS[name], LOOKS[REGIONS[name].outcome]
    variable = f"--green-{region.outcome}"
    style = f"background: var({variable}, {look.fill}); color: var({variable}-ink, {look.ink}); "
    style += "display: inline-block; line-height: 1.45; border-radius: .25em; padding: 0 .3em"
    sign = f'<sup style="font-size: .65em; font-weight: 600">&nbsp;{code}</sup>' if code else ""
    return (
        f'<span class="green-chip green-{region.code.lower()}" '
        f'title="{region.title}: {region.meaning}" style="{style}">'
        f"<{tag}>{markup}</{tag}>{sign}</span>"
    )


def legend() -> str:
    """The meaning of colours, codes and lines."""
    chips = (chip(f"<b>{each.code}</b> {each.meaning}", name) for name, each in REGIONS.items())
    lines = (
        "<del>struck through</del>: deleted by the system; <ins>underlined</ins>: inserted by it"
    )
    return (
        '<p class="green-legend" style="line-height: 1.9; font-size: .8125rem">'
        f"{' '.join(chips)}<br>{lines}</p>"
    )
