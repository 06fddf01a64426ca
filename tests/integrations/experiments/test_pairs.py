"""Human judgments sentence by sentence, and how often metrics order two corrections alike."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from shared import ROOT
from small_corpora import write

from experiments import corpora, judgments, metrics, pairs
from experiments.files import Missing
from green_gec.significance import _draw

SOURCES = ["She go home now .", "I has two cat here .", "It is all good here ."]
REFERENCES = [
    ["She goes home now .", "She went home now ."],
    ["I have two cats here .", "I have two cats here ."],
    ["It is all good here .", "It is fine here ."],
]
SYSTEMS = {
    "all": [listed[0] for listed in REFERENCES],
    "some": ["She goes home now .", "I have two cat here .", "It is all good here ."],
    "none": SOURCES,
}
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}"


def change(start, stop, text, annotator=0):
    return f"A {start} {stop}|||R|||{text}|||REQUIRED|||-NONE-|||{annotator}"


VERB = change(1, 2, "goes")
# The lines after each sentence.
GOLD = [
    [VERB, change(1, 2, "went", 1)],
    [change(1, 2, "have", n) + "\n" + change(3, 4, "cats", n) for n in (0, 1)],
    [NOOP.format(0), change(2, 4, "fine", 1)],
]
EDITS = {
    "all": [[VERB], [change(1, 2, "have"), change(3, 4, "cats")], [NOOP.format(0)]],
    "some": [[VERB], [change(1, 2, "have")], [NOOP.format(0)]],
}

RANKINGS = """<appraise-results>
  <ranking-item src-id="1">
    <translation rank="1" system="all"/>
    <translation rank="4" system="some none"/>
  </ranking-item>
  <ranking-item src-id="2">
    <translation rank="2" system="all"/>
    <translation rank="2" system="some"/>
    <translation rank="1" system="none"/>
  </ranking-item>
  <ranking-item src-id="1">
    <translation rank="3" system="all"/>
    <translation rank="1" system="some"/>
  </ranking-item>
</appraise-results>
"""
# Sentence, winner and loser, if the first sentence is number 0.
ALL, SOME, NONE = range(3)
PAIRS = [(1, ALL, SOME), (1, ALL, NONE), (2, NONE, ALL), (2, NONE, SOME), (1, SOME, ALL)]


def m2(annotations):
    return "\n".join(
        "".join(f"{line}\n" for line in (f"S {source}", *lines))
        for source, lines in zip(SOURCES, annotations, strict=True)
    )


def small(folder="conll14", data=Path()):
    counted = np.array([True, True, folder != "seeda"])
    return corpora.Corpus(folder, SOURCES, REFERENCES, SYSTEMS, {}, counted, data=data)


@pytest.fixture
def data(tmp_path):
    """A folder with judgments and edits of the small corpus."""
    write(tmp_path / "conll14" / "judgments.xml", RANKINGS)
    for name in ("official", "errant"):
        write(tmp_path / "conll14" / f"{name}.m2", m2(GOLD))
    for name, annotations in EDITS.items():
        write(tmp_path / "conll14" / "errant" / f"{name}.m2", m2(annotations))
    for name in ("sent", "edit"):
        write(tmp_path / "seeda" / "human" / f"judgments_{name}.xml", RANKINGS)
    return tmp_path


def write_gmeg(data, folder, segments):
    """Write sentences, the same for every system, and human scores by part."""
    for part, rows in segments.items():
        for name in ("ref0", "ref1", "ref2", "ref3", *corpora.GMEG_SYSTEMS):
            write(data / folder / part / name, [f"{part} {n}" for n in range(len(rows))])
        file = f"{corpora.GMEG[folder].lower()}-segment-scores.csv"
        write(data / folder / part / file, [",".join(corpora.GMEG_SYSTEMS), *rows])


# Judgments


def test_pairs_of_rankings(data):
    """Ties leave none; systems with one text count each; what two people say counts twice."""
    assert corpora.read_pairs(small(data=data))["CoNLL"].tolist() == [*map(list, PAIRS)]


def test_seeda_counts_sentences_from_1(data):
    found = corpora.read_pairs(small("seeda", data))
    assert list(found) == ["SEEDA-S", "SEEDA-E"]
    expected = [[sentence - 1, *systems] for sentence, *systems in PAIRS]
    assert found["SEEDA-E"].tolist() == expected


def test_pairs_and_counts_of_wins_agree(data):
    wins = corpora.read_judgments(data / "conll14" / "judgments.xml")
    names = list(SYSTEMS)
    assert wins == Counter((names[winner], names[loser]) for _, winner, loser in PAIRS)


def test_a_system_is_no_pair_with_itself(data):
    ranked = RANKINGS.replace('rank="4" system="some none"', 'rank="4" system="some all"')
    write(data / "conll14" / "judgments.xml", ranked)
    found = corpora.read_pairs(small(data=data))["CoNLL"]
    assert found.tolist() == [*map(list, [PAIRS[0], *PAIRS[2:]])]


@pytest.mark.parametrize(
    ("folder", "old", "new", "message"),
    [
        ("conll14", ' src-id="2"', "", r"judgments\.xml:6: .* from 0 to 2, not ''"),
        ("conll14", 'src-id="2"', 'src-id="3"', r"judgments\.xml:6: .* from 0 to 2, not '3'"),
        ("conll14", 'src-id="2"', 'src-id="two"', r":6: the src-id must be a number .* 'two'"),
        ("seeda", 'src-id="2"', 'src-id="0"', r"_sent\.xml:6: .* from 1 to 3, not '0'"),
        (
            "conll14",
            "some none",
            "some nil",
            r":2: unknown system 'nil'; known are all, some, none",
        ),
    ],
)
def test_bad_judgments(data, folder, old, new, message):
    for path in (data / folder).rglob("judgments*.xml"):
        write(path, RANKINGS.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        corpora.read_pairs(small(folder, data))


def test_missing_judgments(data):
    (data / "seeda" / "human" / "judgments_edit.xml").unlink()
    with pytest.raises(Missing, match=r"judgments_edit\.xml is missing; get SEEDA"):
        corpora.read_pairs(small("seeda", data))


@pytest.mark.parametrize("folder", corpora.GMEG)
def test_pairs_of_segment_scores(tmp_path, folder):
    """The columns are amu, lstm, lstm-r, marian, nus, transformer and the source, 0 to 6."""
    segments = {"dev": ["3,2,,2,,,", "1,2,3,4,5,6,7"], "test": [",,,,,,", ",,,,,1.5,2.5"]}
    write_gmeg(tmp_path, folder, segments)
    whole = corpora.read_gmeg(tmp_path, folder)
    (found,) = corpora.read_pairs(whole).values()
    descending = [[1, high, low] for high in range(7) for low in range(high)]
    assert sorted(found.tolist()) == [[0, 0, 1], [0, 0, 3], *descending, [3, 6, 5]]

    part = corpora.read_gmeg(tmp_path, folder, left_out=[2, 0, 2])
    assert part.sources == part.systems["nus"] == ["dev 1", "test 1"]
    (found,) = corpora.read_pairs(part).values()
    assert sorted(found.tolist()) == [*([0, *systems] for _, *systems in descending), [1, 6, 5]]
    # Expected Wins leave out the same lines: amu only lost.
    (before,), (after,) = (list(each.human.values()) for each in (whole, part))
    assert before[0] == pytest.approx((1 / 2 + 1 / 2) / 6)
    assert after[0] == 0


def test_lines_that_are_not_there(tmp_path):
    write_gmeg(tmp_path, "gmeg-wiki", {part: ["1,2,3,4,5,6,7"] for part in ("dev", "test")})
    with pytest.raises(ValueError, match=r"leave out line 21 \(from 0\): .*gmeg-wiki has 2 lines"):
        corpora.read_gmeg(tmp_path, "gmeg-wiki", corpora.WIKI_RUNAWAY)
    (tmp_path / "gmeg-wiki" / "test" / "wiki-segment-scores.csv").unlink()
    with pytest.raises(Missing, match=r"wiki-segment-scores\.csv is missing; get GMEG"):
        corpora.read_gmeg(tmp_path, "gmeg-wiki")


# Agreement

TINY = np.array([[0.0, 0.9, 0.5], [0.0, 0.4, 0.5], [0.0, 0.1, 0.7]])  # (system, sentence)


def test_agreement_counted_by_hand():
    """Right are (1, all, some), (1, all, none) and both pairs of sentence 2; the last is wrong."""
    found = pairs.agreement({"tiny": TINY}, np.array(PAIRS))
    assert (found.n_pairs, found.n_sentences) == (5, 2)
    assert found.shares == {"tiny": 4 / 5}
    assert found.ties == {"tiny": 0}


def test_ties_count_half():
    equal = TINY.copy()
    equal[:, 2] = 0.7
    equal[1, 2] = 0.1 * 7  # equal but for rounding
    assert equal[0, 2] != equal[1, 2]
    found = pairs.agreement({"equal": equal, "tiny": TINY, "same": TINY * 0}, np.array(PAIRS))
    assert found.shares == {"equal": (2 + 2 / 2) / 5, "tiny": 4 / 5, "same": 1 / 2}
    assert found.ties == {"equal": 2 / 5, "tiny": 0, "same": 1}


def random_pairs(rng, n_systems=5, n_sentences=12, n_pairs=80):
    """Pairs of some of the sentences, more of some than of others."""
    sentences = rng.choice(n_sentences, n_pairs, p=rng.dirichlet(np.ones(n_sentences)))
    systems = np.array([rng.choice(n_systems, 2, replace=False) for _ in range(n_pairs)])
    return np.column_stack([sentences, systems])


@pytest.mark.parametrize("seed", range(5))
def test_brute_force(seed):
    rng = np.random.default_rng(seed)
    scores = {name: rng.integers(0, 4, (5, 12)) / 4 for name in "ab"}  # with ties
    drawn = random_pairs(rng)
    found = pairs.agreement(scores, drawn, n_resamples=50)
    judged = sorted({sentence for sentence, _, _ in drawn.tolist()})
    weights = _draw(np.random.Generator(np.random.SFC64(pairs.SEED)), 50, len(judged))
    assert found.n_sentences == len(judged)
    for name, values in scores.items():

        def alike(sentence, winner, loser, values=values):
            ours, theirs = values[winner, sentence], values[loser, sentence]
            return 1 if ours > theirs else 0.5 if ours == theirs else 0

        by_pair = [alike(*pair) for pair in drawn.tolist()]
        assert found.shares[name] == pytest.approx(sum(by_pair) / 80)
        for times, share in zip(weights.tolist(), found.resampled[name], strict=True):
            of_pairs = [times[judged.index(sentence)] for sentence, _, _ in drawn.tolist()]
            expected = np.dot(of_pairs, by_pair) / sum(of_pairs)
            assert share == pytest.approx(expected)


def test_sentences_are_resampled_with_all_their_pairs():
    """With one judged sentence, nothing is left to chance, however many pairs it has."""
    scores = {"tiny": TINY}
    of_one = np.array([pair for pair in PAIRS if pair[0] == 1] * 100)
    assert pairs.agreement(scores, of_one).interval("tiny") == pytest.approx((2 / 3, 2 / 3))
    low, high = pairs.agreement(scores, np.array(PAIRS)).interval("tiny")
    assert (low, high) == pytest.approx((2 / 3, 1))  # one of the two sentences only


def test_the_interval_of_a_lead():
    scores = {"tiny": TINY, "more": TINY + 1, "less": -TINY}
    found = pairs.agreement(scores, np.array(PAIRS))
    assert found.interval("more", baseline="tiny") == (0, 0)
    assert found.interval("less", baseline="tiny") == pytest.approx((-1, -1 / 3))


@pytest.mark.parametrize("scale", [1e-300, 1e-14, 1e300])
def test_scores_of_any_size(scale):
    equal = TINY.copy()
    equal[:2, 2] = 0.7, 0.1 * 7  # equal but for rounding
    expected = pairs.agreement({"any": equal}, np.array(PAIRS))
    found = pairs.agreement({"any": equal * scale}, np.array(PAIRS))
    assert (found.shares, found.ties) == (expected.shares, expected.ties)


def test_nothing_to_compare():
    with pytest.raises(ValueError, match="no pairs"):
        pairs.agreement({"tiny": TINY}, np.zeros((0, 3), int))


def test_missing_scores():
    """Those of sentences that nobody judged may be missing."""
    scores = {"tiny": TINY, "odd": TINY.copy()}
    scores["odd"][:, 0] = np.nan
    assert pairs.agreement(scores, np.array(PAIRS)).shares["odd"] == 4 / 5
    scores["odd"][ALL, 2] = np.nan
    with pytest.raises(ValueError, match=r"odd: a score of sentence 2 \(from 0\) is missing"):
        pairs.agreement(scores, np.array(PAIRS))


def test_systems_that_do_not_count():
    """The second figure includes them; a corpus that counts all has one figure."""
    some = np.array(PAIRS)
    found = pairs._agreements(small("seeda"), "SEEDA-S", some, {"tiny": TINY})
    assert {name: each.n_pairs for name, each in found.items()} == {
        "SEEDA-S": 2,
        "SEEDA-S, all 3 systems": 5,
    }
    assert found["SEEDA-S"].shares["tiny"] == 1 / 2
    found = pairs._agreements(small(), "CoNLL", some, {"tiny": TINY})
    assert list(found) == ["CoNLL"]
    # A metric without scores of them is left out there.
    part = TINY.copy()
    part[NONE] = np.nan
    found = pairs._agreements(small("seeda"), "SEEDA-S", some, {"tiny": TINY, "part": part})
    assert [list(each.shares) for each in found.values()] == [["tiny", "part"], ["tiny"]]


def test_all_corpora(small_bench):
    """Every metric is compared with every judgment; SEEDA also with all systems."""
    found = pairs.agreements(small_bench)
    assert list(found) == [
        *("CoNLL", "SEEDA-S", "SEEDA-S, all 15 systems", "SEEDA-E", "SEEDA-E, all 15 systems"),
        *("FCE", "Wiki"),
    ]
    for each in found.values():
        assert list(each.shares) == list(metrics.METRICS)


# Sentence scores


def test_all_metrics_prefer_the_better_correction(data):
    corpus = small(data=data)
    found = {metric: metrics.sentence_scores(corpus, metric) for metric in metrics.METRICS}
    for metric, values in found.items():
        assert values.shape == (3, 3)
        if metric != "I-measure":
            assert values.min() >= 0, metric
        assert values.max() <= 1, metric
        assert values[ALL, 1] > values[SOME, 1], metric
        assert values[SOME, 1] >= values[NONE, 1], metric
    for metric in ("M²", "ERRANT", "CLEME"):
        assert found[metric][ALL] == pytest.approx([1, 1, 1])
        assert found[metric][NONE] == pytest.approx([0, 0, 1])
    # One of two edits is right: precision 1, recall 1/2.
    assert found["M²"][SOME, 1] == pytest.approx(1.25 * 0.5 / (0.25 + 0.5))
    assert found["I-measure"][ALL] == pytest.approx([1, 1, 0])
    assert found["I-measure"][NONE] == pytest.approx([0, 0, 0])


def test_edits_of_other_sentences(data):
    path = data / "conll14" / "errant.m2"
    write(path, m2(GOLD).replace("She go", "He go"))
    with pytest.raises(ValueError, match=r"errant\.m2:1 .* at character \d+: 'He go home now \.'"):
        _ = small(data=data).edits.gold
    write(path, m2(GOLD).partition("\n\n")[2])
    with pytest.raises(ValueError, match=r"errant\.m2 has 2 sentences, but .* has 3"):
        _ = small(data=data).edits.gold


def test_edits_leave_out_the_same_lines(data):
    part = replace(
        small(data=data),
        left_out=(1,),
        sources=[SOURCES[0], SOURCES[2]],
        references=[REFERENCES[0], REFERENCES[2]],
        systems={name: [texts[0], texts[2]] for name, texts in SYSTEMS.items()},
    )
    assert metrics.sentence_scores(part, "ERRANT").tolist() == [[1, 1], [1, 1], [0, 1]]
    assert part.pairs["CoNLL"].tolist() == [[1, NONE, ALL], [1, NONE, SOME]]


# The public corpora

DOCUMENTED = {  # pairs, and shares of GREEN with the best reference and with the mean
    "CoNLL": (49_981, "0.681", "0.693"),
    "SEEDA-S": (9_381, "0.609", "0.706"),
    "SEEDA-E": (7_708, "0.592", "0.703"),
    "FCE": (24_630, "0.665", "0.698"),
    "Wiki": (25_120, "0.632", "0.633"),
}


@pytest.fixture(params=corpora.READERS)
def judged(request, public):
    return public.corpora[request.param]


def test_the_documented_shares(judged):
    names = ("wordGREEN", "wordGREEN, mean")
    scores = {name: metrics.sentence_scores(judged, name) for name in names}
    page = (ROOT / "docs" / "choosing.md").read_text("utf-8")
    for judgment, some in judged.pairs.items():
        found = pairs.agreement(scores, pairs.counted_pairs(judged, some))
        shares = [f"{found.shares[name]:.3f}" for name in names]
        assert (found.n_pairs, *shares) == DOCUMENTED[judgment]
        low, high = found.interval(*names[::-1])
        lead = f"{low:+.3f} to {high:+.3f}".replace("-", "\N{MINUS SIGN}")
        assert " | ".join((f"{found.n_pairs:,}", *shares, lead)) in page


def test_people_did_not_rank_equal_texts_apart(judged):
    """This would not hold for many pairs if sentences were counted from another number."""
    texts = list(judged.systems.values())
    n_lines = len(judged.sources)

    def n_equal(drawn, shift):
        return sum(
            texts[winner][(line + shift) % n_lines] == texts[loser][(line + shift) % n_lines]
            for line, winner, loser in drawn.tolist()
        )

    for drawn in judged.pairs.values():
        assert n_equal(drawn, 0) == 0
        assert min(n_equal(drawn, -1), n_equal(drawn, 1)) > len(drawn) / 20


def test_expected_wins_of_the_pairs(judged):
    """SEEDA publishes them with three digits; for the others they are computed from the files."""
    names = list(judged.systems)
    for judgment, drawn in judged.pairs.items():
        wins = Counter((names[winner], names[loser]) for _, winner, loser in drawn.tolist())
        expected = judgments.expected_wins(wins)
        found = [expected[name] for name in names]
        assert found == pytest.approx(judged.human[judgment], abs=0.001)
