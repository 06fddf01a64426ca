"""I-measure: examples, the whole cube of small texts, published figures."""

import doctest
import functools
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import close, half_up

from experiments.rivals import i_measure
from experiments.rivals.i_measure import Alignment, Counts, score, sentence_scores, statistics
from green_gec.corpus import Annotated, Edit, read_edits


def counts(*texts):
    return i_measure.counts(*map(str.split, texts))


def test_docstrings():
    assert doctest.testmod(i_measure).failed == 0


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (("a b c", "a b c", "a b c"), {"tn": 3}),
        # A substitution: right, wrong, missing, another one.
        (("a b c", "a x c", "a x c"), {"tn": 2, "tp": 1}),
        (("a b c", "a x c", "a b c"), {"tn": 2, "fp": 1}),
        (("a b c", "a b c", "a x c"), {"tn": 2, "fn": 1}),
        (("a b c", "a x c", "a y c"), {"tn": 2, "fp": 1, "fn": 1, "fpn": 1}),
        # A deletion.
        (("a b c", "a c", "a c"), {"tn": 2, "tp": 1}),
        (("a b c", "a c", "a b c"), {"tn": 2, "fp": 1}),
        (("a b c", "a b c", "a c"), {"tn": 2, "fn": 1}),
        (("a b c", "a c", "a x c"), {"tn": 2, "fp": 1, "fn": 1, "fpn": 1}),
        # An insertion.
        (("a c", "a b c", "a b c"), {"tn": 2, "tp": 1}),
        (("a c", "a b c", "a c"), {"tn": 2, "fp": 1}),
        (("a c", "a c", "a b c"), {"tn": 2, "fn": 1}),
        (("a c", "a x c", "a y c"), {"tn": 2, "fp": 1, "fn": 1, "fpn": 1}),
        # Texts without words.
        (("", "", ""), {}),
        (("a b", "", ""), {"tp": 2}),
        (("a b", "", "a b"), {"fp": 2}),
        (("", "", "a b"), {"fn": 2}),
    ],
)
def test_kinds_of_columns(texts, kind):
    assert counts(*texts) == Counts(**{**dict.fromkeys(Counts._fields, 0), **kind})


def test_costs():
    """Each changed word differs from two others, or stands beside two gaps."""
    texts = (["a", "b", "c"], ["a", "x", "c"], ["a", "b", "c", "d"])
    assert i_measure.align(*texts) == Alignment(2 * 3 + 2 * 2, Counts(0, 2, 1, 1, 0))


def brute_force(source, hypothesis, reference):
    """The least cost, and the counts of all alignments that cost it, from the whole cube."""
    texts = source, hypothesis, reference

    def cost_of(column):
        cost = 0
        for one, other in itertools.combinations(column, 2):
            if one != other:
                cost += 2 if None in (one, other) else 3
        return cost

    def kind_of(column):
        s, h, r = column
        fp, fn = s != h and h != r, s != r and h != r
        return np.array([s != h and h == r, s == h == r, fp, fn, fp and fn], int)

    @functools.cache
    def best(*done):
        if done == tuple(map(len, texts)):
            return 0, {(0, 0, 0, 0, 0)}
        least, found = float("inf"), set()
        for taken in itertools.product((0, 1), repeat=3):
            after = tuple(np.add(done, taken).tolist())
            if not any(taken) or any(n > len(text) for n, text in zip(after, texts, strict=True)):
                continue
            column = [
                text[n] if took else None for text, n, took in zip(texts, done, taken, strict=True)
            ]
            cost, rest = best(*after)
            cost += cost_of(column)
            if cost > least:
                continue
            if cost < least:
                least, found = cost, set()
            found |= {tuple((kind_of(column) + counts).tolist()) for counts in rest}
        return least, found

    return best(0, 0, 0)


@st.composite
def corrected(draw):
    """A source, and two texts that are changed sources or unlike it; words repeat."""
    words = st.sampled_from(draw(st.sampled_from(["ab", "abcd", "abcdefgh"])))
    source = draw(st.lists(words, max_size=5))
    texts = [source]
    for _ in range(2):
        other = draw(st.lists(words, max_size=5))
        start, stop = draw(st.integers(0, len(source))), draw(st.integers(0, len(source)))
        texts.append(draw(st.sampled_from([other, source[:start] + other[:2] + source[stop:]]))[:6])
    return draw(st.permutations(texts))


@given(corrected())
def test_the_alignment_is_the_best_of_all(texts):
    """It has the least cost; among those, most TP, then most TN, then fewest FP, FN, FPN."""
    least, found = brute_force(*texts)
    cost, ours = i_measure.align(*texts)
    assert cost == least
    assert ours in found
    assert ours == max(found, key=lambda of: (of[0], of[1], -of[2], -of[3], -of[4]))


@given(corrected())
def test_a_higher_limit_finds_the_same(texts):
    """Nodes are left out only if no best alignment goes through them."""
    savings = [i_measure._savings(*pair) for pair in itertools.combinations(texts, 2)]
    values = [i_measure._best_value(texts, savings, limit) for limit in (0, 1, 3, 7, 1000)]
    assert {value for value in values if value is not None} == {values[-1]}


@pytest.mark.parametrize("n_words", [1, 60, 400])
def test_texts_without_a_common_word(n_words):
    texts = [[f"{letter}{n}" for n in range(n_words)] for letter in "shr"]
    columns = Counts(0, 0, n_words, n_words, n_words)
    assert i_measure.align(*texts) == Alignment(9 * n_words, columns)


def test_repeated_clauses():
    clause = "and then the man went to the house of the old man"
    source, hypothesis, reference = (" ".join([clause] * n) for n in (10, 9, 30))
    assert counts(source, hypothesis, reference) == Counts(0, 9 * 12, 12, 20 * 12, 0)


def test_words_shared_at_both_ends():
    """The ends may meet, but no word belongs to both."""
    assert counts("a a a", "a a", "a a") == Counts(1, 2, 0, 0, 0)
    assert counts("a b a", "a", "a b a") == Counts(0, 1, 2, 0, 0)


def test_scores_of_a_corpus():
    sources, references = ["a b c d"] * 2, [["a x c d"]] * 2
    assert score(sources, sources, references) == 0
    assert score(sources, ["a x c d"] * 2, references) == 1
    hypotheses = ["a x c d", "a b c y"]
    assert statistics(sources, hypotheses, references).tolist() == [
        [[1, 3, 0, 0, 0], [0, 3, 0, 1, 0]],
        [[0, 2, 1, 1, 0], [0, 3, 0, 1, 0]],
    ]
    # WAcc is 5/5 and 2/5, and 7/10 together; the source's is 3/4.
    each = sentence_scores(sources, hypotheses, references)
    assert each.tolist() == close([1, (2 / 5) / (3 / 4) - 1])
    assert score(sources, hypotheses, references) == close((7 / 10) / (3 / 4) - 1)


def test_weighted_accuracy():
    """TP and FP weigh 2, the others 1; FPN counts for 1.5 instead of 3."""
    all_counts = np.array([[1, 0, 0, 1, 0], [0, 1, 1, 0, 0], [0, 1, 1, 1, 1], [0, 0, 0, 0, 0]])
    assert i_measure.weighted_accuracy(all_counts).tolist() == close([2 / 3, 1 / 3, 1 / 2.5, 1])
    assert i_measure.weighted_accuracy(all_counts[:, None]).shape == (4, 1)


def test_the_best_reference_is_chosen_for_each_sentence():
    sources, hypotheses = ["a b c", "a b c"], ["a x c", "a b z"]
    both = [["a x c", "a b z"]] * 2
    assert score(sources, hypotheses, both) == 1
    assert score(sources, hypotheses, [pair[::-1] for pair in both]) == 1
    assert score(sources, hypotheses, [pair[:1] for pair in both]) < 1


def test_of_equally_good_references_the_one_with_more_tp():
    source, hypothesis = "a b c d", "a x c d"
    references = ["a b c d", "a x y z"]
    # WAcc is 3/5 for (0, 3, 1, 0, 0) and (1, 1, 0, 2, 0).
    for order in (references, references[::-1]):
        found = statistics([source], [hypothesis], [order])
        assert found.tolist() == [[[1, 1, 0, 2, 0], [0, 1, 0, 3, 0]]]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("", "", ""), 0),
        (("a", "a", "a"), 0),
        (("a", "b", "a"), -1),
        (("a", "a", "b"), 0),  # both accuracies are 0
        (("a", "c", "b"), 0),
        (("a", "b", "b"), 1),
    ],
)
def test_scores_at_the_limits(texts, expected):
    source, hypothesis, reference = texts
    assert score([source], [hypothesis], [[reference]]) == expected


def test_wrong_corpora():
    with pytest.raises(ValueError, match=r"^references\[1\] is empty"):
        score(["a", "b"], ["a", "b"], [["a"], []])
    with pytest.raises(ValueError, match="shorter"):
        score(["a", "b"], ["a"], [["a"], ["b"]])


def test_references_of_the_official_converter():
    """Here, a tokenizer that makes words of commas."""
    edits = {
        0: [Edit(1, 2, (("known,the",), ("another",)))],
        1: [Edit(0, 3, ((),))],  # the whole sentence is deleted
        2: [],
    }
    sentences = [Annotated(["a", "b", "c"], edits), Annotated(["d"], {0: []})]
    references = i_measure.official_references(
        sentences, lambda text: text.replace(",", " , ").split()
    )
    assert references == [["a known , the c", "a b c", "a b c"], ["d"]]


def treebank():
    """The tokenizer of the official converter."""
    return pytest.importorskip("nltk").tokenize.TreebankWordTokenizer().tokenize


def test_conll14(conll14, data_dir):
    """AMU's counts and score, as the official program prints them."""
    sources, _, read = conll14
    gold = read_edits(data_dir / "conll14" / "official.m2")
    found = statistics(sources, read("AMU"), i_measure.official_references(gold, treebank()))
    sums = found.sum(axis=0)
    assert sums[0].tolist() == [484, 27350, 888, 2294, 136]
    assert half_up(i_measure.improvement(sums).item()) == "-3.30"
