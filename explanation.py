"""One sentence explained: which n-gram lies in which region; as a table, as HTML and as text.

`venn_regions` knows what the regions are called and mean, and computes their sizes; `venn` draws
the picture.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from . import venn, venn_regions
from .counting import Statistics, count
from .input_warnings import Warn, warn_user
from .inputs import Corpus, check_text, check_texts, reference_list
from .metrics import make_metric
from .multiset import SIZES
from .options import Options, check_int
from .tokenization import get_tokenizer
from .venn_regions import REGIONS, Region

if TYPE_CHECKING:
    import pandas

# The fill and the ink of each outcome: tints of Okabe and Ito's green, vermilion and yellow, each
# with a legible ink; and the numbers of a terminal's colours.
LOOKS = {
    "kept": ("#f1f3f5", "#343a40"),
    "right": ("#c6ebdc", "#00412f"),
    "wrong": ("#fbd3bd", "#6e2c00"),
    "missed": ("#fbeea5", "#4f4300"),
}
_TERMINAL = {"kept": "", "right": "32", "wrong": "31", "missed": "33"}
# A stretch of a text, its region, and the element of HTML that says what was done.
_Run = tuple[str, Region, str]
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
    options: Options

    @property
    def reference(self) -> str:
        """The chosen reference."""
        return self.references[self.chosen_reference]

    @cached_property
    def orders(self) -> list[list[NGram]]:
        """The n-grams of order 1, of order 2, …, in the order of the texts."""
        tokens = list(map(self._split, (self.source, self.prediction, self.reference)))
        return [_count_ngrams(tokens, order) for order in range(1, self.options.order + 1)]

    def region_counts(self, order: int) -> dict[str, int]:
        """The number of n-grams of an order in each region."""
        check_int("order", order, 1, len(self.orders))
        ngrams = self.orders[order - 1]
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

    def to_svg(self, order: int = 1) -> str:
        """The paper's Venn diagram with the n-grams of an order in its regions.

        A picture for a page or a file of its own; all text is escaped.
        """
        regions = self._regions(order)
        lobes = {
            each.texts: venn.Lobe(f"{each.code} {n}", labels, each.outcome, *LOOKS[each.outcome])
            for each, n, labels in regions
        }
        circles = {"S": "source", "C": "correction", "R": self._reference_name}
        sizes = ", ".join(f"{region.title} {n}" for region, n, _ in regions)
        return venn.draw(lobes, circles, order, f"Venn diagram of the {order}-grams: {sizes}")

    def to_text(self, color: bool = False, show: Callable[[float], str] = "{:.4f}".format) -> str:
        """Format for a terminal; marks in brackets show each token's region."""

        def paint(text: str, codes: str) -> str:
            return f"\x1b[{codes}m{text}\x1b[0m" if color and codes else text

        def mark(text: str, region: Region, tag: str) -> str:
            line = {"del": ";9", "ins": ";4"}.get(tag, "")
            codes = _TERMINAL[region.outcome] + line
            return text if region.outcome == "kept" else paint(f"{text}[{region.code}]", codes)

        names, sentences = make_metric(self.options).results, [*self._sentences()]
        lines = ["  ".join(f"{name} {show(self.result[name])}" for name in names)]
        width = max(len(title) for title, *_ in sentences)
        for title, runs, score in sentences:
            text = self._separator.join(mark(*run) for run in runs)
            note = "" if score is None else f"  {show(score)}"
            lines.append(f"{title:{width}}  {text}{note}".rstrip())
        for order, ngrams in enumerate(self.orders, 1):
            lines += [f"{order}-grams"] if ngrams else []
            for region, n, labels in self._regions(order):
                title = f"{f'{region.title} ({region.code})':18}{n:4}"
                painted = paint(title, _TERMINAL[region.outcome])
                lines += [f"  {painted}  {' · '.join(labels)}"] if labels else []
        return "\n".join(lines)

    __repr__ = to_text

    def to_html(self, show: Callable[[float], str] = "{:.4f}".format) -> str:
        """Format for a page or a notebook; all text is escaped."""
        names = make_metric(self.options).results
        values = [f"{name} <b>{show(self.result[name])}</b>" for name in names]
        groups = "".join(self._ngrams_to_html(order) for order in range(1, len(self.orders) + 1))
        sentences = self.sentences_to_html(show)
        return f"<div><p>{' &nbsp; '.join(values)}</p>{sentences}{groups}</div>"

    def _repr_html_(self) -> str:
        """What a notebook displays: the HTML and the Venn diagram of the words."""
        return self.to_html() + self.to_svg()

    def sentences_to_html(self, show: Callable[[float], str] = "{:.4f}".format) -> str:
        """The sentences alone, each token marked with its region."""
        style = "white-space: pre-wrap; overflow-wrap: anywhere"
        rows = [
            _row(title, f'<div dir="auto" style="{style}">{markup}</div>')
            for title, markup in self.marked_sentences(show)
        ]
        return f'<div class="green-sentences">{"".join(rows)}</div>'

    def marked_sentences(self, show: Callable[[float], str]) -> Iterator[tuple[str, str]]:
        """The title and the markup of each sentence: source, correction, references."""

        def mark(text: str, region: Region, tag: str) -> str:
            text = escape(text)
            return text if region.outcome == "kept" else _chip(text, region, tag, region.code)

        for title, runs, score in self._sentences():
            note = "" if score is None else f" <small>({show(score)})</small>"
            yield f"<b>{title}</b>{note}", self._separator.join(mark(*run) for run in runs)

    def _ngrams_to_html(self, order: int) -> str:
        """The n-grams of an order by their regions."""
        rows = []
        for region, n, labels in self._regions(order):
            title = f"<b>{region.code}</b> {region.meaning}: {n}"
            chips = " ".join(_chip(escape(label), region) for label in labels)
            rows += [_row(title, chips)] if labels else []
        start = f"<details{' open' * (order == 1)}><summary>{order}-grams</summary>"
        return f"{start}{''.join(rows)}</details>" if rows else ""

    def _sentences(self) -> Iterator[tuple[str, list[_Run], float | None]]:
        """The title of each text, its runs and, for references, the score."""
        yield "source", self._runs(self._marked["S"], "del"), None
        yield "correction", self._runs(self._marked["C"], "ins"), None
        for index, text in enumerate(self.references):
            title, marked = f"reference {index + 1}", self._marked["R"]
            if index == self.chosen_reference:
                title = self._reference_name
            else:
                marked = [(token, "true_keep") for token in self._split(text)]
            score = self.reference_scores[index] if len(self.references) > 1 else None
            yield title, self._runs(marked), score

    def _runs(self, marked: Sequence[tuple[str, str]], tag: str = "span") -> list[_Run]:
        """Tokens as they are written, each with its region and, if it was changed, the tag."""
        runs = []
        for name, group in groupby(marked, key=lambda pair: pair[1]):
            tokens, region = [token for token, _ in group], REGIONS[name]
            write = visible if region.outcome == "kept" else self._visible
            own_tag = "span" if "S" in region.texts and "C" in region.texts else tag
            for text in ["".join(tokens)] if self._is_char else tokens:
                runs.append((write(text), region, own_tag))
        return runs

    @property
    def _reference_name(self) -> str:
        if len(self.references) == 1:
            return "reference"
        role = "best" if make_metric(self.options).per_reference else "chosen"
        return f"reference {self.chosen_reference + 1} ({role})"

    @cached_property
    def _marked(self) -> dict[str, list[tuple[str, str]]]:
        """The tokens of the three texts, each with a region.

        The score does not determine which of several equal tokens lies in which region. This picks
        the one that has the same neighbours in the texts that the region belongs to.
        """
        texts = zip("SCR", (self.source, self.prediction, self.reference), strict=True)
        tokens = {name: self._split(text) for name, text in texts}
        ngrams = _count_ngrams(list(tokens.values()), 1)
        unigrams = {ngram.tokens[0]: ngram.regions for ngram in ngrams}
        return {name: _mark(name, tokens, unigrams) for name in tokens}

    def _regions(self, order: int) -> list[tuple[Region, int, list[str]]]:
        """Each region, its size, and its n-grams as they are written, with numbers above 1."""
        counts = self.region_counts(order)
        labels: dict[str, list[str]] = {name: [] for name in REGIONS}
        for ngram in self.orders[order - 1]:
            text = self._visible(self._separator.join(ngram.tokens))
            for name, n in ngram.regions.items():
                labels[name] += [f"{text}\u00a0×{n}" if n > 1 else text] if n else []
        return [(region, counts[name], labels[name]) for name, region in REGIONS.items()]

    def _visible(self, text: str) -> str:
        return visible(text).replace(" ", "␣") if self._is_char else visible(text)

    def _split(self, text: str) -> Sequence[str]:
        return get_tokenizer(self.options.tokenizer).split(text)

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
    return explain_checked(source, prediction, references, checked)


def explain_checked(
    source: str,
    prediction: str,
    references: Any,
    options: Options,
    warn: Warn | None = warn_user,
) -> Explanation:
    """Explain a sentence with options that have been checked; without `warn`, silently."""
    needs_sources = make_metric(options).needs_sources
    source, prediction, *references = _check_sentence(source, prediction, references, options)

    def count_with(reference_lists: list[list[str]], warn: Warn | None) -> Statistics:
        """The statistics of the sentence with each of several lists of references."""
        n = len(reference_lists)
        sources = [source] * n if needs_sources else None
        corpus = Corpus(sources, {"predictions": [prediction] * n}, reference_lists)
        return count(corpus, [options], warn=warn, is_whole_corpus=False)[0]

    statistics = count_with([references], warn)
    alone = count_with([[text] for text in references], warn=None)
    reference_scores = alone.results()[options.metric][0, 0].tolist()
    chosen = np.argmax(reference_scores) if statistics.chosen is None else statistics.chosen.item()
    return Explanation(
        source=source,
        prediction=prediction,
        references=references,
        chosen_reference=int(chosen),
        reference_scores=reference_scores,
        result={name: value[0, 0, 0].tolist() for name, value in statistics.results().items()},
        options=options,
    )


def explain_in_corpus(corpus: Corpus, sentence: int, system: int, options: Options) -> Explanation:
    """Explain a sentence of a corpus of lists; silently, for the corpus has been warned about."""
    corrections = list(corpus.systems.values())[system]
    texts = (corpus.sources[sentence], corrections[sentence], corpus.references[sentence])
    return explain_checked(*texts, options, warn=None)


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


def _ngrams(tokens: Sequence[str], *orders: int) -> Iterator[tuple[str, ...]]:
    for order in orders:
        yield from zip(*(tokens[start:] for start in range(order)), strict=False)


def _mark(
    text: str, tokens: Mapping[str, Sequence[str]], unigrams: Mapping[str, Mapping[str, int]]
) -> list[tuple[str, str]]:
    """Assign one region to each token of a text."""
    own, orders = tokens[text], (2, 3, 4)
    known = {other: {*_ngrams(tokens[other], *orders)} for other in tokens if other != text}
    left = {
        token: {name: n for name, n in unigrams[token].items() if n and text in REGIONS[name].texts}
        for token in own
    }

    def fit(position: int, name: str) -> float:
        """Whether the right texts have the n-grams around a token: all (2) to none (-2)."""
        if len(left[own[position]]) == 1:  # there is no choice
            return 0.0
        around = [
            ngram
            for n in orders
            for ngram in _ngrams(own[max(position - n + 1, 0) : position + n], n)
        ]
        fits = 0.0
        for other, ngrams in known.items():
            share = sum(ngram in ngrams for ngram in around) / max(len(around), 1)
            fits += (2 * share - 1) * (1 if other in REGIONS[name].texts else -1)
        return fits

    regions = [""] * len(own)
    pairs = [(position, name) for position, token in enumerate(own) for name in left[token]]
    for position, name in sorted(pairs, key=lambda pair: -fit(*pair)):
        if left[own[position]][name] and not regions[position]:
            regions[position] = name
            left[own[position]][name] -= 1
    return list(zip(own, regions, strict=True))


def visible(text: str) -> str:
    """Spell out the characters that are invisible or act on a terminal."""
    return "".join(c if c.isprintable() or c in _JOINERS else ascii(c)[1:-1] for c in text)


def _row(title: str, markup: str) -> str:
    """A title and its content, side by side, or one above the other on narrow pages."""
    flex = "display: flex; flex-wrap: wrap; gap: 0 1em; margin: 0 0 .35em; line-height: 1.7"
    return (
        f'<div style="{flex}"><div style="flex: 0 0 13em">{title}</div>'
        f'<div style="flex: 1 1 16em; min-width: 0; max-width: 60em">{markup}</div></div>'
    )


def _chip(markup: str, region: Region, tag: str = "span", code: str = "") -> str:
    """Markup in a region's colours, with its code; pages may set the colours as variables."""
    (fill, ink), variable = LOOKS[region.outcome], f"--green-{region.outcome}"
    style = f"background: var({variable}, {fill}); color: var({variable}-ink, {ink}); "
    style += "display: inline-block; line-height: 1.45; border-radius: .25em; padding: 0 .3em"
    # With a direction of its own, the code does not decide that of the text around it.
    sup = '<sup dir="ltr" style="font-size: .65em; font-weight: 600">'
    sign = f"{sup}&nbsp;{code}</sup>" if code else ""
    return (
        f'<span class="green-chip green-{region.code.lower()}" '
        f'title="{region.title}: {region.meaning}" style="{style}">'
        f"<{tag}>{markup}</{tag}>{sign}</span>"
    )


def legend() -> str:
    """The meaning of colours, codes and lines, for pages with a style of their own."""
    chips = [_chip(f"<b>{region.code}</b> {region.meaning}", region) for region in REGIONS.values()]
    return (
        f'<p class="green-legend">{" ".join(chips)}<br><del>struck through</del>: deleted by the '
        "system; <ins>underlined</ins>: inserted by it</p>"
    )
