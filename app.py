"""The Space: score one sentence, and the metric card. In a clone: python app.py"""

import re
from pathlib import Path

import evaluate
import gradio as gr

HERE = Path(__file__).parent.resolve()
FIGURES = HERE / "experiments" / "figures"
GREEN = evaluate.load(str(HERE / "green.py"), keep_in_memory=True)

EXAMPLES = [
    [
        "She go to school every days .",
        "She goes to school every days .",
        "She goes to school every day .\nShe went to school each day .",
    ],
    ["What is you name ?", "Who is you name !", "Who are you ?\nWhat is your name ?"],
    ["彼は 学校 に 行くました 。", "彼は 学校 に 行きました 。", "彼は 学校 へ 行きました 。"],
]
MOST_CHARACTERS = 5_000


def score(source, correction, references, tokenizer, max_order, beta, effective_order):
    """F, precision and recall of one correction, and a row of counts for each order."""
    listed = [line for line in references.splitlines() if line.strip()]
    if max(map(len, (source, correction, references))) > MOST_CHARACTERS:
        raise gr.Error(f"Each text can have at most {MOST_CHARACTERS:,} characters.")
    if not listed:
        raise gr.Error("Give at least one reference, one a line.")
    try:
        result = GREEN.compute(
            sources=[source],
            predictions=[correction],
            references=[listed],
            tokenizer=tokenizer,
            max_order=int(max_order),
            beta=beta,
            effective_order=effective_order,
            strip=True,
            detailed=True,
        )
    except (TypeError, ValueError) as error:
        raise gr.Error(f"{error}.") from error
    columns = [name for name in result if isinstance(result[name], list)]
    rows = [
        [n + 1, *(round(result[name][n], 4) for name in columns)] for n in range(int(max_order))
    ]
    label = {name: result[name] for name in ("green", "precision", "recall")}
    headers = ["n", *(name.replace("_", " ") for name in columns)]
    return label, {"headers": headers, "data": rows}


def card() -> str:
    """The README without the front matter that only the Hub reads, with images that we serve."""
    text = re.sub(r"\A---\n.*?\n---\n", "", (HERE / "README.md").read_text("utf-8"), flags=re.S)
    return text.replace("](experiments/figures/", f"](gradio_api/file={FIGURES.as_posix()}/")


gr.set_static_paths([FIGURES])

with gr.Blocks(title="GREEN", analytics_enabled=False) as demo:
    gr.Markdown("# GREEN\nThe n-gram F-score for grammatical error correction.")
    with gr.Tab("One sentence"):
        source = gr.Textbox(EXAMPLES[0][0], label="Source")
        correction = gr.Textbox(EXAMPLES[0][1], label="Correction")
        references = gr.Textbox(EXAMPLES[0][2], label="References, one a line", lines=2)
        with gr.Row():
            tokenizer = gr.Radio(["word", "char"], value="word", label="Tokens")
            max_order = gr.Slider(1, 10, 4, step=1, label="Longest n-grams")
            beta = gr.Slider(0.1, 5, 2, step=0.1, label="β: how much more recall counts")
            effective_order = gr.Checkbox(True, label="Leave out orders too long for the texts")
        button = gr.Button("Score", variant="primary")
        result = gr.JSON(label="Result")
        orders = gr.Dataframe(label="Order by order", interactive=False, wrap=True)
        inputs = [source, correction, references]
        settings = [tokenizer, max_order, beta, effective_order]
        button.click(score, [*inputs, *settings], [result, orders], api_name="score")
        demo.load(score, [*inputs, *settings], [result, orders], api_name=False)
        gr.Examples(EXAMPLES, inputs)
    with gr.Tab("Metric card"):
        gr.Markdown(card())

if __name__ == "__main__":
    demo.launch()
