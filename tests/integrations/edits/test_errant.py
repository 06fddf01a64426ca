"""ERRANT itself: figures are those of `errant_compare`, and plain text gets its edits."""

import random
import sys

import pytest
from shared import half_up

from green_gec import compare, error_types
from green_gec.corpus import Annotated, Edit, read_edits
from green_gec.edits import errant

pytest.importorskip("errant")
GOLD = [Annotated(["She", "go", "home", "."], {0: [Edit(1, 2, (("goes",),), "R:VERB:SVA")]})]


def random_edits(rng, n_tokens, annotator):
    """An annotator's lines of M2: no edits, or some that do not overlap, some of them twice."""
    if rng.random() < 0.3:
        return [f"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{annotator}"]
    lines, done = [], 0
    while done < n_tokens and (rng.random() < 0.6 or not lines):
        start = rng.randint(done, min(done + 1, n_tokens))
        stop = rng.randint(start, min(start + 2, n_tokens))
        # Mostly the same words, so that annotators agree.
        text = rng.choice(["x", "x", "x y", "y"] if start == stop else ["x", "x", "x y", ""])
        kind = rng.choice(["R:X", "R:X", "M:Y", "UNK"])
        line = f"A {start} {stop}|||{kind}|||{text}|||REQUIRED|||-NONE-|||{annotator}"
        lines += [line] * rng.choice([1, 1, 1, 2])
        done = stop + (start == stop)
    return lines


def random_files(rng, folder, n_files=60):
    """Yields the M2 files of a system and of up to three annotators."""
    paths = folder / "hypothesis.m2", folder / "reference.m2"
    for _ in range(n_files):
        for path, text in zip(paths, random_texts(rng), strict=True):
            path.write_text(text)
        yield paths


def random_texts(rng, n_sentences=12):
    ours, theirs = [], []
    for _ in range(n_sentences):
        n_tokens = rng.randint(1, 4)
        sentence = " ".join(["S", *(f"w{n}" for n in range(n_tokens))])
        annotators = rng.sample(range(4), rng.randint(0, 3))
        gold = [line for who in annotators for line in random_edits(rng, n_tokens, who)]
        own = random_edits(rng, n_tokens, 0) if rng.random() < 0.8 else []
        ours.append("\n".join([sentence, *own]))
        theirs.append("\n".join([sentence, *gold]))
    return ["\n\n".join(blocks) + "\n" for blocks in (ours, theirs)]


@pytest.fixture
def errant_compare(monkeypatch, capsys):
    """Runs ERRANT's command: its figures (TP, FP, FN, precision, recall, F), also by category."""
    command = pytest.importorskip("errant.commands.compare_m2")

    def run(hypothesis, reference, beta, tier=3):
        arguments = ["-hyp", str(hypothesis), "-ref", str(reference), "-b", str(beta)]
        monkeypatch.setattr(sys, "argv", ["errant_compare", *arguments, "-cat", str(tier)])
        command.main()
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        figures = {line[0]: line[1:] for line in lines if len(line) == 7 and line[1] != "TP"}
        figures["all"] = lines[-3]
        return {name: [float(value) for value in values] for name, values in figures.items()}

    return run


def our_figures(hypothesis, reference, beta):
    """TP, FP, FN, precision, recall and F, from our table."""
    systems, how = {"ours": read_edits(hypothesis)}, {"n_resamples": 0, "detailed": True}
    table = compare(systems, metrics=["errant"], gold=reference, beta=beta, **how)
    row = table.to_dict("records")[0]
    counts = [row["correct"], row["proposed"] - row["correct"], row["gold"] - row["correct"]]
    return [*counts, *(row[name] for name in ("precision", "recall", "errant"))]


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0, 0.3])
def test_figures_are_those_of_errant_compare(tmp_path, errant_compare, beta):
    rng = random.Random(beta)
    for hypothesis, reference in random_files(rng, tmp_path):
        theirs = errant_compare(hypothesis, reference, beta)["all"]
        ours = our_figures(hypothesis, reference, beta)
        assert ours[:3] == theirs[:3]
        assert ours[3:] == pytest.approx(theirs[3:], rel=0, abs=0.5001e-4)  # it prints four digits


@pytest.mark.parametrize("tier", [1, 2, 3])
def test_figures_by_category_are_those_of_errant_compare(tmp_path, errant_compare, tier):
    rng = random.Random(tier)
    for hypothesis, reference in random_files(rng, tmp_path):
        theirs = errant_compare(hypothesis, reference, 0.5, tier)
        del theirs["all"]
        table = error_types({"ours": read_edits(hypothesis)}, reference, "errant", tier=tier)
        ours = by_type(table)
        assert ours.keys() == theirs.keys()
        for kind, figures in ours.items():
            assert figures == pytest.approx(theirs[kind], rel=0, abs=0.5001e-4)


def by_type(table):
    """TP, FP, FN, precision, recall and F of each type, from our table."""
    return {
        row.type: [
            *(row.correct, row.proposed - row.correct, row.gold - row.correct),
            *(row.precision, row.recall, row.errant),
        ]
        for row in table.itertuples()
        if row.gold or row.proposed
    }


def test_conll14(data_dir, errant_compare):
    folder = data_dir / "conll14"
    files = (folder / "errant" / "AMU.m2", folder / "errant.m2")
    *counts, _, _, f = our_figures(*files, beta=0.5)
    theirs = errant_compare(*files, beta=0.5)
    assert counts == theirs.pop("all")[:3] == [483, 795, 1934]
    assert half_up(f) == "32.08"
    ours = by_type(error_types({"AMU": read_edits(files[0])}, files[1], "errant"))
    assert {kind: figures[:3] for kind, figures in ours.items()} == {
        kind: figures[:3] for kind, figures in theirs.items()
    }


def has_model():
    """Whether ERRANT can find edits: it needs spaCy's small model for English."""
    pytest.importorskip("errant")
    return pytest.importorskip("spacy").util.is_package("en_core_web_sm")


@pytest.fixture
def model():
    if not has_model():
        pytest.skip("needs ERRANT's spaCy model: python -m spacy download en_core_web_sm")


@pytest.mark.usefixtures("model")
def test_edits_of_plain_text():
    sources = ["She go to school every days .", "Hello there", "I am very very tired ."]
    texts = ["She goes to the school every day .", "Hello there", "I am very tired ."]
    tokens = [source.split() for source in sources]
    first, second, third = errant.annotate("system", tokens, texts)
    assert [edit[:3] for edit in first.edits[0]] == [
        (1, 2, (("goes",),)),
        (3, 3, (("the",),)),
        (5, 6, (("day",),)),
    ]
    assert [edit.type[:2] for edit in first.edits[0]] == ["R:", "M:", "R:"]
    assert second == Annotated(["Hello", "there"], {0: []})
    assert [edit.corrections for edit in third.edits[0]] == [((),)]
    for sentence, source, text in zip((first, second, third), sources, texts, strict=True):
        assert sentence.source == source
        assert sentence.references == [text]


@pytest.mark.usefixtures("model")
def test_plain_text_is_scored_by_its_edits():
    systems = {"right": ["She goes home ."], "wrong": ["She go to home ."]}
    table = compare(systems, metrics=["errant"], gold=GOLD, n_resamples=0, detailed=True)
    assert table["errant"].tolist() == [1, 0]
    assert table["proposed"].tolist() == [1, 1]


def test_plain_text_without_the_model():
    if has_model():
        pytest.skip("the model is installed")
    with pytest.raises(ValueError, match=r"\(.*en_core_web_sm.*\); give"):
        compare({"plain": ["She goes home ."]}, metrics=["errant"], gold=GOLD)


def test_errant_rounds_as_the_core_assumes():
    """0.15625 becomes 0.1563: `test_errant_rounds_as_errant_does` in the core relies on it."""
    from errant.commands.compare_m2 import computeFScore

    assert computeFScore(2, 9, 18, 0.5)[2] == 0.1563 > computeFScore(3, 9, 45, 0.5)[2] == 0.1562
