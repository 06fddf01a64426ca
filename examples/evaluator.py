"""GREEN in evaluate's evaluator and EvaluationSuite; docs/harnesses.md explains it."""

from pathlib import Path
from typing import ClassVar

from datasets import Dataset
from evaluate import EvaluationSuite, TextGenerationEvaluator
from evaluate.evaluation_suite import SubTask
from evaluate.evaluator import SUPPORTED_EVALUATOR_TASKS
from transformers import Pipeline

from green_gec import extract_answer
from green_gec.corpus import read_m2

EXAMPLES = Path(__file__).parent


class CorrectionEvaluator(TextGenerationEvaluator):
    """Evaluates language models that correct sentences.

    `input_column` holds the sentences, not the prompts, and `label_column` the references.
    """

    PROMPT = (
        "Correct the errors in the sentence below and change nothing else. Keep its spaces, even "
        'before punctuation and in "do n\'t". Write the corrected sentence between <answer> and '
        "</answer>.\n\n"
    )
    PIPELINE_KWARGS: ClassVar = {"return_full_text": False, "do_sample": False}
    # Options of the metric. Few models tokenise their output, so all texts are tokenised here.
    METRIC_KWARGS: ClassVar = {"tokenizer": "13a"}

    def __init__(self, task="text-generation", default_metric_name="green"):
        super().__init__(task, default_metric_name)

    def prepare_data(self, data, input_column, label_column):
        columns = {"input_column": input_column, "label_column": label_column}
        self.check_required_columns(data, columns)
        texts = {"sources": list(data[input_column]), "references": list(data[label_column])}
        return texts, [self.PROMPT + source for source in texts["sources"]]

    def prepare_pipeline(self, model_or_pipeline, *arguments, **others):
        # Of a pipeline, evaluate 0.4.6 asks whether it is of a class that transformers 5 dropped.
        if isinstance(model_or_pipeline, Pipeline):
            return model_or_pipeline
        return super().prepare_pipeline(model_or_pipeline, *arguments, **others)

    def call_pipeline(self, pipe, prompts):
        if pipe.tokenizer.chat_template:
            prompts = [[{"role": "user", "content": prompt}] for prompt in prompts]
        return super().call_pipeline(pipe, prompts)

    def predictions_processor(self, predictions, *others):
        completions = [first["generated_text"] for first, *_ in predictions]
        return {"predictions": [extract_answer(completion) for completion in completions]}


class Suite(EvaluationSuite):
    """A suite of one task, the bundled examples."""

    def __init__(self, name="green"):
        super().__init__(name)
        # A suite looks up evaluators by the names of transformers' pipelines.
        implementation = {"implementation": CorrectionEvaluator, "default_metric_name": "green"}
        SUPPORTED_EVALUATOR_TASKS["text-generation"] = implementation
        sources, references = read_m2(EXAMPLES / "references.m2")
        data = Dataset.from_dict({"source": sources, "references": references})
        arguments = {"input_column": "source", "label_column": "references"}
        self.suite = [SubTask("text-generation", data=data, args_for_task=arguments)]
