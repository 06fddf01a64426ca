"""Scores of edits: which annotator counts, the levels, intervals and tests, and the options."""

import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from shared import close

from green_gec import compare, edits, significance
from green_gec.corpus import Annotated, Edit
from green_gec.corpus.gold import corpus_with_gold
from green_gec.edits.metrics import METRICS
from green_gec.options import Options
from green_gec.reporting.figures import percent

BETAS = [0.3, 0.5, 1.0, 2.0, math.inf]


def make_metric(name, **options):
    return METRICS[name].make(Options(metric=name, **options))


def edit(start, stop, *texts):
    return Edit(start, stop, tuple(tuple(text.split()) for text in texts))


def annotated(text, *annotators):
    """A sentence with the edits of annotators 0, 1, …"""
    return Annotated(text.split(), dict(enumerate(annotators)))


def m2(systems, gold, n_resamples=0, **options):
    """The rows of a comparison by M²."""
    table = compare(systems, metrics=["m2"], gold=gold, n_resamples=n_resamples, **options)
    return table.to_dict("records")


def exact_f(correct, proposed, gold, beta):
    """The F-score as a fraction, from precision and recall."""
    precision = Fraction(correct, proposed) if proposed else Fraction(1)
    recall = Fraction(correct, gold) if gold else Fraction(1)
    if not precision or not recall:
        return Fraction(0)
    if math.isinf(beta):
        return recall
    weight = Fraction(beta) ** 2
    return (1 + weight) * precision * recall / (weight * precision + recall)


def m2_key(correct, proposed, gold, beta):
    """M²: the highest F; on a tie more correct, then less proposed + β² · gold."""
    cost = gold if math.isinf(beta) else proposed + Fraction(beta) ** 2 * gold
    return exact_f(correct, proposed, gold, beta), correct, -cost


def errant_key(correct, proposed, gold, beta):
    """ERRANT: the highest F of four digits; on a tie more TP, then fewer FP, then fewer FN."""
    false_positives, false_negatives = proposed - correct, gold - correct
    precision = correct / proposed if false_positives else 1.0
    recall = correct / gold if false_negatives else 1.0
    if not precision or not recall:
        f = 0.0
    elif math.isinf(beta):
        f = recall
    else:
        f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return round(f, 4), correct, -false_positives, -false_negatives


KEYS = {"m2": m2_key, "errant": errant_key}


def choose_one_by_one(metric, corpus, beta):
    """The sums over sentences, each with the annotator that is best for the sums so far."""
    sums = (0, 0, 0)
    for annotators in corpus:
        candidates = [tuple(map(sum, zip(sums, each, strict=True))) for each in annotators]
        sums = max(candidates, key=lambda candidate: KEYS[metric](*candidate, beta))
    return sums


def random_counts(rng, n_sentences):
    """Correct, proposed and gold edits by sentence and annotator; small, so that ties are many."""

    def of_annotator():
        correct = rng.choice([0, 0, 1, 1, 2])
        return correct, correct + rng.choice([0, 0, 1, 2]), correct + rng.choice([0, 0, 1, 2])

    return [[of_annotator() for _ in range(rng.randint(1, 3))] for _ in range(n_sentences)]


def total(metric, corpora, beta):
    """Our sums, (beta, system, count), for systems with the same numbers of annotators."""
    statistics = [[each for annotators in corpus for each in annotators] for corpus in corpora]
    repeated = np.repeat(np.array(statistics)[None], len(beta), axis=0)
    n_annotators = np.array([len(annotators) for annotators in corpora[0]])
    (chosen,) = make_metric(metric, beta=beta).summands(repeated, n_annotators)
    return chosen.sum(axis=2)


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_annotators_are_chosen_one_sentence_after_the_other(metric):
    rng = random.Random(1)
    for _ in range(300):
        corpus = random_counts(rng, rng.randint(1, 12))
        expected = [choose_one_by_one(metric, corpus, beta) for beta in BETAS]
        assert total(metric, [corpus], BETAS)[:, 0].tolist() == [list(sums) for sums in expected]


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_each_system_has_its_own_annotators(metric):
    corpora = [[[(1, 1, 1), (0, 1, 3)]], [[(0, 2, 1), (2, 2, 3)]]]
    assert total(metric, corpora, [0.5]).tolist() == [[[1, 1, 1], [2, 2, 3]]]


def test_the_first_annotator_wins_a_tie():
    statistics = np.array([[[[1, 2, 2], [1, 2, 2], [1, 1, 6]]]])
    chosen = make_metric("m2").choose(statistics, np.array([2, 1]))
    assert chosen.tolist() == [[[0, 2]]]


def test_ties_are_not_decided_by_rounding():
    """F of 1, 1, 2 edits equals that of 3, 3, 6; then more correct edits decide."""
    for beta in (0.1, 0.17, 0.3, 0.7, 1.79):
        for factor in range(2, 10):
            many = (factor, factor, 2 * factor)
            for annotators in ([(1, 1, 2), many], [many, (1, 1, 2)]):
                assert total("m2", [[annotators]], [beta]).tolist() == [[list(many)]]


def test_errant_rounds_as_errant_does():
    """0.15625 becomes 0.1563, because ERRANT's formula makes a bit more of it."""
    assert total("errant", [[[(3, 12, 48), (2, 11, 20)]]], [0.5]).tolist() == [[[2, 11, 20]]]


def errants_f(tp, fp, fn, beta):
    """ERRANT's own computation, step by step: the last bit decides ties."""
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    return round((1 + beta**2) * p * r / (beta**2 * p + r), 4) if p + r else 0.0


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_the_four_digits_of_errant(beta):
    """Also at ties: 3, 4, 1 make 0.4688 and 5, 1, 3 make 0.7812."""
    # Ratios that end in a 5 after four digits have denominators such as 32, 160 and 800.
    ties = [(tp, n - tp, n - tp) for n in (32, 160, 800, 4000) for tp in range(1, n)]
    counts = np.array([*product(range(25), repeat=3), *ties])
    tp, fp, fn = counts.T
    sums = np.stack([tp, tp + fp, tp + fn], axis=-1)
    values = make_metric("errant", beta=beta).values(sums[None])
    rows = [(tp, fp, fn) for tp, fp, fn in counts.tolist()]
    expected = {
        "errant": [errants_f(*row, beta) for row in rows],
        "precision": [round(tp / (tp + fp), 4) if fp else 1.0 for tp, fp, _ in rows],
        "recall": [round(tp / (tp + fn), 4) if fn else 1.0 for tp, _, fn in rows],
    }
    for name, column in expected.items():
        shown = [percent(value, 2, "errant") for value in values[name][0].tolist()]
        assert shown == [f"{100 * value:.2f}" for value in column]
    assert [errants_f(3, 4, 1, 0.5), errants_f(5, 1, 3, 0.5)] == [0.4688, 0.7812]


@pytest.mark.parametrize("beta", [1e-200, 1e200])
@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_betas_beyond_reason(metric, beta):
    """They leave precision or recall alone to decide."""
    annotators = [(2, 2, 4), (2, 4, 2)]
    assert total(metric, [[annotators]], [beta])[0, 0].tolist() == list(annotators[beta > 1])


GOLD = [
    annotated("She go home .", [edit(1, 2, "goes")], [edit(1, 2, "went"), edit(2, 3, "away")]),
    annotated("I has two cat .", [edit(1, 2, "have"), edit(3, 4, "cats")]),
    annotated("Hello there", [], [edit(1, 1, ",")]),
    annotated("He like the dogs .", [edit(1, 2, "likes"), edit(2, 3, "")]),
]
SYSTEMS = {
    "source": [sentence.source for sentence in GOLD],
    "some": ["She goes home .", "I have two cat .", "Hello there", "He like the cats ."],
    "all": ["She went away .", "I have two cats .", "Hello , there", "He likes dogs ."],
}


def test_sentences_count_with_their_best_annotator():
    rows = m2(SYSTEMS, GOLD, level="sentence", detailed=True)
    scores = {name: [row["m2"] for row in rows if row["system"] == name] for name in SYSTEMS}
    # P = 1 and R = 1/2 make F = 1.25 · 0.5 / (0.25 + 0.5). The source's third sentence is right.
    assert scores == {"source": [0, 0, 1, 0], "some": [1, close(5 / 6), 1, 0], "all": [1, 1, 1, 1]}
    counts = [[row[name] for name in ("correct", "proposed", "gold")] for row in rows]
    assert counts[2] == [0, 0, 0]
    assert counts[4:8] == [[1, 1, 1], [1, 1, 2], [0, 0, 0], [0, 1, 2]]
    assert counts[8] == [2, 2, 2]


def test_the_mean_is_that_of_the_sentences():
    rows = m2(SYSTEMS, GOLD, level="mean", detailed=True)
    assert [row["m2"] for row in rows] == [0.25, close((2 + 5 / 6) / 4), 1]
    assert [row["correct"] for row in rows] == [0, 2, 7]


def test_a_corpus_with_nothing_to_correct():
    gold = [annotated("a b", []), annotated("c", [])]
    right, wrong = m2({"right": ["a b", "c"], "wrong": ["a b", "d"]}, gold)
    assert (right["m2"], right["precision"], right["recall"]) == (1, 1, 1)
    assert (wrong["m2"], wrong["precision"], wrong["recall"]) == (0, 0, 1)


def best_f(metric, annotators, beta):
    """The F of the sentence's best annotator."""
    best = max(annotators, key=lambda counts: KEYS[metric](*counts, beta))
    return float(exact_f(*best, beta))


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_sentences_alone(metric):
    """Each annotator is chosen for the sentence, not for the sums so far."""
    rng = random.Random(2)
    for _ in range(50):
        corpus = random_counts(rng, 5)
        expected = [[best_f(metric, annotators, beta) for annotators in corpus] for beta in BETAS]
        scores = make_metric(metric, beta=BETAS, level="sentence")
        flat = np.array([each for annotators in corpus for each in annotators])
        values = scores.values(np.repeat(flat[None, None], len(BETAS), axis=0))
        n_annotators = np.array([len(annotators) for annotators in corpus])
        found = scores.sentence_values(values, n_annotators)[metric][:, 0]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def random_gold(n_sentences=40):
    """Sentences of two annotators, and two systems that follow now the one, now the other."""
    rng = random.Random(3)
    gold, systems = [], {"a": [], "b": []}
    for _ in range(n_sentences):
        tokens = [f"w{n}" for n in range(6)]
        annotators = [
            [edit(n, n + 1, rng.choice("xy")) for n in range(6) if rng.random() < 0.3]
            for _ in range(2)
        ]
        gold.append(annotated(" ".join(tokens), *annotators))
        for texts in systems.values():
            own = [each for each in rng.choice(annotators) if rng.random() < 0.6]
            own += [edit(5, 6, "z")] * (rng.random() < 0.2 and all(each.start < 5 for each in own))
            texts.append(annotated(" ".join(tokens), own).references[0])
    return gold, systems


def counted(gold, systems, **options):
    """The statistics of systems by M²."""
    corpus = corpus_with_gold(systems, None, None, gold)
    return edits.count(corpus, Options(metric="m2", **options))


def test_resamples_keep_the_annotators_of_the_whole_corpus():
    gold, systems = random_gold()
    n_resamples, seed = 200, 7
    statistics = counted(gold, systems)
    (chosen,) = statistics.summands()
    assert chosen.shape == (1, 2, len(gold), 3)
    by_sentence = np.moveaxis(chosen, 2, 0)  # (sentence, beta, system, count)

    def f(sums):
        correct, proposed, in_gold = np.moveaxis(sums, -1, 0)
        return 1.25 * correct / (0.25 * in_gold + proposed)

    resampler = significance.Resampler(lambda: iter([by_sentence]), f, len(gold), n_resamples, seed)
    resampled, shuffled = resampler.bootstrap()[:, 0], resampler.randomise(baseline=0)[:, 0]
    observed = f(by_sentence.sum(axis=0))[0]

    first, second = m2(systems, gold, n_resamples=n_resamples, seed=seed)
    for system, row in enumerate((first, second)):
        interval = significance.interval(resampled, 0.95)[system]
        assert [row["m2"], row["low"], row["high"]] == close([observed[system], *interval])
    p_values = significance.randomisation_p_values(shuffled, observed - observed[0])
    assert second["difference"] == close(observed[1] - observed[0])
    assert second["p_value"] == close(p_values[1])
    _, second = m2(systems, gold, n_resamples=n_resamples, seed=seed, paired="bs")
    p_values = significance.bootstrap_p_values(resampled, observed, baseline=0)
    assert second["p_value"] == close(p_values[1])


def test_the_interval_is_that_of_the_chosen_annotators():
    """Gold edits of the others make no difference."""
    gold, systems = random_gold()
    statistics = counted(gold, {"a": systems["a"]})
    entries = statistics.metric.choose(statistics.rows, statistics.n_references)[0, 0]
    alone = [
        annotated(sentence.source, sentence.edits[entry % 2])
        for sentence, entry in zip(gold, entries.tolist(), strict=True)
    ]
    assert {entry % 2 for entry in entries.tolist()} == {0, 1}
    how = {"n_resamples": 100, "paired": None, "detailed": True}
    assert m2({"a": systems["a"]}, gold, **how) == m2({"a": systems["a"]}, alone, **how)


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_pieces_add_up_to_the_whole(level):
    gold, systems = random_gold()
    options = {"level": level, "n_resamples": 20, "detailed": True}
    pieces = [
        counted(gold[part], {name: texts[part] for name, texts in systems.items()}, **options)
        for part in (slice(0, 1), slice(1, 17), slice(17, None))
    ]
    whole, added = counted(gold, systems, **options).results(), sum(pieces).results()
    assert whole.keys() == added.keys()
    for name, value in whole.items():
        np.testing.assert_array_equal(added[name], value)


def test_case_can_be_ignored():
    gold = [annotated("he go home", [edit(0, 1, "He"), edit(1, 2, "Goes")])]
    texts = {"system": ["he goes Home"]}
    counts = ("correct", "proposed", "gold")
    (strict,) = m2(texts, gold, detailed=True)
    (lenient,) = m2(texts, gold, ignore_case=True, detailed=True)
    assert [strict[name] for name in counts] == [0, 1, 2]
    assert [lenient[name] for name in counts] == [1, 1, 1]


def test_an_edit_that_may_change_the_case_only_is_none_if_case_is_ignored():
    gold = [annotated("he go home", [edit(1, 2, "goes"), edit(2, 3, "house", "Home")])]
    found = [m2({"system": ["he goes home"]}, gold, ignore_case=way)[0] for way in (False, True)]
    assert [row["recall"] for row in found] == [0.5, 1]


def test_edits_may_keep_more_or_fewer_words():
    gold = [annotated("a b c d e", [edit(0, 5, "x b c d y")])]
    texts = {"system": ["x b c d y"]}
    found = {
        most: m2(texts, gold, max_unchanged_words=most, detailed=True)[0] for most in (0, 2, 3)
    }
    assert {most: (row["correct"], row["proposed"]) for most, row in found.items()} == {
        0: (0, 2),
        2: (0, 2),
        3: (1, 1),
    }
