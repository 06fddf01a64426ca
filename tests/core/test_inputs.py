"""Inputs: any kind of sequence scores alike, and an error says what is wrong and where."""

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from shared import BAD_TEXTS, CORPUS, PREDICTIONS, REFERENCES, SOURCES, TEXTS

from green_gec import score
from green_gec.inputs import Corpus


@pytest.mark.parametrize(
    "wrap",
    [
        tuple,
        np.array,
        pa.array,
        lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
        lambda texts: pa.array(texts, pa.large_string()),
        lambda texts: pa.array(texts, pa.string_view()),
        lambda texts: pa.array(texts).dictionary_encode(),
        lambda texts: iter(texts),
        lambda texts: pd.Series(texts, index=[5, 6, 7]),
        lambda texts: datasets.Dataset.from_dict({"x": texts})["x"],
    ],
)
def test_any_kind_of_sequence(wrap):
    one_each = [texts[0] for texts in REFERENCES]
    expected = score(SOURCES, PREDICTIONS, one_each)
    assert score(wrap(SOURCES), wrap(PREDICTIONS), wrap(one_each)) == expected


def test_any_kind_of_references():
    expected = score(*CORPUS)
    mixed = [tuple(REFERENCES[0]), REFERENCES[1][0], np.array(REFERENCES[2])]
    for references in (
        mixed,
        pa.array(REFERENCES),
        pa.array(REFERENCES, pa.large_list(pa.string())).slice(0),
        pa.chunked_array([pa.array(REFERENCES[:2]), pa.array(REFERENCES[2:])]),
    ):
        assert score(SOURCES, PREDICTIONS, references) == expected


@pytest.mark.parametrize(("bad", "error", "message"), BAD_TEXTS)
def test_bad_texts(bad, error, message):
    with pytest.raises(error, match=message):
        score(**TEXTS | bad)


def test_missing_texts():
    with pytest.raises(ValueError, match="sources are missing; green needs them"):
        score(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(ValueError, match="predictions are missing"):
        score(SOURCES, references=REFERENCES)
    with pytest.raises(ValueError, match="references are missing"):
        score(SOURCES, PREDICTIONS)


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
    surrogate = [*texts[:25_000], "\ud800", *texts[25_001:]]
    with pytest.raises(ValueError, match=r"references\[25000\] has"):
        score(texts, texts, surrogate)
    lists = [["a", "b"] for _ in texts]
    lists[25_000][1] = None
    with pytest.raises(TypeError, match=r"references\[25000\]\[1\]"):
        score(texts, texts, lists)


def test_references_by_set_instead_of_by_sentence():
    """As sacreBLEU takes them; the message says how to turn them."""
    sets = [["a b c d"] * 3, ["a b c e"] * 3]
    texts = ["a b c d"] * 3
    message = r"2 references; .*; the references look like .*: list\(zip\(\*references\)\)$"
    for references in (sets, tuple(map(tuple, sets))):
        with pytest.raises(ValueError, match=message):
            score(texts, texts, references)
    score(texts, texts, list(zip(*sets, strict=True)))
    for references in ([], ["abc", "def"], [["a"], ["b"]], [*sets, "abc", "def"]):
        with pytest.raises(ValueError, match=r"every sentence needs one of each$"):
            score(texts, texts, references)
    with pytest.raises(ValueError, match=r"every sentence needs one of each$"):
        score(texts, texts[:2], sets)


@pytest.mark.parametrize("column", [pa.array([["She go ."]]), pa.array([1]), pa.array([b"a"])])
def test_arrow_arrays_of_other_types_are_refused(column):
    with pytest.raises(TypeError, match=r"sources\[0\] must be a string, not of Arrow's type"):
        score(column, ["She goes ."], ["She goes ."])
    with pytest.raises(TypeError, match=r"predictions\[0\] must be a string, not of Arrow's type"):
        score(["She go ."], column, ["She goes ."])


def test_a_message_names_the_text_whatever_the_other_columns_are():
    """Lists are converted together, Arrow arrays one by one."""
    for sources in (["a", "b"], pa.array(["a", "b"])):
        with pytest.raises(TypeError, match=r"^predictions\[1\] must be a string, not 3"):
            score(sources, ["a", 3], [["a"], ["b"]])
        with pytest.raises(TypeError, match=r"^references\[1\]\[1\] must be a string, not None"):
            score(sources, ("a", "b"), [["a"], ["b", None]])
        with pytest.raises(ValueError, match=r"^references\[0\]\[2\] has a lone surrogate"):
            score(sources, ["a", "b"], [["a", "b", "\ud800"], ["b"]])


def test_a_corpus_in_lists():
    """Whatever the columns were; the systems' names are kept, and every text is checked."""
    systems = {"A": pd.Series(PREDICTIONS), "B": pa.array(SOURCES)}
    references = [np.array(REFERENCES[0]), REFERENCES[1][0], tuple(REFERENCES[2])]
    corpus = Corpus.check(iter(SOURCES), systems, references).to_lists()
    assert corpus == Corpus(SOURCES, {"A": PREDICTIONS, "B": SOURCES}, REFERENCES)
    assert len(corpus) == 3
    assert Corpus.check(None, {"A": ["a"]}, ["b"]).to_lists() == Corpus(None, {"A": ["a"]}, [["b"]])
    wrong = Corpus.check(None, {"A": ["a", "b"], "B": ["b", 3]}, ["c", "d"], label="the {}")
    for check in (wrong.to_lists, lambda: wrong.block(0, 2)):
        with pytest.raises(TypeError, match=r"^the B\[1\] must be a string, not 3"):
            check()


def test_a_block_is_some_sentences_of_a_corpus():
    """All sources, then all corrections of each system, then the references of each sentence."""
    corpus = Corpus.check(SOURCES, {"A": PREDICTIONS, "B": SOURCES}, REFERENCES)
    block = corpus.block(1, 3)
    sources, predictions, references = (column[1:] for column in CORPUS)
    expected = [*sources, *predictions, *sources, *references[0], *references[1]]
    assert block.texts.to_pylist() == expected
    assert block.n_references.tolist() == [1, 3]
    assert block.source_positions.tolist() == [0, 1]
    assert block.first_references.tolist() == [6, 7]
    without = Corpus.check(None, {"A": PREDICTIONS}, REFERENCES).block(1, 3)
    assert without.texts.to_pylist() == [*predictions, *references[0], *references[1]]
    assert without.source_positions.tolist() == without.first_references.tolist() == [2, 3]


def test_a_column_of_datasets_with_ragged_references():
    from datasets import Dataset

    rows = Dataset.from_dict({"source": SOURCES, "text": PREDICTIONS, "references": REFERENCES})
    assert score(rows["source"], rows["text"], rows["references"]) == score(*CORPUS)
