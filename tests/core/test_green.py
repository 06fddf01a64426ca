"""The module in evaluate: every way to load it and every way to feed it gives the same figures."""

import http.server
import inspect
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import evaluate
import pytest
from shared import (
    CORPUS,
    PREDICTIONS,
    REFERENCES,
    SOURCES,
    TEXTS,
    inputs,
    random_corpus,
    run_doctests,
)

from green_gec import score
from green_gec.options import METRICS


def test_load_a_folder(clone):
    assert evaluate.load(str(clone)).compute(**TEXTS) == score(*CORPUS)


def test_load_a_folder_by_its_relative_name(clone, monkeypatch):
    monkeypatch.chdir(clone.parent)
    assert evaluate.load("green").compute(**TEXTS) == score(*CORPUS)


def test_load_the_file_wherever_it_lies(clone, tmp_path):
    folder = tmp_path / "some folder"
    shutil.copytree(clone, folder)
    assert evaluate.load(str(folder / "green.py")).compute(**TEXTS) == score(*CORPUS)


class Hub(http.server.BaseHTTPRequestHandler):
    """Answers what the Hub answers for the files of one Space, and nothing else."""

    folder: Path
    asked: list

    def do_GET(self):
        self.asked.append(self.path)
        prefix, _, name = self.path.rpartition("/")
        path = self.folder / name
        found = prefix == "/spaces/someone/green/resolve/main" and path.is_file()
        self.send_response(200 if found else 404)
        content = path.read_bytes() if found else b""
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{name}-{len(content)}"')
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


def test_load_from_the_hub(clone, tmp_path):
    Hub.folder, Hub.asked = clone, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    code = (
        "import evaluate, json; metric = evaluate.load('someone/green'); "
        f"print(json.dumps(metric.compute(**{TEXTS!r})))"
    )
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    environment |= {
        "HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}",
        "HF_HOME": str(tmp_path),
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",  # which would ask another server
    }
    try:
        ran = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
        )
    finally:
        server.shutdown()
        server.server_close()
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == score(*CORPUS)
    assert "/spaces/someone/green/resolve/main/green.py" in Hub.asked


def test_compute_takes_every_option_of_score(metric):
    for options in (
        {"tokenizer": "char", "max_order": 3, "beta": 0.5},
        {"level": "mean", "effective_order": True},
        {"level": "sentence", "detailed": True, "beta": [1, 2]},
        {"tokenizer": list, "strip": True},
        {"n_resamples": 30, "confidence_level": 0.8, "detailed": True},
    ):
        assert metric.compute(**TEXTS, **options) == score(*CORPUS, **options, seed=7)


def test_the_seed_is_that_of_evaluate(clone):
    corpus = dict(zip(TEXTS, random_corpus(), strict=True))
    first, again, other = (
        evaluate.load(str(clone), seed=seed).compute(**corpus, n_resamples=20) for seed in (1, 1, 2)
    )
    assert first == again == score(**corpus, n_resamples=20, seed=1)
    assert other != first


def test_references_may_be_strings(metric):
    one_each = [texts[0] for texts in REFERENCES]
    result = metric.compute(sources=SOURCES, predictions=PREDICTIONS, references=one_each)
    assert result == score(SOURCES, PREDICTIONS, one_each)


def test_add_and_add_batch_in_any_mix(metric):
    sources, predictions, references = random_corpus(30)
    metric.add(sources=sources[0], prediction=predictions[0], reference=references[0])
    metric.add(sources=sources[1], prediction=predictions[1], reference=references[1])
    metric.add_batch(
        sources=sources[2:20], predictions=predictions[2:20], references=references[2:20]
    )
    metric.add(sources=sources[20], predictions=predictions[20], references=references[20])
    assert len(metric) == 21
    result = metric.compute(
        sources=sources[21:],
        predictions=predictions[21:],
        references=references[21:],
        level="sentence",
    )
    assert result == score(sources, predictions, references, level="sentence")
    assert len(metric) == 0


def test_one_reference_and_several_in_one_corpus(metric):
    metric.add_batch(sources=["a b"], predictions=["a b"], references=["a b"])
    metric.add_batch(sources=["a c"], predictions=["a b"], references=[["a b", "a"]])
    metric.add(sources="b", prediction="b", reference="c")
    expected = score(["a b", "a c", "b"], ["a b", "a b", "b"], ["a b", ["a b", "a"], "c"])
    assert metric.compute() == expected


def test_an_empty_batch_adds_nothing(metric):
    metric.add_batch(sources=[], predictions=[], references=[])
    metric.add_batch(**TEXTS)
    metric.add_batch(sources=[], predictions=[], references=[])
    assert metric.compute() == score(*CORPUS)


def test_many_sentences_in_one_batch(metric):
    corpus = random_corpus(25_000)
    texts = dict(zip(TEXTS, corpus, strict=True))
    result = metric.compute(**texts, level="sentence")
    assert result == score(*corpus, level="sentence")
    assert len(result["green"]) == 25_000
    metric.add_batch(**texts)
    assert metric.compute(level="sentence") == result


def test_keep_in_memory(clone):
    metric = evaluate.load(str(clone), keep_in_memory=True)
    metric.add_batch(**TEXTS)
    assert metric.compute() == score(*CORPUS)
    assert metric.compute(**TEXTS) == score(*CORPUS)


def test_combine(clone):
    # Each with files of its own: evaluate waits for a file that another metric uses.
    metrics = {name: evaluate.load(str(clone), experiment_id=name) for name in "ab"}
    both = evaluate.combine(metrics)
    expected = score(*CORPUS)
    prefixed = {f"{m}_{name}": expected[name] for m in "ab" for name in expected}
    assert both.compute(**TEXTS) == prefixed
    both.add_batch(**TEXTS)
    assert both.compute() == prefixed
    for source, prediction, texts in zip(*CORPUS, strict=True):
        both.add(sources=source, prediction=prediction, reference=texts)
    assert both.compute()["a_green"] == expected["green"]


def test_two_processes(clone, tmp_path):
    corpus = random_corpus(40)
    code = """
import json, sys, evaluate
folder, process, cache = sys.argv[1:]
columns = json.load(sys.stdin)
metric = evaluate.load(folder, num_process=2, process_id=int(process), cache_dir=cache,
                       experiment_id="two")
if process == "0":
    metric.add_batch(**columns)
    columns = {}
print(json.dumps(metric.compute(**columns, level="sentence")))
"""
    arguments = [str(clone), str(tmp_path)]
    running = []
    for process, half in enumerate([slice(0, 25), slice(25, 40)]):
        columns = dict(zip(TEXTS, [column[half] for column in corpus], strict=True))
        if process:  # this one has a single reference a sentence, the other has lists
            columns["references"] = [texts[0] for texts in columns["references"]]
        running.append(
            subprocess.Popen(
                [sys.executable, "-c", code, arguments[0], str(process), arguments[1]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        running[-1].stdin.write(json.dumps(columns))
        running[-1].stdin.close()
    first, second = (json.loads(process.stdout.read()) for process in running)
    for process in running:
        assert process.wait() == 0
    sources, predictions, references = corpus
    references = references[:25] + [texts[:1] for texts in references[25:]]
    assert first == score(sources, predictions, references, level="sentence")
    assert second is None


def test_the_documentations_examples(metric, clone, monkeypatch):
    monkeypatch.chdir(clone.parent)
    module = sys.modules[type(metric).__module__]
    assert module._KWARGS_DESCRIPTION.count(">>> ") >= 7
    run_doctests(module._KWARGS_DESCRIPTION, "green")


def test_what_evaluate_shows(metric):
    assert metric.name == "green"
    assert [list(features) for features in metric.features] == [list(TEXTS)] * 2
    assert "koyama" in metric.citation
    assert "tokenizer" in metric.compute.__doc__
    assert not any(
        p.kind is p.VAR_KEYWORD for p in inspect.signature(metric._compute).parameters.values()
    )


def test_an_unknown_configuration(clone):
    with pytest.raises(ValueError, match=r"no configuration 'blue'; choose green"):
        evaluate.load(str(clone), "blue")
    assert evaluate.load(str(clone), "green").compute(**TEXTS) == score(*CORPUS)


# The other scores.

OTHERS = {
    "gleu": {"selection": "max", "formula": "paper", "level": "mean"},
    "bleu": {"tokenizer": "char", "max_order": 3},
    "rouge": {"level": "sentence", "max_order": 1, "detailed": True},
    "f1": {"n_resamples": 20, "strip": True},
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_scores(clone, name):
    metric = evaluate.load(str(clone), name, seed=7)
    texts = inputs(name, TEXTS)
    expected = score(**texts, metric=name)
    assert metric.compute(**texts) == expected
    assert next(iter(expected)) == name
    assert metric.compute(**texts, **OTHERS[name]) == score(
        **texts, metric=name, **OTHERS[name], seed=7
    )
    metric.add_batch(**{column: values[:2] for column, values in texts.items()})
    one = {"prediction": PREDICTIONS[2], "reference": REFERENCES[2]}
    metric.add(**one, **({"sources": SOURCES[2]} if name == "gleu" else {}))
    assert metric.compute() == expected


def test_sources_are_asked_for_where_they_are_needed(clone):
    for name in METRICS:
        metric = evaluate.load(str(clone), name)
        needed = name in ("green", "gleu")
        assert [list(features) for features in metric.features] == [
            [*(["sources"] if needed else []), "predictions", "references"]
        ] * 2
        texts = {column: values for column, values in TEXTS.items() if column != "sources"}
        texts |= {} if needed else {"sources": SOURCES}
        message = f"sources are missing; {name} needs" if needed else f"{name} takes no sources"
        for call in (metric.compute, metric.add_batch):
            with pytest.raises(ValueError, match=message):
                call(**texts)
        if not needed:  # to give none is to leave them out
            none = inputs(name, TEXTS) | {"sources": None}
            assert metric.compute(**none) == score(**none, metric=name)
        one = {column: values[0] for column, values in texts.items()}
        with pytest.raises(ValueError, match=message):
            metric.add(**one)
        assert metric.compute(**inputs(name, TEXTS)) == score(**inputs(name, TEXTS), metric=name)


def test_scores_in_a_row(clone):
    together = evaluate.combine([evaluate.load(str(clone), name) for name in ("bleu", "rouge")])
    texts = {"predictions": PREDICTIONS, "references": REFERENCES}
    expected = score(**texts, metric="f1")
    assert together.compute(**texts) == {name: expected[name] for name in ("bleu", "rouge")}
    mixed = evaluate.combine([evaluate.load(str(clone), name) for name in ("gleu", "bleu")])
    mixed.add_batch(**TEXTS)
    assert mixed.compute() == score(*CORPUS, metric="gleu") | {"bleu": expected["bleu"]}
