"""The task for lm-evaluation-harness, run by the real harness."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, EXAMPLES, ROOT, SYSTEMS

from green_gec import extract_answer, score

lm_eval = pytest.importorskip("lm_eval")
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.models.utils import postprocess_generated_text  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402

TASK = EXAMPLES / "lm_eval"
NAMES = ("green", "precision", "recall")
COLUMNS = [EXAMPLE_SOURCES, *map(list, zip(*EXAMPLE_REFERENCES, strict=True))]
OFFLINE = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
# As a chat model writes: with reasoning, marks, and punctuation that is attached to words.
ANSWERS = {
    source: f"<think>Is it\n\n<answer>{source}</answer>?</think>\nSure! <answer>{text}</answer>"
    for source, text in zip(
        EXAMPLE_SOURCES,
        [re.sub(r" ([.,?!])", r"\1", text) for text in SYSTEMS["bold"]],
        strict=True,
    )
}


class Chat(LM):
    """A model that gives these answers, and shows its prompts."""

    def generate_until(self, requests):
        self.prompts = [request.args[0] for request in requests]
        return [ANSWERS[request.doc["source"]] for request in requests]

    def loglikelihood(self, requests):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def run(model, metadata=None, **arguments):
    manager = TaskManager(include_path=str(TASK), include_defaults=False, metadata=metadata)
    return lm_eval.simple_evaluate(model, tasks=["green"], task_manager=manager, **arguments)


def reported(results):
    return {name: results["results"]["green"][f"{name},none"] for name in NAMES}


def logged_score(samples):
    """The score of the completions that the harness logged."""
    assert samples
    return score(
        [sample["doc"]["source"] for sample in samples],
        [extract_answer(sample["resps"][0][0], sample["doc"]["source"]) for sample in samples],
        [sample["doc"]["references"] for sample in samples],
        tokenizer="13a",
    )


def test_a_chat_model(tmp_path, monkeypatch):
    """Whatever the working folder; the figures are those of the tokenised texts."""
    monkeypatch.chdir(tmp_path)
    results = run(Chat())
    texts = EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES
    assert (
        reported(results)
        == score(*texts, tokenizer="13a")
        == logged_score(results["samples"]["green"])
    )
    assert results["results"]["green"]["green_stderr,none"] == "N/A"
    assert results["higher_is_better"]["green"] == dict.fromkeys(NAMES, True)


def test_a_limit(monkeypatch):
    # The harness looks for a tokenizer of its dummy.
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    results = run("dummy", limit=5)
    assert results["n-samples"]["green"] == {"original": 60, "effective": 5}
    assert reported(results) == logged_score(results["samples"]["green"])
    assert round(reported(results)["green"], 2) == 0.48  # as documented


def test_own_files_and_examples_in_the_prompt(tmp_path):
    for name, texts in (("source", EXAMPLE_SOURCES), ("reference", SYSTEMS["careful"])):
        (tmp_path / name).write_text("\n".join(texts[:6]), encoding="utf-8")
    files = {"source": f"{tmp_path}/source", "references": [f"{tmp_path}/reference"]}
    model = Chat()
    results = run(model, metadata=files, num_fewshot=4)
    texts = EXAMPLE_SOURCES[:6], SYSTEMS["bold"][:6], SYSTEMS["careful"][:6]
    assert reported(results) == score(*texts, tokenizer="13a")
    for prompt, source in zip(model.prompts, EXAMPLE_SOURCES, strict=False):
        *examples, question = prompt.split("Correct the errors")[1:]
        assert len(examples) == 4
        assert question.endswith(f"\n\n{source}")
        assert not [example for example in examples if source in example]  # nor its answer
        assert all(re.search(r"\S\n<answer>.+</answer>\n\n$", example) for example in examples)


def test_a_base_model():
    """It continues the examples of the prompt, and is stopped as documented."""

    class Base(Chat):
        def generate_until(self, requests):
            assert all(request.args[0].endswith(request.doc["source"]) for request in requests)
            return [
                postprocess_generated_text(
                    f"\n<answer>{request.doc['references'][0]}</answer>\n\nCorrect the errors",
                    request.args[1]["until"],
                    None,
                )
                for request in requests
            ]

    page = (ROOT / "docs" / "harnesses.md").read_text("utf-8")
    (until,) = re.findall(r"until=(\[.*?\])", page)
    results = run(Base(), num_fewshot=4, gen_kwargs={"until": json.loads(until)})
    assert reported(results)["green"] == 1.0


@pytest.mark.parametrize(
    ("number", "more"),
    [
        (0, "--limit 5 --gen_kwargs max_gen_toks=12"),
        (1, """--num_fewshot 2 --gen_kwargs max_gen_toks=12 'until=["\\n\\n"]'"""),
    ],
)
def test_the_documented_commands(number, more, tmp_path):
    """With a tiny model."""
    pytest.importorskip("torch")
    from tiny_models import save_chat_model

    save_chat_model(tmp_path / "model")
    for name, texts in zip(("src", "ref0", "ref1"), COLUMNS, strict=True):
        (tmp_path / f"dev.{name}").write_text("\n".join(texts[:5]), encoding="utf-8")
    page = (ROOT / "docs" / "harnesses.md").read_text("utf-8")
    command = re.findall(r"^```sh\n(lm_eval.*?)\n```$", page, flags=re.M | re.S)[number]
    command, n_models = re.subn(r"pretrained=\S+", f"pretrained={tmp_path}/model", command)
    assert n_models == 1
    scripts = Path(sys.executable).parent
    subprocess.run(
        ["bash", "-c", f"{command.replace('examples/', f'{EXAMPLES}/')} --device cpu {more}"],
        cwd=tmp_path,
        env={**os.environ, **OFFLINE, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
        check=True,
    )
    (path,) = tmp_path.glob("results/*/results_*.json")
    results = json.loads(path.read_text("utf-8"))
    (path,) = tmp_path.glob("results/*/samples_green_*.jsonl")
    samples = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows = zip(*(texts[:5] for texts in COLUMNS), strict=True)
    docs = [{"source": source, "references": references} for source, *references in rows]
    assert [sample["doc"] for sample in samples] == docs
    assert reported(results) == logged_score(samples)
    assert 0 < reported(results)["green"] < 1


PROCESS = """
import json
import sys

import torch
import torch.distributed as dist

sys.path[:0] = sys.argv[2:]
from test_lm_eval import Chat, reported, run


class Part(Chat):
    device = "cpu"

    def __init__(self):
        super().__init__()
        self._rank, self._world_size = dist.get_rank(), dist.get_world_size()

    def all_gather(self, tensor):
        gathered = [tensor.clone() for _ in range(self.world_size)]
        dist.all_gather(gathered, tensor)
        return torch.stack(gathered)

    def gather_object(self, given, dst=0):
        gathered = [None] * self.world_size if self.rank == dst else None
        dist.gather_object(given, gathered, dst)
        return gathered


dist.init_process_group("gloo")
results = run(Part(), limit=7)
if dist.get_rank() == 0:
    with open(sys.argv[1], "w") as file:
        json.dump(reported(results), file)
dist.destroy_process_group()
"""


def test_two_processes(tmp_path):
    """Each has a part of the sentences, of which one has more than the other."""
    pytest.importorskip("torch")
    (tmp_path / "process.py").write_text(PROCESS)
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    arguments = ["process.py", "found.json", str(Path(__file__).parent)]
    arguments += [str(ROOT / "tests"), str(ROOT / "tests/integrations")]
    environment = {**os.environ, **OFFLINE, "OMP_NUM_THREADS": "1"}
    subprocess.run([*launcher, *arguments], cwd=tmp_path, env=environment, check=True)
    texts = EXAMPLE_SOURCES[:7], SYSTEMS["bold"][:7], EXAMPLE_REFERENCES[:7]
    found = json.loads((tmp_path / "found.json").read_text())
    assert found == score(*texts, tokenizer="13a")
