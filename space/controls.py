"""The controls of the Space and what they call: a sentence, systems, a table, the metric card."""

import json
import os
import re
from inspect import signature
from pathlib import Path
from urllib.parse import quote

import gradio as gr
from fastapi.exceptions import RequestValidationError
from gradio.route_utils import FnIndexInferError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.responses import JSONResponse

from ..metrics import METRICS
from ..options import OWN_OPTIONS, Options
from . import answers, limits, listeners, pages, visitors, work
from .examples import SENTENCES
from .kept import Kept

ROOT = Path(__file__).parent.parent.resolve()
IMAGES = [ROOT / "experiments" / "figures", ROOT / "screenshots"]
EXAMPLES = ROOT / "examples"
# The M2 file takes the place of a source.
FILES = {
    "source": None,
    "references": ["references.m2"],
    "systems": ["careful.txt", "bold.txt", "broken.txt"],
}
# The options of a sentence and of a table; all but the first are folded away.
OF_TEXTS = ("tokenizer", "max_order", "beta", "effective_order")
REFUSED = (
    "the field below the table holds rows that could not be read; correct them there, or empty the "
    "field to score the table"
)
PAPER = "https://aclanthology.org/2024.inlg-main.25"
CODE = "https://github.com/shotakoyama/green"  # in a Space, its own files
if "SPACE_ID" in os.environ:
    CODE = f"https://huggingface.co/spaces/{os.environ['SPACE_ID']}/tree/main"
LINKS = {"Paper": PAPER, "Code": CODE, "Citation (BibTeX)": f"{PAPER}.bib"}
ABOUT = (
    "<h1>GREEN</h1><p>The n-gram F-score for <b>grammatical error correction</b>: which n-grams "
    "were rightly kept, deleted and inserted, which wrongly, and which were missed.</p><nav>"
    + "".join(
        f'<a href="{url}" target="_blank" rel="noopener">{name}</a>' for name, url in LINKS.items()
    )
    + "</nav>"
)
ABOUT_SENTENCE = (
    f"At most {limits.MOST_CHARACTERS:,} characters per text and {limits.MOST_REFERENCES} "
    "references."
)
ABOUT_CORPUS = f"""One sentence per line. M2 and JSON Lines have the source and the references in
one file; JSON Lines may have the systems, too. Spaces separate words; if your texts are not
tokenised, choose “{visitors.LABELS["tokenizer"]}: {visitors.TOKENS["13a"]}”. At most
{limits.MOST_MEGABYTES} MB per file, {limits.MOST_SENTENCES:,} sentences,
{limits.MOST_CHARACTERS:,} characters per sentence, {limits.MOST_SYSTEMS} systems and
{limits.MOST_REFERENCES} references."""
ABOUT_SENTENCES = """Compared with **another system**: the sentences that make the difference. Each
contributes half of what the difference between the two scores would lose if the systems exchanged
their corrections of it; positive contributions favour the first system. Compared with **the
references**: the system's worst sentences. Each costs what the score would gain by a perfect
correction of it."""
COMPARED = ("(references: its worst sentences)", answers.WORST)
CHOICES = "Sentences, with their contributions in percentage points: choose one"
COSTS = "Sentences, with their costs in percentage points: choose one"
ABOUT_ROWS = f"""References are one text or a JSON list of texts. At most {limits.MOST_ROWS:,}
rows, {limits.MOST_CHARACTERS:,} characters per cell."""
BETA, EFFECTIVE_ORDER = (OWN_OPTIONS["green"][name] for name in ("beta", "effective_order"))

kept = Kept()  # the visitors' files
os.environ["GRADIO_TEMP_DIR"] = kept.uploads  # where Gradio puts uploads


def run(function, *given, **named):
    def has_left():
        return listeners.has_left(demo._queue)

    if has_left():  # while the request waited for others
        raise ValueError(work.LEFT)
    return work.run(function, *given, has_left=has_left, **named)


def plain(source, references, systems):
    """Uploaded files by their paths alone: workers do not know Gradio's kind of strings."""
    lists = ([str(path) for path in paths or ()] for paths in (references, systems))
    return dict(zip(FILES, [source and str(source), *lists], strict=True))


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

    References are a list, or a text with one reference per line. Whitespace around texts is
    removed.
    """
    given = locals()
    try:
        return run(answers.explain, **given)
    except ValueError as error:
        raise gr.Error(str(error), print_exception=False) from None


def show_sentence(*given):
    """Scores and marked sentences, picture, table; the last input is the picture's order."""
    *given, order = given
    try:
        given = dict(zip(signature(explain).parameters, given, strict=True))
        return run(answers.sentence, given, order)
    except ValueError as error:
        return pages.problem(error), "", ""


def open_link(request: gr.Request):
    """What the address tells of a sentence; the rest stays."""
    found = visitors.linked(request.query_params)
    names = [*signature(explain).parameters, "order"]
    return [found.get(name, gr.skip()) for name in names]


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
    progress=gr.Progress(),  # noqa: B008
):
    """Score systems: a source, references, and files with corrections.

    M2 and JSON Lines, given as references, take the place of the source; JSON Lines may have the
    corrections, too. The baseline is the name of a system, by default the first.
    """
    given = locals()
    del given["progress"]
    try:
        _, answer = of_corpus(answers.scores, given, progress)
        return json.loads(answer)
    except ValueError as error:
        raise gr.Error(str(error), print_exception=False) from None


def show_systems(*given, progress=gr.Progress()):  # noqa: B008
    """The scores, the baseline to choose, and the sentences to look at."""
    named = dict(zip(signature(score).parameters, given, strict=False))
    try:
        key, (shown, names, first, pair, choices) = of_corpus(answers.systems, named, progress)
    except ValueError as error:
        gone = gr.Column(visible=False)
        return pages.problem(error), "", gone, gone, None, None, None, None, None, ""
    labels = [(pages.label(name), name) for name in names]
    baseline = gr.Dropdown(labels[:-1], value=first)
    lists = zip((labels, [*labels, COMPARED]), pair, strict=True)
    dropdowns = [gr.Dropdown(some, value=name) for some, name in lists]
    there = gr.Column(visible=True)
    return shown, "", there, there, key, baseline, *dropdowns, *show_choices(choices, pair[1])


def show_report(*given, progress=gr.Progress()):  # noqa: B008
    """A link to the report."""
    named = dict(zip(signature(score).parameters, given, strict=False))
    try:
        return of_corpus(answers.report, named, progress)[1]
    except ValueError as error:
        return pages.problem(error)


def of_corpus(function, given, progress):
    """Call a function with an upload, which is counted once, whoever asks: its key, the answer."""
    given |= plain(given["source"], given["references"], given["systems"])
    later = ("paired", "baseline")  # they do not affect what is counted
    key = repr({name: value for name, value in given.items() if name not in later})

    def show(done, n_parts):
        progress((done, n_parts), "scoring")

    uploads = [given["source"], *given["references"], *given["systems"]]
    with kept.file(key, filter(None, uploads)) as path:
        answer = run(function, path, **given, show=show)
        if listeners.was_heard(demo._queue):
            kept.add(key, path)
    return key, answer


def choose_pair(key, *pair):
    """The sentences that make the difference between two systems, or that cost one most."""
    try:
        return show_choices(run_again(answers.choices, key, *pair), pair[1])
    except ValueError as error:
        return gr.Radio([], value=None), pages.problem(error)


def show_choices(choices, other):
    """Sentences to choose from, and an empty explanation."""
    is_worst = other == answers.WORST
    none = f"No sentence {'costs anything' if is_worst else 'makes a difference'}."
    radio = gr.Radio(
        choices, value=None, visible=bool(choices), label=COSTS if is_worst else CHOICES
    )
    return radio, "" if choices else pages.note(none)


def run_again(function, key, *given):
    """Call a function with the corpus of an earlier request."""
    with kept.file(key) as path:
        return run(function, path, *given)


def show_pair(key, *given):
    """A sentence explained, for both systems, or for one."""
    try:
        return run_again(answers.explained, key, *given)
    except ValueError as error:
        return pages.problem(error)


def paste_rows(text):
    """The rows of the table, the emptied field, and an error."""
    if not text.strip():
        return gr.skip(), gr.skip(), ""
    try:
        return run(visitors.read_rows, text), "", ""
    except ValueError as error:
        return gr.skip(), gr.skip(), pages.problem(error)


def show_rows(rows, pasted, *options):
    named = dict(zip(OF_TEXTS, options, strict=True))
    try:
        if pasted.strip():
            raise ValueError(REFUSED)
        return run(answers.rows, list(rows.columns), rows.to_numpy().tolist(), **named)
    except ValueError as error:
        return pages.problem(error)


def card():
    """The README without its front matter, with images that this server provides."""
    text = re.sub(r"\A---\n.*?\n---\n", "", (ROOT / "README.md").read_text("utf-8"), flags=re.S)
    for folder in IMAGES:
        name = folder.relative_to(ROOT).as_posix()
        text = text.replace(f"]({name}/", f"](gradio_api/file={quote(folder.as_posix())}/")
    text = text.replace("](#", "](#h-")  # how Gradio names headings
    # In a Space, other files are on the Hub; elsewhere links to them would lead nowhere.
    name = os.environ.get("SPACE_ID")
    linked = rf"[\1](https://huggingface.co/spaces/{name}/blob/main/\2)" if name else r"\1"
    return re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)", linked, text)


def control(name):
    """A control of an option."""
    label = visitors.LABELS[name]
    if name == "tokenizer":
        choices = [(title, name) for name, title in visitors.TOKENS.items()]
        return gr.Radio(choices, value=Options.tokenizer, label=label)
    if name == "max_order":
        orders = [("as in the paper: 4, for characters 6", 0)]
        orders += [(str(n), n) for n in range(1, limits.MOST_ORDER + 1)]
        return gr.Dropdown(orders, value=0, label=label, filterable=False)
    if name == "beta":
        return gr.Number(BETA, step=0.1, label=label)
    return gr.Checkbox(False, label=label)


def text_options():
    """The controls of `OF_TEXTS`."""
    first, *others = OF_TEXTS
    shown = control(first)
    with gr.Accordion("More options", open=False):
        return [shown, *map(control, others)]


def html(**look):
    """A place for our own markup, with our style alone."""
    look["elem_classes"] = ["green", *look.get("elem_classes", ())]
    return gr.HTML(apply_default_css=False, **look)


def quiet_button(name, **look):
    """A button that is no more than an offer."""
    return gr.Button(name, elem_classes="green-quiet", **look)


def sentence_tab():
    with gr.Row(elem_classes="green-examples"):
        html(value="Examples:")
        buttons = [quiet_button(name, size="sm") for name, *_ in SENTENCES]
    with gr.Row(elem_classes="green-grid"):
        with gr.Column(elem_classes="green-texts"):
            _, *texts, _ = SENTENCES[0]
            source = gr.Textbox(texts[0], label="Source", lines=2)
            correction = gr.Textbox(texts[1], label="Correction", lines=2)
            references = gr.Textbox(texts[2], label="References, one per line", lines=3)
            options = text_options()
            gr.Markdown(ABOUT_SENTENCE)
        with gr.Column(elem_classes="green-result"):
            summary = html()
            lengths = range(1, limits.MOST_ORDER + 1)
            length = gr.Dropdown(
                lengths, value=1, label="n-grams in the picture (up to N)", filterable=False
            )
            picture = html()
        with gr.Column(elem_classes="green-orders"):
            orders = html()
    inputs = [source, correction, references, *options, length]
    event = {
        "fn": show_sentence,
        "inputs": inputs,
        "outputs": [summary, picture, orders],
        "show_progress": "hidden",
        "trigger_mode": "always_last",
        **PRIVATE,
    }
    gr.on([entry.change for entry in inputs], **event)
    demo.load(open_link, None, inputs, **PRIVATE).then(**event)
    for button, (_, *values) in zip(buttons, SENTENCES, strict=True):
        button.click(lambda values=values: values, None, inputs[:4], **PRIVATE).then(**event)
    gr.api(explain, api_name="explain")


def file_fields():
    with gr.Row():
        several = {"file_count": "multiple", "height": 220}
        return [
            gr.File(label="Source, if it is a text", height=220, elem_id="source"),
            gr.File(label="References: text, M2, JSON Lines", elem_id="references", **several),
            gr.File(label="Systems", elem_id="systems", **several),
        ]


def corpus_options():
    """The controls of the options of `score`, but for the baseline."""
    names = list(signature(score).parameters)[4:-2]
    names.remove("paired")
    tokenizer = control(names[0])
    with gr.Accordion("More options", open=False):
        with gr.Row():
            metrics = [(metric.title.format(n="N"), name) for name, metric in METRICS.items()]
            metric = gr.Dropdown(metrics, value="green", label="Score", filterable=False)
            tests = [("approximate randomisation", "ar"), ("paired bootstrap", "bs")]
            paired = gr.Dropdown(tests, value="ar", label="Test", filterable=False)
        with gr.Row():
            options = [tokenizer, *map(control, names[1:3])]
        with gr.Row():
            checkboxes = [control(name) for name in names[3:]]
    return [metric, *options, paired, *checkboxes]


def sentence_choice():
    """Two systems, sentences that matter, and the explanation of one."""
    gr.Markdown("### Sentences that matter")
    gr.Markdown(ABOUT_SENTENCES)
    with gr.Row():
        names = ("System", "compared with")
        pair = [gr.Dropdown([], label=name, min_width=250) for name in names]
    chosen = gr.Radio([], label=CHOICES, elem_classes="green-choices")
    return pair, chosen, html()


def corpus_tab():
    gr.Markdown(ABOUT_CORPUS)
    files, options = file_fields(), corpus_options()
    with gr.Row():
        run = gr.Button("Score", variant="primary")
        bundled = quiet_button("Try the bundled examples")
    with gr.Column(visible=False) as choosing:
        with gr.Row(equal_height=True):
            baseline = gr.Dropdown([], label="Baseline", allow_custom_value=True)
            report = quiet_button("Make the report (HTML)", elem_id="make-report")
        link = html()
    table = html()
    counted = gr.State(time_to_live=limits.KEPT, delete_callback=kept.purge)
    with gr.Column(visible=False) as more:
        pair, chosen, explanations = sentence_choice()
    inputs = [*files, *options, baseline]
    outputs = [table, link, choosing, more, counted, baseline, *pair, chosen, explanations]
    event = {"fn": show_systems, "inputs": inputs, "outputs": outputs, "show_progress_on": table}
    event |= SCORING
    gr.on([run.click, baseline.input], **event, **PRIVATE)
    examples = [names and [str(EXAMPLES / name) for name in names] for names in FILES.values()]
    bundled.click(lambda: examples, None, files, **PRIVATE).then(**event, **PRIVATE)
    report.click(show_report, inputs, link, **SCORING, **PRIVATE)
    changed = [entry.input for entry in pair]
    gr.on(changed, choose_pair, [counted, *pair], [chosen, explanations], **PRIVATE)
    chosen.input(show_pair, [counted, *pair, chosen], explanations, **PRIVATE)
    gr.Button(visible=False).click(
        score, inputs, gr.JSON(visible=False), api_name="score", **SCORING
    )


def rows_tab():
    gr.Markdown(ABOUT_ROWS)
    rows = gr.Dataframe(
        [[*texts[:2], json.dumps(texts[2].split("\n"))] for _, *texts in SENTENCES[:3]],
        headers=visitors.COLUMNS,
        column_count=3,
        column_widths=["33%", "33%", "34%"],
        wrap=True,
        interactive=True,
        show_label=False,
        elem_id="rows",
    )
    label = "Paste rows here or into the table, as copied from a spreadsheet: they replace the rows"
    pasted = gr.Textbox(label=label, lines=1, max_lines=3, elem_id="pasted")
    options = text_options()
    button = gr.Button("Score the rows", variant="primary")
    scores = html(elem_classes=["green-rows"])
    pasted.change(paste_rows, pasted, [rows, pasted, scores], **PRIVATE)
    button.click(show_rows, [rows, pasted, *options], scores, **PRIVATE)


class Demo(gr.Blocks):
    async def preprocess_data(self, block_fn, inputs, *given, **named):
        """Check what a request brings: calls that do not fit get a sentence, not an empty error."""
        try:
            return await super().preprocess_data(block_fn, inputs, *given, **named)
        except Exception as error:
            wanted = [*signature(block_fn.fn).parameters][: len(block_fn.inputs)]
            if len(inputs) < len(wanted):
                about = f"it takes {len(wanted)} arguments, {', '.join(wanted)}, not {len(inputs)}"
            elif isinstance(error, ValidationError):
                about = "a file must be an upload, references and systems must be lists of uploads"
            else:
                about = str(getattr(error, "message", error)).strip().partition("\n")[0]
            about = f"this call does not fit /{block_fn.api_name}: {about:.500}"
            raise gr.Error(about, print_exception=False) from None


class Bounded:
    """Refuses requests with large bodies before they are read, and makes room for uploads."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        headers = dict(scope.get("headers", ()))
        n_bytes = int(headers.get(b"content-length", 0))
        is_upload = scope.get("path", "").rstrip("/").endswith("/upload")
        most = limits.MOST_UPLOADED if is_upload else limits.MOST_SENT
        answer = self.app
        if b"transfer-encoding" in headers:
            answer = JSONResponse({"error": "a request must say its length"}, 411)
        elif n_bytes > most:
            error = f"a request may have {most // 1_000_000} MB; send fewer or shorter texts"
            answer = JSONResponse({"error": error}, 413)
        elif is_upload:
            await run_in_threadpool(kept.purge, room=n_bytes)
        await answer(scope, receive, send)
        if is_upload:  # others may have arrived at the same time
            await run_in_threadpool(kept.purge)


def unknown_endpoint(request, error):
    """What Gradio raises for a name or a number that it does not know."""
    return JSONResponse({"error": "there is no such endpoint; see /gradio_api/info"}, 404)


def malformed(request, error):
    """What FastAPI raises for a body that is no JSON or has other fields."""
    said = error.errors()[0]
    about = f"{'.'.join(map(str, said['loc']))}: {said['msg']}"
    wanted = 'send JSON like {"data": [...]}, with a list of arguments'
    return JSONResponse({"error": f"this call does not fit: {wanted} ({about:.200})"}, 422)


gr.set_static_paths(IMAGES)
PRIVATE = {"api_visibility": "private"}
SCORING = {"concurrency_id": "scoring", "concurrency_limit": limits.MOST_AT_ONCE}
TABS = {"One sentence": sentence_tab, "Corpus": corpus_tab, "Table": rows_tab}

with Demo(title="GREEN", analytics_enabled=False, delete_cache=(60, limits.KEPT)) as demo:
    html(value=ABOUT, elem_classes=["green-head"])
    for title, build in TABS.items():
        with gr.Tab(title):
            build()
    with gr.Tab("Metric card"):
        gr.Markdown(card(), header_links=True, elem_classes="green-card")

# Direct calls would pass the queue by.
demo.queue(
    default_concurrency_limit=limits.MOST_AT_ONCE, max_size=limits.MOST_WAITING, api_open=False
)


def launch(**options):
    """Serve the pages. Its fonts are the browser's own, so that nothing comes from elsewhere."""
    fonts = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    theme = gr.themes.Default(primary_hue="emerald", **fonts)
    bounds = {"max_file_size": f"{limits.MOST_MEGABYTES}mb", "allowed_paths": [str(EXAMPLES)]}
    bounds["state_session_capacity"] = limits.MOST_VISITORS
    handlers = {kind: unknown_endpoint for kind in (FnIndexInferError, KeyError)}
    handlers[RequestValidationError] = malformed
    bounds["app_kwargs"] = {"exception_handlers": handlers, "middleware": [Middleware(Bounded)]}
    work.start()
    listeners.watch(demo._queue)
    return demo.launch(theme=theme, css=pages.CSS, js=pages.SCRIPT, **bounds, **options)
