"""The module in evaluate: every way to load it and every way to feed it gives the same figures."""

import copy
import http.server
import inspect
import pickle
import shutil
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from shared import (
    BAD_OPTIONS,
    BAD_TEXTS,
    CORPUS,
    PREDICTIONS,
    REFERENCES,
    SOURCES,
    TEXTS,
    inputs,
    random_corpus,
    run_doctests,
)

from green_gec import explain, green, score
from green_gec.metrics import METRICS


def one(i):
    """A sentence of the small corpus as `add` takes it."""
    return {"sources": SOURCES[i], "prediction": PREDICTIONS[i], "reference": REFERENCES[i]}


def some(start, stop):
    """Some of its sentences as `add_batch` and `compute` take them."""
    return {name: texts[start:stop] for name, texts in TEXTS.items()}


# Loading


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


def test_load_from_the_hub(clone, tmp_path, monkeypatch):
    Hub.folder, Hub.asked = clone, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    address = f"http://127.0.0.1:{server.server_port}/spaces/{{path}}/resolve/{{revision}}/{{name}}"
    monkeypatch.setattr(evaluate.config, "HUB_EVALUATE_URL", address)
    # Which would ask another server.
    monkeypatch.setattr(evaluate.config, "HF_UPDATE_DOWNLOAD_COUNTS", False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        metric = evaluate.load("someone/green")
    finally:
        server.shutdown()
        server.server_close()
    assert metric.compute(**TEXTS) == score(*CORPUS)
    assert "someone" in type(metric).__module__
    assert "/spaces/someone/green/resolve/main/green.py" in Hub.asked


# Options given to evaluate.load


def test_options_of_load_are_the_defaults_of_compute(clone):
    metric = evaluate.load(str(clone), tokenizer="13a", beta=1.0)
    options = {"tokenizer": "13a", "beta": 1.0}
    assert metric.compute(**TEXTS) == score(*CORPUS, **options)
    assert metric.compute(**TEXTS, beta=0.5) == score(*CORPUS, tokenizer="13a", beta=0.5)
    assert metric.compute(**TEXTS, tokenizer="char", max_order=2) == score(
        *CORPUS, tokenizer="char", beta=1.0, max_order=2
    )
    assert metric.compute(**TEXTS) == score(*CORPUS, **options)
    metric.add_batch(**TEXTS)
    assert metric.compute(level="sentence") == score(*CORPUS, **options, level="sentence")


def test_options_of_load_are_in_the_signature(clone):
    metric = evaluate.load(str(clone), tokenizer="13a", beta=1.0, detailed=True)
    assert "|tok:13a|order:4|beta:1|" in metric.compute(**TEXTS)["signature"]
    assert "|tok:13a|order:2|beta:3|" in metric.compute(**TEXTS, beta=3, max_order=2)["signature"]


def test_options_of_load_for_another_metric(clone):
    options = {"formula": "paper", "selection": "max", "level": "mean"}
    metric = evaluate.load(str(clone), "gleu", **options)
    assert metric.compute(**TEXTS) == score(*CORPUS, metric="gleu", **options)


def test_explanations_have_the_options_of_load_that_apply_to_a_sentence(clone):
    metric = evaluate.load(str(clone), tokenizer="char", level="mean", n_resamples=9, detailed=True)
    sentence = (SOURCES[0], PREDICTIONS[0], REFERENCES[0])
    assert metric.explain(*sentence).result == explain(*sentence, tokenizer="char").result
    expected = explain(*sentence, tokenizer="word", beta=1.0).result
    assert metric.explain(*sentence, tokenizer="word", beta=1.0).result == expected


@pytest.mark.parametrize(
    ("name", "options", "kind", "message"),
    [
        ("green", {"betta": 1.0}, TypeError, r"green has no option 'betta' \(did you mean 'beta'"),
        ("bleu", {"max_oder": 3}, TypeError, r"bleu has no option 'max_oder' \(did you mean 'max_"),
        ("bleu", {"beta": 1.0}, ValueError, "bleu has no option 'beta'; its options are tokenizer"),
        ("green", {"formula": "paper"}, ValueError, "green has no option 'formula'; its options a"),
        ("green", {"paired": "ar"}, ValueError, "green has no option 'paired'; its options are to"),
        ("green", {"metric": "bleu"}, ValueError, "green has no option 'metric'"),
        ("green", {"beta": -1}, ValueError, "beta must be a positive number, not -1"),
        ("gleu", {"selection": "mean"}, ValueError, "selection must be 'sample' or 'max' for gleu"),
    ],
)
def test_wrong_options_are_refused_at_load(clone, name, options, kind, message):
    with pytest.raises(kind, match=f"^{message}"):
        evaluate.load(str(clone), name, **options)


def test_the_keywords_of_evaluate_are_not_options(clone, tmp_path):
    keywords = {"seed": 3, "timeout": 7, "keep_in_memory": True, "experiment_id": "mine"}
    keywords |= {"max_concurrent_cache_files": 5}
    metric = evaluate.load(str(clone), **keywords, cache_dir=str(tmp_path), beta=1.0)
    assert {name: getattr(metric, name) for name in keywords} == keywords
    assert metric.data_dir.startswith(str(tmp_path))
    assert metric.compute(**TEXTS) == score(*CORPUS, beta=1.0)
    parameters = inspect.signature(evaluate.EvaluationModule.__init__).parameters
    assert [*parameters] == ["self", *green._EVALUATE_KEYWORDS, "kwargs"]


def test_a_combination_uses_the_options_of_load(clone):
    """There is no other way to give them: evaluate passes on texts only."""
    metrics = {
        "word": evaluate.load(str(clone), beta=1.0, experiment_id="word"),
        "char": evaluate.load(str(clone), tokenizer="char", experiment_id="char"),
    }
    both = evaluate.combine(metrics)
    expected = {
        f"{name}_{key}": value
        for name, options in (("word", {"beta": 1.0}), ("char", {"tokenizer": "char"}))
        for key, value in score(*CORPUS, **options).items()
    }
    assert both.compute(**TEXTS) == expected
    both.add_batch(**TEXTS)
    assert both.compute() == expected


def test_a_metric_can_be_copied_and_sent(clone):
    metric = evaluate.load(str(clone), beta=1.0)
    expected = score(*CORPUS, beta=1.0)
    for other in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert other.compute(**TEXTS) == expected
        other.add_batch(**some(0, 2))
        assert other.compute(**some(2, 3)) == expected


# Texts all at once, in batches, one by one


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


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_all_texts_in_one_call_are_not_stored(clone, tmp_path, keep_in_memory):
    """Nor does it change the metric, whether it fails or not."""
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path), keep_in_memory=keep_in_memory)
    before = dict(vars(metric))
    assert metric.compute(**TEXTS) == score(*CORPUS)
    with pytest.raises(ValueError, match="the tokenizer failed"):
        metric.compute(**TEXTS, tokenizer=lambda text: 1 / 0)
    for bad, error, message in BAD_TEXTS:
        with pytest.raises(error, match=message):
            metric.compute(**TEXTS | bad)
    assert vars(metric) == before
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


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
    """In threads here, since importing evaluate takes long; they share nothing but the files."""
    sources, predictions, references = random_corpus(40)
    # One process has single references, the other has lists.
    references = references[:25] + [texts[0] for texts in references[25:]]
    corpus = dict(zip(TEXTS, (sources, predictions, references), strict=True))
    first, second = (
        evaluate.load(
            str(clone), num_process=2, process_id=i, cache_dir=str(tmp_path), experiment_id="two"
        )
        for i in range(2)
    )

    def compute_first():
        first.add_batch(**{name: texts[:25] for name, texts in corpus.items()})
        return first.compute(level="sentence")

    def compute_second():
        return second.compute(
            **{name: texts[25:] for name, texts in corpus.items()}, level="sentence"
        )

    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(compute) for compute in (compute_first, compute_second)]
        results = [result.result() for result in results]
    assert results == [score(**corpus, level="sentence"), None]


def test_the_documentations_examples(metric, clone, monkeypatch):
    monkeypatch.chdir(clone.parent)
    module = sys.modules[type(metric).__module__]
    assert module._KWARGS_DESCRIPTION.count(">>> ") >= 7
    run_doctests(module._KWARGS_DESCRIPTION, "green")


def test_what_evaluate_shows(metric):
    assert metric.name == "green"
    text = datasets.Value("string")
    assert metric.features == {
        "sources": text,
        "predictions": text,
        "references": datasets.Sequence(text),
    }
    assert "koyama" in metric.citation
    assert "tokenizer" in metric.compute.__doc__
    assert not any(
        p.kind is p.VAR_KEYWORD for p in inspect.signature(metric._compute).parameters.values()
    )


def test_an_unknown_configuration(clone):
    with pytest.raises(ValueError, match=r"no configuration 'blue'; choose green"):
        evaluate.load(str(clone), "blue")
    assert evaluate.load(str(clone), "green").compute(**TEXTS) == score(*CORPUS)


# Calls that are refused

# A batch of no sentences adds nothing.
BAD_BATCHES = [case for case in BAD_TEXTS if case[2] != "no sentences"]


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_a_refused_computation_loses_nothing_and_keeps_nothing(clone, tmp_path, keep_in_memory):
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path), keep_in_memory=keep_in_memory)
    metric.add_batch(**some(0, 2))
    refused = [({}, *case) for case in BAD_OPTIONS]
    refused += [(TEXTS, *case) for case in BAD_OPTIONS]
    refused += [(TEXTS | bad, {}, *case) for bad, *case in BAD_BATCHES]
    refused += [
        ({}, {"betta": 1.0}, TypeError, "green has no option 'betta'"),
        (TEXTS, {"betta": 1.0}, TypeError, "green has no option 'betta'"),
        ({"sources": SOURCES}, {}, ValueError, "predictions are missing"),
        ({"predictions": PREDICTIONS}, {}, ValueError, "sources are missing; green needs them"),
    ]
    for texts, options, error, message in refused:
        with pytest.raises(error, match=message):
            metric.compute(**texts, **options)
        assert len(metric) == 2
    metric.add(**one(2))
    assert metric.compute() == score(*CORPUS)


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_nothing_to_compute(clone, tmp_path, keep_in_memory):
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path), keep_in_memory=keep_in_memory)
    for _ in range(2):
        with pytest.raises(ValueError, match="there are no sentences to score"):
            metric.compute()
        with pytest.raises(ValueError, match="there are no sentences to score"):
            metric.compute(beta=1.0)
        with pytest.raises(TypeError, match="green has no option 'betta'"):
            metric.compute(betta=1.0)
        metric.add_batch(**TEXTS)
        assert metric.compute() == score(*CORPUS)  # which forgets them


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_a_refused_batch_is_not_half_added(clone, tmp_path, keep_in_memory):
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path), keep_in_memory=keep_in_memory)
    for n_added in (0, 3):
        for bad, error, message in BAD_BATCHES:
            with pytest.raises(error, match=message):
                metric.add_batch(**TEXTS | bad)
        with pytest.raises(TypeError, match="source"):
            metric.add_batch(source=SOURCES, predictions=PREDICTIONS, references=REFERENCES)
        assert len(metric) == n_added
        if not n_added:
            assert not [path for path in tmp_path.rglob("*") if path.is_file()]
            metric.add_batch(**TEXTS)
    assert metric.compute() == score(*CORPUS)


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_a_refused_sentence_is_not_added(clone, tmp_path, keep_in_memory):
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path), keep_in_memory=keep_in_memory)
    for i in range(3):
        for bad, error, message in (
            ({"sources": None}, ValueError, "sources are missing; green needs them"),
            ({"prediction": 3}, TypeError, r"predictions\[0\] must be a string, not 3"),
            ({"prediction": ["a"]}, TypeError, r"predictions\[0\] must be a string, not \['a'\]"),
            ({"reference": []}, ValueError, r"references\[0\] is empty"),
            ({"reference": ["a", None]}, TypeError, r"references\[0\]\[1\] must be a string"),
            ({"reference": None}, TypeError, r"references\[0\] must be a string or a list"),
            ({"extra": "a"}, TypeError, "extra"),
        ):
            with pytest.raises(error, match=message):
                metric.add(**one(i) | bad)
        with pytest.raises(ValueError, match="sources are missing; green needs them"):
            metric.add(prediction="a", reference="a")
        assert len(metric) == i
        metric.add(**one(i))
    assert metric.compute() == score(*CORPUS)


# Every kind of input, stored or not

ONE_EACH = [texts[0] for texts in REFERENCES]


class Word(str):
    """What some libraries return in place of strings."""


def of_datasets(texts):
    return datasets.Dataset.from_dict({"texts": texts})["texts"]


# How a column can be given, rightly or wrongly: functions, since iterators can be read only once.
KINDS = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "iterator": iter,
    "generator": lambda texts: (text for text in texts),
    "map": lambda texts: map(Word, texts),
    "values of a dictionary": lambda texts: dict(enumerate(texts)).values(),
    "keys of a dictionary": lambda texts: dict.fromkeys(map(str, texts)),
    "set": lambda texts: set(map(str, texts)),
    "one string": " ".join,
    "bytes": lambda texts: [text.encode() for text in texts],
    "lists of words": lambda texts: [text.split() for text in texts],
    "strings of another class": lambda texts: list(map(Word, texts)),
    "numbers": lambda texts: list(map(len, texts)),
    "true": lambda texts: True,
    "one more": lambda texts: [*texts, "a"],
    "none at all": lambda texts: [],
    "only empty texts": lambda texts: [""] * len(texts),
    "NumPy": np.array,
    "NumPy objects": lambda texts: np.array(texts, dtype=object),
    "NumPy strings": lambda texts: list(np.array(texts)),
    "NumPy table": lambda texts: np.array([texts, texts]).T,
    "NumPy of no dimension": lambda texts: np.array(texts[0]),
    "pandas": lambda texts: pd.Series(texts, index=[5, 3, 4]),
    "pandas strings": lambda texts: pd.Series(texts, dtype="string"),
    "pandas categories": lambda texts: pd.Series(texts, dtype="category"),
    "pandas index": pd.Index,
    "pandas with a gap": lambda texts: pd.Series([None, *texts[1:]]),
    "pandas table": lambda texts: pd.DataFrame({"texts": texts}),
    "Arrow": pa.array,
    "Arrow with a gap": lambda texts: pa.array([*texts[:-1], None]),
    "Arrow, large": lambda texts: pa.array(texts, pa.large_string()),
    "Arrow, views": lambda texts: pa.array(texts, pa.string_view()),
    "Arrow, dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "Arrow, binary": lambda texts: pa.array(texts, pa.binary()),
    "Arrow, nulls": lambda texts: pa.nulls(len(texts)),
    "Arrow, a part": lambda texts: pa.array(["a", *texts, "b"])[1:-1],
    "Arrow, in pieces": lambda texts: pa.chunked_array([texts[:1], [], texts[1:]]),
    "Arrow, no pieces": lambda texts: pa.chunked_array([], pa.string()),
    "Arrow, a scalar": lambda texts: pa.scalar(texts[0]),
    "datasets": of_datasets,
    "nothing": lambda texts: None,
}
# Further ways to give references.
REFERENCE_KINDS = {
    "tuples": lambda texts: list(map(tuple, texts)),
    "iterators": lambda texts: list(map(iter, texts)),
    "an iterator of iterators": lambda texts: map(iter, texts),
    "strings and lists": lambda texts: ["a", *texts[1:]],
    "NumPy in a list": lambda texts: list(map(np.array, texts)),
    "pandas in a list": lambda texts: list(map(pd.Series, texts)),
    "Arrow in a list": lambda texts: list(map(pa.array, texts)),
    "NumPy, ragged": lambda texts: np.array(texts, dtype=object),
    "pandas": pd.Series,
    "Arrow": pa.array,
    "Arrow, large": lambda texts: pa.array(texts, pa.large_list(pa.large_string())),
    "Arrow, fixed": lambda texts: pa.array([t[:1] for t in texts], pa.list_(pa.string(), 1)),
    "Arrow, in pieces": lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
    "Arrow, lists of lists": lambda texts: pa.array([texts] * 3),
    "datasets": of_datasets,
    "transposed": lambda texts: list(zip(*(t[:1] * 2 for t in texts), strict=True)),
    "sets": lambda texts: list(map(set, texts)),
    "a dictionary": lambda texts: {"texts": texts},
}
GIVEN = [
    pytest.param(column, kind, texts, id=f"{column}: {name}")
    for column, texts in [*TEXTS.items(), ("references", ONE_EACH)]
    for name, kind in (REFERENCE_KINDS if texts is REFERENCES else KINDS).items()
]


@pytest.fixture(scope="module")
def in_memory(clone):
    return evaluate.load(str(clone), keep_in_memory=True)


@pytest.mark.parametrize(("column", "kind", "texts"), GIVEN)
def test_every_kind_of_input(in_memory, column, kind, texts):
    """What `score` says of it, `compute` says as well, whether texts are stored first or not."""

    def outcome(function):
        try:
            return function(**TEXTS | {column: kind(texts)})
        except (TypeError, ValueError) as error:
            return type(error), str(error)

    def add_and_compute(**texts):
        in_memory.add_batch(**texts)
        return in_memory.compute()

    assert outcome(in_memory.compute) == outcome(add_and_compute) == outcome(score)
    assert len(in_memory) == 0


# The other scores

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
        assert list(metric.features) == [
            *(["sources"] if needed else []),
            *("predictions", "references"),
        ]
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
