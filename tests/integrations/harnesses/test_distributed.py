"""The recipe for several processes, in two real ones."""

from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, EXAMPLES, SYSTEMS

from green_gec import score

CORPUS = (EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES)
SETTINGS = [
    (n_sentences, options)
    for n_sentences in (1, 60)  # one sentence leaves one of the processes without any
    for options in ({}, {"level": "mean", "effective_order": True}, {"n_resamples": 50})
]
SCRIPT = """
import os
import sys

import torch.distributed as dist
from distributed import score, share
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS


def watch(event, arguments):
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        written.append(str(arguments[0]))


written = []
sys.dont_write_bytecode = True
dist.init_process_group("gloo")
sys.addaudithook(watch)
for n_sentences, options in {settings}:
    texts = (EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES)
    mine = (column[:n_sentences][share(n_sentences)] for column in texts)
    print(score(*mine, **options))
print(written)
dist.destroy_process_group()
"""


def test_the_score_of_two_processes_is_that_of_the_whole(torchrun):
    """Nothing is written, not even a lock, which might not work on a disk that machines share."""
    expected = [
        score(*(column[:n_sentences] for column in CORPUS), **options)
        for n_sentences, options in SETTINGS
    ]
    found = torchrun(SCRIPT.format(settings=SETTINGS))
    assert found == [[*expected, []]] * 2


DOCUMENTED = """
import torch.distributed as dist
from distributed import share
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS, documented_code

dist.init_process_group("gloo")
texts = {"sources": EXAMPLE_SOURCES, "predictions": SYSTEMS["bold"]}
texts["references"] = EXAMPLE_REFERENCES
names = {name: column[share(60)] for name, column in texts.items()}
exec(documented_code("all_gather_object("), names)
print(names["result"])
dist.destroy_process_group()
"""


def test_the_documented_recipe(torchrun):
    assert torchrun(DOCUMENTED) == [[score(*CORPUS)]] * 2


def test_the_example_runs(torchrun):
    script = (EXAMPLES / "distributed.py").read_text("utf-8")
    found = torchrun(script.replace("Path(__file__).parent", f"Path({str(EXAMPLES)!r})"))
    assert found == [[score(*CORPUS, n_resamples=1000)], []]
