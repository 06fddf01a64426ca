"""Scores of other metrics in CSV files."""

import numpy as np
import pytest
from small_corpora import CONLL_SYSTEMS, write

from experiments import agree, corpora, others


def test_one_metric_in_two_files(tmp_path):
    lines = ["metric,corpus,level,system,score", "Mine,conll14,corpus,AMU,1"]
    one = write(tmp_path / "one.csv", lines)
    other = write(tmp_path / "other.csv", [lines[0], "Mine,seeda,mean,T5,2"])
    found = others.read_others([one, other])
    assert found.of_systems == {
        ("Mine", "conll14", "corpus"): {"AMU": 1},
        ("Mine", "seeda", "mean"): {"T5": 2},
    }
    assert found.names == ["Mine"]
    with pytest.raises(ValueError, match=r"one\.csv:2: duplicate score of 'AMU'"):
        others.read_others([one, one])


SYSTEMS = "metric,corpus,level,system,score"
SENTENCES = "metric,corpus,system,sentence,score"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["system,score", "AMU,3"],
            f":1: the header must be {SYSTEMS} or {SENTENCES}, not 'system,score'",
        ),
        ([], ":1: the header must be"),
        ([SYSTEMS], "mine.csv has no scores"),
        ([SYSTEMS, "X,conll14,corpus,AMU"], ":2: expected 5 fields, found 4"),
        ([SYSTEMS, "X,conll,corpus,AMU,3"], ":2: the corpus must be one of conll14, seeda,"),
        ([SYSTEMS, "X,conll14,word,AMU,3"], ":2: the level must be corpus or mean, not 'word'"),
        ([SYSTEMS, "X,conll14,corpus,AMU,high"], ":2: expected a number, found 'high'"),
        ([SYSTEMS, *["X,conll14,corpus,AMU,1"] * 2], ":3: duplicate score of 'AMU'"),
        ([SYSTEMS, "M²,conll14,corpus,AMU,1"], ":2: 'M²' is computed here; choose another name"),
        ([SYSTEMS, " ,conll14,corpus,AMU,1"], ":2: the name of the metric is empty"),
        ([SYSTEMS, "X" * 200_000 + ",conll14,corpus,AMU,1"], ":2: field larger than field limit"),
        ([SYSTEMS, "X,conll14,corpus,AMU,1"], "X, conll14, corpus: the score of CAMB is missing"),
        (
            [SYSTEMS, *(f"X,conll14,corpus,{name},1" for name in (*CONLL_SYSTEMS, "AMUU"))],
            "X, conll14, corpus: unknown system 'AMUU'; conll14 has AMU, CAMB, INPUT, IPN",
        ),
        ([SENTENCES, "X,conll14,AMU,first,1"], ":2: the sentence must be a number from 0, not"),
        ([SENTENCES, "X,conll14,AMU,-1,1"], ":2: the sentence must be a number from 0, not '-1'"),
        (
            [SENTENCES, *["X,conll14,AMU,7,1"] * 2],
            ":3: duplicate score of sentence 7 of 'AMU'",
        ),
        (
            [SENTENCES, *(f"X,conll14,{name},60,1" for name in CONLL_SYSTEMS)],
            "X, conll14: there is no sentence 60; conll14 has sentences 0 to 59",
        ),
        ([SENTENCES, "X,seeda,T5,0,1"], "X, seeda: the score of BART is missing"),
        (
            [SENTENCES, *(f"X,conll14,{name},{n},1" for name in CONLL_SYSTEMS for n in (0, 2))],
            "X, conll14: the score of sentence 1 of AMU is missing, which people judged",
        ),
        ([SENTENCES, "X,conll14,AMU," + "0" * 20 + ",1"], ":2: the sentence must be a number"),
    ],
)
def test_bad_scores_of_another_metric(capsys, small_data, tmp_path, lines, message):
    path = write(tmp_path / "mine.csv", lines)
    with pytest.raises(SystemExit) as caught:
        agree.main(["--data", str(small_data), "--scores", str(path)])
    output = capsys.readouterr()
    assert (caught.value.code, output.out) == (2, "")
    assert message in output.err.splitlines()[-1]


def of_sentences(scores, folder="conll14", systems=CONLL_SYSTEMS):
    """Lines of a file with scores by system and sentence; NaN is left out."""
    return [
        SENTENCES,
        *(
            f"Mine,{folder},{name},{sentence},{score}"
            for name, of_system in zip(systems, scores, strict=True)
            for sentence, score in enumerate(of_system)
            if score == score
        ),
    ]


def test_scores_of_sentences(small_bench, tmp_path):
    """They give sentence scores and, if none is missing, their mean."""
    conll = small_bench.corpora["conll14"]
    values = np.random.default_rng(3).random((4, 60)).round(6)
    found = others.read_others([write(tmp_path / "mine.csv", of_sentences(values))])
    assert found.sentence_scores(conll, "Mine") == pytest.approx(values)
    assert found.system_scores(conll, "Mine", "mean") == pytest.approx(values.mean(axis=1))
    assert found.system_scores(conll, "Mine", "corpus") is None
    assert found.sentence_scores(small_bench.corpora["seeda"], "Mine") is None

    values[2, 50] = np.nan
    part = others.read_others([write(tmp_path / "part.csv", of_sentences(values))])
    assert part.check(small_bench.corpora) == [
        "Mine on conll14: no mean, because some sentences have no score"
    ]
    assert np.isnan(part.sentence_scores(conll, "Mine")[2, 50])
    assert part.system_scores(conll, "Mine", "mean") is None


def test_lines_that_are_left_out(small_bench):
    wiki = corpora.without_runaway(small_bench.corpora["gmeg-wiki"])
    scores = {(name, n): float(n) for name in wiki.systems for n in range(60)}
    found = others.Others(of_sentences={("Mine", "gmeg-wiki"): scores})
    kept = [n for n in range(60) if n not in corpora.WIKI_RUNAWAY]
    assert found.sentence_scores(wiki, "Mine")[3].tolist() == kept


def test_scores_of_a_missing_corpus(small_bench):
    found = others.Others({("Mine", "gmeg-fce", "corpus"): {"amu": 1.0}})
    conll = {"conll14": small_bench.corpora["conll14"]}
    assert found.check(conll) == ["Mine on gmeg-fce: the corpus is missing"]
