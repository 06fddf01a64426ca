"""GREEN, GLEU, BLEU, ROUGE-N and F1 equal public implementations, oracles and each other."""

import functools
import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import (
    CASES,
    CORPUS,
    FEW_EXAMPLES,
    GOLDENS,
    TEXTS,
    WITHOUT_SOURCES,
    at_most_megabytes,
    close,
    corpora,
    inputs,
    random_corpus,
)

import oracle
from green_gec import compare, score
from green_gec.metrics import METRICS, Gleu, Green, Metric
from green_gec.options import EDIT_METRICS, NGRAM_METRICS, OWN_OPTIONS
from green_gec.venn_regions import REGIONS, outcomes, regions

GOLDEN_ROWS = json.loads((GOLDENS / "expected.json").read_text("utf-8"))
GREEN_ROWS = [row for row in GOLDEN_ROWS if row["metric"] == "green"]
GLEU_ROWS = [row for row in GOLDEN_ROWS if row["metric"] == "gleu"]


# Formulas


@given(*[st.lists(st.sampled_from("abc"), max_size=8).map(Counter)] * 3)
def test_inclusion_and_exclusion(s, r, c):
    """The seven regions of the paper are sums of seven sizes."""
    sizes = np.array([x.total() for x in (s, c, r, s & r, s & c, r & c, s & r & c)])
    expected = oracle.region_counts(s, r, c)
    assert regions(sizes).tolist() == [expected[name] for name in REGIONS]
    assert outcomes(sizes).tolist() == [
        sum(expected[name] for name in REGIONS if name.startswith(kind))
        for kind in ("true", "over", "under")
    ]


def test_beta_weighs_precision_and_recall():
    result = score(*CORPUS, beta=[1e-6, 1.0, 1e6, float("inf")])
    (p, _, _, _), (_, _, _, r) = result["precision"], result["recall"]
    assert result["green"][0] == pytest.approx(p)
    assert result["green"][1] == pytest.approx(2 * p * r / (p + r))
    assert result["green"][2:] == [pytest.approx(r)] * 2


def test_a_short_perfect_correction_needs_effective_order():
    short = (["Helo"], ["Hello"], ["Hello"])
    assert score(*short)["green"] == 0.0
    assert score(*short, effective_order=True) == {"green": 1.0, "precision": 1.0, "recall": 1.0}
    nothing = ([""], [""], [""])
    assert score(*nothing)["green"] == 0.0
    assert score(*nothing, effective_order=True)["green"] == 1.0


def test_the_two_formulas_of_gleu_differ():
    """The documentation's example: an n-gram twice in S, once in R, three times in C."""
    texts = (["a a"], ["a a a"], ["a"])
    options = {"metric": "gleu", "max_order": 1, "detailed": True}
    assert score(*texts, **options)["penalty"] == [0]
    assert score(*texts, **options, formula="paper")["penalty"] == [1]


def test_the_worked_example():
    """Two candidates of a Korean introduction to these scores."""
    candidates = [
        "It might be better to reschedule the program",
        "It will be good for us to reschedule the program",
    ]
    references = ["We better reschedule the program", "We better schedule the program again"]
    precisions = [
        score(None, [candidate], [references], "bleu", max_order=1, detailed=True)["precisions"]
        for candidate in candidates
    ]
    assert precisions == [[4 / 8], [3 / 10]]
    assert score(None, ["the " * 10], [references], "bleu", max_order=1)["bleu"] == close(0.1)
    rouge = score(None, candidates, [references] * 2, "rouge", max_order=1, level="sentence")
    assert rouge["rouge"] == [4 / 5, 3 / 5]
    f1 = score(None, candidates[:1], [references], "f1", max_order=1)
    assert f1 == {"f1": close(2 * 0.5 * 0.8 / 1.3), "bleu": close(0.5), "rouge": close(0.8)}


# Public implementations


@pytest.mark.parametrize(
    "row", GREEN_ROWS, ids=lambda row: "{corpus}-{tokenizer}-{max_order}-{beta}".format(**row)
)
def test_green_of_the_goldens(row):
    options = {name: row[name] for name in ("tokenizer", "max_order")}
    options["beta"] = float(row["beta"])
    texts = inputs("green", CASES[row["corpus"]])

    whole = score(**texts, **options, detailed=True)
    assert {name: whole[name] for name in row["counts"]} == row["counts"]
    for name in ("green", "precision", "recall"):
        assert whole[name] == close(row[name])

    each = score(**texts, **options, level="sentence", detailed=True)
    assert each["green"] == close(row["sentence"])
    assert each["chosen_reference"] == row["chosen_reference"]

    assert score(**texts, **options, level="mean")["green"] == close(row["mean"])


@pytest.mark.parametrize(
    "row", GLEU_ROWS, ids=lambda row: "{corpus}-{tokenizer}-{max_order}".format(**row)
)
def test_gleu_of_the_goldens(row):
    texts = inputs("gleu", CASES[row["corpus"]])
    gleu = functools.partial(
        score, **texts, metric="gleu", tokenizer=row["tokenizer"], max_order=row["max_order"]
    )
    assert gleu(iterations=row["iterations"]) == {"gleu": close(row["gleu_sample"])}
    assert gleu(selection="max")["gleu"] == close(row["gleu_max"])
    assert gleu(level="sentence")["gleu"] == close(row["sentence_mean_over_references"])
    each = gleu(level="sentence", selection="max")["gleu"]
    assert each == close(row["sentence_max_over_references"])
    assert gleu(level="mean")["gleu"] == close(row["mean"])
    assert gleu(level="mean", selection="max")["gleu"] == close(row["mean_max"])


PUBLIC_GLEU = """
import json, sys
import numpy as np
from gleu import aggreg, count, score, util

for line in sys.stdin:
    sources, predictions, references, tokenizer, max_order, iterations = json.loads(line)
    for module in (aggreg, count, util):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()
    count.set_tokenization(tokenizer)
    of_references = count.make_dx_xlen(references)
    of_hypotheses = count.make_dx_xlen([[text] for text in predictions])[:, 0]
    counted = aggreg.make_drn_accum(max_order, sources, references, predictions)

    def corpus(picks):
        summed = score.drn_accum_to_n_accum(counted, picks)
        lengths = score.rindex_to_rhlen(of_references, of_hypotheses, picks)
        return score.n_accum_to_gleu(summed, *lengths)

    draws = util.make_id_rindex(iterations, len(sources), len(references[0]), True)
    best = score.drn_accum_to_d_rmax(counted, of_references, of_hypotheses)
    sentences = list(zip(counted, of_references, of_hypotheses))
    each = [
        [score.rn_accum_to_gleu(*sentence, select_max) for sentence in sentences]
        for select_max in (False, True)
    ]
    result = [np.mean([corpus(picks) for picks in draws]), corpus(best), *each, best]
    print(json.dumps(result, default=lambda value: value.item()), flush=True)
"""


@pytest.fixture(scope="module")
def public_gleu():
    """The package `gleu`, which keeps global state, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", PUBLIC_GLEU],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def call(*arguments):
        process.stdin.write(json.dumps(arguments) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield call
    process.stdin.close()
    assert process.wait() == 0


@st.composite
def rectangular_corpora(draw):
    """All sentences have as many references as the first has."""
    texts = draw(corpora())
    n = len(texts["references"][0])
    texts["references"] = [(listed * n)[:n] for listed in texts["references"]]
    return texts


@given(
    texts=rectangular_corpora(),
    tokenizer=st.sampled_from(["word", "char"]),
    max_order=st.sampled_from([1, 2, 4, 6, 9]),
)
def test_public_gleu(public_gleu, texts, tokenizer, max_order):
    options = {"metric": "gleu", "tokenizer": tokenizer, "max_order": max_order}
    sample, best, each, each_best, chosen = public_gleu(*texts.values(), tokenizer, max_order, 20)
    assert score(**texts, **options, iterations=20)["gleu"] == close(sample)
    assert score(**texts, **options, selection="max")["gleu"] == close(best)
    assert score(**texts, **options, level="sentence")["gleu"] == close(each)
    result = score(**texts, **options, level="sentence", selection="max", detailed=True)
    assert result["gleu"] == close(each_best)
    assert result["chosen_reference"] == chosen


@given(texts=corpora(), max_order=st.sampled_from([1, 2, 4, 6]))
def test_sacrebleu(texts, max_order):
    from sacrebleu.metrics import BLEU

    predictions, references = texts["predictions"], texts["references"]
    # It takes columns of references; where a sentence has fewer, None.
    most = max(map(len, references))
    padded = [[*listed, *[None] * (most - len(listed))] for listed in references]
    columns = [list(column) for column in zip(*padded, strict=True)]
    peer = BLEU(tokenize="none", smooth_method="none", max_ngram_order=max_order, force=True)
    expected = peer.corpus_score(predictions, columns)
    options = {"metric": "bleu", "max_order": max_order, "detailed": True}
    result = score(predictions=predictions, references=references, **options)
    assert result["bleu"] == close(expected.score / 100)
    assert result["match"] == expected.counts
    assert result["total"] == expected.totals
    assert result["translation_length"] == expected.sys_len
    assert result["reference_length"] == expected.ref_len
    if expected.sys_len:
        assert result["brevity_penalty"] == close(expected.bp)
    each = score(predictions=predictions, references=references, **options, level="sentence")
    expected = [
        peer.corpus_score([prediction], [[text] for text in listed]).score / 100
        for prediction, listed in zip(predictions, references, strict=True)
    ]
    assert each["bleu"] == close(expected)


class Whitespace:
    def tokenize(self, text):
        return text.split()


@given(texts=corpora(), n=st.sampled_from([1, 2, 3, 4]))
def test_rouge_score(texts, n):
    from rouge_score.rouge_scorer import RougeScorer

    peer = RougeScorer([f"rouge{n}"], tokenizer=Whitespace())
    predictions, references = texts["predictions"], texts["references"]
    expected = [
        max(peer.score(text, prediction)[f"rouge{n}"].recall for text in listed)
        for prediction, listed in zip(predictions, references, strict=True)
    ]
    rouge = functools.partial(score, None, predictions, references, "rouge", max_order=n)
    assert rouge(level="sentence")["rouge"] == close(expected)
    for level in ("corpus", "mean"):
        assert rouge(level=level)["rouge"] == close(np.mean(expected))


# Oracles

GREEN_OPTIONS = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(["word", "char"]),
        "max_order": st.sampled_from([None, 1, 2, 3, 7, 50]),
        "beta": st.sampled_from([0.3, 0.5, 1.0, 2.0, 5.0, float("inf")]),
        "effective_order": st.booleans(),
        "strip": st.booleans(),
    }
)


@given(texts=corpora(), options=GREEN_OPTIONS, level=st.sampled_from(["corpus", "sentence"]))
def test_oracle_of_green(texts, options, level):
    result = score(**texts, **options, level=level, detailed=True)
    del result["signature"]
    expected = oracle.green(**texts, **options, level=level)
    assert result.keys() == expected.keys()
    for name, value in expected.items():
        assert flat(result[name]) == close(flat(value)), name


@given(texts=corpora(), options=GREEN_OPTIONS)
def test_oracle_of_the_mean_over_references(texts, options):
    options = {**options, "selection": "mean", "level": "sentence"}
    result = score(**texts, **options, detailed=True)
    assert "|select:mean|level:sentence|" in result.pop("signature")
    expected = oracle.green(**texts, **options)
    assert result.keys() == expected.keys()  # no reference is chosen
    for name, value in expected.items():
        assert np.array(result[name]) == close(np.array(value)), name


@given(texts=corpora(), beta=st.sampled_from([0.5, [1, 2.0], [0.1, 1, float("inf")]]))
def test_the_mean_over_references_is_that_of_scores_with_each_alone(texts, beta):
    each = [
        [
            score([source], [prediction], [[one]], beta=beta, level="mean")
            for one in (listed if isinstance(listed, list) else [listed])
        ]
        for source, prediction, listed in zip(*texts.values(), strict=True)
    ]
    options = {"selection": "mean", "beta": beta}
    of_sentences = score(**texts, **options, level="sentence")
    of_mean = score(**texts, **options, level="mean")
    for name in ("green", "precision", "recall"):
        # (sentence, beta); several betas come first in results
        expected = np.array([np.mean([one[name] for one in some], axis=0) for some in each])
        found = np.array(of_sentences[name])
        assert np.transpose(found) == close(expected)
        assert np.array(of_mean[name]) == close(expected.mean(axis=0))


@given(texts=corpora(), options=GREEN_OPTIONS)
def test_oracle_of_greens_mean(texts, options):
    for selection in ("max", "mean"):
        expected = oracle.green(**texts, **options, level="mean", selection=selection)
        found = score(**texts, **options, level="mean", selection=selection)
        assert found == {name: close(value) for name, value in expected.items()}
    expected = oracle.green(**texts, **options, level="mean")
    assert score(**texts, **options, level="mean") == close(expected)


@given(corpora(), GREEN_OPTIONS, st.sampled_from(["corpus", "mean", "sentence"]))
def test_a_list_of_betas_gives_what_each_gives(texts, options, level):
    betas = [0.5, 1.0, options.pop("beta")]
    together = score(**texts, **options, level=level, beta=betas, detailed=True)
    alone = [score(**texts, **options, level=level, beta=beta, detailed=True) for beta in betas]
    del together["signature"]
    assert together == {name: [one[name] for one in alone] for name in together}


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


ORACLE_OPTIONS = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(["word", "char"]),
        "max_order": st.sampled_from([None, 1, 2, 3, 7, 20]),
        "strip": st.booleans(),
        "level": st.sampled_from(["corpus", "mean", "sentence"]),
    }
)


@given(
    texts=corpora(),
    options=ORACLE_OPTIONS,
    formula=st.sampled_from(["official", "paper"]),
    selection=st.sampled_from(["sample", "max"]),
)
def test_oracle_of_gleu(texts, options, formula, selection):
    """Here a sentence may have more references than another."""
    options = {**options, "formula": formula, "selection": selection, "iterations": 7}
    assert score(**texts, metric="gleu", **options)["gleu"] == close(
        oracle.gleu(**texts, **options)
    )


@pytest.mark.parametrize("metric", WITHOUT_SOURCES)
@given(texts=corpora(), options=ORACLE_OPTIONS)
def test_oracles_without_sources(metric, texts, options):
    texts = inputs(metric, texts)
    result = score(**texts, metric=metric, **options)
    assert result[metric] == close(getattr(oracle, metric)(**texts, **options))
    if metric == "f1":
        for part in ("bleu", "rouge"):
            assert result[part] == close(getattr(oracle, part)(**texts, **options))


OWN_CHOICES = {
    "green": st.fixed_dictionaries({"effective_order": st.booleans()}),
    "gleu": st.fixed_dictionaries(
        {
            "formula": st.sampled_from(["official", "paper"]),
            "selection": st.sampled_from(["sample", "max"]),
            "iterations": st.just(3),
        }
    ),
}


@pytest.mark.parametrize("level", ["corpus", "mean", "sentence"])
@pytest.mark.parametrize("metric", METRICS)
@FEW_EXAMPLES
@given(texts=corpora(), tokenizer=st.sampled_from(["word", "char"]), data=st.data())
def test_oracles_of_orders_that_no_text_has(metric, level, texts, tokenizer, data):
    texts, options = inputs(metric, texts), {"tokenizer": tokenizer, "level": level}
    options |= {"max_order": 100, **data.draw(OWN_CHOICES.get(metric, st.just({})))}
    expected = getattr(oracle, metric)(**texts, **options)
    expected = expected if metric == "green" else {metric: expected}
    result = score(**texts, metric=metric, **options, detailed=True)
    for name, value in expected.items():
        assert flat(result[name]) == close(flat(value)), name


# GLEU's drawn references


@given(
    n_references=st.lists(st.integers(1, 5) | st.just(40), min_size=1, max_size=12).map(np.array),
    iterations=st.integers(1, 9),
    most=st.none() | st.integers(1, 12),
)
def test_draws_are_those_of_pythons_generator(n_references, iterations, most):
    """Every system sees the same ones; a single reference need not be drawn again and again."""
    gleu = Gleu(order=1, formula="official", selection="sample", iterations=iterations)
    n_rows = n_references.sum()
    rows = np.arange(2 * n_rows * 4).reshape(1, 2, n_rows, 2, 2)  # (beta, system, row, line, part)
    firsts = n_references.cumsum() - n_references
    n_draws = min(iterations, most or iterations) if n_references.max() > 1 else 1
    drawn = list(gleu.summands(rows, n_references, most))
    assert len(drawn) == n_draws
    for draw, summands in enumerate(drawn):
        generator = random.Random()
        generator.seed(101 * draw, version=1)
        positions = [int(generator.random() * n) for n in n_references]
        np.testing.assert_array_equal(summands, rows[:, :, firsts + positions])


@pytest.mark.parametrize(
    "metric",
    [
        Green(order=1, beta=2.0, effective_order=False, selection="max"),
        Gleu(order=1, formula="paper", selection="max", iterations=5),
    ],
)
def test_where_nothing_is_drawn_the_statistics_themselves_add_up(metric):
    rows, n_references = np.arange(12).reshape(1, 1, 2, 2, 3), np.array([1, 3])
    (summands,) = metric.summands(rows, n_references)
    np.testing.assert_array_equal(summands, rows)


@pytest.mark.parametrize(("paired", "n_as_large"), [("ar", [15, 1]), ("bs", [7, 1])])
def test_intervals_and_p_values_of_conll14(conll14, paired, n_as_large):
    """As an earlier implementation, which added up whole numbers, computed them."""
    sources, references, read = conll14
    systems = {name: read(name) for name in ("AMU", "CAMB", "RAC")}
    table = compare(systems, sources, references, metric="gleu", iterations=60, paired=paired)
    low = [0.5712610908529152, 0.5800783579695009, 0.5511094748317059]
    high = [0.5969593844212988, 0.605852238483148, 0.5798793614609996]
    assert table["low"].tolist() == pytest.approx(low, rel=0, abs=1e-14)
    assert table["high"].tolist() == pytest.approx(high, rel=0, abs=1e-14)
    assert table["p_value"].tolist()[1:] == [n / 1001 for n in n_as_large]


def test_a_corpus_in_many_parts():
    """More sentences than are counted or added up at once: a small corpus, again and again."""
    texts = dict(zip(TEXTS, random_corpus(47), strict=True))
    many = {name: column * 100 for name, column in texts.items()}
    for metric in METRICS:
        options = {"max_order": 2} | ({"selection": "max"} if metric == "gleu" else {})
        expected = getattr(oracle, metric)(**inputs(metric, texts), **options, level="sentence")
        expected = expected["green"] if metric == "green" else expected
        found = score(**inputs(metric, many), metric=metric, **options, level="sentence")
        assert found[metric] == close(expected * 100)
        expected = score(**inputs(metric, texts), metric=metric, **options)[metric]
        assert score(**inputs(metric, many), metric=metric, **options)[metric] == close(expected)
    drawn = {"metric": "gleu", "max_order": 1, "iterations": 2}
    expected = oracle.gleu(**many, max_order=1, iterations=2)
    assert score(**many, **drawn)["gleu"] == close(expected)


def test_many_references():
    """More than are counted at once: BLEU needs them all together."""
    sources, predictions, _ = random_corpus(40, seed=3)
    references = [random_corpus(n, seed=n)[0] for n in range(1, 41)]
    texts = {"sources": sources, "predictions": predictions, "references": references}
    for metric in METRICS:
        options = {"max_order": 2} | ({"iterations": 5} if metric == "gleu" else {})
        result = score(**inputs(metric, texts), metric=metric, **options)[metric]
        expected = getattr(oracle, metric)(**inputs(metric, texts), **options)
        assert result == close(expected["green"] if metric == "green" else expected)


def test_a_sentence_with_thousands_of_references_does_not_cost_room_for_all():
    references = [["a b", "b a"] * (1_000 if i == 9 else 1) for i in range(2_000)]
    texts = {"sources": ["a b"] * 2_000, "predictions": ["a b"] * 2_000, "references": references}
    for metric in METRICS:
        with at_most_megabytes(150):
            score(**inputs(metric, texts), metric=metric)


# How the scores are related (the documentation's table)


@given(texts=corpora(), tokenizer=st.sampled_from(["word", "char"]))
def test_all_scores_are_functions_of_the_same_regions(texts, tokenizer):
    """With one reference, at every order, whatever the texts."""
    texts["references"] = [listed[0] for listed in texts["references"]]
    options = {"tokenizer": tokenizer, "detailed": True}
    green = score(**texts, **options)
    tk, _, ti, od, oi, ud, ui = (np.array(green[name]) for name in oracle.REGIONS)
    each = score(**texts, **options, level="sentence")
    of_sentences = [np.array(each[name]) for name in ("true_keep", "true_insert", "under_delete")]

    gleu = score(**texts, **options, metric="gleu", formula="paper", selection="max")
    assert gleu["match"] == (tk + ti).tolist()
    assert gleu["penalty"] == ud.tolist()
    assert gleu["denominator"] == (tk + ti + oi + ud).tolist()
    numerators = np.maximum(of_sentences[0] + of_sentences[1] - of_sentences[2], 0)
    assert gleu["numerator"] == numerators.sum(axis=0).tolist()

    bleu = score(**inputs("bleu", texts), **options, metric="bleu")
    assert bleu["match"] == (tk + ti).tolist()
    assert bleu["total"] == (tk + ti + oi + ud).tolist()

    rouge = score(**inputs("rouge", texts), **options, metric="rouge")
    assert rouge["match"] == (tk + ti).tolist()
    assert rouge["total"] == (tk + ti + od + ui).tolist()

    f1 = score(**inputs("f1", texts), tokenizer=tokenizer, metric="f1")
    expected = 2 * bleu["bleu"] * rouge["rouge"] / (bleu["bleu"] + rouge["rouge"] or 1)
    assert f1["f1"] == close(expected)


# Results


def test_details():
    gleu = score(*CORPUS, metric="gleu", selection="max", detailed=True)
    assert list(gleu) == [
        *("gleu", "precisions", "brevity_penalty", "match", "penalty", "numerator", "denominator"),
        *("translation_length", "reference_length", "signature"),
    ]
    assert gleu["match"] == [16, 12, 9, 7]
    assert gleu["penalty"] == [1, 2, 2, 2]
    assert all(type(value) is int for value in gleu["match"])
    bleu = score(None, *CORPUS[1:], "bleu", detailed=True)
    assert list(bleu) == [
        *("bleu", "precisions", "brevity_penalty", "match", "total", "translation_length"),
        *("reference_length", "signature"),
    ]
    assert (bleu["translation_length"], bleu["reference_length"]) == (17, 17)
    rouge = score(None, *CORPUS[1:], "rouge", detailed=True, max_order=2)
    assert list(rouge) == ["rouge", "recalls", "match", "total", "signature"]
    assert rouge["recalls"][0] == score(None, *CORPUS[1:], "rouge", max_order=1)["rouge"]
    assert rouge["recalls"][1] == rouge["rouge"]
    f1 = score(None, *CORPUS[1:], "f1", detailed=True)
    assert f1.keys() == bleu.keys() | {"f1", "rouge", "recalls"}
    assert {name: f1[name] for name in bleu if name != "signature"} == {
        name: bleu[name] for name in bleu if name != "signature"
    }


@pytest.mark.parametrize("selection", ["sample", "max"])
def test_details_at_the_mean_are_means_and_sums(selection):
    options = {"metric": "gleu", "selection": selection, "detailed": True}
    mean = score(*CORPUS, **options, level="mean")
    each = score(*CORPUS, **options, level="sentence")
    assert mean["gleu"] == pytest.approx(np.mean(each["gleu"]))
    assert mean["precisions"] == pytest.approx(np.mean(each["precisions"], axis=0))
    assert mean["match"] == pytest.approx(np.sum(each["match"], axis=0))


def test_references_are_chosen_for_max_only():
    options = {"metric": "gleu", "level": "sentence", "detailed": True}
    assert "chosen_reference" not in score(*CORPUS, **options)
    assert score(*CORPUS, **options, selection="max")["chosen_reference"] == [0, 0, 0]


def test_sampling_is_always_the_same():
    corpus = random_corpus()
    first = score(*corpus, metric="gleu", max_order=2)
    assert score(*corpus, metric="gleu", max_order=2, seed=99) == first
    assert score(*corpus, metric="gleu", max_order=2, iterations=3) != first


def test_scoring_leaves_the_users_random_numbers_alone():
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    score(*random_corpus(), metric="gleu")
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002


@pytest.mark.parametrize("metric", METRICS)
def test_sources_are_for_scores_that_need_them(metric):
    if metric in WITHOUT_SOURCES:
        texts, message = TEXTS, f"^{metric} takes no sources; leave them out"
    else:
        texts, message = TEXTS | {"sources": None}, f"^sources are missing; {metric} needs them"
    with pytest.raises(ValueError, match=message):
        score(**texts, metric=metric)


def test_a_sixth_score_is_one_class_and_its_name(monkeypatch):
    """The share of the correction's n-grams that are new: |C| - |S∩C| over |C|, of order N."""

    @dataclass(frozen=True)
    class Novelty(Metric):
        title = "Novelty"
        sizes = ("C", "SC")
        results = ("novelty",)
        counts = ("new", "total")

        def statistics(self, sizes, detailed):
            c, sc = np.moveaxis(sizes[:, :, 0], -1, 0)
            return np.stack([c - sc, c, sc], axis=-1)[None], None

        def values(self, sums):
            new, total, _ = np.moveaxis(sums, -1, 0)
            return {"novelty": (new / total)[..., -1], "new": new, "total": total}

    monkeypatch.setitem(METRICS, "novelty", Novelty)
    monkeypatch.setitem(OWN_OPTIONS, "novelty", {})
    names = (*NGRAM_METRICS, "novelty")
    monkeypatch.setattr("green_gec.options.NGRAM_METRICS", names)
    monkeypatch.setattr("green_gec.options.METRICS", (*names, *EDIT_METRICS))
    texts = (["a b c", "d e"], ["a x c", "d e"], ["a b", "d"])
    novelty = {"metric": "novelty", "max_order": 1}
    assert score(*texts, **novelty) == {"novelty": 1 / 5}
    assert score(*texts, **novelty, level="sentence") == {"novelty": [1 / 3, 0.0]}
    details = score(*texts, **novelty, level="mean", detailed=True, n_resamples=50)
    assert (details["novelty"], details["new"]) == (1 / 6, [1])
    assert details["confidence_interval"] == [0.0, 1 / 3]
    assert details["signature"].startswith("novelty|nrefs:1|tok:word|order:1|level:mean|strip:no|")
    table = compare({"one": texts[1], "same": texts[1]}, texts[0], texts[2], **novelty)
    assert table["p_value"][1] == 1
    with pytest.raises(ValueError, match="novelty has no option 'beta'"):
        score(*texts, **novelty, beta=1)
