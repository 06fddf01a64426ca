"""M²: examples, every way to cut every alignment, a public scorer's counts, hard texts."""

import functools
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import GOLDENS, half_up

from green_gec import compare
from green_gec.corpus import Annotated, Edit, read_edits, read_lines
from green_gec.corpus.gold import corpus_with_gold
from green_gec.edits import count, maxmatch
from green_gec.edits.matches import Match
from green_gec.options import Options


def edit(start, stop, *texts):
    """An edit with one or several alternatives."""
    return Edit(start, stop, tuple(tuple(text.split()) for text in texts))


def match(source, correction, *gold, most_kept=2):
    source, correction = tuple(source.split()), tuple(correction.split())
    steps = maxmatch.align(source, correction)
    return maxmatch.match(source, correction, steps, gold, most_kept)


def test_an_edit_is_found_by_its_place_and_text():
    found = match("She go home .", "She goes home .", edit(1, 2, "goes"))
    assert found == Match(correct=[0], n_proposed=1)
    assert match("She go home .", "She goes home .", edit(1, 2, "went")) == Match([], 1)
    assert match("She go home .", "She goes home .", edit(2, 3, "goes")) == Match([], 1)


def test_a_text_without_changes_has_no_edits():
    assert match("She go home .", "She go home .", edit(1, 2, "goes")) == Match([], 0)
    assert match("", "") == Match([], 0)


def test_any_alternative_will_do():
    gold = edit(3, 4, "cats", "a cat", "")
    for correction in ("I have two cats .", "I have two a cat .", "I have two ."):
        assert match("I have two cat .", correction, gold) == Match([0], 1)


def test_an_edit_may_keep_words():
    """Here the system inserts a word; the annotator replaced two."""
    gold = edit(2, 4, "in the morning")
    texts = ("I swim in morning .", "I swim in the morning .")
    assert match(*texts, gold, most_kept=2) == Match([0], 1)
    assert match(*texts, gold, most_kept=1) == Match([], 1)


def test_changes_beside_each_other_are_as_few_edits_as_possible():
    texts = ("a b c d", "x b c y")
    assert match(*texts, most_kept=2) == Match([], 1)
    assert match(*texts, most_kept=1) == Match([], 2)


def test_gold_edits_come_before_few_edits():
    assert match("a b c d", "x b c y", edit(0, 1, "x")) == Match([0], 2)
    assert match("a b c d", "x b c y", edit(0, 1, "x"), edit(3, 4, "y")) == Match([0, 1], 2)


def test_a_replaced_word_is_also_one_deleted_and_one_inserted():
    assert match("a b", "a c", edit(1, 2, "c")) == Match([0], 1)
    assert match("a b", "a c", edit(1, 2, ""), edit(2, 2, "c")) == Match([0, 1], 2)


def test_an_insertion_is_found_once():
    very = edit(1, 1, "very")
    assert match("a big dog", "a very very big dog", very) == Match([0], 2)
    assert match("a big dog", "a very very big dog", very, very) == Match([0, 1], 2)
    assert match("a big dog", "a very big dog", very, very) == Match([0], 1)


def test_a_gold_edit_that_changes_nothing_is_not_found():
    """Such edits mark an error that the annotator could not correct."""
    assert match("a b c", "a b d", edit(0, 1, "a")) == Match([], 1)
    assert match("a b c", "a b d", edit(1, 3, "b c")) == Match([], 1)
    assert match("a b c", "a b d", edit(2, 2, "")) == Match([], 1)


def test_a_deletion_is_found_once():
    assert match("a big dog", "a dog", edit(1, 2, ""), edit(1, 2, "")) == Match([0], 1)


def best_steps(source, correction, substitution):
    """All steps on the best alignments: pairs of nodes."""
    end = len(source), len(correction)

    def steps_from(i, j):
        if i < end[0]:
            yield (i + 1, j), 1
        if j < end[1]:
            yield (i, j + 1), 1
        if i < end[0] and j < end[1]:
            yield (i + 1, j + 1), 0 if source[i] == correction[j] else substitution

    @functools.cache
    def distance(node):
        return min((cost + distance(after) for after, cost in steps_from(*node)), default=0)

    found, ahead = set(), [(0, 0)]
    while ahead:
        node = ahead.pop()
        for after, cost in steps_from(*node):
            if cost + distance(after) == distance(node) and (node, after) not in found:
                found.add((node, after))
                ahead.append(after)
    return found


def brute_force(source, correction, gold, most_kept):
    """How many gold edits are found, and how many edits proposed: the best of all ways."""
    steps = best_steps(source, correction, 1) | best_steps(source, correction, 2)
    end = len(source), len(correction)

    def keeps(node, after):
        (i, j), moved = node, (after[0] - node[0], after[1] - node[1])
        return moved == (1, 1) and source[i] == correction[j]

    def walks(node):
        """All walks that are edits: where they end, and their number of steps."""
        ahead = [(node, 0, 0)]
        while ahead:
            here, n_kept, n_steps = ahead.pop()
            if n_kept < n_steps:
                yield here, n_steps
            for before, after in steps:
                if before == here and n_kept + keeps(before, after) <= most_kept:
                    ahead.append((after, n_kept + keeps(before, after), n_steps + 1))

    def equals(edit, node, last):
        text = correction[node[1] : last[1]]
        return (edit.start, edit.stop) == (node[0], last[0]) and text in edit.corrections

    @functools.cache
    def best(node, left):
        """The best way from a node: gold edits (negative), steps outside of them, edits."""
        if node == end:
            return 0, 0, 0
        ways = []
        for before, after in steps:
            if before == node and keeps(before, after):
                n_found, n_outside, n_edits = best(after, left)
                ways.append((n_found, n_outside + 1, n_edits))
        for last, n_steps in set(walks(node)):
            n_found, n_outside, n_edits = best(last, left)
            ways.append((n_found, n_outside + n_steps, n_edits + 1))
            for number in left:
                if equals(gold[number], node, last):
                    n_found, n_outside, n_edits = best(last, left - {number})
                    ways.append((n_found - 1, n_outside, n_edits + 1))
        return min(ways)

    n_found, _, n_edits = best((0, 0), frozenset(range(len(gold))))
    return -n_found, n_edits


@st.composite
def corrected(draw):
    """A source, its correction and gold edits, of few words, so that they repeat."""
    words = st.sampled_from(draw(st.sampled_from(["ab", "abcd"])))
    source, other = (tuple(draw(st.lists(words, max_size=5))) for _ in range(2))
    start, stop = (draw(st.integers(0, len(source))) for _ in range(2))
    correction = draw(st.sampled_from([other, (*source[:start], *other[:2], *source[stop:])]))[:6]
    alternatives = st.lists(st.lists(words, max_size=2).map(tuple), min_size=1, max_size=2)
    gold, done = [], 0
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(done, len(source)))
        done = draw(st.integers(start, min(start + 2, len(source))))
        gold.append(Edit(start, done, tuple(draw(alternatives))))
    return source, correction, gold


@given(corrected(), st.integers(0, 2))
def test_the_way_is_the_best_of_all(case, most_kept):
    source, correction, gold = case
    steps = maxmatch.align(source, correction)
    found, n_proposed, _ = maxmatch.match(source, correction, steps, gold, most_kept)
    assert found == sorted(set(found))
    assert (len(found), n_proposed) == brute_force(source, correction, gold, most_kept)


@given(corrected())
def test_the_lattice_has_all_steps_of_the_best_alignments(case):
    source, correction, _ = case
    steps = maxmatch.align(source, correction)
    ours = {(node, after) for node, afters in steps.items() for after, _ in afters}
    assert ours == best_steps(source, correction, 1) | best_steps(source, correction, 2)


CLAUSE = "and then the man went to the house of the old man"


@pytest.mark.parametrize("number", range(10))
def test_ten_repeated_clauses(number):
    """One of them is deleted, and which one, nobody knows: the annotator's, whichever it is."""
    n_words = len(CLAUSE.split())
    deleted = edit(number * n_words, (number + 1) * n_words, "")
    texts = (" ".join([CLAUSE] * 10), " ".join([CLAUSE] * 9))
    assert len(texts[0].split()) == 120
    assert match(*texts, deleted) == Match([0], 1)


@pytest.mark.parametrize("words", [[f"w{n}" for n in range(40)], ["w"] * 40])
def test_many_insertions_at_one_place(words):
    gold = [edit(1, 1, word) for word in words]
    assert match("a b", f"a {' '.join(words)} b", *gold) == Match(list(range(40)), 40)
    assert match("a b", f"a {' '.join(words[:20])} b", *gold) == Match(list(range(20)), 20)


def test_many_insertions_with_alternatives_at_one_place():
    """The time may double with each: an error names the sentence, within a second."""
    words = [f"w{n}" for n in range(40)]
    apart = [Edit(1, 1, ((words[n],), (words[n + 20],))) for n in range(20)]
    beside = [Edit(1, 1, ((words[2 * n],), (words[2 * n + 1],))) for n in range(20)]
    crossed = [Edit(1, 1, ((words[n],), (words[19 - n],))) for n in range(20)]
    correction = f"a {' '.join(words)} b"
    assert match("a b", correction, *beside) == Match(list(range(20)), 30)
    assert match("a b", f"a {' '.join(words[:20])} b", *crossed) == Match(list(range(20)), 20)
    gold = [Annotated(["x"], {0: []}), Annotated(["a", "b"], {0: apart})]
    message = r"^systems\['one'\]\[1\]: the gold insertions before word 2 have alternatives"
    start = time.perf_counter()
    with pytest.raises(ValueError, match=message):
        compare({"one": ["x", correction]}, metrics=["m2"], gold=gold)
    assert time.perf_counter() - start < 20  # it was minutes


def test_as_many_other_words():
    """With substitutions that cost 2, every alignment is a best one."""
    source, correction = (" ".join(f"{letter}{n}" for n in range(120)) for letter in "ab")
    assert match(source, correction) == Match([], 1)
    assert match(source, correction, edit(0, 120, correction)) == Match([0], 1)
    each = [edit(n, n + 1, f"b{n}") for n in range(120)]
    assert match(source, correction, *each) == Match(list(range(120)), 120)
    apart = [edit(0, 120, ""), edit(120, 120, correction)]
    assert match(source, correction, *apart) == Match([0, 1], 2)


def test_a_paragraph_of_2000_words():
    words = [f"w{n % 300}" for n in range(2000)]
    changed = [f"new{n}" if n % 20 == 7 else word for n, word in enumerate(words)]
    gold = [edit(n, n + 1, f"new{n}") for n in range(7, 2000, 40)]
    found = match(" ".join(words), " ".join(changed), *gold)
    assert found == Match(list(range(50)), 100)


def test_texts_that_are_too_long_and_too_different(monkeypatch):
    monkeypatch.setattr(maxmatch, "_MOST_NODES", 500)
    same = " ".join("a" * 60)
    assert match(same, f"{same} b", edit(60, 60, "b")) == Match([0], 1)
    message = (
        r"^a text of 60 words and its correction of 30 are too different to be aligned; "
        "split them into sentences$"
    )
    with pytest.raises(ValueError, match=message):
        match(same, " ".join("b" * 30))


def read_system(data_dir, name):
    """A system's corrections of CoNLL-2014, by the name of its golden."""
    corpus, system = name.split("_")
    if system == "NULL":
        return [""] * len(read_lines(data_dir / "conll14" / "source.txt"))
    name = system if corpus == "conll14" else f"{system}.txt"
    return read_lines(data_dir / corpus / "systems" / name)


@pytest.mark.parametrize("name", sorted(path.stem for path in (GOLDENS / "m2").iterdir()))
def test_counts_are_those_of_a_public_scorer(data_dir, name):
    """Correct, proposed and gold edits of every sentence, by annotator."""
    gold = read_edits(data_dir / "conll14" / "official.m2")
    corpus = corpus_with_gold({name: read_system(data_dir, name)}, None, None, gold)
    counts = iter(count(corpus, Options(metric="m2")).rows[0, 0].tolist())
    ours = [{str(who): next(counts) for who in sentence.edits} for sentence in gold]
    expected = json.loads((GOLDENS / "m2" / f"{name}.json").read_text("utf-8"))["counts"]
    assert ours == expected


def test_conll14(data_dir):
    """The published scores, and the counts behind them."""
    names = ["conll14_AMU", "seeda_INPUT", "conll14_IPN", "conll14_NULL"]
    table = compare(
        {name: read_system(data_dir, name) for name in names},
        metrics=["m2"],
        gold=data_dir / "conll14" / "official.m2",
        n_resamples=0,
        detailed=True,
    )
    counts = table[["correct", "proposed", "gold"]].to_numpy().tolist()
    assert counts[0] == [509, 1223, 2378]
    assert counts[1][:2] == [0, 0]
    assert counts[2:] == [[59, 523, 2067], [775, 2802, 2624]]
    assert [half_up(value) for value in table["m2"]] == ["35.01", "0.00", "7.09", "28.01"]
