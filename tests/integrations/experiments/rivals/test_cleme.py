"""CLEME: chunks against a version that marks tokens one by one, weights and scores by hand.

The paper's figures on the public corpora are cells of the report (`test_reproduce.py`).
"""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from experiments.rivals import cleme
from green_gec.corpus import Annotated, Edit

TOKENS = ["She", "go", "to", "the", "school", "."]


def edit(start, stop, text=""):
    return Edit(start, stop, (tuple(text.split()),), "R:X")


def system(*edits, tokens=TOKENS):
    return [Annotated(tokens, {0: list(edits)})]


def gold(*annotators, tokens=TOKENS):
    return [Annotated(tokens, dict(enumerate(map(list, annotators))))]


# Chunks


def test_edits_that_overlap_share_a_chunk():
    ours, theirs = [edit(1, 2, "goes"), edit(4, 5)], [edit(1, 3, "went to")]
    first, second = cleme.chunks(TOKENS, ours, theirs)
    assert first == (1, 3, ("go", "to"), (("goes", "to"), ("went", "to")))
    assert second == (4, 5, ("school",), ((), ("school",)))


def test_edits_that_touch_share_a_chunk():
    (chunk,) = cleme.chunks(TOKENS, [edit(1, 2, "goes")], [edit(2, 3)], [edit(3, 3, "all")])
    assert chunk.source == ("go", "to")
    assert chunk.texts == (("goes", "to"), ("go",), ("go", "to", "all"))


def test_an_insertion_alone_is_a_chunk_without_source():
    (chunk,) = cleme.chunks(TOKENS, [], [edit(2, 2, "back")])
    assert chunk == (2, 2, (), ((), ("back",)))


def mark_tokens(tokens, texts):
    """Chunks, plainly: gaps and tokens in turn, each marked if an edit covers it."""
    points = range(2 * len(tokens) + 1)  # even numbers are gaps
    covered = {
        point
        for edits in texts
        for each in edits
        for point in range(2 * each.start, 2 * each.stop + 1)
    }

    def emitted(point, edits):
        here = [each for each in edits if each.start == point // 2]
        if point % 2 == 0:
            return [word for e in here if e.start == e.stop for word in e.corrections[0]]
        if any(e.start <= point // 2 < e.stop for e in edits):
            return [word for e in here if e.start < e.stop for word in e.corrections[0]]
        return [tokens[point // 2]]

    found, run = [], []
    for point in [*points, len(points)]:
        if point in covered:
            run.append(point)
        elif run:
            words = [tuple(w for p in run for w in emitted(p, edits)) for edits in texts]
            source = tuple(w for p in run for w in emitted(p, []))
            found.append((run[0] // 2, run[-1] // 2, source, tuple(words)))
            run = []
    return found


@st.composite
def edit_lists(draw, n_tokens):
    """Edits that do not overlap, in order."""
    bounds = sorted(draw(st.lists(st.integers(0, n_tokens), max_size=6)))
    edits, done = [], -1
    for start, stop in zip(bounds[::2], bounds[1::2], strict=False):
        if start == stop == done:
            continue
        words = draw(st.sampled_from(["x", "x y", "b"] if start == stop else ["", "x", "x y", "a"]))
        edits.append(edit(start, stop, words))
        done = stop
    return edits


@st.composite
def sentences(draw):
    tokens = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=6))
    return tokens, draw(st.lists(edit_lists(len(tokens)), min_size=1, max_size=4))


@given(sentences())
def test_chunks_are_runs_of_marked_tokens(sentence):
    tokens, texts = sentence
    found = cleme.chunks(tokens, *texts)
    assert found == mark_tokens(tokens, texts)
    assert all(before.stop < after.start for before, after in pairwise(found))


@given(sentences())
def test_chunks_and_the_tokens_between_them_are_the_texts(sentence):
    tokens, texts = sentence
    found = cleme.chunks(tokens, *texts)
    references = Annotated(tokens, dict(enumerate(texts))).references
    for number, reference in enumerate(references):
        words, done = [], 0
        for chunk in found:
            words += [*tokens[done : chunk.start], *chunk.texts[number]]
            done = chunk.stop
        assert " ".join([*words, *tokens[done:]]) == reference


# Weights


@pytest.mark.parametrize("weight", [*cleme.CORPUS, *cleme.SENTENCE])
def test_weights_follow_the_formula(weight):
    lengths, mean = np.arange(1, 9), 2.25
    for x, found in zip(lengths, weight.of(lengths, mean), strict=True):
        exponent = x - mean if weight.falls else mean - x
        curve = weight.alpha / (1 + (weight.alpha - 1) * math.exp(exponent))
        assert found == pytest.approx(min(max(curve, weight.low), weight.high))


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (cleme.CORPUS, [[0.875647, 1.124353, 0.875647], [1.244919, 0.755081, 1.244919]]),
        (cleme.SENTENCE, [[1, 1, 1], [1.548281, 0.631373, 1]]),
    ],
)
def test_weights_of_the_paper(weights, expected):
    """For TP, FP and FN of chunks of 2 tokens, 0.25 below and 0.5 above the mean length."""
    for mean, row in zip((2.25, 1.5), expected, strict=True):
        found = [weight.of(np.array([2]), mean).item() for weight in weights]
        assert found == pytest.approx(row, abs=1e-6)


def test_chunks_of_the_mean_length_weigh_one():
    for weight in (*cleme.CORPUS, *cleme.SENTENCE):
        assert weight.of(np.array([3]), 3.0) == 1


def test_very_long_chunks():
    lengths = np.array([1, 10**6])
    right, wrong, _ = cleme.CORPUS
    assert right.of(lengths, 1e5).tolist() == [0.75, 1.25]
    assert wrong.of(lengths, 1e5).tolist() == [1.25, 0.75]


def test_mean_length_is_that_of_chunks_that_annotators_change():
    changed = [edit(1, 2, "has gone")], [edit(1, 2, "went")]
    first = cleme.chunks(TOKENS, [edit(4, 5, "my home")], *changed)
    second = cleme.chunks(TOKENS, [], [], [edit(3, 5)])
    assert cleme.mean_length([first, second]) == (2 + 1 + 2) / 3
    assert cleme.mean_length([[]]) == 0


# Scores


def test_a_worked_example():
    """All chunks of length 1, the mean: one right, one wrong and one missing, each of weight 1."""
    ours = system(edit(1, 2, "goes"), edit(3, 4, "a"))
    theirs = gold([edit(1, 2, "goes"), edit(5, 6, "!")])
    (found,) = cleme.counts(ours, theirs, cleme.CORPUS)
    assert found.tolist() == [[1, 1, 1]]
    assert cleme.corpus_score(ours, theirs) == pytest.approx(0.5)
    assert cleme.sentence_scores(ours, theirs) == pytest.approx([0.5])


def test_a_wrong_change_of_an_error_is_not_missing_too():
    (found,) = cleme.counts(system(edit(1, 2, "gone")), gold([edit(1, 2, "goes")]), cleme.CORPUS)
    assert found.tolist() == [[0, 1, 0]]


def test_one_boundary_for_all_annotators():
    """The second annotator's longer edit makes the chunk longer for the first one, too."""
    ours, short, long = [edit(1, 2, "goes")], [edit(1, 2, "goes")], [edit(1, 3, "enters")]
    (found,) = cleme.counts(system(*ours), gold(short, long), cleme.CORPUS)
    assert found.tolist() == [[1, 0, 0], [0, 1, 0]]  # both chunks are 2 tokens long
    assert cleme.sentence_scores(system(*ours), gold(short, long)).tolist() == [1]


def test_nothing_to_do_and_nothing_done():
    assert cleme.corpus_score(system(), gold([])) == 1
    assert cleme.sentence_scores(system(), gold([edit(1, 2, "goes")])).tolist() == [0]
    assert cleme.sentence_scores(system(edit(1, 2, "goes")), gold([])).tolist() == [0]
    assert cleme.sentence_scores(system(), gold([], [edit(1, 2, "goes")])).tolist() == [1]


def test_annotators_that_delete_the_sentence_are_left_out():
    fixed, deleted = [edit(1, 2, "goes")], [edit(0, 6)]
    assert cleme.annotators(gold(deleted, fixed)[0]) == [fixed]
    assert cleme.annotators(gold(deleted)[0]) == [deleted]
    assert cleme.sentence_scores(system(*fixed), gold(deleted, fixed)).tolist() == [1]


def test_the_annotator_is_best_for_the_sentences_so_far():
    """After a poor sentence, another right chunk is worth nine more that are missing."""
    every_one = cleme.Weights(*[cleme.Weight(1, 1, 1)] * 3)
    words = [edit(at, at + 1, "x") for at in range(0, 22, 2)]
    before = (system()[0], gold(words[:3])[0])
    tokens = [f"w{n}" for n in range(22)]
    sentence = (system(*words[:2], tokens=tokens)[0], gold(words[:1], words, tokens=tokens)[0])
    ours, theirs = map(list, zip(before, sentence, strict=True))
    found = [each.tolist() for each in cleme.counts(ours, theirs, every_one)]
    assert found == [[[0, 0, 3]], [[1, 1, 0], [2, 0, 9]]]
    alone, so_far = 1.25 / (1.25 + 1), 2.5 / (2.5 + 0.25 * (3 + 9))
    assert cleme.sentence_scores(ours, theirs, every_one) == pytest.approx([0, alone])
    assert cleme.corpus_score(ours, theirs, every_one) == pytest.approx(so_far)


def weighted(tokens, texts, mean, level):
    """TP, FP and FN of each annotator, straight from the paper, chunk by chunk."""

    def curve(alpha, exponent, low, high):
        return min(max(alpha / (1 + (alpha - 1) * math.exp(exponent)), low), high)

    counts = [[0.0, 0.0, 0.0] for _ in texts[1:]]
    for _, _, source, (ours, *theirs) in mark_tokens(tokens, texts):
        over = max(len(source), len(ours)) - mean
        if level == "corpus":
            weights = (curve(2, -over, 0.75, 1.25), curve(2, over, 0.75, 1.25), None)
            weights = (*weights[:2], weights[0])
        else:
            weights = (curve(10, -over, 1, 10), curve(10, over, 0.25, 1), 1)
        for annotator, right in enumerate(theirs):
            if ours != source:
                outcome = 0 if ours == right else 1
            elif right != source:
                outcome = 2
            else:
                continue
            counts[annotator][outcome] += weights[outcome]
    return counts


def f_half(tp, fp, fn):
    precision = tp / (tp + fp) if tp + fp else 1
    recall = tp / (tp + fn) if tp + fn else 1
    return 1.25 * precision * recall / (0.25 * precision + recall) if precision + recall else 0


def oracle(corpus, level):
    """CLEME of a corpus, or of its sentences; skips cases in which rounding would decide."""
    kept = []
    for tokens, (ours, *theirs) in corpus:
        references = Annotated(tokens, dict(enumerate(theirs))).references
        some = [edits for edits, text in zip(theirs, references, strict=True) if text] or theirs
        kept.append((tokens, [ours, *some]))
    lengths = [
        max(len(source), len(text))
        for tokens, texts in kept
        for _, _, source, (_, *theirs) in mark_tokens(tokens, texts)
        for text in theirs
        if text != source
    ]
    mean = sum(lengths) / max(len(lengths), 1)
    sums, scores = [0.0, 0.0, 0.0], []
    for tokens, texts in kept:
        before = sums if level == "corpus" else [0.0, 0.0, 0.0]
        found = [
            [one + other for one, other in zip(before, counts, strict=True)]
            for counts in weighted(tokens, texts, mean, level)
        ]
        best = max(found, key=lambda sums: (f_half(*sums), sums[0], -sums[1], -sums[2]))
        for other in found:
            close = abs(f_half(*other) - f_half(*best)) < 1e-9
            assume(not close or other == pytest.approx(best, abs=1e-9))
        sums = best
        scores.append(f_half(*best))
    return f_half(*sums) if level == "corpus" else scores


@st.composite
def corpora(draw):
    """Sentences with the edits of a system and of one to three annotators."""
    some = draw(st.lists(sentences(), min_size=1, max_size=4))
    return [(tokens, texts if len(texts) > 1 else [*texts, []]) for tokens, texts in some]


@given(corpora())
def test_scores_by_brute_force(corpus):
    ours = [Annotated(tokens, {0: texts[0]}) for tokens, texts in corpus]
    theirs = [Annotated(tokens, dict(enumerate(texts[1:]))) for tokens, texts in corpus]
    assert cleme.corpus_score(ours, theirs) == pytest.approx(oracle(corpus, "corpus"))
    found = cleme.sentence_scores(ours, theirs)
    assert found.tolist() == pytest.approx(oracle(corpus, "sentence"))


def test_files_of_different_length():
    with pytest.raises(ValueError, match="longer"):
        cleme.corpus_score(system(), gold([]) * 2)
