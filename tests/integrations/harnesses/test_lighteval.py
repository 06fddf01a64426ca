"""The task for lighteval, run by its real pipeline and command."""

import json
import re
import shlex
import sys
from types import ModuleType, SimpleNamespace

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, EXAMPLES, ROOT, SYSTEMS

from green_gec import score

torch = pytest.importorskip("torch")
pytest.importorskip("lighteval")
pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture(autouse=True)
def lighteval_as_installed(monkeypatch):
    """lighteval 0.13 imports all of its own tasks, of which three cannot be imported here.

    One needs a network, the others huggingface_hub 1. Its log needs xxhash 3.
    """
    import xxhash
    from lighteval.logging import info_loggers

    for name in ("tiny_benchmarks", "mt_bench.main", "mix_eval.main"):
        name = f"lighteval.tasks.tasks.{name}"
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    hashes = SimpleNamespace(xxh64=lambda text: xxhash.xxh64(text.encode()))
    monkeypatch.setattr(info_loggers, "xxhash", hashes)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with torch.enable_grad():  # restored afterwards: lighteval switches gradients off for good
        yield


def reported(results):
    return results["results"]["all"]  # there is one task


def detailed_score(details):
    """The score of what lighteval logged about each sentence."""
    texts = [detail["metric"]["green"] for detail in details]
    assert texts
    names = ("source", "prediction", "references")
    return score(*([text[name] for text in texts] for name in names), tokenizer="13a")


def evaluated(model, tmp_path, **parameters):
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters

    pipeline = Pipeline(
        "green|0",
        PipelineParameters(
            launcher_type=ParallelismManager.NONE,
            custom_tasks_directory=str(EXAMPLES / "lighteval_task.py"),
            **parameters,
        ),
        EvaluationTracker(output_dir=str(tmp_path)),
        model=model,
    )
    pipeline.evaluate()
    return pipeline


def test_a_chat_model(tmp_path, monkeypatch):
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse

    answers = {
        source: re.sub(r" ([.,?!])", r"\1", text)  # attached to words, as a chat model writes it
        for source, text in zip(EXAMPLE_SOURCES, SYSTEMS["bold"], strict=True)
    }

    class Chat(DummyModel):
        def greedy_until(self, docs):
            completions = [
                f"<think>Is it\n\n<answer>{doc.specific['source']}</answer>?</think>\n"
                f"Sure! <answer>{answers[doc.specific['source']]}</answer>"
                for doc in docs
            ]
            return [ModelResponse(text=[completion]) for completion in completions]

    monkeypatch.chdir(tmp_path)
    texts = EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES
    for remove_reasoning_tags in (True, False):
        chat = Chat(DummyModelConfig(cache_dir=str(tmp_path)))
        pipeline = evaluated(chat, tmp_path, remove_reasoning_tags=remove_reasoning_tags)
        assert reported(pipeline.get_results()) == score(*texts, tokenizer="13a")


def test_the_dummy(tmp_path):
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig

    model = DummyModel(DummyModelConfig(cache_dir=str(tmp_path)))
    pipeline = evaluated(model, tmp_path, max_samples=5)
    details = [vars(detail) for detail in pipeline.get_details()["green|0"]]
    assert len(details) == 5
    assert reported(pipeline.get_results()) == detailed_score(details)


def test_the_documented_command(tmp_path, monkeypatch):
    """With a tiny model."""
    from datasets import load_dataset
    from lighteval.__main__ import app
    from tiny_models import save_chat_model
    from typer.testing import CliRunner

    save_chat_model(tmp_path / "model")
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "harnesses.md").read_text("utf-8")
    (command,) = re.findall(r"^lighteval (.*)$", page, flags=re.M)
    model = f"model_name={tmp_path}/model,cache_dir={tmp_path}/cache,batch_size=2,max_length=80"
    command, n_models = re.subn(r'"model_name=.*?"', shlex.quote(model), command)
    assert n_models == 1
    others = ["--max-samples", "5", "--output-dir", str(tmp_path), "--save-details"]
    ran = CliRunner().invoke(app, [*shlex.split(command), *others], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    (path,) = tmp_path.glob("results/**/results_*.json")
    found = reported(json.loads(path.read_text("utf-8")))
    (path,) = tmp_path.glob("details/**/*.parquet")
    details = load_dataset("parquet", data_files=str(path), split="train")
    assert len(details) == 5
    assert found == detailed_score(details)
    assert 0 < found["green"] < 1
