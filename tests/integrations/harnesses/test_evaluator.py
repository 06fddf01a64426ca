"""The evaluator and the suite of the examples, and what evaluate's own evaluators do."""

from typing import ClassVar

import evaluate
import pytest
from datasets import Dataset
from evaluate.evaluator import SUPPORTED_EVALUATOR_TASKS
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, EXAMPLES, documented_code

from green_gec import score

pytest.importorskip("torch")
pytest.importorskip("scipy")
transformers = pytest.importorskip("transformers")

COLUMNS = {"input_column": "source", "label_column": "references"}
NAMES = ("green", "precision", "recall")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    from tiny_models import save_chat_model

    folder = tmp_path_factory.mktemp("model")
    save_chat_model(folder)
    return str(folder)


@pytest.fixture
def pipeline(model):
    return transformers.pipeline("text-generation", model, max_new_tokens=5)


@pytest.fixture
def dataset():
    rows = {"source": EXAMPLE_SOURCES[:8], "references": EXAMPLE_REFERENCES[:8]}
    return Dataset.from_dict(rows)


@pytest.fixture
def example(clone, monkeypatch):
    """The module among the examples, where evaluate finds the metric."""
    monkeypatch.chdir(clone.parent)
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setitem(  # which a suite replaces
        SUPPORTED_EVALUATOR_TASKS, "text-generation", SUPPORTED_EVALUATOR_TASKS["text-generation"]
    )
    import evaluator

    return evaluator


def expected(example, pipeline, sources, references):
    """The score of what the model writes."""
    texts = [example.CorrectionEvaluator.PROMPT + source for source in sources]
    if pipeline.tokenizer.chat_template:
        texts = [[{"role": "user", "content": text}] for text in texts]
    found = pipeline(texts, return_full_text=False, do_sample=False)
    predictions = [first["generated_text"] for (first,) in found]
    assert len(set(predictions)) > 1
    return score(sources, predictions, references, tokenizer="13a")


def scores(result):
    return {name: result[name] for name in NAMES}


@pytest.mark.parametrize("chat", [True, False])
def test_the_documented_evaluator(example, pipeline, dataset, chat):
    if not chat:
        pipeline.tokenizer.chat_template = None
    dataset = dataset.map(lambda row: {"source": row["source"].replace(" .", ".")})
    names = {"pipeline": pipeline, "dataset": dataset}
    exec(documented_code("CorrectionEvaluator()"), names)
    texts = dataset["source"], dataset["references"]
    assert scores(names["result"]) == expected(example, pipeline, *texts)
    assert 0 < names["result"]["green"] < 1


def test_a_model_by_its_name(example, model, dataset, metric):
    """And options of the metric, in a subclass."""

    class Short(example.CorrectionEvaluator):
        PIPELINE_KWARGS: ClassVar = {"return_full_text": False, "max_new_tokens": 5}
        METRIC_KWARGS: ClassVar = {"tokenizer": "char", "n_resamples": 10}

    result = Short().compute(model, data=dataset, metric=metric, **COLUMNS)
    low, high = result["confidence_interval"]
    assert low <= result["green"] <= high


def test_answers(example):
    completion = "<think>go or goes?</think>\nSure! <answer>He goes home.</answer>"
    chat = [{"role": "user", "content": "?"}, {"role": "assistant", "content": completion}]
    pipe_output = [[{"generated_text": completion}], [{"generated_text": chat}]]
    found = example.CorrectionEvaluator().predictions_processor(pipe_output)
    assert found == {"predictions": ["He goes home."] * 2}


def test_a_wrong_column(example, pipeline, dataset, metric):
    with pytest.raises(ValueError, match="Invalid `label_column` label"):
        example.CorrectionEvaluator().compute(
            pipeline, data=dataset, metric=metric, input_column="source"
        )


def test_the_documented_suite(example, pipeline):
    names = {"pipeline": pipeline}
    exec(documented_code("Suite()"), names)
    texts = EXAMPLE_SOURCES, EXAMPLE_REFERENCES
    assert scores(names["result"]) == expected(example, pipeline, *texts)


def test_a_suite_that_evaluate_loads(example, pipeline, dataset, tmp_path):
    """evaluate copies its file, so that it has to name its data."""
    code = (EXAMPLES / "evaluator.py").read_text("utf-8")
    code = code.replace("Path(__file__).parent", f"Path({str(EXAMPLES)!r})")
    (tmp_path / "suite.py").write_text(code, "utf-8")
    suite = evaluate.EvaluationSuite.load(str(tmp_path / "suite.py"))
    (task,) = suite.suite
    assert task.data[:8] == dataset[:]
    task.data = dataset  # to save time
    (result,) = suite.run(pipeline)
    assert scores(result) == expected(example, pipeline, dataset["source"], dataset["references"])


# What the documentation says about evaluate's own evaluators


def test_they_pass_neither_sources_nor_references(pipeline, dataset, clone):
    pipeline.model.generation_config.max_new_tokens = 1
    given = {"tokenizer": pipeline.tokenizer, "data": dataset, "input_column": "source"}
    for name in ("green", "bleu"):
        metric = evaluate.load(str(clone), name)
        with pytest.raises(TypeError, match=f"{name} has no option 'data'"):
            evaluate.evaluator("text-generation").compute(pipeline.model, metric=metric, **given)


@pytest.mark.skipif(hasattr(transformers, "TFPreTrainedModel"), reason="needs transformers 5")
def test_they_do_not_fit_transformers_5(pipeline, dataset, metric):
    with pytest.raises(KeyError, match="text2text-generation has been removed"):
        evaluate.evaluator("text2text-generation")
    own = evaluate.evaluator("text-generation")
    with pytest.raises(AttributeError, match="TFPreTrainedModel"):
        own.compute(pipeline, data=dataset, metric=metric, input_column="source")


def test_their_bootstrap_fails_for_lists_of_references(example, pipeline, dataset, metric):
    given = {"data": dataset, "metric": metric, "strategy": "bootstrap", "n_resamples": 10}
    with pytest.raises(ValueError, match="incompatible"):
        example.CorrectionEvaluator().compute(pipeline, **given, **COLUMNS)
