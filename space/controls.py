"""The controls of the Space and what they call: a sentence, systems, a table, the metric card."""

import json
import os
import re
import warnings
from inspect import signature
from pathlib import Path
from urllib.parse import quote

import gradio as gr

from ..options import METRICS, OPTIONS, Options
from ..scores import SCORES
from . import pages, visitors

warnings.filterwarnings("ignore", "Glyph")  # pictures contain text, which the browser's fonts show

ROOT = Path(__file__).parent.parent.resolve()
IMAGES = [ROOT / "experiments" / "figures", ROOT / "screenshots"]
EXAMPLES = ROOT / "examples"
# The M2 file takes the place of a source.
FILES = [None, ["references.m2"], ["careful.txt", "bold.txt", "broken.txt"]]
# Name, source, correction, references, tokenizer.
SENTENCES = [
    (
        "Half corrected",
        "In winter she go to school every days by a bus .",
        "In the winter she goes to school every days by bus .",
        "In winter she goes to school every day by bus .\nIn winter she takes the bus to school .",
        "word",
    ),
    (
        "Two readings",
        "What is you name ?",
        "Who are you ?",
        "What is your name ?\nWho are you ?",
        "word",
    ),
    (
        "Nothing done",
        "He have many informations about the history .",
        "He have many informations about the history .",
        "He has a lot of information about history .",
        "word",
    ),
    (
        "A long sentence",
        "In my opinion , the peoples who is living in big city has many problem because the "
        "traffic are very bad and the air is not clean , so they often wants to moving in the "
        "countryside when they gets old .",
        "In my opinion , people who live in big cities have many problems because the traffic is "
        "very bad and the air is not clean , so they often want to moving to the countryside when "
        "they get older .",
        "In my opinion , people who are living in big cities have many problems because the "
        "traffic is very bad and the air is not clean , so they often want to move to the "
        "countryside when they get old .",
        "word",
    ),
    (
        "Japanese, by character",
        "私は昨日学校に行くました。",
        "私は昨日学校に行きました。",
        "私は昨日学校へ行きました。\n昨日、私は学校に行った。",
        "char",
    ),
]
OF_ROWS = ("tokenizer", "effective_order")  # the options of a table
N_DIFFERENCES = 10
KEPT = 3600  # seconds for which a visitor's corpus is kept
MOST_VISITORS = 500  # whose sessions Gradio keeps, 0.1 MB each without a corpus
EXPIRED = "these sentences are no longer kept here; score the files again"
ABOUT = """# GREEN
The n-gram F-score for **grammatical error correction**: which n-grams were rightly kept, deleted
and inserted, which wrongly, and which were missed."""
ABOUT_SENTENCE = (
    f"At most {visitors.MOST_CHARACTERS:,} characters per text and {visitors.MOST_REFERENCES} "
    "references."
)
ABOUT_CORPUS = f"""One sentence per line. Spaces separate words; if your texts are not tokenised,
choose “{OPTIONS["tokenizer"].label}: {visitors.TOKENS["13a"]}” among the options. At most
{visitors.MOST_MEGABYTES} MB per file, {visitors.MOST_SENTENCES:,} sentences,
{visitors.MOST_CHARACTERS:,} characters per sentence, {visitors.MOST_SYSTEMS} systems and
{visitors.MOST_REFERENCES} references."""
ABOUT_ROWS = f"""References are one text or a JSON list of texts. At most {visitors.MOST_ROWS:,}
rows, {visitors.MOST_CHARACTERS:,} characters per cell."""
# Rows copied from a spreadsheet can be pasted into the table or into the field below it; either way
# the field reads them.
PASTE = """() => document.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain");
  if (!event.target.closest?.("#rows") || !/[\\t\\n]/.test(text.trim())) return;
  event.preventDefault();
  event.stopPropagation();
  const field = document.querySelector("#pasted textarea");
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
}, true)"""


def explain(
    source: str,
    correction: str,
    references: list[str] | str,
    tokenizer: str = Options.tokenizer,
    max_order: int | None = Options.max_order,
    beta: float = Options.beta,
    effective_order: bool = Options.effective_order,
) -> dict:
    """Score one sentence and list its n-grams by region.

    References are a list, or a text with one reference per line. Whitespace around texts is
    removed.
    """
    given = locals()
    try:
        found, warnings = visitors.explain(**given)
    except (TypeError, ValueError) as error:
        raise gr.Error(str(error), print_exception=False) from None
    return {
        **found.result,
        "reference_scores": found.reference_scores,
        "ngrams": found.to_dicts(),
        "warnings": warnings,
    }


def show_sentence(*given):
    """Scores and marked sentences, picture, table; the last input is the picture's order."""
    *given, order = given
    try:
        given = dict(zip(signature(explain).parameters, given, strict=True))
        found, warnings = visitors.explain(**given)
    except (TypeError, ValueError) as error:
        return pages.problem(error), "", ""
    order = min(int(order), len(found.orders))
    return pages.summary(found, warnings), pages.venn(found, order), pages.orders(found)


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
    effective_order=Options.effective_order,
    progress=gr.Progress(),  # noqa: B008
):
    """Score systems: a source, references (or one M2 file for both) and files with corrections."""
    given = locals()
    try:
        return json.loads(visitors.compare(**{**given, "progress": bar(progress)}).report)
    except (TypeError, ValueError) as error:
        raise gr.Error(str(error), print_exception=False) from None


def show_systems(*given, progress=gr.Progress()):  # noqa: B008
    """The table, two pictures, and the sentences to look at."""
    try:
        named = dict(zip(signature(score).parameters, given, strict=False))
        scored = visitors.compare(**named, progress=bar(progress))
    except (TypeError, ValueError) as error:
        return pages.problem(error), "", "", gr.Column(visible=False), None, None, None, None, ""
    progress(0.9, "drawing")
    curves = "" if scored.beta_curves is None else pages.curves(scored)
    sentences = scored.sentences
    names = sentences.names
    pair = [gr.Dropdown(names, value=name) for name in names[:2]]
    differences = show_differences(sentences, *names[:2])
    table, bars = pages.systems(scored), pages.bars(scored)
    return table, bars, curves, gr.Column(visible=True), sentences, *pair, *differences


def bar(progress):
    """Shows the progress of a computation on the page."""
    return lambda parts, n_parts: progress.tqdm(parts, total=n_parts, desc="scoring")


def show_differences(sentences, *pair):
    """The sentences where two systems differ most, as choices."""
    if sentences is None:
        return gr.Radio([], value=None), pages.problem(ValueError(EXPIRED))
    choices = [
        (f"{i + 1}: {100 * one:.0f} → {100 * other:.0f}  {sentences.texts.sources[i]:.90}", i)
        for i, one, other in sentences.most_different(*pair, N_DIFFERENCES)
    ]
    none = "" if choices else pages.note("They have the same score in every sentence.")
    return gr.Radio(choices, value=None, visible=bool(choices)), none


def show_pair(sentences, *given):
    """A sentence explained, for both systems."""
    *pair, chosen = given
    if sentences is None:
        return pages.problem(ValueError(EXPIRED))
    return pages.pair({name: sentences.explain(name, chosen) for name in pair})


def paste_rows(text):
    """The rows of the table, the emptied field, and an error."""
    if not text.strip():
        return gr.skip(), gr.skip(), ""
    try:
        return visitors.read_rows(text), "", ""
    except ValueError as error:
        return gr.skip(), gr.skip(), pages.problem(error)


def show_rows(rows, *options):
    try:
        given = list(rows.columns), rows.to_numpy().tolist()
        named = dict(zip(OF_ROWS, options, strict=True))
        return pages.rows(*visitors.score_rows(*given, **named))
    except (TypeError, ValueError) as error:
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
    label, default = OPTIONS[name].label, getattr(Options, name)
    if name == "tokenizer":
        choices = [(title, name) for name, title in visitors.TOKENS.items()]
        return gr.Radio(choices, value=default, label=label)
    if name == "max_order":
        orders = [("as in the paper: 4, for characters 6", 0)]
        orders += [(str(n), n) for n in range(1, visitors.MOST_ORDER + 1)]
        return gr.Dropdown(orders, value=0, label=label, filterable=False)
    if name == "beta":
        return gr.Number(default, step=0.1, label=label)
    return gr.Checkbox(default, label=label)


def sentence_tab():
    with gr.Row():
        buttons = [gr.Button(name, size="sm", min_width=120) for name, *_ in SENTENCES]
    with gr.Row(elem_classes="green-grid"):
        with gr.Column(elem_classes="green-texts"):
            _, *texts, _ = SENTENCES[0]
            source = gr.Textbox(texts[0], label="Source", lines=2)
            correction = gr.Textbox(texts[1], label="Correction", lines=2)
            references = gr.Textbox(texts[2], label="References, one per line", lines=3)
            with gr.Accordion("Options", open=False):
                options = [control(name) for name in list(signature(explain).parameters)[3:]]
                lengths = range(1, visitors.MOST_ORDER + 1)
                length = gr.Dropdown(
                    lengths, value=1, label="n-grams in the picture (up to N)", filterable=False
                )
            gr.Markdown(ABOUT_SENTENCE)
        with gr.Column(elem_classes="green-result"):
            summary = gr.HTML()
            picture = gr.HTML()
        with gr.Column(elem_classes="green-orders"):
            orders = gr.HTML()
    inputs = [source, correction, references, *options, length]
    event = {
        "fn": show_sentence,
        "inputs": inputs,
        "outputs": [summary, picture, orders],
        "show_progress": "hidden",
        "trigger_mode": "always_last",
        **PRIVATE,
    }
    gr.on([demo.load, *(entry.change for entry in inputs)], **event)
    for button, (_, *values) in zip(buttons, SENTENCES, strict=True):
        button.click(lambda values=values: values, None, inputs[:4], **PRIVATE).then(**event)
    gr.api(explain, api_name="explain")


def corpus_tab():
    gr.Markdown(ABOUT_CORPUS)
    with gr.Row():
        several = {"file_count": "multiple", "height": 220}
        files = [
            gr.File(label="Source (not with M2)", height=220, elem_id="source"),
            gr.File(label="References: text or M2", elem_id="references", **several),
            gr.File(label="Systems, first the baseline", elem_id="systems", **several),
        ]
    with gr.Accordion("Options", open=False):
        with gr.Row():
            metrics = [(SCORES[name].title.format(n="N"), name) for name in METRICS]
            metric = gr.Dropdown(metrics, value="green", label="Score", filterable=False)
            tests = [("approximate randomisation", "ar"), ("paired bootstrap", "bs")]
            paired = gr.Dropdown(tests, value="ar", label="Test", filterable=False)
        names = list(signature(score).parameters)[4:-1]
        names.remove("paired")
        with gr.Row():
            options = [control(name) for name in names[:3]]
        with gr.Row():
            checkboxes = [control(name) for name in names[3:]]
    with gr.Row():
        run = gr.Button("Score", variant="primary")
        bundled = gr.Button("Try the bundled examples")
    table = gr.HTML()
    with gr.Row():
        with gr.Column(min_width=320):
            bars = gr.HTML()
        with gr.Column(min_width=320):
            curves = gr.HTML()
    sentences = gr.State(time_to_live=KEPT)
    with gr.Column(visible=False) as differences:
        gr.Markdown("### Where two systems differ most")
        with gr.Row():
            pair = [gr.Dropdown([], label=name) for name in ("System", "and system")]
        chosen = gr.Radio(
            [], label="Sentences, with both scores: choose one", elem_classes="green-choices"
        )
        explanations = gr.HTML()
    inputs = [*files, metric, *options, paired, *checkboxes]
    outputs = [table, bars, curves, differences, sentences, *pair, chosen, explanations]
    event = {"fn": show_systems, "inputs": inputs, "outputs": outputs, "show_progress_on": table}
    run.click(**event, **PRIVATE)
    examples = [names and [str(EXAMPLES / name) for name in names] for names in FILES]
    bundled.click(lambda: examples, None, files, **PRIVATE).then(**event, **PRIVATE)
    changed = [entry.input for entry in pair]
    gr.on(changed, show_differences, [sentences, *pair], [chosen, explanations], **PRIVATE)
    chosen.input(show_pair, [sentences, *pair, chosen], explanations, **PRIVATE)
    gr.Button(visible=False).click(score, inputs, gr.JSON(visible=False), api_name="score")


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
    with gr.Row():
        options = [control(name) for name in OF_ROWS]
    button = gr.Button("Score the rows", variant="primary")
    scores = gr.HTML()
    pasted.change(paste_rows, pasted, [rows, pasted, scores], **PRIVATE)
    button.click(show_rows, [rows, *options], scores, **PRIVATE)


gr.set_static_paths(IMAGES)
PRIVATE = {"api_visibility": "private"}
TABS = {"One sentence": sentence_tab, "Corpus": corpus_tab, "Table": rows_tab}

with gr.Blocks(title="GREEN", analytics_enabled=False, delete_cache=(60, KEPT)) as demo:
    gr.Markdown(ABOUT)
    for title, build in TABS.items():
        with gr.Tab(title):
            build()
    with gr.Tab("Metric card"):
        gr.Markdown(card(), header_links=True, elem_classes="green-card")

demo.queue(default_concurrency_limit=4, max_size=100)


def launch(**options):
    """Serve the pages. Its fonts are the browser's own, so that nothing comes from elsewhere."""
    fonts = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    theme = gr.themes.Default(primary_hue="emerald", **fonts)
    limits = {"max_file_size": f"{visitors.MOST_MEGABYTES}mb", "allowed_paths": [str(EXAMPLES)]}
    limits["state_session_capacity"] = MOST_VISITORS
    return demo.launch(theme=theme, css=pages.CSS, js=PASTE, **limits, **options)
