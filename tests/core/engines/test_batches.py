"""A corpus in Arrow batches: scores of rows, statistics as Arrow, and engines that pass them on."""

import pickle
import re
from functools import partial

import pyarrow as pa
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st
from shared import FEW_EXAMPLES, corpora, documented_code, inputs, random_corpus

from green_gec import Statistics, score, score_batch
from green_gec.options import NGRAM_METRICS

OPTIONS = [
    {},
    {"tokenizer": "char", "max_order": 3, "strip": True, "detailed": True},
    {"level": "mean", "max_order": 2},
    {"n_resamples": 30, "seed": 5},
]
# Options of single scores, and how they choose among references.
ALL = [(metric, options) for metric in NGRAM_METRICS for options in OPTIONS]
ALL += [("green", {"beta": 0.5, "effective_order": True}), ("gleu", {"selection": "max"})]
ALL += [("gleu", {"formula": "paper", "iterations": 20})]
MEAN = {"selection": "mean", "level": "mean"}
ALL += [("green", {**MEAN, "detailed": True}), ("green", {**MEAN, "n_resamples": 30})]
NAMES = {"sources": "source", "predictions": "prediction", "references": "references"}
# Whole numbers add up to the last bit in any order; these scores' statistics are fractions.
WITH_FLOATS = ("rouge", "f1")


def same(metric, result):
    """What equals a result, but for rounding where statistics are fractions."""
    if metric not in WITH_FLOATS:
        return result
    return {
        name: value if name == "signature" else pytest.approx(value, rel=0, abs=1e-12)
        for name, value in result.items()
    }


def table(texts):
    return pa.table({NAMES[name]: column for name, column in texts.items()})


def corpus(n):
    return dict(zip(NAMES, random_corpus(n), strict=True))


@pytest.mark.parametrize(("metric", "options"), ALL)
@FEW_EXAMPLES
@given(texts=corpora(), data=st.data())
def test_nothing_is_lost_in_arrow(metric, options, texts, data):
    """The score of the pieces is that of the whole; to the last bit, if it counts whole numbers."""
    texts = inputs(metric, texts)
    n_sentences = len(texts["predictions"])
    cuts = data.draw(st.lists(st.integers(0, n_sentences), max_size=4).map(sorted))
    bounds = list(zip([0, *cuts], [*cuts, n_sentences], strict=True))
    whole = same(metric, score(**texts, metric=metric, **options))
    every = table(texts)
    rows = score_batch(every, metric, **options)
    assert Statistics.from_arrow(rows, metric, **options).score() == whole
    pieces = [score_batch(every.slice(i, j - i), metric, **options) for i, j in bounds]
    assert pa.concat_tables(pieces) == rows
    counted = [Statistics.from_arrow(piece, metric, **options) for piece in pieces]
    assert sum(counted).score() == whole
    sent = [Statistics.from_arrow(piece.to_arrow(), metric, **options) for piece in counted]
    assert sum(sent).score() == whole
    counted = Statistics.of(**texts, metric=metric, **options)
    assert Statistics.from_arrow(counted.to_arrow(), metric, **options).score() == whole


def test_sums_are_small():
    """One row, whatever the number of sentences."""
    batch = Statistics.of(**corpus(2000)).to_arrow()
    assert batch.num_rows == 1
    assert batch.nbytes < 1000
    total = sum(Statistics.of(**corpus(n)) for n in range(1, 50))
    assert total.to_arrow().num_rows == 1


@pytest.mark.parametrize("metric", NGRAM_METRICS)
def test_rows_have_the_sentences_scores(metric):
    texts = corpus(300)
    rows = score_batch(table(texts), metric, tokenizer="char")
    each = score(**inputs(metric, texts), metric=metric, tokenizer="char", level="sentence")
    for name, values in each.items():
        assert rows[name].to_pylist() == values
    names = list(NAMES.values())
    assert rows.schema.names == [*names, *each, "statistics"]
    assert rows.select(names) == table(texts)


def test_rows_have_the_mean_over_references():
    """The recommended filter: no level is needed, since rows are sentences."""
    texts = corpus(300)
    rows = score_batch(table(texts), selection="mean")
    each = score(**texts, selection="mean", level="sentence")
    for name, values in each.items():
        assert rows[name].to_pylist() == values
    assert rows == score_batch(table(texts), **MEAN)
    assert Statistics.from_arrow(rows, **MEAN).score() == score(**texts, **MEAN)
    with pytest.raises(ValueError, match="so it needs level='mean' or level='sentence', not"):
        score_batch(table(texts), selection="mean", level="corpus")
    with pytest.raises(ValueError, match="so it needs level='mean' or level='sentence', not"):
        Statistics.from_arrow(rows, selection="mean")


def test_batches_in_batches_out():
    whole = table(corpus(30))
    (batch,) = whole.to_batches()
    rows = score_batch(batch)
    assert type(rows) is pa.RecordBatch
    assert pa.Table.from_batches([rows]) == score_batch(whole)
    none = score_batch(batch.slice(0, 0))
    assert (none.num_rows, none.schema) == (0, rows.schema)
    # Pieces of pieces, other Arrow types, other names, one reference as a string.
    assert score_batch(batch.slice(7, 5)) == rows.slice(7, 5)
    types = [pa.large_string(), pa.string_view(), pa.large_list(pa.large_string())]
    schema = pa.schema(zip(whole.schema.names, types, strict=True))
    assert score_batch(whole.cast(schema))["green"].to_pylist() == rows["green"].to_pylist()
    renamed = whole.rename_columns(["sources", "predictions", "references"])
    assert score_batch(renamed)["green"].to_pylist() == rows["green"].to_pylist()
    first = pa.array([listed[0] for listed in whole["references"].to_pylist()])
    single = whole.drop("references").append_column("reference", first)
    expected = score(*random_corpus(30)[:2], first.to_pylist(), level="sentence")["green"]
    assert score_batch(single)["green"].to_pylist() == expected
    # Nothing else changes: equal names, nullability, what a schema says of itself.
    fields = [*batch.schema, pa.field("x", pa.int64(), nullable=False), pa.field("x", pa.int8())]
    columns = [*batch.columns, pa.array(range(30)), pa.array(range(30), pa.int8())]
    odd = pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields, {"a": "b"}))
    kept = score_batch(odd)
    assert list(kept.schema)[:5] == fields
    assert kept.schema.metadata == odd.schema.metadata
    assert kept.columns[:5] == columns


def test_columns_of_the_same_names_are_replaced():
    whole = table(corpus(5)).append_column("green", pa.array(["leaf"] * 5))
    once = score_batch(whole, beta=0.5)
    assert once.schema.names.count("green") == 1
    twice = score_batch(once, beta=2)
    assert twice["green"] == score_batch(whole)["green"]
    assert Statistics.from_arrow(twice).score() == score(*random_corpus(5))


def test_options_of_the_corpus_do_not_change_rows():
    whole = table(corpus(20))
    rows = score_batch(whole, n_resamples=10, level="mean", confidence_level=0.9, seed=3)
    assert rows == score_batch(whole)
    expected = score(*random_corpus(20), n_resamples=10, seed=3)
    assert Statistics.from_arrow(rows, n_resamples=10, seed=3).score() == expected


def test_files(tmp_path):
    """Statistics survive a file, and rows a Parquet file."""
    import pyarrow.parquet as pq

    texts = corpus(50)
    statistics = Statistics.of(**texts)
    with pa.OSFile(str(tmp_path / "a"), "wb") as sink:
        batch = statistics.to_arrow()
        with pa.ipc.new_file(sink, batch.schema) as file:
            file.write(batch)
    with pa.ipc.open_file(tmp_path / "a") as file:
        assert Statistics.from_arrow(file.read_all()).score() == score(**texts)
    pq.write_table(score_batch(table(texts)), tmp_path / "b")
    assert Statistics.from_arrow(pq.read_table(tmp_path / "b")).score() == score(**texts)


@pytest.mark.parametrize(
    ("batch", "options", "error", "message"),
    [
        ({"source": ["a"]}, {}, TypeError, r'not dict; .* dataset.with_format\("arrow"\)'),
        (pa.table({"source": ["a"]}), {}, ValueError, "no column 'prediction', only source"),
        (pa.table({}), {}, ValueError, "no column 'source', only none"),
        (table(corpus(3)), {"beta": [1, 2]}, ValueError, "beta must be one number here"),
        (table(corpus(3)), {"level": "sentence"}, ValueError, "score_batch gives the sentences"),
        (table(corpus(3)), {"blue": 1}, TypeError, "green has no option 'blue'"),
        (table(corpus(3)), {"metric": "m2"}, ValueError, "m2 scores edits, not texts alone"),
        (
            pa.table({"source": ["a", "b"], "prediction": ["a", None], "references": ["a", "b"]}),
            {},
            TypeError,
            r"predictions\[1\] must be a string, not null; the row is {'source': 'b', 'predictio",
        ),
        (
            pa.table(
                {
                    "source": ["a"],
                    "prediction": ["a"],
                    "references": pa.array([[]], pa.list_(pa.string())),
                }
            ),
            {},
            ValueError,
            r"references\[0\] is empty; every sentence needs a reference; the row is {'source'",
        ),
        (
            pa.table(
                {
                    "source": pa.array([b"\xff"]).view(pa.string()),
                    "prediction": ["a"],
                    "references": ["a"],
                }
            ),
            {},
            ValueError,
            r"sources\[0\] is not valid UTF-8$",
        ),
    ],
)
def test_batches_that_cannot_be_scored(batch, options, error, message):
    with pytest.raises(error, match=message):
        score_batch(batch, **options)


def test_statistics_are_read_with_the_options_that_they_were_made_with():
    texts = corpus(5)
    statistics = Statistics.of(**texts)
    rows = score_batch(table(texts))
    for batch in (statistics.to_arrow(), rows):
        for metric, options in [
            ("green", {"beta": 1}),
            ("green", {"tokenizer": "char", "max_order": 4}),
            ("green", {"effective_order": True}),
            ("gleu", {"selection": "max"}),
            ("bleu", {}),
        ]:
            with pytest.raises(ValueError, match=f"not made with metric={metric}.*; give the opti"):
                Statistics.from_arrow(batch, metric, **options)
    for options in ({"level": "mean"}, {"n_resamples": 10}):
        with pytest.raises(ValueError, match="are sums, but level='mean' and n_resamples need"):
            Statistics.from_arrow(statistics.to_arrow(), **options)
        assert Statistics.from_arrow(rows, **options).score() == score(**texts, **options)
    fractions = score_batch(table(texts), "rouge")
    with pytest.raises(ValueError, match="not made with metric=green"):
        Statistics.from_arrow(fractions)
    none = statistics.to_arrow().slice(0, 0)
    with pytest.raises(ValueError, match="there are no sentences to score"):
        Statistics.from_arrow(none).score()
    assert (Statistics.from_arrow(none) + statistics).score() == score(**texts)


def test_what_are_no_statistics():
    with pytest.raises(TypeError, match="expected an Arrow record batch or table, not list"):
        Statistics.from_arrow([[1, 2]])
    good = Statistics.of(**corpus(5)).to_arrow()["statistics"][0].as_py()
    for column, message in [
        ([good, None], "lists of numbers without nulls"),
        ([[*good[:-1], None]], "lists of numbers without nulls"),
        ([3], "lists of numbers without nulls"),
        ([["a", "b"]], "Failed to parse"),
        ([[1, 2]], "too short"),
        ([[1, 2, 3]], "not made with"),
        ([good, good[:-1]], "wrong length"),
    ]:
        with pytest.raises(ValueError, match=message):
            Statistics.from_arrow(pa.table({"statistics": column}))
    with pytest.raises(ValueError, match="no column 'statistics', only a"):
        Statistics.from_arrow(pa.table({"a": [1]}))


def words(text):
    return re.findall(r"\w+", text)


def test_a_tokenizer_of_ones_own():
    texts = corpus(20)
    rows = score_batch(table(texts), tokenizer=words)
    found = Statistics.from_arrow(rows, tokenizer=words).score()
    assert found == score(**texts, tokenizer=words)
    with pytest.raises(ValueError, match=r"not made with .*tokenizer=word,"):
        Statistics.from_arrow(rows)
    # One that has no name, and is another object after a journey.
    options = {"tokenizer": partial(re.findall, r"\w+")}
    statistics = Statistics.of(**texts, **options)
    both = statistics + pickle.loads(pickle.dumps(statistics))
    doubled = {name: column * 2 for name, column in texts.items()}
    assert both.score() == score(**doubled, tokenizer=words)


@pytest.mark.parametrize("metric", NGRAM_METRICS)
@pytest.mark.parametrize("num_proc", [None, 2])
def test_datasets(metric, num_proc):
    texts = corpus(250)
    dataset = Dataset.from_dict(table(texts).to_pydict()).with_format("arrow")
    function = partial(score_batch, metric=metric)
    rows = dataset.map(function, batched=True, batch_size=40, num_proc=num_proc)
    found = Statistics.from_arrow(rows[:], metric).score()
    assert found == same(metric, score(**inputs(metric, texts), metric=metric))
    good = rows.with_format(None).filter(lambda row: row[metric] > 0.5)
    assert all(value > 0.5 for value in good[metric])


def test_the_documented_datasets():
    texts = corpus(250)
    names = {"dataset": Dataset.from_dict(table(texts).to_pydict())}
    exec(documented_code("num_proc=2"), names)
    assert names["result"] == score(**texts)
    exec(documented_code("judge = partial("), names)
    each = score(**texts, level="sentence", selection="mean", effective_order=True)["green"]
    assert names["good"]["green"] == [value for value in each if value > 0.8]


def test_streaming():
    texts = corpus(250)
    stream = Dataset.from_dict(table(texts).to_pydict()).to_iterable_dataset(num_shards=3)
    rows = stream.with_format("arrow").map(score_batch, batched=True, batch_size=40)
    total = sum(Statistics.from_arrow(batch) for batch in rows.iter(batch_size=64))
    assert total.score() == score(**texts)
