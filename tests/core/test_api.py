"""`score` and `compare`: results, laws that every corpus obeys, what cannot be compared."""

import json
import math
import random
import subprocess
import sys
import threading

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import (
    CORPUS,
    EXAMPLE_REFERENCES,
    EXAMPLE_SOURCES,
    PREDICTIONS,
    REFERENCES,
    SOURCES,
    SYSTEMS,
    TEXTS,
    WITHOUT_SOURCES,
    at_most_megabytes,
    close,
    corpora,
    inputs,
    random_corpus,
)

import oracle
from green_gec import Statistics, compare, explain, score, significance
from green_gec.metrics import METRICS

MEAN = {"selection": "mean", "level": "mean"}


# score: results


@pytest.mark.parametrize("metric", METRICS)
def test_the_result_is_flat_floats(metric):
    result = score(**inputs(metric, TEXTS), metric=metric)
    assert list(result) == list(METRICS[metric].results)
    assert all(type(value) is float for value in result.values())


def test_the_result_of_green():
    assert list(score(*CORPUS)) == ["green", "precision", "recall"]


def test_levels():
    each = score(*CORPUS, level="sentence")
    mean = score(*CORPUS, level="mean")
    assert all(len(values) == len(SOURCES) for values in each.values())
    assert mean == {name: pytest.approx(np.mean(each[name])) for name in each}


def test_detailed():
    result = score(*CORPUS, detailed=True)
    assert result["precisions"] == [1.0] * 4
    assert len(result["recalls"]) == 4
    assert result["true_keep"] == [12, 4, 1, 0]
    assert result["under_delete"] == [1, 2, 2, 2]
    assert "chosen_reference" not in result
    assert score(*CORPUS, level="sentence", detailed=True)["chosen_reference"] == [0, 0, 0]


def test_detailed_at_the_mean():
    result = score(*CORPUS, level="mean", detailed=True)
    each = score(*CORPUS, level="sentence", detailed=True)
    assert result["recalls"] == pytest.approx(np.mean(each["recalls"], axis=0))
    assert result["true_keep"] == np.sum(each["true_keep"], axis=0).tolist()


@pytest.mark.parametrize("level", ["corpus", "mean", "sentence"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_result_can_be_stored(metric, level):
    options = {"beta": [1, 2]} if metric == "green" else {}
    result = score(**inputs(metric, TEXTS), metric=metric, level=level, detailed=True, **options)
    assert json.loads(json.dumps(result)) == result


def test_strip():
    spaced = (SOURCES, [text + " " for text in PREDICTIONS], REFERENCES)
    assert score(*spaced, tokenizer="char", strip=True) == score(*CORPUS, tokenizer="char")
    assert score(*spaced, tokenizer="char") != score(*CORPUS, tokenizer="char")
    assert score(*spaced) == score(*CORPUS)  # words do not care


@pytest.mark.parametrize("blank", ["\u3000", "\xa0", "\u2028", "\x85", "\x1f", "\t"])
def test_strip_removes_what_python_takes_for_whitespace(blank):
    spaced = (SOURCES, [f"{blank}{text}{blank}" for text in PREDICTIONS], REFERENCES)
    assert score(*spaced, tokenizer="char", strip=True) == score(*CORPUS, tokenizer="char")


# score: laws


def test_sentences_in_another_order():
    corpus = random_corpus()
    order = random.Random(1).sample(range(60), 60)
    permuted = [[column[i] for i in order] for column in corpus]
    assert score(*permuted, detailed=True) == score(*corpus, detailed=True)
    each = score(*corpus, level="sentence")["green"]
    assert score(*permuted, level="sentence")["green"] == [each[i] for i in order]


@given(texts=corpora(), seed=st.integers(0, 99), metric=st.sampled_from(list(METRICS)))
def test_the_order_of_sentences_makes_no_difference(texts, seed, metric):
    options = {"selection": "max"} if metric == "gleu" else {}
    texts = inputs(metric, texts)
    order = np.random.default_rng(seed).permutation(len(texts["predictions"]))
    shuffled = {name: [column[i] for i in order] for name, column in texts.items()}
    expected = score(**texts, metric=metric, **options)
    if metric in ("rouge", "f1"):  # sums of fractions
        expected = pytest.approx(expected, rel=1e-12)
    assert score(**shuffled, metric=metric, **options) == expected


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_a_corpus_twice_scores_as_once(level):
    corpus = random_corpus()
    twice = [column * 2 for column in corpus]
    assert score(*twice, level=level) == pytest.approx(score(*corpus, level=level), rel=1e-12)


def test_a_worse_reference_changes_nothing():
    sources, predictions, references = random_corpus(300)
    others = random_corpus(300, seed=8)[0]
    before = score(sources, predictions, references, level="sentence", detailed=True)
    other = score(sources, predictions, others, level="sentence")["green"]
    worse = [i for i in range(300) if other[i] < before["green"][i]]
    assert len(worse) > 20
    more = [[*texts, text] for texts, text in zip(references, others, strict=True)]
    after = score(sources, predictions, more, level="sentence", detailed=True)
    for name in before.keys() - {"signature"}:
        assert [after[name][i] for i in worse] == [before[name][i] for i in worse]


def test_another_reference_never_lowers_a_sentence():
    sources, predictions, references = random_corpus()
    one = score(sources, predictions, [texts[:1] for texts in references], level="sentence")
    all_of_them = score(sources, predictions, references, level="sentence")
    assert all(a >= b for a, b in zip(all_of_them["green"], one["green"], strict=True))


def test_the_names_of_tokens_do_not_matter():
    def renamed(texts):
        if isinstance(texts, list):
            return [renamed(text) for text in texts]
        return texts.translate(
            {ord("a"): "🙂🙂", ord("b"): "q" * 30, ord("c"): "本", ord("d"): "a"}
        )

    corpus = random_corpus()
    assert score(*map(renamed, corpus), detailed=True) == score(*corpus, detailed=True)


def test_perfect_corrections_score_1():
    sources, _, references = random_corpus()
    perfect = [texts[-1] for texts in references]
    result = score(sources, perfect, references, effective_order=True)
    assert result == {"green": 1.0, "precision": 1.0, "recall": 1.0}


# score: threads, imports, memory


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_threads_do_not_change_the_result(n_threads):
    sources, predictions, references = random_corpus(9_000)
    before = pa.cpu_count()
    pa.set_cpu_count(n_threads)
    try:
        result = score(sources, predictions, references, level="sentence", detailed=True)
    finally:
        pa.set_cpu_count(before)
    for start in (0, 4_000, 8_990):
        part = slice(start, start + 10)
        alone = oracle.green(sources[part], predictions[part], references[part], level="sentence")
        assert result["green"][part] == pytest.approx(alone["green"], abs=1e-12)
        assert result["true_keep"][part] == alone["true_keep"]


def test_a_users_tokenizer_stays_in_its_thread():
    threads = set()

    def split(text):
        threads.add(threading.get_ident())
        return text.split()

    texts = ["a b"] * 9_000
    assert score(texts, texts, texts, tokenizer=split) == score(texts, texts, texts)
    assert threads == {threading.get_ident()}


def test_scoring_imports_neither_evaluate_nor_datasets():
    code = (
        "import sys, green_gec; green_gec.score(['a'], ['a'], ['a']); "
        "print([name for name in ('evaluate', 'datasets', 'pandas') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_scoring_leaves_no_garbage():
    """Reference cycles would keep a block's arrays until Python happens to collect them."""
    # In a process of its own: other threads, such as the Space's, leave garbage of theirs.
    code = f"""
import gc
from green_gec import score
options = [{{}}, {{"tokenizer": "char"}}, {{"level": "sentence"}}, {{"n_resamples": 9}}]
options += [{{"metric": "gleu"}}, {{"metric": "gleu", "n_resamples": 9}}]
for _ in range(2):  # the first round may import something
    gc.collect()
    gc.disable()
    for each in options:
        score(*{CORPUS!r}, **each)
    n_unreachable = gc.collect()
    gc.enable()
print(n_unreachable)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "0"


@pytest.mark.parametrize("metric", ["bleu", "f1"])
def test_thousands_of_references_of_one_sentence_take_little_memory(metric):
    """BLEU needs the union of all; the counts of all at once took 140 megabytes."""
    rng = random.Random(4)
    words = [f"w{i}" for i in range(50)]
    references = [[" ".join(rng.choices(words, k=12)) for _ in range(2_000)]]
    with at_most_megabytes(60):
        found = score(None, [references[0][1_900]], references, metric)
    assert found[metric] == 1.0


# compare


def test_rows_are_systems():
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
    assert list(table.columns) == [
        *("system", "beta", "green", "precision", "recall"),
        *("low", "high", "difference", "p_value", "holm"),
    ]
    assert table["system"].tolist() == list(SYSTEMS)
    assert table["beta"].tolist() == [2.0] * 3


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("tokenizer", ["word", "char"])
def test_scores_and_intervals_are_those_of_score(level, tokenizer):
    options = {"level": level, "tokenizer": tokenizer, "beta": [1, 2], "n_resamples": 200}
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **options)
    for name, texts in SYSTEMS.items():
        alone = score(EXAMPLE_SOURCES, texts, EXAMPLE_REFERENCES, **options)
        rows = table[table["system"] == name]
        for column in ("green", "precision", "recall"):
            assert rows[column].tolist() == pytest.approx(alone[column], abs=1e-12)
        intervals = rows[["low", "high"]].to_numpy()
        np.testing.assert_allclose(intervals, alone["confidence_interval"], atol=1e-12)


def test_differences_are_from_the_baseline():
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, baseline="bold").set_index(
        "system"
    )
    assert math.isnan(table.loc["bold", "difference"])
    assert math.isnan(table.loc["bold", "p_value"])
    green = table["green"]
    for name in ("careful", "broken"):
        assert table.loc[name, "difference"] == pytest.approx(green[name] - green["bold"])
    first = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
    assert math.isnan(first.loc[0, "p_value"])
    assert not first.loc[1:, "p_value"].isna().any()


def test_the_test_is_approximate_randomisation():
    ours, named, other = (
        compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **paired)["p_value"].tolist()[1:]
        for paired in ({}, {"paired": "ar"}, {"paired": "bs"})
    )
    assert ours == named != other


def test_several_comparisons_are_corrected():
    """For each beta by itself; a single comparison needs no correction."""
    options = {"baseline": "bold", "beta": [0.5, 2.0]}
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **options)
    for _, rows in table.groupby("beta"):
        np.testing.assert_array_equal(rows["holm"], significance.holm(rows["p_value"].to_numpy()))
        assert rows["holm"].isna().tolist() == [False, True, False]
    two = {name: SYSTEMS[name] for name in ("careful", "bold")}
    assert "holm" not in compare(two, EXAMPLE_SOURCES, EXAMPLE_REFERENCES).columns


@pytest.mark.parametrize("paired", ["bs", "ar"])
@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_what_is_significant(paired, level):
    systems = {**SYSTEMS, "careful again": list(SYSTEMS["careful"])}
    options = {"paired": paired, "level": level, "beta": [0.5, 2.0]}
    table = compare(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **options).set_index("system")
    assert (table.loc["careful again", "p_value"] == 1).all()
    assert (table.loc["careful again", "difference"] == 0).all()
    assert (table.loc["broken", "p_value"] < 0.01).all()


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("paired", ["bs", "ar"])
@pytest.mark.parametrize("metric", [*METRICS, "gleu max"])
def test_every_score_can_be_compared(metric, paired, level):
    metric, *best = metric.split()
    options = {"metric": metric, "level": level, "n_resamples": 300}
    if metric == "gleu":
        options |= {"selection": "max"} if best else {"iterations": 20}
    sources = EXAMPLE_SOURCES if metric not in WITHOUT_SOURCES else None
    systems = {**SYSTEMS, "careful again": SYSTEMS["careful"]}
    table = compare(systems, sources, EXAMPLE_REFERENCES, paired=paired, **options)
    table = table.set_index("system")
    assert ("beta" in table) == (metric == "green")
    for name, texts in systems.items():
        alone = score(sources, texts, EXAMPLE_REFERENCES, **options)
        for result in METRICS[metric].results:
            assert table.loc[name, result] == close(alone[result])
        bounds = table.loc[name, ["low", "high"]].tolist()
        assert bounds == close(alone["confidence_interval"])
        assert bounds[0] <= alone[metric] <= bounds[1]
    assert table.loc["broken", "p_value"] < 0.02
    assert table.loc["careful again", "p_value"] == 1


@pytest.mark.parametrize("paired", ["bs", "ar"])
def test_the_mean_over_references_can_be_compared(paired):
    options = {**MEAN, "n_resamples": 300, "beta": [1, 2]}
    systems = {**SYSTEMS, "careful again": SYSTEMS["careful"]}
    table = compare(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, paired=paired, **options)
    for name, texts in systems.items():
        alone = score(EXAMPLE_SOURCES, texts, EXAMPLE_REFERENCES, **options)
        rows = table[table["system"] == name]
        assert rows["green"].tolist() == close(alone["green"])
        assert rows[["low", "high"]].to_numpy() == close(np.array(alone["confidence_interval"]))
        assert (rows["low"] <= rows["green"]).all()
        assert (rows["green"] <= rows["high"]).all()
    table = table.set_index("system")
    assert (table.loc["broken", "p_value"] < 0.02).all()
    assert (table.loc["careful again", "p_value"] == 1).all()
    best = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, level="mean", n_resamples=0)
    assert (best["green"] > table.loc[list(SYSTEMS)].query("beta == 2")["green"].tolist()).all()


def test_the_seed_decides_on_intervals():
    def intervals(seed):
        table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=50, seed=seed)
        return table[["low", "high"]].to_numpy().tolist()

    assert intervals(1) == intervals(1) != intervals(2)


def test_a_table_without_resamples():
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=0)
    assert list(table.columns) == ["system", "beta", "green", "precision", "recall"]


def test_a_table_without_a_test():
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, paired=None)
    assert "high" in table.columns
    assert "p_value" not in table.columns


def test_a_table_of_sentences():
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, level="sentence", beta=[1, 2])
    assert list(table.columns) == ["system", "beta", "sentence", "green", "precision", "recall"]
    assert len(table) == 3 * 2 * len(EXAMPLE_SOURCES)
    alone = score(EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES, level="sentence")["green"]
    rows = table[(table["system"] == "bold") & (table["beta"] == 2)]
    assert rows["sentence"].tolist() == list(range(len(EXAMPLE_SOURCES)))
    assert rows["green"].tolist() == alone


def test_a_table_with_details():
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, detailed=True)
    alone = score(EXAMPLE_SOURCES, SYSTEMS["broken"], EXAMPLE_REFERENCES, detailed=True)
    for name in ("precisions", "recalls", "true_keep", "under_insert"):
        assert table[name][2] == alone[name]


def test_systems_may_have_any_name():
    systems = dict(zip(("sources", "references", "predictions"), SYSTEMS.values(), strict=True))
    renamed = compare(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=0)
    assert (
        renamed["green"].tolist()
        == compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)["green"].tolist()
    )


@pytest.mark.parametrize(
    ("systems", "options", "kind", "message"),
    [
        ({}, {}, ValueError, "no systems"),
        ([["a"]], {}, TypeError, "systems must be a dictionary"),
        (None, {}, TypeError, "systems must be a dictionary of names and texts, not None"),
        (None, {"metrics": ["green", "gleu"]}, TypeError, "systems must be a dictionary"),
        ("A", {"paired": None}, TypeError, "systems must be a dictionary .*, not 'A'"),
        (
            {"A": EXAMPLE_SOURCES[:5]},
            {},
            ValueError,
            r"60 sources, 5 systems\['A'\], 60 references",
        ),
        ({"A": [None] * 60}, {}, TypeError, r"systems\['A'\]\[0\] must be a string"),
        (SYSTEMS, {"baseline": "best"}, ValueError, "baseline must be one of the systems"),
        (SYSTEMS, {"paired": "t"}, ValueError, "paired must be 'ar' or 'bs' or None, not 't'"),
        (
            SYSTEMS,
            {"paired": None, "confidence_level": None},
            ValueError,
            "needs a confidence_level or",
        ),
        (SYSTEMS, {"metric": "GLEU"}, ValueError, "metric must be 'green' or .*, not 'GLEU'"),
        (SYSTEMS, {"metric": ["gleu"]}, ValueError, "metric must be 'green' or"),
        (SYSTEMS, {"metric": np.array(["gleu"])}, ValueError, "metric must be 'green' or"),
        (SYSTEMS, {"metric": np.array(["green", "gleu"])}, ValueError, "metric must be 'green' or"),
        (SYSTEMS, {"metric": "gleu", "beta": 2.0}, ValueError, "gleu has no option 'beta'"),
        (SYSTEMS, {"betas": 2}, TypeError, "green has no option 'betas'"),
        (SYSTEMS, {"level": "sentence", "n_resamples": 5}, ValueError, "n_resamples resamples"),
    ],
)
def test_systems_that_cannot_be_compared(systems, options, kind, message):
    with pytest.raises(kind, match=message):
        compare(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **options)


# Warnings


# With characters, the blank at the end of "b " counts; and there is nothing else to warn about.
WHITESPACE = {"tokenizer": "char", "effective_order": True}


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "call",
    [
        lambda _: score(["a"], ["b "], ["b"], **WHITESPACE),
        lambda _: compare({"A": ["b "]}, ["a"], ["b"], **WHITESPACE),
        lambda _: Statistics.of(["a"], ["b "], ["b"], **WHITESPACE),
        lambda _: explain("a", "b ", ["b", "c"], **WHITESPACE),
        lambda metric: metric.explain("a", "b ", ["b", "c"], **WHITESPACE),
        lambda metric: metric.compute(
            sources=["a"], predictions=["b "], references=["b"], **WHITESPACE
        ),
    ],
    ids=["score", "compare", "Statistics.of", "explain", "metric.explain", "metric.compute"],
)
def test_a_warning_about_whitespace_points_at_the_callers_line(call, metric):
    with pytest.warns(UserWarning, match=r"1 text begins or ends with whitespace") as caught:
        call(metric)
    assert len(caught) == 1
    assert (caught[0].filename, caught[0].lineno) == (__file__, call.__code__.co_firstlineno)


def test_a_warning_counts_the_texts_and_says_what_to_do():
    spaced = [text + " " for text in PREDICTIONS]
    with pytest.warns(UserWarning, match=r"3 texts begin or end with whitespace.*strip=True"):
        score(SOURCES, spaced, REFERENCES, tokenizer="char")


@pytest.mark.filterwarnings("error")
def test_no_warning_without_reason():
    score(*CORPUS, tokenizer="char")
    score([" a "], ["a"], ["a"], max_order=1)
    score([" a "], ["a"], ["a"], tokenizer="char", strip=True, max_order=1)
    score([""], [""], [""], tokenizer="char", effective_order=True)
