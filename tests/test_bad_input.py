"""Bad input: an error that says what is wrong and where, and everything works on afterwards."""

import math
import os

import evaluate
import numpy as np
import pyarrow as pa
import pytest
from test_score import CORPUS, PREDICTIONS, REFERENCES, SOURCES

from green_gec import score

GOOD = {"sources": SOURCES, "predictions": PREDICTIONS, "references": REFERENCES}

BAD_TEXTS = [
    ({"predictions": PREDICTIONS[:2]}, ValueError, r"3 sources, 2 predictions, 3 references"),
    ({"references": [REFERENCES[0], [], ["a"]]}, ValueError, r"references\[1\] is empty"),
    ({"sources": [], "predictions": [], "references": []}, ValueError, r"no sentences"),
    ({"predictions": ["a", None, "b"]}, TypeError, r"predictions\[1\] must be a string, not None"),
    ({"sources": ["a", "b", 5]}, TypeError, r"sources\[2\] must be a string, not 5 \(int\)"),
    ({"sources": ["a", ["b"], "c"]}, TypeError, r"sources\[1\].*\['b'\] \(list\)"),
    ({"sources": ["a", b"b", "c"]}, TypeError, r"sources\[1\].*bytes"),
    ({"sources": ["a", math.nan, "c"]}, TypeError, r"sources\[1\].*nan \(float\)"),
    ({"sources": "a sentence"}, TypeError, r"sources must be a list.*'a sentence' \(str\)"),
    ({"sources": 3}, TypeError, r"sources must be a list.*3 \(int\)"),
    ({"references": {"a": "b"}}, TypeError, r"references must be a list.*dict"),
    ({"references": [["a"], ["b", None], ["c"]]}, TypeError, r"references\[1\]\[1\].*None"),
    ({"references": [["a"], [["b"]], ["c"]]}, TypeError, r"references\[1\]\[0\].*list"),
    ({"references": ["a", None, "c"]}, TypeError, r"references\[1\].*None"),
    ({"references": ["a", 1, "c"]}, TypeError, r"references\[1\].*1 \(int\)"),
    ({"references": [["a"], "b", []]}, ValueError, r"references\[2\] is empty"),
    ({"predictions": ["a", "b\udc80", "c"]}, ValueError, r"predictions\[1\].*U\+DC80.*character 1"),
    ({"references": [["a"], ["b", "\ud800"], "c"]}, ValueError, r"references\[1\]\[1\].*U\+D800"),
    ({"predictions": pa.array(["a", None, "c"])}, TypeError, r"predictions\[1\].*null"),
    ({"predictions": pa.array([1, 2, 3])}, TypeError, r"predictions\[0\].*int64"),
    ({"references": pa.array([["a"], None, ["b"]])}, ValueError, r"references\[1\] is empty"),
    ({"references": pa.array([["a"], [None], ["b"]])}, TypeError, r"references\[1\]\[0\].*null"),
    ({"references": pa.array([{"a": "b"}] * 3)}, TypeError, r"references\[0\].*struct"),
    ({"references": [["a"], frozenset("b"), ["c"]]}, TypeError, r"references\[1\].*frozenset"),
    ({"sources": np.array("a")}, TypeError, r"sources must be a list"),
    (
        {"sources": pa.array([b"a", b"\xed\xa0\x80", b"c"]).view(pa.string())},
        ValueError,
        r"sources\[1\] is not valid UTF-8",
    ),
]

BAD_OPTIONS = [
    ({"tokenizer": "words"}, ValueError, r"tokenizer must be 'word' or 'char' or a function"),
    ({"tokenizer": None}, ValueError, r"tokenizer must be"),
    ({"level": "document"}, ValueError, r"'corpus' or 'mean' or 'sentence', not 'document'"),
    ({"beta": 0}, ValueError, r"beta must be positive, not 0"),
    ({"beta": -1.0}, ValueError, r"beta must be positive, not -1.0"),
    ({"beta": math.nan}, ValueError, r"beta must be positive, not nan"),
    ({"beta": [1.0, 0.0]}, ValueError, r"beta\[1\] must be positive"),
    ({"beta": []}, ValueError, r"beta is an empty list"),
    ({"beta": "2"}, TypeError, r"beta must be a number, not '2'"),
    ({"beta": None}, TypeError, r"beta must be a number, not None"),
    ({"beta": [[1.0]]}, TypeError, r"beta\[0\] must be a number"),
    ({"max_order": 0}, ValueError, r"max_order must be a whole number of at least 1, not 0"),
    ({"max_order": 2.5}, ValueError, r"max_order must be a whole number"),
    ({"max_order": "4"}, TypeError, r"max_order must be a whole number"),
    ({"max_order": True}, ValueError, r"max_order must be a whole number"),
    ({"n_resamples": -1}, ValueError, r"n_resamples must be a whole number of at least 0"),
    ({"n_resamples": 10, "level": "sentence"}, ValueError, r"n_resamples.*level='sentence'"),
    ({"confidence_level": 0}, ValueError, r"confidence_level must lie between 0 and 1"),
    ({"confidence_level": 1.0}, ValueError, r"confidence_level must lie between 0 and 1"),
    ({"confidence_level": 95}, ValueError, r"confidence_level must lie between 0 and 1"),
    ({"confidence_level": math.nan}, ValueError, r"confidence_level must lie between 0 and 1"),
    ({"confidence_level": "95%"}, TypeError, r"confidence_level must be a number"),
    ({"strip": "no"}, TypeError, r"strip must be True or False, not 'no'"),
    ({"detailed": 1}, TypeError, r"detailed must be True or False"),
]

BAD_TOKENIZERS = [
    (lambda text: 1 / 0, ValueError, r"tokenizer failed on 'She go.*ZeroDivisionError"),
    (lambda text: text, TypeError, r"tokenizer returned a str for 'She go"),
    (lambda text: None, ValueError, r"tokenizer failed on 'She go"),
    (lambda text: [1, 2], TypeError, r"tokenizer returned 1 \(int\) among the tokens of 'She go"),
]

BAD = (
    [(GOOD | texts, {}, error, match) for texts, error, match in BAD_TEXTS]
    + [(GOOD, options, error, match) for options, error, match in BAD_OPTIONS]
    + [(GOOD, {"tokenizer": tokenizer}, error, match) for tokenizer, error, match in BAD_TOKENIZERS]
)


@pytest.mark.parametrize(("texts", "options", "error", "match"), BAD)
def test_score(texts, options, error, match):
    with pytest.raises(error, match=match):
        score(**texts, **options)


@pytest.mark.parametrize(("texts", "options", "error", "match"), BAD)
def test_compute_fails_and_works_on(metric, texts, options, error, match):
    for _ in range(2):
        with pytest.raises(error, match=match):
            metric.compute(**texts, **options)
        assert len(metric) == 0
        assert metric.compute(**GOOD) == score(*CORPUS)
    assert cache_files(metric) == []


@pytest.mark.parametrize(("texts", "options", "error", "match"), BAD)
def test_what_was_added_stays(metric, texts, options, error, match):
    """A failed computation loses nothing, and keeps nothing of what it was given."""
    metric.add_batch(sources=SOURCES[:1], predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    if texts["sources"]:
        with pytest.raises(error, match=match):
            metric.compute(**texts, **options)
    metric.add_batch(sources=SOURCES[1:], predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    assert metric.compute() == score(*CORPUS)
    assert cache_files(metric) == []


@pytest.mark.parametrize(("bad", "error", "match"), BAD_TEXTS)
def test_a_bad_batch_is_not_half_added(metric, bad, error, match):
    texts = GOOD | bad
    if not texts["sources"]:
        pytest.skip("nothing to add is no error")
    for _ in range(2):
        with pytest.raises(error, match=match):
            metric.add_batch(**texts)
    assert len(metric) == 0
    metric.add_batch(**GOOD)
    with pytest.raises(error, match=match):
        metric.add_batch(**texts)
    assert metric.compute() == score(*CORPUS)


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_a_failed_tokenizer_after_adding(clone, keep_in_memory):
    metric = evaluate.load(str(clone), keep_in_memory=keep_in_memory)
    metric.add_batch(**GOOD)
    for _ in range(2):
        with pytest.raises(ValueError, match="tokenizer failed"):
            metric.compute(tokenizer=lambda text: 1 / 0)
    assert len(metric) == len(SOURCES)
    assert metric.compute() == score(*CORPUS)


def test_a_bad_sentence_is_not_added(metric):
    metric.add(sources=SOURCES[0], prediction=PREDICTIONS[0], reference=REFERENCES[0])
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
    metric.add_batch(sources=SOURCES[1:], predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    assert metric.compute() == score(*CORPUS)


def test_missing_and_unknown_arguments(metric):
    with pytest.raises(ValueError, match="sources are missing"):
        score(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(ValueError, match="sources"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(ValueError, match="sources are missing"):
        metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(TypeError, match="no input 'source'; the inputs are sources, predictions"):
        metric.add_batch(source=SOURCES, predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(
        TypeError, match="green has no option 'betta'; its options are tokenizer, max_order"
    ):
        metric.compute(**GOOD, betta=1.0)
    with pytest.raises(ValueError, match=r"metric must be 'green' or 'gleu' or .*, not 'blue'"):
        score(*CORPUS, metric="blue")
    with pytest.raises(ValueError, match=r"add.*at least once"):
        metric.compute()
    assert metric.compute(**GOOD) == score(*CORPUS)


def test_the_position_is_right_far_into_the_corpus():
    texts = ["a"] * 30_000
    broken = [*texts[:25_000], None, *texts[25_001:]]
    with pytest.raises(TypeError, match=r"predictions\[25000\]"):
        score(texts, broken, texts)
    with pytest.raises(TypeError, match=r"references\[25000\]"):
        score(texts, texts, broken)
    chunks = pa.chunked_array([broken[:9_000], broken[9_000:]])
    with pytest.raises(TypeError, match=r"sources\[25000\]"):
        score(chunks, texts, texts)


def test_numpys_numbers_are_numbers():
    options = {"beta": np.float32(2), "max_order": np.int64(4), "strip": np.bool_(False)}
    assert score(*CORPUS, **options) == score(*CORPUS)
    assert score(*CORPUS, beta=np.array([1, 2]))["green"][1] == score(*CORPUS)["green"]


def cache_files(metric):
    return [name for name in os.listdir(metric.data_dir) if name.endswith(".arrow")]
