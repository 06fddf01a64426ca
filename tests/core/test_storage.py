"""A metric between `add` and `compute`: bad input, every kind of input, interruptions."""

import copy
import errno
import os
import pickle
import warnings
from collections import deque
from pathlib import Path

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st
from shared import (
    BAD_OPTIONS,
    BAD_TEXTS,
    BAD_TOKENIZERS,
    CORPUS,
    PREDICTIONS,
    REFERENCES,
    SOURCES,
    TEXTS,
    corpora,
    inputs,
)

from green_gec import score

MANY = {
    "sources": [f"He go to place {i} every days ." for i in range(400)],
    "predictions": [f"He goes to place {i} every day{'s' * (i % 3)} ." for i in range(400)],
    "references": [[f"He goes to place {i} every day ."] for i in range(400)],
}
EXPECTED = score(**MANY)
# Everything that cannot be scored, of the small corpus.
BAD = [(TEXTS | texts, {}, error, message) for texts, error, message in BAD_TEXTS]
BAD += [(TEXTS, options, error, message) for options, error, message in BAD_OPTIONS]
BAD += [(TEXTS, {"tokenizer": split}, error, message) for split, error, message in BAD_TOKENIZERS]


def some(start, stop):
    return {name: texts[start:stop] for name, texts in MANY.items()}


def one(i):
    """Sentence i as `add` takes it."""
    sources, predictions, references = MANY.values()
    return {"sources": sources[i], "prediction": predictions[i], "reference": references[i]}


def files(folder):
    """What is left in a folder, but for locks."""
    return [path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


# Bad input


@pytest.mark.parametrize(("texts", "options", "error", "match"), BAD)
def test_compute_fails_and_works_on(metric, texts, options, error, match):
    for _ in range(2):
        with pytest.raises(error, match=match):
            metric.compute(**texts, **options)
        assert len(metric) == 0
        assert metric.compute(**TEXTS) == score(*CORPUS)
    assert files(Path(metric.data_dir)) == []


@pytest.mark.parametrize(("texts", "options", "error", "match"), BAD)
def test_what_was_added_stays(metric, texts, options, error, match):
    """A failed computation loses nothing, and keeps nothing of what it was given."""
    metric.add_batch(**{name: column[:1] for name, column in TEXTS.items()})
    if texts["sources"]:
        with pytest.raises(error, match=match):
            metric.compute(**texts, **options)
    metric.add_batch(**{name: column[1:] for name, column in TEXTS.items()})
    assert metric.compute() == score(*CORPUS)
    assert files(Path(metric.data_dir)) == []


@pytest.mark.parametrize(
    ("bad", "error", "match"),
    [case for case in BAD_TEXTS if case[2] != "no sentences"],  # which adds nothing
)
def test_a_bad_batch_is_not_half_added(metric, bad, error, match):
    texts = TEXTS | bad
    for _ in range(2):
        with pytest.raises(error, match=match):
            metric.add_batch(**texts)
    assert len(metric) == 0
    metric.add_batch(**TEXTS)
    with pytest.raises(error, match=match):
        metric.add_batch(**texts)
    assert metric.compute() == score(*CORPUS)


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_a_failed_tokenizer_after_adding(clone, keep_in_memory):
    metric = evaluate.load(str(clone), keep_in_memory=keep_in_memory)
    metric.add_batch(**TEXTS)
    for _ in range(2):
        with pytest.raises(ValueError, match="tokenizer failed"):
            metric.compute(tokenizer=lambda text: 1 / 0)
    assert len(metric) == len(SOURCES)
    assert metric.compute() == score(*CORPUS)


def test_a_bad_sentence_is_not_added(metric):
    metric.add(**one(0))
    for bad in (
        {"sources": None, "prediction": "a", "reference": "a"},
        {"sources": "a", "prediction": 3, "reference": "a"},
        {"sources": "a", "prediction": "a", "reference": []},
        {"sources": "a", "prediction": "a"},
        {"prediction": "a", "reference": "a"},
        {"sources": "a", "prediction": "a", "reference": "a", "extra": "a"},
        {"sources": "a", "prediction": "a", "predictions": "b", "reference": "a"},
    ):
        with pytest.raises((TypeError, ValueError)):
            metric.add(**bad)
    metric.add_batch(**some(1, 400))
    assert metric.compute() == EXPECTED


def test_missing_and_unknown_arguments(metric):
    with pytest.raises(ValueError, match="sources"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(ValueError, match="sources are missing"):
        metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(TypeError, match="no input 'source'; the inputs are sources, predictions"):
        metric.add_batch(source=SOURCES, predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(
        TypeError, match="green has no option 'betta'; its options are tokenizer, max_order"
    ):
        metric.compute(**TEXTS, betta=1.0)
    with pytest.raises(ValueError, match=r"add.*at least once"):
        metric.compute()
    assert metric.compute(**TEXTS) == score(*CORPUS)


def test_a_failed_call_leaves_other_metrics_alone(clone, tmp_path):
    """They may use the file name that this one used before."""
    first, second = (evaluate.load(str(clone), cache_dir=str(tmp_path)) for _ in range(2))
    first.add_batch(**TEXTS)
    first.compute()
    second.add_batch(**TEXTS)
    with pytest.raises(ValueError, match=r"add.*at least once"):
        first.compute()
    assert second.compute() == score(*CORPUS)


# All texts in one call are not stored. Everything else must be as if they were.

ONE_EACH = [texts[0] for texts in REFERENCES]


class Word(str):
    """What some libraries return in place of strings."""


def of_datasets(texts):
    return Dataset.from_dict({"texts": texts})["texts"]


def drawn_words(text):
    """Depends on the seed, which evaluate sets."""
    return [str(np.random.rand()) for _ in text.split()][:1] + text.split()  # noqa: NPY002


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
    "single words": lambda texts: [[text] for text in texts],
    "strings of another class": lambda texts: list(map(Word, texts)),
    "numbers": lambda texts: list(map(len, texts)),
    "true": lambda texts: True,
    "one more": lambda texts: [*texts, "a"],
    "none at all": lambda texts: [],
    "an empty iterator": lambda texts: iter([]),
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
# Calls that are wrong, or odd, as a whole.
CALLS = [
    {"source": SOURCES},
    {"prediction": PREDICTIONS, "reference": REFERENCES},
    {"sources": SOURCES},
    {"predictions": PREDICTIONS},
    {"references": REFERENCES},
    {"sources": SOURCES, "predictions": PREDICTIONS},
    {"sources": None, "predictions": PREDICTIONS, "references": REFERENCES},
    {"predictions": PREDICTIONS, "references": REFERENCES},
    {"predictions": PREDICTIONS, "references": REFERENCES, "level": "sentence"},
    {"predictions": PREDICTIONS, "references": REFERENCES, "beta": 1},
    TEXTS,
    TEXTS | {"extra": 1},
    TEXTS | {"prediction": PREDICTIONS},
    TEXTS | {"texts": None},
    TEXTS | {"metric": "bleu"},
    TEXTS | {"seed": 1},
    TEXTS | {"paired": "ar"},
    TEXTS | {"self": 1},
    TEXTS | {"inputs": 1, "options": 2},
    TEXTS | {"formula": "paper"},
    TEXTS | {"iterations": 3, "beta": 2},
    TEXTS | {"beta": [1, 2], "level": "sentence", "detailed": True},
    TEXTS | {"n_resamples": 9},
    TEXTS | {"tokenizer": "char"},
    TEXTS | {"tokenizer": drawn_words},
    # More than are counted at once.
    {"sources": ["a"] * 9000 + [1], "predictions": ["a"] * 9001, "references": ["a"] * 9001},
    {name: ["a"] * 9000 for name in TEXTS} | {"max_order": 50, "level": "mean"},
    # Two things are wrong.
    TEXTS | {"predictions": 3, "beta": -1},
    TEXTS | {"predictions": [1, 2, 3], "references": [1, 2, 3]},
    TEXTS | {"predictions": ["a", "b", 3], "tokenizer": lambda text: 1 / 0},
]


def outcome(function, arguments):
    """The result, or the error's type and message; and the warnings, with the lines they name."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = function(**arguments)
        except Exception as error:
            found = type(error), str(error), getattr(error, "errno", None)
    told = [(each.category, str(each.message), each.filename, each.lineno) for each in caught]
    assert all(filename == __file__ for _, _, filename, _ in told)
    return found, told


def assert_same(metric, make):
    """`compute` does the same, whether it stores the texts or not; `make` gives its arguments."""
    metric.add_batch(**{name: [] for name in metric._feature_names()})  # now it does
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    stored = outcome(metric.compute, make())
    metric._drop()  # if it failed
    assert outcome(metric.compute, make()) == stored
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    assert len(metric) == 0
    return stored


@pytest.fixture(scope="module", params=["green", "bleu"])
def either(clone, request):
    return evaluate.load(str(clone), request.param, seed=7)


@pytest.mark.parametrize(("column", "kind", "texts"), GIVEN)
def test_every_kind_of_input(metric, column, kind, texts):
    def make():
        return TEXTS | {column: kind(texts)}

    found, _ = assert_same(metric, make)
    assert found == outcome(score, make())[0]


@pytest.mark.parametrize("arguments", CALLS)
def test_every_kind_of_call(either, arguments):
    assert_same(either, lambda: dict(arguments))


@pytest.mark.parametrize(("texts", "options"), [(texts, options) for texts, options, *_ in BAD])
def test_every_kind_of_error(either, texts, options):
    without = inputs(either._metric, texts)
    assert_same(either, lambda: texts | options)
    assert_same(either, lambda: without | options)


@given(texts=corpora(), options=st.sampled_from([{}, {"level": "sentence"}, {"n_resamples": 3}]))
def test_every_corpus(either, texts, options):
    assert_same(either, lambda: inputs(either._metric, texts) | options)


def interrupt(text):
    raise KeyboardInterrupt


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_all_texts_in_one_call_are_not_stored(clone, tmp_path, keep_in_memory):
    """Nor does it change the metric, whether it fails or not."""
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path), keep_in_memory=keep_in_memory)
    before = dict(vars(metric))
    assert metric.compute(**TEXTS) == score(*CORPUS)
    interruption = (TEXTS, {"tokenizer": interrupt}, KeyboardInterrupt, "")
    for texts, options, error, _ in [*BAD, interruption]:
        with pytest.raises(error):
            metric.compute(**texts, **options)
    assert vars(metric) == before
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_metric_can_be_copied_and_sent(metric):
    for other in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert other.compute(**MANY) == EXPECTED
        other.add_batch(**some(0, 100))
        assert other.compute(**some(100, 400)) == EXPECTED


# Windows, which does not remove a file that is mapped into memory


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux to see mappings")
@pytest.mark.parametrize("fails", [False, True])
def test_files_are_not_mapped_when_they_are_removed(clone, tmp_path, monkeypatch, fails):
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path))
    removed, remove = [], os.remove

    def watched(path):
        removed.append(str(path) in Path("/proc/self/maps").read_text("utf-8"))
        remove(path)

    monkeypatch.setattr(os, "remove", watched)
    for copies in (False, True):
        monkeypatch.setattr(type(metric), "_copies_files", copies)
        metric.add_batch(**some(0, 10))
        if fails:
            with pytest.raises(ValueError, match="the tokenizer failed"):
                metric.compute(tokenizer=lambda text: text[1000])
        assert metric.compute(**some(10, 20)) == score(**some(0, 20))
    n = 1 + fails  # on a system that does not care, they are mapped, which saves memory
    assert removed == [True] * n + [False] * n


def test_a_file_that_cannot_be_removed_hides_no_error(clone, tmp_path, monkeypatch):
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path))
    metric.add_batch(**some(0, 10))

    def refuse(path):
        raise PermissionError(errno.EACCES, "in use", path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "remove", refuse)
        with pytest.raises(ValueError, match="the tokenizer failed"):
            metric.compute(tokenizer=lambda text: text[1000])
    assert metric.compute() == score(**some(0, 10))


# Whatever goes wrong


@pytest.mark.parametrize("keep_in_memory", [False, True])
@pytest.mark.parametrize("when", ["written", "finalized", "computed"])
def test_an_interruption(clone, tmp_path, monkeypatch, keep_in_memory, when):
    """Leaves the sentences that were there before, and no others."""
    where = {"keep_in_memory": keep_in_memory, "cache_dir": str(tmp_path)}
    metric = evaluate.load(str(clone), **where)
    metric.add_batch(**some(0, 100))
    metric.add(**one(100))

    def interrupt(original):
        def interrupted(*args, **kwargs):
            patch.undo()  # once
            original(*args, **kwargs)
            raise KeyboardInterrupt

        return interrupted

    writer = type(metric.writer)
    owner, name = {
        "written": (writer, "write_table"),
        "finalized": (writer, "finalize"),
        "computed": (type(metric), "_compute"),
    }[when]
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, interrupt(getattr(owner, name)))
            with pytest.raises(KeyboardInterrupt):
                metric.compute(**some(101, 300))
        assert len(metric) == 101
    assert metric.compute() == score(**some(0, 101))
    assert files(tmp_path) == []
    # The next one need not wait for the file.
    for lock in tmp_path.rglob("*.lock"):
        FileLock(lock).acquire(timeout=0)


def test_a_file_that_is_removed(clone, tmp_path):
    metric = evaluate.load(str(clone), cache_dir=str(tmp_path))

    def words(text):
        for path in tmp_path.rglob("*.arrow"):
            path.unlink()
        return text.split()

    metric.add_batch(**some(0, 50))
    with pytest.raises(FileNotFoundError, match="arrow"):
        metric.compute(**some(50, 100), tokenizer=words)
    metric.add_batch(**some(0, 100))
    words("")
    with pytest.raises(ValueError, match="Error in finalize"):
        metric.compute()
    assert metric.compute(**some(0, 10)) == score(**some(0, 10))
