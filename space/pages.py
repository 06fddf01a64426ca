"""Results as HTML, with the renderers of the report; visitors' text never becomes markup."""

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from ..cli import tables
from ..explanation import REGIONS, Explanation, explain_in_corpus, legend, visible
from ..options import N_SENTENCES
from ..reporting import figures, sections
from ..reporting.analysis import Analysis
from ..reporting.markup import Cell, name_html, note, sortable
from ..reporting.page import about, read_style, verdict
from ..sentences import contributions, costs, largest
from .scoring import Counted

ADDRESS = ("source", "correction", "references", "tokenizer", "max_order", "beta")
ADDRESS += ("effective_order", "order")  # what the address of a sentence says
_MOST_MARKED = 3_000  # characters of all texts of a sentence: to mark longer ones takes long
_KINDS = {"csv": "text/csv", "json": "application/json", "html": "text/html"}
percent = partial(figures.percent, digits=2)
# The report's style within what has the class "green", and our own.
CSS = f"""{read_style("colors")}
.green {{{read_style("parts")}}}
{Path(__file__).with_name("style.css").read_text("utf-8")}"""
# The report's script, for tables that come later, too.
SCRIPT = f"""() => {{{Path(sections.__file__).with_name("page.js").read_text("utf-8")}
new MutationObserver(() => document.querySelectorAll("table.sortable:not(:has(thead button))")
  .forEach(addButtons)).observe(document.body, {{childList: true, subtree: true}})}}"""


def problem(error: Exception) -> str:
    """An error, marked so that screen readers announce it, and the command that helps."""
    text = re.sub("green report .*", r"<pre><code>\g<0></code></pre>", escape(str(error)))
    return f'<div class="green-problem" role="alert"><b>Sorry:</b> {text}</div>'


def paragraphs(warnings: Sequence[str]) -> str:
    texts = map(escape, map(visible, warnings))
    return "".join(f'<p class="green-warning"><b>Warning:</b> {text}.</p>' for text in texts)


def downloads(**files: str) -> str:
    """Links that contain whole files, so that nothing stays on the server."""
    links = []
    for kind, text in files.items():
        address = f"data:{_KINDS[kind]};base64,{base64.b64encode(text.encode()).decode()}"
        links.append(f'<a download="green.{kind}" href="{address}">Download {kind.upper()}</a>')
    return f'<p class="green-links">{"".join(links)}</p>'


def link_to(explanation: Explanation, text: str, order: int = 1) -> str:
    """A link that opens a sentence on the first tab."""
    options, texts = explanation.options, [explanation.source, explanation.prediction]
    values = [*texts, "\n".join(explanation.references), options.tokenizer]
    values += [options.max_order or 0, options.beta, options.effective_order, order]
    address = escape(f"?{urlencode(dict(zip(ADDRESS, values, strict=True)))}")
    return f'<a href="{address}" target="_blank" rel="noopener">{text}</a>'


def summary(explanation: Explanation, warnings: Sequence[str], order: int) -> str:
    """The scores, the sentences, and a link that leads back to them."""
    result, title = explanation.result, f"GREEN (F{explanation.options.beta:g})"
    values = {title: "green", "Precision": "precision", "Recall": "recall"}.items()
    shown = [f"<dt>{title}</dt><dd>{percent(result[name])}</dd>" for title, name in values]
    tiles = "".join(f"<div>{pair}</div>" for pair in shown)
    return (
        f'<div role="status"><dl class="green-tiles">{tiles}</dl></div>{paragraphs(warnings)}'
        f"{explanation.sentences_to_html(percent)}{legend()}"
        f"{note(link_to(explanation, 'Link to this sentence', order))}"
    )


def orders(explanation: Explanation) -> str:
    """The contribution of each order."""
    ratios = {"P": explanation.result["precisions"], "R": explanation.result["recalls"]}
    titles = ["n", *(region.code for region in REGIONS.values()), *ratios]
    rows = []
    for order in range(1, len(explanation.orders) + 1):
        counts = map(str, explanation.region_counts(order).values())
        cells = [str(order), *counts, *(percent(ratio[order - 1]) for ratio in ratios.values())]
        rows.append(list(map(Cell, cells)))
    # Buttons to sort it would make it too wide for a phone.
    return sortable("Order by order", titles, rows, kind="orders")


def scores(analysis: Analysis, counted: Counted) -> str:
    """The answer first: which system wins; then the tables that say how surely."""
    files, statistics = f"{counted.n_files} file{'s' * (counted.n_files > 1)}", analysis.statistics
    csv = tables.to_csv(tables.flat(analysis.columns, [statistics]))
    parts = [
        f'<p class="green-verdict" role="status">{verdict(analysis, 2)}</p>',
        note(f"Read {files}: {about(analysis)}"),
        paragraphs(counted.warnings),
        f"<h2>Scores</h2>{sections.table(analysis, 2)}",
        f"<h2>Who beats whom</h2>{sections.pairs(analysis, 2)}" if analysis.pairs else "",
        f'<p class="note green-signature">Signature: {escape(statistics.signature)}</p>',
        downloads(csv=csv, json=counted.to_json(analysis.baseline, analysis.columns)),
    ]
    return "".join(parts)


def sentences(counted: Counted, system: str, baseline: str) -> str:
    """The sentences that make the difference from the baseline, or its own worst ones."""
    corpus, statistics = counted.corpus, counted.statistics
    names = list(corpus.systems)
    pair = {name_html(name): names.index(name) for name in (system, baseline)}
    selected = statistics.select_systems([*pair.values()])
    (effects,) = contributions(selected, [(0, 1)]) if len(pair) > 1 else costs(corpus, selected)
    scores = selected.sentence_values()[statistics.options.metric][0]  # (system, sentence)
    items = []
    for number in largest(np.abs(effects), N_SENTENCES).tolist():
        effect = figures.signed_percent(float(effects[number]), 4)
        cells = _cells([f"{number + 1}", effect, *map(percent, scores[:, number].tolist())])
        row = f'{cells}<span dir="auto">{escape(visible(corpus.sources[number]))}</span>'
        items.append(f"<details><summary>{row}</summary>{_texts(counted, number, pair)}</details>")
    head = f'<p aria-hidden="true">{_cells(["no.", "effect", *pair, "source"])}</p>'
    found = f'<div class="green-list" style="--n: {len(pair)}">{head}{"".join(items)}</div>'
    return f"{found}{legend()}" if items else note("There are none.")


def _cells(cells: Iterable[str]) -> str:
    return "".join(f"<span>{cell}</span>" for cell in cells)


def _texts(counted: Counted, number: int, systems: Mapping[str, int]) -> str:
    """The source of a sentence, each system's correction with its marks, and the references."""
    corpus, options = counted.corpus, counted.statistics.options
    options = options.replace(level="sentence", n_resamples=0, paired=None)
    source, references, links = corpus.sources[number], corpus.references[number], []
    rows = [("source", escape(visible(source)))]
    for title, system in systems.items():
        text = list(corpus.systems.values())[system][number]
        rows.append((title, escape(visible(text))))
        if sum(map(len, (source, text, *references))) <= _MOST_MARKED:
            explanation = explain_in_corpus(corpus, number, system, options)
            _, (_, markup), *_ = explanation.marked_sentences(percent)
            rows[-1] = title, markup
            links.append(link_to(explanation, f"Explain {title}"))
    rows += [(f"reference {n}", escape(visible(text))) for n, text in enumerate(references, 1)]
    lines = (f'<dt>{title}</dt><dd dir="auto">{text}</dd>' for title, text in rows)
    return f"<dl>{''.join(lines)}</dl>{note(' · '.join(links))}"
