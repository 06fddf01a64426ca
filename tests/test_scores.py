"""GLEU, BLEU, ROUGE-N and F1 equal their public implementations, oracles and published figures."""

import functools
import json
import random
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_exact import CASES, GOLDENS, corpora, corpus
from test_score import CORPUS, PREDICTIONS, REFERENCES, SOURCES, random_corpus

import oracle
from green_gec import compare, score, scores
from green_gec.corpus import read_lines
from green_gec.scores import SCORES, Score

GLEU_ROWS = [
    row for row in json.loads((GOLDENS / "expected.json").read_text()) if row["metric"] == "gleu"
]
WITHOUT_SOURCES = [name for name, kind in SCORES.items() if not kind().needs_sources]
TEXTS = {"predictions": PREDICTIONS, "references": REFERENCES}

pytestmark = pytest.mark.filterwarnings("ignore:.*strip=True")


def close(value):
    return pytest.approx(value, rel=0, abs=1e-9)


def inputs(metric, texts):
    """What a score takes of a corpus."""
    return {
        name: texts[name]
        for name in ("sources", "predictions", "references")
        if name != "sources" or metric not in WITHOUT_SOURCES
    }


@given(st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1))
def test_the_digits_of_a_recall_are_all_of_it(a, b):
    recall = min(a, b) / max(a, b)
    digits = scores._digits(np.array(recall))
    assert sum(Fraction(int(digit), 2 ** (28 * n)) for n, digit in enumerate(digits, 1)) == recall


# Public implementations.


@pytest.mark.parametrize(
    "row", GLEU_ROWS, ids=lambda row: "{corpus}-{tokenizer}-{max_order}".format(**row)
)
def test_gleu_of_the_goldens(row):
    texts = corpus(CASES[row["corpus"]])
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


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=200, deadline=None)
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


@settings(max_examples=200, deadline=None)
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


# Oracles.

ORACLE_OPTIONS = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(["word", "char"]),
        "max_order": st.sampled_from([None, 1, 2, 3, 7, 20]),
        "strip": st.booleans(),
        "level": st.sampled_from(["corpus", "mean", "sentence"]),
    }
)


@settings(max_examples=300, deadline=None)
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
@settings(max_examples=150, deadline=None)
@given(texts=corpora(), options=ORACLE_OPTIONS)
def test_oracles_without_sources(metric, texts, options):
    texts = inputs(metric, texts)
    result = score(**texts, metric=metric, **options)
    assert result[metric] == close(getattr(oracle, metric)(**texts, **options))
    if metric == "f1":
        for part in ("bleu", "rouge"):
            assert result[part] == close(getattr(oracle, part)(**texts, **options))


@pytest.mark.parametrize("kept", [0, 1 << 28])
def test_draws_that_are_kept_and_draws_made_anew(monkeypatch, kept):
    from green_gec import scores, significance

    monkeypatch.setattr(scores, "_DRAWS_KEPT", kept)
    monkeypatch.setattr(scores, "_DRAWS_AT_ONCE", 200)  # three draws of these 60 sentences
    monkeypatch.setattr(significance, "_AT_ONCE", 2_000)
    texts = dict(zip(("sources", "predictions", "references"), random_corpus(), strict=True))
    options = {"max_order": 2, "iterations": 20}
    result = score(**texts, metric="gleu", **options, n_resamples=30)
    assert result["gleu"] == close(oracle.gleu(**texts, **options))
    monkeypatch.undo()
    assert score(**texts, metric="gleu", **options, n_resamples=30)["gleu"] == close(result["gleu"])


def test_a_corpus_in_many_parts():
    """More sentences than are counted, drawn or added up at once; references of any number."""
    sources, predictions, references = random_corpus(4_500)
    for metric in SCORES:
        for level in ("corpus", "sentence"):
            options = {"metric": metric, "level": level, "max_order": 2}
            if metric == "gleu":
                options["iterations"] = 3
            texts = {"sources": sources, "predictions": predictions, "references": references}
            result = score(**inputs(metric, texts), **options)[metric]
            del options["metric"]
            expected = getattr(oracle, metric)(**inputs(metric, texts), **options)
            expected = expected["green"] if metric == "green" else expected
            assert result == close(expected)


def test_many_references():
    """More than are counted at once: BLEU needs them all together."""
    sources, predictions, _ = random_corpus(40, seed=3)
    references = [random_corpus(n, seed=n)[0] for n in range(1, 41)]
    texts = {"sources": sources, "predictions": predictions, "references": references}
    for metric in SCORES:
        options = {"max_order": 2} | ({"iterations": 5} if metric == "gleu" else {})
        result = score(**inputs(metric, texts), metric=metric, **options)[metric]
        expected = getattr(oracle, metric)(**inputs(metric, texts), **options)
        assert result == close(expected["green"] if metric == "green" else expected)


def test_a_sentence_with_thousands_of_references_does_not_cost_room_for_all():
    import tracemalloc

    references = [["a b", "b a"] * (1_000 if i == 9 else 1) for i in range(2_000)]
    texts = {"sources": ["a b"] * 2_000, "predictions": ["a b"] * 2_000, "references": references}
    for metric in SCORES:
        tracemalloc.start()
        try:
            score(**inputs(metric, texts), metric=metric)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 150e6, metric


# How the scores are related (the README's table).


@settings(max_examples=150, deadline=None)
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


# Options and results.


def test_results_are_flat_floats():
    for metric in SCORES:
        result = score(**inputs(metric, {"sources": SOURCES, **TEXTS}), metric=metric)
        assert list(result) == list(SCORES[metric].results)
        assert all(type(value) is float for value in result.values())


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


def test_the_two_formulas_of_gleu_differ():
    """The documentation's example: an n-gram twice in S, once in R, three times in C."""
    texts = (["a a"], ["a a a"], ["a"])
    options = {"metric": "gleu", "max_order": 1, "detailed": True}
    assert score(*texts, **options)["penalty"] == [0]
    assert score(*texts, **options, formula="paper")["penalty"] == [1]


def test_details():
    gleu = score(*CORPUS, metric="gleu", selection="max", detailed=True)
    assert list(gleu) == [
        *("gleu", "precisions", "brevity_penalty", "match", "penalty", "numerator", "denominator"),
        *("translation_length", "reference_length", "signature"),
    ]
    assert gleu["match"] == [16, 12, 9, 7]
    assert gleu["penalty"] == [1, 2, 2, 2]
    assert all(type(value) is int for value in gleu["match"])
    bleu = score(**TEXTS, metric="bleu", detailed=True)
    assert list(bleu) == [
        *("bleu", "precisions", "brevity_penalty", "match", "total", "translation_length"),
        *("reference_length", "signature"),
    ]
    assert (bleu["translation_length"], bleu["reference_length"]) == (17, 17)
    rouge = score(**TEXTS, metric="rouge", detailed=True, max_order=2)
    assert list(rouge) == ["rouge", "recalls", "match", "total", "signature"]
    assert rouge["recalls"][0] == score(**TEXTS, metric="rouge", max_order=1)["rouge"]
    assert rouge["recalls"][1] == rouge["rouge"]
    f1 = score(**TEXTS, metric="f1", detailed=True)
    assert f1.keys() == bleu.keys() | {"f1", "rouge", "recalls"}
    assert {name: f1[name] for name in bleu if name != "signature"} == {
        name: bleu[name] for name in bleu if name != "signature"
    }


@pytest.mark.parametrize("metric", SCORES)
def test_details_can_be_stored_at_every_level(metric):
    texts = inputs(metric, {"sources": SOURCES, **TEXTS})
    for level in ("corpus", "mean", "sentence"):
        result = score(**texts, metric=metric, level=level, detailed=True)
        assert json.loads(json.dumps(result)) == result


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


@pytest.mark.parametrize(
    ("metric", "options", "signature"),
    [
        ("gleu", {}, "gleu|nrefs:1-3|tok:word|order:4|formula:official|select:sample|iter:500|"),
        ("gleu", {"selection": "max", "formula": "paper"}, "formula:paper|select:max|level:corpus"),
        ("gleu", {"level": "mean"}, "|select:sample|level:mean|strip:no|version:"),
        ("bleu", {}, "bleu|nrefs:1-3|tok:word|order:4|level:corpus|strip:no|version:"),
        ("rouge", {"max_order": 1}, "rouge|nrefs:1-3|tok:word|order:1|level:corpus|strip:no|vers"),
        ("f1", {"tokenizer": "char"}, "f1|nrefs:1-3|tok:char|order:6|level:corpus|strip:no|versi"),
        ("f1", {"n_resamples": 9}, "|strip:no|bs:9|conf:0.95|seed:12345|version:"),
    ],
)
def test_signatures(metric, options, signature):
    texts = inputs(metric, {"sources": SOURCES, **TEXTS})
    assert signature in score(**texts, metric=metric, **options, detailed=True)["signature"]


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        (
            "bleu",
            {"beta": 1.0},
            "bleu has no option 'beta'; its options are tokenizer, max_order, ",
        ),
        ("bleu", {"beta": [2.0]}, "bleu has no option 'beta'"),
        ("gleu", {"beta": 1}, "gleu has no option 'beta'"),
        ("gleu", {"effective_order": True}, "gleu has no option 'effective_order'"),
        ("f1", {"effective_order": True}, "f1 has no option 'effective_order'"),
        ("green", {"formula": "paper"}, "green has no option 'formula'"),
        ("green", {"selection": "max"}, "green has no option 'selection'"),
        ("rouge", {"iterations": 10}, "rouge has no option 'iterations'"),
        ("gleu", {"formula": "book"}, "gleu's formula must be 'official' or 'paper', not 'book'"),
        ("gleu", {"selection": "min"}, "gleu's selection must be 'sample' or 'max', not 'min'"),
        ("gleu", {"selection": None}, "gleu's selection must be 'sample' or 'max', not None"),
        (
            "gleu",
            {"iterations": 0},
            "gleu's iterations must be a whole number of at least 1, not 0",
        ),
        (
            "gleu",
            {"iterations": 2.5},
            "gleu's iterations must be a whole number of at least 1, not 2.5",
        ),
        ("bleu", {"sources": SOURCES}, "bleu takes no sources; leave them out"),
        ("rouge", {"sources": SOURCES}, "rouge takes no sources; leave them out"),
        ("gleu", {"sources": None}, "sources are missing; gleu needs them"),
        ("rouge", {"level": "sentence", "n_resamples": 9}, "n_resamples resamples sentences"),
    ],
)
def test_bad_input(metric, options, message):
    texts = inputs(metric, {"sources": SOURCES, **TEXTS})
    with pytest.raises(ValueError, match=f"^{message}"):
        score(**{**texts, **options}, metric=metric)


def test_a_sixth_score_is_one_class(monkeypatch):
    """The share of the correction's n-grams that are new: |C| - |S∩C| over |C|, of order N."""

    @dataclass(frozen=True)
    class Novelty(Score):
        title = "Novelty"
        sizes = ("C", "SC")
        results = ("novelty",)
        counts = ("new", "total")

        def statistics(self, sizes, n_references, detailed):
            c, sc = np.moveaxis(sizes[:, :, 0], -1, 0)
            return np.stack([c - sc, c, sc], axis=-1)[None], None

        def values(self, sums):
            new, total, _ = np.moveaxis(sums, -1, 0)
            return {"novelty": (new / total)[..., -1], "new": new, "total": total}

    monkeypatch.setitem(SCORES, "novelty", Novelty)
    texts = (["a b c", "d e"], ["a x c", "d e"], ["a b", "d"])
    options = {"metric": "novelty", "max_order": 1}
    assert score(*texts, **options) == {"novelty": 1 / 5}
    assert score(*texts, **options, level="sentence") == {"novelty": [1 / 3, 0.0]}
    details = score(*texts, **options, level="mean", detailed=True, n_resamples=50)
    assert (details["novelty"], details["new"]) == (1 / 6, [1])
    assert details["confidence_interval"] == [0.0, 1 / 3]
    assert details["signature"].startswith("novelty|nrefs:1|tok:word|order:1|level:mean|strip:no|")
    table = compare({"one": texts[1], "same": texts[1]}, texts[0], texts[2], **options)
    assert table["p_value"][1] == 1
    with pytest.raises(ValueError, match="novelty has no option 'beta'"):
        score(*texts, **options, beta=1)


# Significance.

EXAMPLES = GOLDENS.parent.parent / "examples"
SYSTEMS = {name: read_lines(EXAMPLES / f"{name}.txt") for name in ("careful", "bold", "broken")}
EXAMPLE_SOURCES = read_lines(EXAMPLES / "source.txt")
EXAMPLE_REFERENCES = list(
    zip(*(read_lines(EXAMPLES / f"reference{n}.txt") for n in (0, 1)), strict=True)
)


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("paired", ["bs", "ar"])
@pytest.mark.parametrize("metric", [*SCORES, "gleu max"])
def test_compare(metric, paired, level):
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
        for result in SCORES[metric].results:
            assert table.loc[name, result] == close(alone[result])
        bounds = table.loc[name, ["low", "high"]].tolist()
        assert bounds == close(alone["confidence_interval"])
        assert bounds[0] <= alone[metric] <= bounds[1]
    assert table.loc["broken", "p_value"] < 0.02
    assert table.loc["careful again", "p_value"] == 1


@pytest.mark.parametrize("paired", ["bs", "ar"])
@pytest.mark.parametrize("metric", ["gleu", "f1"])
def test_p_values_are_those_of_resampled_texts(metric, paired):
    """Score the resampled or swapped sentences themselves, slowly; GLEU keeps its draws."""
    rng = np.random.default_rng(3)
    n, half = len(EXAMPLE_SOURCES), len(EXAMPLE_SOURCES) // 2
    systems = {  # much alike, so that p is neither large nor small
        "first": SYSTEMS["careful"][:half] + SYSTEMS["bold"][half:],
        "second": SYSTEMS["bold"][:half] + SYSTEMS["careful"][half:],
    }
    options = {"metric": metric} | ({"iterations": 10} if metric == "gleu" else {})
    picks = []
    for i in range(10):
        random.seed(101 * i, version=1)
        picks.append([int(2 * random.random()) for _ in range(n)])

    @functools.cache
    def parts(text, i):
        return [
            oracle.gleu_parts(
                EXAMPLE_SOURCES[i].split(), text.split(), reference.split(), range(1, 5), "official"
            )
            for reference in EXAMPLE_REFERENCES[i]
        ]

    def value(texts, drawn=range(n)):
        if metric == "f1":
            references = [EXAMPLE_REFERENCES[i] for i in drawn]
            return oracle.f1([texts[i] for i in drawn], references)
        sums = [oracle.added([parts(texts[i], i)[pick[i]] for i in drawn]) for pick in picks]
        return np.mean([oracle.gleu_of(summed)[0] for summed in sums])

    first, second = systems.values()
    observed = value(first) - value(second)
    sources = EXAMPLE_SOURCES if metric == "gleu" else None
    table = compare(systems, sources, EXAMPLE_REFERENCES, paired=paired, **options)
    assert table["difference"][1] == close(-observed)
    differences = []
    for _ in range(300):
        if paired == "bs":
            drawn = rng.integers(n, size=n)
            differences.append(value(first, drawn) - value(second, drawn))
        else:
            swaps = rng.random(n) < 0.5
            pairs = [
                (b, a) if swap else (a, b) for a, b, swap in zip(first, second, swaps, strict=True)
            ]
            differences.append(value([a for a, _ in pairs]) - value([b for _, b in pairs]))
    sizes = np.abs(differences)
    if paired == "bs":
        sizes = sizes - sizes.mean()
    expected = (np.sum(sizes >= abs(observed)) + 1) / 301
    assert table["p_value"][1] == pytest.approx(expected, abs=0.1)
