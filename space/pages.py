"""Results as HTML for the Space, with the renderers of the report.

Visitors' text never becomes markup.
"""

import base64
import json
from collections.abc import Iterable, Mapping
from html import escape
from itertools import chain
from pathlib import Path

from ..cli import tables
from ..explanation import REGIONS, Explanation, legend, visible
from ..reporting import figures, sections
from ..reporting.analysis import Analysis
from ..reporting.markup import Cell, sortable
from ..reporting.page import about, read_style
from . import limits
from .visitors import Counted

_NO_MARKUP = str.maketrans({"<": "\u2039", ">": "\u203a", "&": "\uff06"})
_LONGEST_LINK = 8_000  # characters that browsers and servers take
_KINDS = {"csv": "text/csv", "json": "application/json", "html": "text/html"}

# The report's style within what has the class "green", and our own. Gradio says if it is dark.
CSS = (
    f"""{read_style("colors")}
.green, .green-card {{color-scheme: light; --over-shade: darken;
  --paper: var(--body-background-fill)}}
.dark :is(.green, .green-card) {{color-scheme: dark; --over-shade: lighten}}
.green {{
{read_style("parts")}}}
"""
    + """
.green {overflow-wrap: anywhere}
.block.green > .html-container {padding: .25rem 0}
.green h3 {font-size: 1.1rem; font-weight: 650; margin: 1.8rem 0 .6rem}
.green h4 {font-size: 1rem; font-weight: 650; margin: .4rem 0}
.green caption span {max-width: min(52rem, 100vw - 4.2rem)}
.green a {color: var(--accent); text-decoration: underline}
.green :is(details, summary) {margin: .4rem 0}
.green summary {cursor: pointer; color: var(--accent)}
.green .scroll:focus-visible {outline: 2px solid var(--accent)}
.green-head h1 {font-size: 1.75rem; font-weight: 700; margin: 0}
.green-head p {margin: .2rem 0 0; max-width: 46rem}
.green-head nav {display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-top: .4rem}
.green-examples {align-items: center; gap: .4rem !important}
.green-examples .form, .green-examples > * {flex: 0 0 auto !important; width: auto !important;
  min-width: 0 !important}
button.green-quiet {border: 1px solid var(--border-color-primary) !important; font-weight: 400;
  background: none !important; color: var(--body-text-color)}
button.green-quiet:hover {border-color: var(--color-accent) !important}
.green-examples button {border-radius: 1rem; padding: .2rem .8rem}
.green .green-signature {max-width: none}
#make-report {align-self: end}
.green-tiles {display: flex; flex-wrap: wrap; gap: .6rem; margin: 0 0 .75rem}
.green-tiles div {flex: 1 1 5.5rem; border: 1px solid var(--line); border-radius: .6rem;
  padding: .5rem .8rem}
.green-tiles dt {font-size: .85rem; color: var(--muted)}
.green-tiles dd {margin: 0; font-size: 1.6rem; font-weight: 650; font-variant-numeric: tabular-nums}
.green-sentences {margin-top: .8rem}
.green-grid {display: grid; grid-template: "texts result" auto "orders result" 1fr / 5fr 6fr}
.green-texts {grid-area: texts}
.green-result {grid-area: result}
.green-orders {grid-area: orders}
.green-orders .figures {width: 100%}
.green-orders .figures :is(th, td) {min-width: 0; padding: .3rem .4rem}
.green-rows .figures tbody th {min-width: 2rem}
.green-rows .figures .name {min-width: 14rem}
.green-rows .figures thead th:nth-child(n + 5) {text-align: left}
.venn {max-width: 34rem; margin: 0 auto}
.green-problem {border: 2px solid light-dark(#b02a37, #f1707b); border-radius: .6rem;
  padding: .7rem 1rem}
.green-pair {display: flex; flex-wrap: wrap; gap: 1.5rem}
.green-pair > div {flex: 1 1 20rem; min-width: 0}
.green-links a {display: inline-block; border: 1px solid var(--line); border-radius: .5rem;
  padding: .35rem .9rem; margin: .6rem .5rem 0 0}
.green-warning {border-left: 4px solid var(--warn); padding: .2rem 0 .2rem .7rem; margin: .6rem 0}
.green-card table {display: block; overflow-x: auto; border: 0 !important}
.green-card :is(th, td) {word-break: normal; overflow-wrap: normal; padding: .35rem .6rem;
  border-color: var(--border-color-primary) !important}
.green-card .md-header-anchor {display: none}
.green-choices .wrap {flex-direction: column; align-items: stretch}
@media (max-width: 768px) {
  .green-grid {grid-template: "texts" "result" "orders" / 100%}
}
@media (max-width: 480px) {
  .tab-container button {padding: 0 .45rem; font-size: .85rem}
  .green-tiles {gap: .4rem}
  .green-tiles div {flex-basis: 4.5rem; padding: .4rem .5rem}
  .green-tiles dd {font-size: 1.25rem}
  .green-orders .figures {font-size: .8rem}
  .green-orders .figures :is(th, td) {padding: .3rem .2rem}
}
"""
)

_PAGE = Path(sections.__file__).with_name("page.js").read_text("utf-8")
# The report's script, for tables that come later, too. Rows copied from a spreadsheet can be pasted
# into the table or into the field below it; either way the field reads them.
SCRIPT = (
    f"""() => {{{_PAGE}"""
    + """
new MutationObserver(() => document.querySelectorAll("table.sortable:not(:has(thead button))")
  .forEach(addButtons)).observe(document.body, {childList: true, subtree: true});

document.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain");
  if (!event.target.closest?.("#rows") || !/[\\t\\n]/.test(text.trim())) return;
  event.preventDefault();
  event.stopPropagation();
  const field = document.querySelector("#pasted textarea");
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
}, true)}"""
)


def problem(error: Exception) -> str:
    """An error, marked so that screen readers announce it."""
    return f'<div class="green-problem" role="alert"><b>Sorry:</b> {escape(str(error))}</div>'


def note(message: str) -> str:
    return f'<p class="note">{escape(message)}</p>'


def warning(message: str) -> str:
    return f'<p class="green-warning"><b>Warning:</b> {escape(message)}.</p>'


def label(text: str) -> str:
    """Visitors' text as the label of a choice, which Gradio draws: nothing that could be markup."""
    return visible(text).translate(_NO_MARKUP).replace("__i18n__", "i18n")


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def percent(value: float) -> str:
    return figures.percent(value, 2)


def tiles(values: Mapping[str, float]) -> str:
    """A few scores in large type."""
    shown = (
        f"<div><dt>{escape(name)}</dt><dd>{percent(value)}</dd></div>"
        for name, value in values.items()
    )
    return f'<div role="status"><dl class="green-tiles">{"".join(shown)}</dl></div>'


def summary(explanation: Explanation, warnings: Iterable[str], address: str) -> str:
    """The scores, the sentences, and a link that leads back to them."""
    result, options = explanation.result, explanation.options
    values = {f"GREEN (F{options.beta:g})": result["green"]}
    shown = tiles({**values, "Precision": result["precision"], "Recall": result["recall"]})
    shown += "".join(map(warning, warnings))
    shown += explanation.sentences_to_html(percent) + legend()
    if len(address) > _LONGEST_LINK:
        return shown + note("These texts are too long for a link.")
    return shown + f'<p class="note"><a href="{escape(address)}">Link to this sentence</a></p>'


def systems(found: Analysis, counted: Counted, left_out: str = "") -> str:
    """Pictures and tables of the report, why some are left out, and files to download."""
    several, statistics = len(found.names) > 1, found.statistics
    in_order = tables.flat(found.columns, [statistics])
    parts = [
        f'<p class="note">{about(found)}</p>',
        "".join(map(warning, counted.warnings)),
        f"<h3>Scores</h3>{sections.dots(found, 2)}" if several else "",
        f"<h3>Table</h3>{sections.table(found, 2)}",
        f'<p class="note green-signature">Signature: {escape(statistics.signature)}</p>',
        downloads(csv=tables.to_csv(in_order), json=counted.to_json(found)),
    ]
    if left_out:
        parts.append(note(f"Some tables are left out: {left_out}"))
    if found.pairs:
        parts.append(f"<h3>Who beats whom</h3>{sections.pairs(found, 2)}")
    if found.ranks is not None:
        parts.append(f"<h3>Ranks</h3>{sections.ranks(found)}")
    if found.by_beta:
        parts.append(f"<h3>GREEN against β</h3>{sections.by_beta(found, 2)}")
    if found.by_length:
        parts.append(f"<h3>By sentence length</h3>{sections.by_length(found, 2)}")
    return "".join(parts)


def pair(explanations: Mapping[str, Explanation]) -> str:
    """Explanations side by side."""
    parts = (
        f"<div><h4>{escape(name)}</h4>{_explained(explanation)}</div>"
        for name, explanation in explanations.items()
    )
    return f'<div class="green-pair">{"".join(parts)}</div>{legend()}'


def _explained(explanation: Explanation) -> str:
    n_ngrams = sum(map(len, explanation.orders))
    if n_ngrams <= limits.MOST_NGRAMS:
        return explanation.to_html(percent)
    cut = f"{n_ngrams:,} n-grams are too many to list; at most {limits.MOST_NGRAMS:,} are"
    return explanation.sentences_to_html(percent) + note(cut)


def rows(of_all: Mapping[str, float], columns: Mapping[str, list], warnings: Iterable[str]) -> str:
    """The scores of a table and of its rows, beside their texts."""
    titles = {name: "GREEN" if name == "green" else name.title() for name in of_all}
    figures = {title: columns[name] for name, title in titles.items()}
    joined = [" / ".join(some) for some in columns["references"]]
    texts = {**{name: columns[name] for name in ("source", "prediction")}, "references": joined}
    cells = [
        [
            Cell(str(number), number),
            *(Cell(percent(values[index]), values[index]) for values in figures.values()),
            *(_text_cell(values[index]) for values in texts.values()),
        ]
        for index, number in enumerate(columns["row"])
    ]
    caption = "Each row alone, without the orders that are too long for it"
    if any(len(text) > limits.MOST_CUT for text in chain.from_iterable(texts.values())):
        caption += f"; long texts are cut after {limits.MOST_CUT} characters"
    return (
        tiles({titles[name]: value for name, value in of_all.items()})
        + "".join(map(warning, warnings))
        + sortable(caption, ["row", *figures, *texts], cells)
        + _csv_of_rows(columns)
    )


def _text_cell(text: str) -> Cell:
    shown = cut(visible(text), limits.MOST_CUT)
    return Cell(shown, shown[:30].casefold(), "name")


def _csv_of_rows(columns: Mapping[str, list]) -> str:
    """A link; without the texts if these are too long."""
    in_json = [json.dumps(some, ensure_ascii=False) for some in columns["references"]]
    texts = {name: columns[name] for name in ("source", "prediction")} | {"references": in_json}
    with_texts = tables.to_csv({**columns, **texts})
    if len(with_texts.encode()) <= limits.MOST_CSV:
        return downloads(csv=with_texts)
    scores = {name: values for name, values in columns.items() if name not in texts}
    most = f"{limits.MOST_CSV / 1_000_000:g} MB"
    left_out = f"The CSV has the scores without the texts, with which it would exceed {most}."
    return downloads(csv=tables.to_csv(scores)) + note(left_out)


def orders(explanation: Explanation) -> str:
    """The contribution of each order."""
    result = explanation.result
    ratios = {"P": result["precisions"], "R": result["recalls"]}
    titles = ["n", *(region.code for region in REGIONS.values()), *ratios]
    rows = []
    for order in range(1, len(explanation.orders) + 1):
        counts = explanation.region_counts(order).values()
        figures = [*map(str, counts), *(percent(of_all[order - 1]) for of_all in ratios.values())]
        rows.append([Cell(str(order)), *map(Cell, figures)])
    # Buttons to sort it would make it too wide for a phone.
    return sortable("Order by order", titles, rows, kind="orders")


def venn(explanation: Explanation, order: int) -> str:
    n_ngrams = len(explanation.orders[order - 1])
    if n_ngrams > limits.MOST_DRAWN:
        return note(f"{n_ngrams:,} n-grams are too many to draw; at most {limits.MOST_DRAWN:,} are")
    return explanation.to_svg(order)


def downloads(**files: str) -> str:
    """Links that contain whole files, so that nothing stays on the server."""
    links = []
    for kind, text in files.items():
        data = base64.b64encode(text.encode()).decode()
        links.append(
            f'<a download="green.{kind}" href="data:{_KINDS[kind]};base64,{data}">'
            f"Download {kind.upper()}</a>"
        )
    return f'<p class="green-links">{"".join(links)}</p>'
