"""The torchmetrics `Metric` of the examples, alone and in two processes."""

import json
import pickle
import subprocess
import sys

import pytest
from shared import (
    EXAMPLE_REFERENCES,
    EXAMPLE_SOURCES,
    EXAMPLES,
    SYSTEMS,
    documented_code,
    load_example,
)

from green_gec import score

pytest.importorskip("torchmetrics")
Green = load_example("torchmetrics_green").Green

# Sentences with different numbers of references.
REFERENCES = [refs[: 1 + i % 2] for i, refs in enumerate(map(list, EXAMPLE_REFERENCES))]
CORPUS = (EXAMPLE_SOURCES, SYSTEMS["bold"], REFERENCES)
BATCHES = [tuple(column[i : i + 16] for column in CORPUS) for i in range(0, 60, 16)]
OPTIONS = [{}, {"tokenizer": "char", "beta": 0.5}, {"max_order": 2, "strip": True}]


def floats(found):
    return {name: value.item() for name, value in found.items()}


@pytest.mark.parametrize("options", OPTIONS)
def test_forward_compute_and_reset(options):
    metric = Green(options)
    for _ in range(2):
        for batch in BATCHES:
            assert floats(metric(*batch)) == score(*batch, **options)
        assert floats(metric.compute()) == score(*CORPUS, **options)
        metric.reset()
        assert not metric.counts.any()


@pytest.mark.parametrize(
    "send",
    [lambda metric: pickle.loads(pickle.dumps(metric)).clone(), lambda metric: metric.metric_state],
)
def test_states_are_merged(send):
    one, other = Green(), Green()
    for batch in BATCHES[:2]:
        one.update(*batch)
    for batch in BATCHES[2:]:
        other.update(*batch)
    one.merge_state(send(other))
    assert floats(one.compute()) == score(*CORPUS)


@pytest.mark.parametrize("options", [{"level": "mean"}, {"n_resamples": 10}, {"detailed": True}])
def test_scores_that_need_every_sentence(options):
    with pytest.raises(ValueError, match="no sum of counts is enough"):
        Green(options)


def test_texts_that_do_not_fit_change_nothing():
    metric = Green()
    metric.update(*CORPUS)
    with pytest.raises(ValueError, match="got 1 sources, 2 predictions, 1 references"):
        metric.update(["a"], ["a", "b"], ["a"])
    assert floats(metric.compute()) == score(*CORPUS)


TWO = """
import json
import torch.distributed as dist
from torchmetrics_green import Green

dist.init_process_group("gloo")
batches = json.load(open("batches.json"))
metric = Green()
for batch in batches[:3] if dist.get_rank() else batches[3:]:
    alone = metric(*batch)
for found in (alone, metric.compute()):
    print({name: value.item() for name, value in found.items()})
dist.destroy_process_group()
"""


def test_two_processes(torchrun, tmp_path):
    """Each sees some batches; `compute` adds the states of both."""
    (tmp_path / "batches.json").write_text(json.dumps(BATCHES))
    found = torchrun(TWO)
    assert found == [[score(*BATCHES[i]), score(*CORPUS)] for i in (3, 2)]


def test_the_documented_loop():
    names = {"batches": BATCHES}
    exec(documented_code("torchmetrics_green"), names)
    assert floats(names["result"]) == score(*CORPUS, tokenizer="13a")


def test_the_example_runs():
    command = [sys.executable, str(EXAMPLES / "torchmetrics_green.py")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    first = [references[0] for references in EXAMPLE_REFERENCES]
    expected = score(EXAMPLE_SOURCES, SYSTEMS["bold"], first)
    assert ran.stdout == f"{ {name: round(value, 4) for name, value in expected.items()} }\n"
