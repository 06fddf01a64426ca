"""The controls of the Space and what they call: one sentence, systems, the metric card."""

import json
import os
import re
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import gradio as gr
from gradio_client.utils import is_file_obj_with_meta, is_http_url_like, traverse
from starlette.middleware import Middleware
from starlette.responses import JSONResponse

from .. import api
from ..metrics import METRICS
from ..options import OWN_OPTIONS, Options
from ..reporting import analysis
from ..reporting.page import page
from . import pages, scoring

ROOT = Path(__file__).parent.parent.resolve()
EXAMPLES = ROOT / "examples"
SENTENCES = json.loads((EXAMPLES / "sentences.json").read_text("utf-8"))
# Source, references and systems; the M2 file takes the place of a source.
FILES = [str(EXAMPLES / f) for f in ("references.m2", "careful.txt", "bold.txt", "broken.txt")]
SPACE = os.environ.get("SPACE_ID")
FILES_OF_SPACE = f"https://huggingface.co/spaces/{SPACE}/"
PAPER = "https://aclanthology.org/2024.inlg-main.25"
CODE = f"{FILES_OF_SPACE}tree/main" if SPACE else "https://github.com/shotakoyama/green"
ABOUT = f"""<h1>GREEN</h1><p>The n-gram F-score for <b>grammatical error correction</b>: which
n-grams were rightly kept, deleted and inserted, which wrongly, and which were missed.</p>
<nav><a href="{PAPER}">Paper</a> <a href="{CODE}">Code</a>
<a href="{PAPER}.bib">Citation (BibTeX)</a></nav>"""
ABOUT_FILES = """**Text files** with one sentence per line; **M2** or **JSON Lines** as references,
which have the source, too; or **one table** (CSV, TSV) as references, with a column for the source,
one or more for references and one per system."""
LIMITS = f"""At most {scoring.MOST_CHARACTERS:,} characters and {scoring.MOST_REFERENCES} references
per sentence, n-grams of {scoring.MOST_ORDER} tokens; {scoring.MOST_MEGABYTES} MB of files,
{scoring.MOST_SENTENCES:,} sentences, {scoring.MOST_SYSTEMS} systems; {scoring.N_RESAMPLES:,}
resamples, more to test many pairs; GLEU with its best reference. On your own computer there are no
limits: `pip install green-gec`, then `green report`. Uploaded files are deleted after
{scoring.SECONDS_KEPT // 60} minutes; what your page last sent and got stays in the server's memory
until another visitor sends something."""
ABOUT_SENTENCES = """## Sentences that matter
Those that make the difference between a system and the baseline: each contributes half of what the
difference between the two scores would lose if the systems exchanged their corrections of it. For
the baseline itself, its worst sentences: each costs what the score would gain by a perfect
correction of it. Effects are in percentage points."""
ORDERS = range(1, scoring.MOST_ORDER + 1)
CHOICES = {
    "metric": [(metric.title.format(n="N"), name) for name, metric in METRICS.items()],
    "paired": [("approximate randomisation", "ar"), ("paired bootstrap", "bs")],
    "tokenizer": [(title, name) for name, title in scoring.TOKENIZERS.items()],
    "max_order": [("as in the paper: 4, for characters 6", 0), *((str(n), n) for n in ORDERS)],
}
# A stop at the end of a text that belongs to the last word, as in texts that are not tokenised.
ATTACHED_STOP = re.compile(r"\w[.!?]+[\"')]*\s*$", re.M)
USE_13A = f"Use the tokenizer “{scoring.TOKENIZERS['13a']}”"
html = partial(gr.HTML, elem_classes="green", apply_default_css=False)  # with our style alone
QUIET = {"elem_classes": "green-quiet"}  # buttons that are no more than an offer
PRIVATE = {"api_visibility": "private"}
AT_ONCE = {"show_progress": "hidden", "trigger_mode": "always_last", **PRIVATE}
ON_FILES = {"concurrency_id": "files", "concurrency_limit": scoring.MOST_AT_ONCE, **PRIVATE}
BETA, EFFECTIVE_ORDER = (OWN_OPTIONS["green"][name] for name in ("beta", "effective_order"))


def explain(
    source: str,
    correction: str,
    references: list[str] | str,
    tokenizer: str = Options.tokenizer,
    max_order: int | None = Options.max_order,
    beta: float = BETA,
    effective_order: bool = EFFECTIVE_ORDER,
) -> dict:
    """Score one sentence and list its n-grams by region.

    References are a list, or a text with one per line. Whitespace around texts is removed.
    """
    options = (tokenizer, max_order, beta, effective_order)
    try:
        explanation, warnings = scoring.explain(source, correction, references, *options)
    except (TypeError, ValueError) as error:
        raise gr.Error(str(error), print_exception=False) from None
    ngrams = explanation.to_dicts()
    if len(ngrams) > scoring.MOST_NGRAMS:
        warnings.append(f"only {scoring.MOST_NGRAMS:,} of {len(ngrams):,} n-grams are listed")
    return {
        **explanation.result,
        "reference_scores": explanation.reference_scores,
        "ngrams": ngrams[: scoring.MOST_NGRAMS],
        "warnings": warnings,
    }


def show_sentence(*fields: Any) -> tuple:
    """Scores and marked sentences, picture, table, hint; the last field is the picture's order."""
    *fields, order = fields
    try:
        explanation, warnings = scoring.explain(*fields)
    except (TypeError, ValueError) as error:
        return pages.problem(error), "", "", gr.Button(visible=False)
    order = min(int(order), explanation.options.order)
    texts, tokenizer = "\n".join(fields[:3]), fields[3]
    hint = gr.Button(visible=tokenizer == "word" and bool(ATTACHED_STOP.search(texts)))
    picture, table = explanation.to_svg(order), pages.orders(explanation)
    return pages.summary(explanation, warnings, order), picture, table, hint


def open_link(request: gr.Request) -> list:
    """What the address says of a sentence; other fields stay, and unknown values are left out."""
    numbers, beta = {str(n): n for n in ORDERS}, request.query_params.get("beta", "")
    known = {"tokenizer": {name: name for name in scoring.TOKENIZERS}}
    known |= {"max_order": numbers, "order": numbers, "effective_order": {"True": True}}
    known["beta"] = {beta: float(beta)} if re.fullmatch(r"\d+(\.\d+)?", beta) else {}
    texts = [request.query_params.get(name) for name in pages.ADDRESS]
    values = [known.get(n, {t: t}).get(t) for n, t in zip(pages.ADDRESS, texts, strict=True)]
    return [gr.skip() if value is None else value for value in values]


def score(
    source,
    references,
    systems,
    metric,
    tokenizer,
    max_order,
    beta,
    paired,
    strip,
    effective_order=EFFECTIVE_ORDER,
    baseline=None,
):
    """Score systems: a source, references, and files with corrections.

    M2, JSON Lines and tables (CSV, TSV) as references take the place of the source; JSON Lines and
    tables may have the corrections, too. The baseline is a system's name, by default the first's.
    """
    options = (metric, tokenizer, max_order, beta, paired, strip, effective_order)
    try:
        counted = scoring.count_files(source, references, systems, *options)
        index = api.system_index(baseline or None, counted.corpus)
    except (TypeError, ValueError) as error:
        raise gr.Error(str(error), print_exception=False) from None
    statistics, names = counted.statistics, list(counted.corpus.systems)
    columns = statistics.columns(names, statistics.results(index))
    return json.loads(counted.to_json(index, columns))


def show_systems(*fields: Any) -> tuple:
    """The scores, and the sentences that matter of a system beside the baseline."""
    *fields, baseline, system = fields
    try:
        counted = scoring.count_files(*fields)
    except (TypeError, ValueError) as error:
        return pages.problem(error), gr.Column(visible=False), gr.skip(), gr.skip(), "", ""
    names = list(counted.corpus.systems)
    baseline = baseline if baseline in names else names[0]
    comparison = analysis.analyse_scores(counted.statistics, counted.corpus, names.index(baseline))
    if system not in names:  # the best one beside the baseline, if there are others
        system = next((names[n] for n in comparison.order if names[n] != baseline), baseline)
    labels = list(zip(comparison.names, names, strict=True))
    dropdowns = gr.Dropdown(labels, value=baseline), gr.Dropdown(labels, value=system)
    sentences = pages.sentences(counted, system, baseline)
    return pages.scores(comparison, counted), gr.Column(visible=True), *dropdowns, sentences, ""


def show_report(*fields: Any) -> str:
    """A link that contains the report."""
    *fields, baseline = fields
    try:
        counted = scoring.count_files(*fields)
        index = api.system_index(baseline, counted.corpus)
    except (TypeError, ValueError) as error:
        return pages.problem(error)
    comparison = analysis.analyse(counted.statistics, counted.corpus, index)
    return pages.downloads(html=page([comparison], counted.warnings, files={}))


def card() -> str:
    """The README without its front matter and pictures of this page."""
    text = re.sub(r"\A---\n.*?\n---\n", "", (ROOT / "README.md").read_text("utf-8"), flags=re.S)
    text = re.sub(r"!\[[^\]]*\]\(screenshots/[^)]*\)\n", "", text)
    text = text.replace("\n# ", "\n## ", 1)  # the page has a title
    text = text.replace("](experiments", f"](gradio_api/file={quote(f'{ROOT}')}/experiments")
    text = text.replace("](#", "](#h-")  # how Gradio names headings
    # In a Space, other files are on the Hub; elsewhere links to them would lead nowhere.
    linked = rf"[\1]({FILES_OF_SPACE}blob/main/\2)" if SPACE else r"\1"
    return re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)", linked, text)


def control(name: str) -> gr.Component:
    """A control of an option."""
    title = scoring.LABELS[name]
    if name == "tokenizer":
        return gr.Radio(CHOICES[name], value=Options.tokenizer, label=title)
    if name in CHOICES:
        return gr.Dropdown(CHOICES[name], value=CHOICES[name][0][1], label=title, filterable=False)
    return gr.Number(BETA, step=0.1, label=title) if name == "beta" else gr.Checkbox(label=title)


def sentence_tab() -> None:
    with gr.Row(elem_classes="green-examples"):
        html("Examples:")
        buttons = [gr.Button(example["name"], size="sm", **QUIET) for example in SENTENCES]
    with gr.Row(elem_classes="green-grid"):
        with gr.Column(elem_classes="green-texts"):
            first = SENTENCES[0]
            source = gr.Textbox(first["source"], label="Source", lines=2)
            correction = gr.Textbox(first["correction"], label="Correction", lines=2)
            references = gr.Textbox(first["references"], label="References, one per line", lines=3)
        with gr.Column(elem_classes="green-result"):
            hint = gr.Button(USE_13A, size="sm", visible=False, **QUIET)
            summary = html()
            length = gr.Dropdown(ORDERS, value=1, label="n-grams in the picture (up to N)")
            picture = html()
        with gr.Column(elem_classes="green-options"):
            tokenizer = control("tokenizer")
            with gr.Accordion("More options", open=False):
                others = [control(name) for name in ("max_order", "beta", "effective_order")]
            orders = html()
    texts = [source, correction, references, tokenizer]
    inputs = [*texts, *others, length]
    outputs = [summary, picture, orders, hint]
    event = {"fn": show_sentence, "inputs": inputs, "outputs": outputs, **AT_ONCE}
    gr.on([entry.change for entry in inputs], **event)
    demo.load(open_link, None, inputs, **PRIVATE).then(**event)
    hint.click(lambda: "13a", None, tokenizer, **PRIVATE)
    for button, example in zip(buttons, SENTENCES, strict=True):
        values = [example[name] for name in pages.ADDRESS[:4]]
        button.click(lambda values=values: values, None, texts, **PRIVATE).then(**event)
    gr.api(explain, api_name="explain")


def systems_tab() -> None:
    gr.Markdown(ABOUT_FILES)
    with gr.Row():
        source = gr.File(label="Source, if it is a text", height=170, elem_id="source")
        several = {"file_count": "multiple", "height": 170}
        references = gr.File(label="References", elem_id="references", **several)
        systems = gr.File(label="Systems", elem_id="systems", **several)
    options = {"tokenizer": control("tokenizer")}
    with gr.Accordion("More options", open=False), gr.Row():
        options |= {name: control(name) for name in scoring.OPTIONS if name not in options}
    with gr.Row():
        run = gr.Button("Score", variant="primary")
        bundled = gr.Button("Try the bundled examples", **QUIET)
    result = html(elem_id="result")
    with gr.Column(visible=False) as more:
        with gr.Row(equal_height=True):
            baseline = gr.Dropdown([], label="Baseline", allow_custom_value=True)
            report = gr.Button("Make the report (HTML)", elem_id="make-report", **QUIET)
        link = html(elem_id="report")
        gr.Markdown(ABOUT_SENTENCES)
        system = gr.Dropdown([], label="System", allow_custom_value=True)
        sentences = html()
    files = [source, references, systems]
    inputs = [*files, *(options[name] for name in scoring.OPTIONS), baseline]
    outputs = [result, more, baseline, system, sentences, link]
    event = {"fn": show_systems, "inputs": [*inputs, system], "outputs": outputs, **ON_FILES}
    scroll = {"js": "() => document.querySelector('#result').scrollIntoView()", **PRIVATE}
    bundle = bundled.click(lambda: (None, FILES[:1], FILES[1:]), None, files, **PRIVATE)
    for trigger in (run.click, bundle.then):
        trigger(**event, show_progress_on=result).then(**scroll)
    gr.on([baseline.input, system.input], **event, show_progress_on=sentences)
    changes = [entry.input for entry in options.values()]
    changes += [change for file in files for change in (file.upload, file.clear, file.delete)]
    stale = [result, more, link]
    gr.on(changes, lambda: ("", gr.Column(visible=False), ""), None, stale, **PRIVATE)
    download = {"js": "() => document.querySelector('#report a')?.click()", **PRIVATE}
    report.click(show_report, inputs, link, **ON_FILES).then(**download)
    public = ON_FILES | {"api_name": "score", "api_visibility": "public"}
    gr.Button(visible=False).click(score, inputs, gr.JSON(visible=False), **public)


class Demo(gr.Blocks):
    async def preprocess_data(self, block_fn, inputs, *args, **kwargs):
        """Take uploads only: Gradio would download the file of an address into memory."""

        def refuse_address(file: dict) -> None:
            if is_http_url_like(file["path"]):
                raise gr.Error("a file must be an upload, not an address", print_exception=False)

        traverse(inputs, refuse_address, is_file_obj_with_meta)
        return await super().preprocess_data(block_fn, inputs, *args, **kwargs)


def small_bodies(app):
    """Refuse large bodies, except uploads, before they are read into memory."""

    async def serve(scope, receive, send):
        headers = dict(scope.get("headers", ()))
        is_upload = scope.get("path") == "/gradio_api/upload"
        most = scoring.MOST_UPLOADED if is_upload else scoring.MOST_BYTES
        answer = app
        if b"transfer-encoding" in headers or int(headers.get(b"content-length", 0)) > most:
            error = f"here a request can have at most {most:,} bytes, and must say how many"
            answer = JSONResponse({"error": error}, 413)
        await answer(scope, receive, send)

    return serve


with Demo(title="GREEN", analytics_enabled=False, delete_cache=(60, scoring.SECONDS_KEPT)) as demo:
    html(ABOUT, elem_classes=["green", "green-head"])
    with gr.Tab("One sentence"):
        sentence_tab()
    with gr.Tab("Systems"):
        systems_tab()
    with gr.Tab("Metric card"):
        gr.Markdown(card(), header_links=True, elem_classes="green-card")
    gr.Markdown(LIMITS, elem_classes="green-note")
# Direct calls would pass the queue by.
demo.queue(
    default_concurrency_limit=scoring.MOST_AT_ONCE, max_size=scoring.MOST_WAITING, api_open=False
)


def launch() -> None:
    """Serve the page. Its fonts are the browser's own, so that nothing comes from elsewhere."""
    fonts = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    theme = gr.themes.Default(primary_hue="emerald", **fonts)
    settings = {"max_file_size": scoring.MOST_UPLOADED, "max_threads": 8, "show_error": True}
    settings |= {"state_session_capacity": scoring.PAGES_KEPT, "enable_monitoring": False}
    settings |= {"run_history": False, "allowed_paths": [f"{ROOT}/examples", f"{ROOT}/experiments"]}
    settings["app_kwargs"] = {"middleware": [Middleware(small_bodies)]}
    demo.launch(theme=theme, css=pages.CSS, js=pages.SCRIPT, **settings)
