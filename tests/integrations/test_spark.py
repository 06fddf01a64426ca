"""Scores of Spark DataFrames, in a real session with two workers on this machine."""

import os
import shutil
import signal
import sys

import pytest
from shared import TEXTS, documented_code, inputs, random_corpus

from green_gec import Statistics, score
from green_gec.options import NGRAM_METRICS

pyspark = pytest.importorskip("pyspark")
if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
    pytest.skip("needs Java", allow_module_level=True)

from green_gec import spark  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")

SCHEMA = "id long, source string, prediction string, references array<string>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where Spark looks for files, and leaves its own."""
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def session(folder):
    """Two workers; a task that fails is run once more, as on a cluster."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2, 2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "60")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.chdir(folder)
        session = builder.config("spark.sql.shuffle.partitions", "3").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def frame(session):
    rows = list(zip(range(500), *random_corpus(500), strict=True))
    return session.createDataFrame(rows, SCHEMA).cache()


def texts_of(frame):
    """In the order in which Spark gives them out."""
    rows = frame.collect()
    return {
        "sources": [row.source for row in rows],
        "predictions": [row.prediction for row in rows],
        "references": [row.references for row in rows],
    }


def skewed(frame):
    """Nearly all in one partition, and most of the others empty."""
    return frame.repartitionByRange(7, (frame.id / 499).cast("int"))


@pytest.mark.parametrize("options", [{}, {"n_resamples": 50}, {"level": "mean"}])
@pytest.mark.parametrize("metric", NGRAM_METRICS)
def test_a_frame_is_scored_like_a_corpus(frame, metric, options):
    texts = dict(zip(TEXTS, random_corpus(500), strict=True))
    expected = score(**inputs(metric, texts), metric=metric, **options)
    if metric in ("rouge", "f1"):  # sums of fractions, in the order in which batches arrive
        expected = {
            name: pytest.approx(value, rel=0, abs=1e-12) for name, value in expected.items()
        }
    assert spark.score(frame, metric, **options) == expected


def test_partitions_make_no_difference(frame):
    sizes = skewed(frame).rdd.glom().map(len).collect()
    assert max(sizes) == 499
    assert 0 in sizes
    expected = score(*random_corpus(500), detailed=True)
    for other in (skewed(frame), frame.repartition(11), frame.coalesce(1), frame.orderBy("source")):
        assert spark.score(other, detailed=True) == expected
    # Intervals resample sentences in the order in which Spark gives them out.
    other = skewed(frame)
    assert spark.score(other, n_resamples=50) == score(**texts_of(other), n_resamples=50)


def test_rows_have_scores_for_filtering(frame):
    for other in (frame, skewed(frame)):
        rows = spark.score_rows(other, effective_order=True)
        scored = {row.id: row for row in rows.collect()}
        each = score(*random_corpus(500), level="sentence", effective_order=True)
        assert [scored[i].green for i in range(500)] == each["green"]
        assert [scored[i].recall for i in range(500)] == each["recall"]
        good = rows.filter("green > 0.6").select("id")
        assert {row.id for row in good.collect()} == {
            i for i, value in enumerate(each["green"]) if value > 0.6
        }
        kept = rows.filter("id < 100").toArrow()
        first = score(*(column[:100] for column in random_corpus(500)), effective_order=True)
        assert Statistics.from_arrow(kept, effective_order=True).score() == first
    assert rows.columns[: len(frame.columns)] == frame.columns
    again = spark.score_rows(rows, "bleu", max_order=2)
    assert again.columns[-2:] == ["bleu", "statistics"]
    assert again.toArrow()["statistics"].to_pylist() != rows.toArrow()["statistics"].to_pylist()


def test_the_documented_spark(session, frame, folder):
    frame.write.parquet(str(folder / "pairs.parquet"))
    names = {"session": session}
    exec(documented_code("spark.score("), names)
    texts = texts_of(names["frame"])
    assert names["result"] == score(**texts, n_resamples=1000)
    each = score(**texts, level="sentence", selection="mean", effective_order=True)["green"]
    assert names["good"].count() == sum(value > 0.8 for value in each)


def test_no_rows(frame):
    none = frame.filter("id < 0").repartition(3)
    assert spark.score_rows(none).collect() == []
    with pytest.raises(ValueError, match="there are no sentences to score"):
        spark.score(none)


def test_what_cannot_be_scored(session, frame):
    for function in (spark.score, spark.score_rows):
        with pytest.raises(ValueError, match="no column 'source', only id, prediction, references"):
            function(frame.drop("source"))
        with pytest.raises(TypeError, match="green has no option 'blue'"):
            function(frame, blue=1)
        with pytest.raises(ValueError, match="m2 scores edits, not texts alone"):
            function(frame, "m2")
    bad = frame.selectExpr("id", "source", "nullif(prediction, source) prediction", "references")
    bad = bad.union(session.createDataFrame([(777, "a b", None, ["a"])], SCHEMA))
    with pytest.raises(pyspark.errors.PythonException, match=r"must be a string, not null; the ro"):
        spark.score(bad.filter("prediction is null"))
    assert spark.score(frame) == score(*random_corpus(500))


def test_a_worker_that_is_killed(frame, tmp_path):
    """Spark runs its task once more, and the figures are right; or else there is an error."""

    def killed(batches, always):
        for batch in batches:
            if not always and (tmp_path / "killed").exists():
                yield batch
            elif 250 in batch["id"].to_pylist():
                (tmp_path / "killed").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            else:
                yield batch

    expected = score(*random_corpus(500))
    once = frame.mapInArrow(lambda batches: killed(batches, always=False), SCHEMA)
    assert spark.score(once) == expected
    assert (tmp_path / "killed").exists()
    always = frame.mapInArrow(lambda batches: killed(batches, always=True), SCHEMA)
    with pytest.raises(Exception, match=r"Python worker|Job aborted"):
        spark.score(always)
    assert spark.score(frame) == expected
