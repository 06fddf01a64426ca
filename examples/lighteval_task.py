"""GREEN in lighteval, for `--custom-tasks`; docs/harnesses.md explains it."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from datasets import Dataset
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from green_gec import extract_answer, score
from green_gec.corpus import read_m2

EXAMPLES = Path(__file__).parent
PROMPT = (
    "Correct the errors in the sentence below and change nothing else. Keep its spaces, even "
    'before punctuation and in "do n\'t". Write the corrected sentence between <answer> and '
    "</answer>.\n\n"
)
# Options of `score`. Few models tokenise their output, so all texts are tokenised here.
OPTIONS = {"tokenizer": "13a"}

# lighteval loads a dataset of the Hub, or a folder with a file per split.
FOLDER = TemporaryDirectory(prefix="green-")
sources, references = read_m2(EXAMPLES / "references.m2")
dataset = Dataset.from_dict({"source": sources, "references": references})
dataset.to_json(f"{FOLDER.name}/test.jsonl")


def prompt(row: dict, task_name: str) -> Doc:
    return Doc(
        query=PROMPT + row["source"],
        choices=[f"<answer>{text}</answer>" for text in row["references"]],
        gold_index=list(range(len(row["references"]))),
        specific={"source": row["source"], "references": row["references"]},
        task_name=task_name,
    )


class Texts(SampleLevelComputation):
    """Passes on the texts of a sentence: the scores are computed from the whole corpus."""

    def compute(self, doc: Doc, model_response: ModelResponse, **others: Any) -> dict:
        return {**doc.specific, "prediction": extract_answer(model_response.final_text[0])}


def corpus_score(items: list[dict]) -> dict[str, float]:
    # All three at once: a single number would be resampled by processes that cannot import this.
    names = ("source", "prediction", "references")
    return score(*([item[name] for item in items] for name in names), **OPTIONS)


TASKS_TABLE = [
    LightevalTaskConfig(
        name="green",
        prompt_function=prompt,
        hf_repo=FOLDER.name,
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        metrics=[
            CorpusLevelMetric(
                metric_name="green",
                higher_is_better=True,
                category=SamplingMethod.GENERATIVE,
                sample_level_fn=Texts(),
                corpus_level_fn=corpus_score,
            )
        ],
        generation_size=1024,
        stop_sequence=[],  # a chat model ends its turn itself
        version=1,
    )
]
