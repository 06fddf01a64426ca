"""Warnings: what is probably wrong with the texts is said once, and correct texts are silent."""

import json
import pickle
import random
import re
import shlex
import string
import subprocess
import sys
import warnings

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, LEVELS, SYSTEMS, WITHOUT_SOURCES

from green_gec import (
    InputWarning,
    Statistics,
    cli,
    compare,
    explain,
    reward,
    score,
    score_batch,
)
from green_gec.corpus import read_lines, read_m2
from green_gec.counting import count
from green_gec.inputs import Corpus
from green_gec.metrics import METRICS
from green_gec.options import Options

SOURCES, REFERENCES = EXAMPLE_SOURCES, EXAMPLE_REFERENCES
CAREFUL = SYSTEMS["careful"]


def raw(texts):
    """As language models write them: punctuation attached to words."""
    if isinstance(texts, str):
        return re.sub(r" (?=[.,!?])", "", texts)
    return [raw(each) for each in texts]


def told(function, *arguments, **options):
    """The kinds of the warnings that a call gives, with their messages."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments, **options)
    found = [each.message for each in caught]
    assert all(type(each).__name__ == "InputWarning" for each in found), found
    kinds = [each.kind for each in found]
    assert len(kinds) == len(set(kinds))
    return dict(zip(kinds, map(str, found), strict=True))


@pytest.fixture
def metric_told(metric):
    return lambda *columns, **options: told(
        metric.compute,
        **dict(zip(("sources", "predictions", "references"), columns, strict=True)),
        **options,
    )


# Punctuation: tokenised on one side and not on the other


def test_raw_predictions():
    message = told(score, SOURCES, raw(CAREFUL), REFERENCES)["punctuation"]
    n_attached = sum(text[-1] in ".!?" for text in raw(CAREFUL))
    assert message == (
        f"{n_attached} of 60 texts in predictions end with punctuation that is attached to a word, "
        f"like {raw(CAREFUL)[0]!r}, but those in sources and references are tokenised, like "
        f'{SOURCES[0]!r}; tokenise all texts alike, or use tokenizer="13a", which separates '
        "punctuation"
    )


@pytest.mark.parametrize(
    ("columns", "attached", "detached"),
    [
        ((SOURCES, raw(CAREFUL), REFERENCES), "predictions", "sources and references"),
        ((raw(SOURCES), CAREFUL, raw(REFERENCES)), "sources and references", "predictions"),
        ((SOURCES, CAREFUL, raw(REFERENCES)), "references", "sources and predictions"),
        ((raw(SOURCES), CAREFUL, REFERENCES), "sources", "predictions and references"),
        ((SOURCES, raw(CAREFUL), raw(REFERENCES)), "predictions and references", "sources"),
    ],
)
@pytest.mark.parametrize("level", ["corpus", "mean", "sentence"])
def test_whichever_side_is_raw(columns, attached, detached, level):
    found = told(score, *columns, level=level, effective_order=True)
    assert found.keys() == {"punctuation"}
    assert f" texts in {attached} end with" in found["punctuation"]
    assert f" those in {detached} are tokenised" in found["punctuation"]


def test_all_raw_or_all_tokenised_is_silent():
    for columns in ((SOURCES, CAREFUL, REFERENCES), map(raw, (SOURCES, CAREFUL, REFERENCES))):
        assert told(score, *columns) == {}


@pytest.mark.parametrize("metric", METRICS)
def test_every_score_warns(metric):
    sources = None if metric in WITHOUT_SOURCES else SOURCES
    assert told(score, sources, raw(CAREFUL), REFERENCES, metric).keys() == {"punctuation"}
    assert told(score, sources, CAREFUL, REFERENCES, metric) == {}


def test_one_raw_system_among_three():
    systems = {**SYSTEMS, "bold": raw(SYSTEMS["bold"])}
    message = told(compare, systems, SOURCES, REFERENCES, n_resamples=0)["punctuation"]
    assert " of 60 texts in bold end with" in message
    assert "those in sources, careful and 2 others are tokenised" in message


@pytest.mark.parametrize(
    ("tokenizer", "warns"),
    [
        ("word", True),
        ("char", True),
        ("13a", False),
        ("intl", False),
        ("zh", False),
        (lambda text: re.findall(r"\w+|[^\w\s]", text), False),
        (str.split, True),
        (lambda text: re.findall(r" ?\w+| ?[^\w\s]", text), True),  # as byte-level BPE splits
        (lambda text: text.replace(" ", " ▁").split(" "), True),  # as SentencePiece does
    ],
)
def test_tokenizers_that_separate_punctuation_need_no_warning(tokenizer, warns):
    found = told(score, SOURCES, raw(CAREFUL), REFERENCES, tokenizer=tokenizer, max_order=4)
    assert found.keys() == ({"punctuation"} if warns else set())


def test_a_tokenizer_that_does_not_take_any_text_is_asked_in_vain():
    firsts, seconds = zip(*REFERENCES, strict=True)
    known = {text: text.split() for text in [*SOURCES, *raw(CAREFUL), *firsts, *seconds]}
    found = told(score, SOURCES, raw(CAREFUL), REFERENCES, tokenizer=known.__getitem__)
    assert found.keys() == {"punctuation"}


def attached_and_detached(texts):
    """How many texts end with punctuation after a word, and how many after a blank."""
    pattern = re.compile(r"(.)[.!?]+[ \t\n\v\f\r\"')\]}]*\Z", flags=re.S)
    ends = map(pattern.search, texts)
    before = [end[1] for end in ends if end]
    words = string.ascii_letters + string.digits + "\"')]%"
    return sum(c in words for c in before), sum(c in string.whitespace for c in before)


ASCII = st.lists(
    st.sampled_from(
        ["a", "B", "7", "word", " ", " .", ".", "!", "?", " ?", '."', ")", "%", "-", "\n"]
    )
).map("".join)


@given(st.lists(st.tuples(ASCII, ASCII, ASCII), min_size=1, max_size=8))
def test_attached_punctuation_is_counted_right(sentences):
    columns = [list(column) for column in zip(*sentences, strict=True)]
    shares = []
    for column in columns:
        attached, detached = attached_and_detached(column)
        shares += [attached / (attached + detached)] if attached + detached else []
    least = 0.1 if shares and min(shares) <= 0.1 else 0.5  # there are at most 8 texts
    expected = bool(shares) and max(shares) - min(shares) >= least
    found = told(score, *columns, effective_order=True)
    assert ("punctuation" in found) == expected
    if expected:
        number = int(found["punctuation"].split(" of ")[0])
        middle = (min(shares) + max(shares)) / 2
        counted = map(attached_and_detached, columns)
        assert number == sum(a for a, d in counted if a + d and a / (a + d) >= middle)


def test_learners_and_the_french_may_write_a_space_before_a_stop():
    """Some do, in texts that are not tokenised; the corrections do not, or do so more often."""
    plain = ["Il fait très beau aujourd'hui."] * 85
    for ours, theirs in (("Bonjour à tous!", "Bonjour à tous !"), ("I like .", "I like it.")):
        texts = ([*plain, *[ours] * 15], [*plain, *[theirs] * 15], [*plain, *[theirs] * 15])
        assert told(score, *texts, effective_order=True) == {}


def test_headlines_say_nothing_about_punctuation():
    headlines = ["Man bites dog in the park"] * 99
    sources, predictions = [*headlines, "A new plant of Ford Inc."], [*headlines, "Who is it ?"]
    assert told(score, sources, predictions, predictions) == {}


@pytest.mark.parametrize(
    ("tokenised", "raw"),
    [
        ('He said : " I went home . "', 'He said: "I went home."'),
        ("( It was late . )", "(It was late.)"),
        ("It was very late .", "It was very late.\n\n\n\n"),
        ("It was very late ...", "It was very late..."),
    ],
)
def test_what_follows_the_last_stop_is_passed_over(tokenised, raw):
    found = told(score, [tokenised], [raw], [tokenised])
    assert found.keys() == {"punctuation"}
    assert 'tokenizer="13a"' in found["punctuation"]
    assert told(score, [tokenised], [tokenised], [tokenised]) == {}


@pytest.mark.parametrize("stop", "\u3002\uff01\uff1f")
def test_segmented_chinese(stop):
    """13a would not help, so it is not recommended."""
    segmented, raw = f"他 昨天 去 了 学校 {stop}", f"他昨天去了学校{stop}"
    found = told(score, [segmented], [raw], [segmented])
    assert found.keys() == {"punctuation"}
    assert found["punctuation"].endswith("; tokenise all texts alike")
    assert told(score, [segmented], [raw], [segmented], tokenizer="zh") == {}
    assert told(score, [raw], [raw], [raw], tokenizer="char") == {}


def test_characters_stay_characters():
    found = told(score, SOURCES, raw(CAREFUL), REFERENCES, tokenizer="char")
    assert found["punctuation"].endswith("; tokenise all texts alike")


# Texts that are too short


def test_a_short_perfect_correction():
    """The issue's example: the published rule, and a warning that names the option."""
    texts = (["He go home"], ["He goes home"], ["He goes home"])
    assert score(*texts, effective_order=True)["green"] == 1.0
    for level in LEVELS.values():
        assert told(score, *texts, level=level) == {
            "short": "1 of 1 sentences have fewer than 4 tokens, like 'He go home', and even a "
            "perfect correction of them scores 0, as published; effective_order=True scores them "
            "by shorter n-grams only"
        }
        assert told(score, *texts, level=level, effective_order=True) == {}
        assert told(score, *texts, level=level, max_order=3) == {}


@pytest.mark.parametrize("metric", ["bleu", "rouge", "f1"])
def test_other_scores_have_another_remedy(metric):
    found = told(score, None, ["He goes home today ."], ["He goes home"], metric)
    assert "like 'He goes home', and" in found["short"]  # the reference, not the correction
    assert found["short"].endswith("; a smaller max_order scores them by shorter n-grams only")
    assert told(score, None, ["He goes home"], ["He goes home"], metric, max_order=3) == {}


def test_gleu_forgives_short_sentences():
    texts = (["He go home"], ["He goes home"], ["He goes home"])
    assert score(*texts, metric="gleu")["gleu"] == 1.0
    assert told(score, *texts, metric="gleu") == {}


@pytest.mark.parametrize("level", LEVELS.values())
def test_one_short_sentence_among_many_is_silent(level):
    columns = [[*column, "Hi there"] for column in (SOURCES, CAREFUL, REFERENCES)]
    assert told(score, *columns, level=level) == {}


def test_several_short_sentences_matter_where_sentences_have_scores():
    columns = [[*column, *["Hi there"] * 6] for column in (SOURCES, CAREFUL, REFERENCES)]
    assert told(score, *columns) == {}  # of all sentences' n-grams, enough have order 4
    for level in ("mean", "sentence"):
        message = told(score, *columns, level=level)["short"]
        assert message.startswith(
            "7 of 66 sentences have fewer than 4 tokens, like 'Best regard ,'"
        )


FEW_WORDS = st.lists(st.sampled_from("ab"), max_size=6).map(" ".join)


@given(
    st.lists(
        st.tuples(FEW_WORDS, st.lists(FEW_WORDS, min_size=1, max_size=3)), min_size=1, max_size=6
    ),
    st.sampled_from(["green", "bleu"]),
)
def test_exactly_the_sentences_that_no_correction_saves(sentences, metric):
    """Those for which each reference, scored as a system, gets 0."""
    sources, references = map(list, zip(*sentences, strict=True))
    given_sources = sources if metric == "green" else None
    best = [
        max(
            score(given_sources and [source], [one], [listed], metric, level="sentence")[metric][0]
            for one in listed
        )
        for source, listed in sentences
    ]
    n_zero = sum(value == 0 for value in best)
    predictions = [listed[0] for listed in references]
    found = told(score, given_sources, predictions, references, metric, level="sentence")
    assert ("short" in found) == (n_zero > 0)
    if n_zero:
        assert found["short"].startswith(f"{n_zero} of {len(sources)} sentences have fewer than 4")


# Tabs, copies, empty texts, transposed references


def test_two_references_in_one_file_separated_by_tabs():
    joined = ["\t".join(listed) for listed in REFERENCES]
    assert told(score, SOURCES, CAREFUL, joined) == {
        "tabs": f"60 of 60 sentences have tabs in their references, like {joined[0]!r:.57}..., and "
        "tabs separate words, not references; split them: one file per set of references, or one "
        "list of texts per sentence"
    }
    firsts = [first for first, _ in REFERENCES]
    assert told(score, SOURCES, CAREFUL, [*joined[:54], *firsts[54:]]).keys() == {"tabs"}
    assert told(score, SOURCES, CAREFUL, [*joined[:53], *firsts[53:]]) == {}  # too few
    spaced = [text.replace(" ", "\t") for text in CAREFUL]
    assert told(score, SOURCES, spaced, joined) == {}  # the system has them, too
    second = [[first, other.replace(" ", "\t", 1)] for first, other in REFERENCES]
    assert f"like {second[0][1][:30]!r}"[:-1] in told(score, SOURCES, CAREFUL, second)["tabs"]


def test_references_that_equal_the_sources():
    for references in (SOURCES, [[text] * 2 for text in SOURCES]):
        assert told(score, SOURCES, CAREFUL, references) == {
            "copies": "60 of 60 sentences have no reference but the source itself, like "
            f"{SOURCES[0]!r}, so that every change counts as wrong; check that the references are "
            "corrected sentences, and that an M2 file has edits"
        }
    assert told(score, SOURCES, CAREFUL, [*SOURCES[:-1], "Another sentence ."]) == {}
    assert told(score, SOURCES, CAREFUL, [*SOURCES[:-1], [SOURCES[-1], "Another sentence ."]]) == {}


def test_a_piece_of_a_corpus_may_need_no_correction():
    pieces = (SOURCES[:5], CAREFUL[:5], SOURCES[:5])
    assert told(score, *pieces).keys() == {"copies"}
    assert told(Statistics.of, *pieces) == {}
    names = ("source", "prediction", "references")
    assert told(score_batch, pa.table(dict(zip(names, pieces, strict=True)))) == {}
    assert told(reward, CAREFUL[:5], source=SOURCES[:5], references=SOURCES[:5]) == {}
    assert told(explain, SOURCES[0], CAREFUL[0], SOURCES[0]) == {}
    assert told(score, SOURCES[:2], CAREFUL[:2], SOURCES[:2]) == {}  # too few


def test_short_sentences_are_a_matter_of_the_corpus_not_of_its_pieces():
    short = (["Thank you ."],) * 3
    assert told(score, *short).keys() == {"short"}
    assert told(Statistics.of, *short) == {}
    assert told(Statistics.of, *short, level="mean").keys() == {"short"}


def test_what_papers_score_is_silent():
    """The source, a reference and nothing at all as systems."""
    for system in (SOURCES, [first for first, _ in REFERENCES], [""] * 60):
        assert told(score, SOURCES, system, REFERENCES) == {}
    systems = {"source": SOURCES, "reference": [r for _, r in REFERENCES], "nothing": [""] * 60}
    assert told(compare, systems, SOURCES, REFERENCES, n_resamples=0) == {}


@pytest.mark.parametrize("blank", ["", " ", "\n", " " * 9])
def test_empty_predictions(blank):
    some = [blank] * 3 + CAREFUL[3:]
    assert told(score, SOURCES, some, REFERENCES) == {
        "empty": "3 of 60 texts in predictions are empty, like the correction of "
        f"{SOURCES[0]!r}; check that nothing was lost, and copy the source where nothing is to be "
        "corrected"
    }
    assert told(score, SOURCES, [blank] * 2 + CAREFUL[2:], REFERENCES) == {}  # a few
    of_bleu = told(score, None, some, REFERENCES, "bleu")["empty"]
    assert f"are empty, like the one with the reference {REFERENCES[0][0]!r};" in of_bleu


def test_empty_predictions_of_some_systems():
    lost = ["", *CAREFUL[1:30], *[""] * 30]
    systems = {
        "careful": CAREFUL,
        "lost": lost,
        "nothing": [""] * 60,
        "half": [""] * 30 + lost[:30],
    }
    message = told(compare, systems, SOURCES, REFERENCES, n_resamples=0)["empty"]
    assert message.startswith("62 of 120 texts in lost and half are empty")


def test_empty_lines_of_a_corpus_are_not_lost():
    columns = [[*column, *[""] * 10] for column in (SOURCES, CAREFUL, REFERENCES)]
    assert told(score, *columns) == {}
    columns[1] = [""] * 70
    assert told(score, *columns) == {}
    assert told(score, None, *columns[1:], "bleu") == {}


def test_transposed_references_of_an_empty_system():
    transposed = [list(column) for column in zip(*REFERENCES[:2], strict=True)]
    systems = {"nothing": ["", ""], "careful": CAREFUL[:2]}
    assert "transposed" in told(compare, systems, SOURCES[:2], transposed, n_resamples=0)


def test_transposed_references():
    """As sacreBLEU wants them: one list per set of references."""
    for n in (2, 3, 7):
        sources, predictions = SOURCES[:n], CAREFUL[:n]
        sets = [[REFERENCES[i][k % 2] for i in range(n)] for k in range(n)]
        message = told(score, sources, predictions, sets)["transposed"]
        assert message == (
            f"{n} of {n} sentences seem to have references of one another, as if transposed for "
            f"sacreBLEU, like {sets[0][1]!r} for the first one; give one list per sentence: "
            "list(zip(*references))"
        )
        assert told(score, sources, predictions, list(zip(*sets, strict=True))) == {}
        assert "transposed" in told(score, None, predictions, sets, "bleu")


def test_as_many_references_as_sentences_may_be_right():
    texts = ["a b c d", "a b c d"]
    assert "transposed" not in told(score, texts, texts, [texts, texts])
    alike = (["It is so .", "So it is ."], ["It is so .", "So it is ."])
    assert "transposed" not in told(score, *alike, [["It is so .", "It is"], ["So it is ."] * 2])


# Whitespace with characters


def test_whitespace_counts_with_characters():
    spaced = [f"{text} " if i < 3 else text for i, text in enumerate(CAREFUL)]
    assert told(score, SOURCES, spaced, REFERENCES, tokenizer="char") == {
        "whitespace": "3 texts begin or end with whitespace, which counts like any other "
        f"character, like {spaced[0]!r}; strip=True removes it"
    }
    assert told(score, SOURCES, spaced, REFERENCES, tokenizer="char", strip=True) == {}
    assert told(score, SOURCES, spaced, REFERENCES) == {}


# One warning of each kind


def large(column, n=9_000):
    return (column * (n // len(column) + 1))[:n]


def test_blocks_and_threads_give_one_warning_of_each_kind():
    spaced = [f"{text} " for text in large(raw(CAREFUL))]
    spaced[5:2000] = [""] * 1995
    columns = large(SOURCES), spaced, large(["\t".join(listed) for listed in REFERENCES])
    found = told(score, *columns, tokenizer="char")
    assert found.keys() == {"punctuation", "tabs", "empty", "whitespace"}
    assert found["empty"].startswith("1,995 of 9,000 texts")
    assert found["whitespace"].startswith("7,005 texts")
    assert found["tabs"].startswith("9,000 of 9,000")
    found = told(score, ["a b"] * 9_000, ["a c"] * 9_000, ["a b"] * 9_000, max_order=3)
    assert found.keys() == {"short", "copies"}
    assert all(message.startswith("9,000 of 9,000") for message in found.values())


def test_numbers_and_examples_do_not_depend_on_blocks(monkeypatch):
    rng = random.Random(1)
    predictions = [rng.choice([text, raw(text), "", f" {text}"]) for text in CAREFUL]
    arguments = (SOURCES, predictions, REFERENCES)
    expected = told(score, *arguments, tokenizer="char", level="sentence")
    assert expected.keys() == {"punctuation", "empty", "whitespace"}
    monkeypatch.setattr("green_gec.counting._ENTRIES_AT_ONCE", 128)
    many = [large(column, 600) for column in arguments]
    found = told(score, *many, tokenizer="char", level="sentence")
    for kind, message in expected.items():
        tens = re.sub(r"\d+(?=.* texts)", lambda n: f"{10 * int(n[0]):,}", message)
        assert found[kind] == tens


def test_a_corpus_in_pieces_is_warned_about_piece_by_piece():
    for i in (0, 30):
        some = slice(i, i + 30)
        found = told(Statistics.of, SOURCES[some], raw(CAREFUL)[some], REFERENCES[some])
        assert found.keys() == {"punctuation"}
        assert " of 30 texts in predictions" in found["punctuation"]


def test_statistics_of_several_settings_warn_once():
    several = [Options(beta=[1, 2]), Options(metric="gleu", level="mean"), Options(metric="bleu")]
    systems = {"A": raw(CAREFUL), "B": raw(SYSTEMS["bold"])}
    warnings = []
    count(Corpus(SOURCES, systems, REFERENCES), several, warn=warnings.append)
    assert [warning.kind for warning in warnings] == ["punctuation"]
    assert " of 120 texts in A and B end with" in str(warnings[0])


def test_rewards_warn_of_each_kind_once():
    columns = {"source": SOURCES, "references": REFERENCES}
    function = reward()
    assert told(function, raw(CAREFUL), **columns).keys() == {"punctuation"}
    assert told(function, raw(CAREFUL), **columns) == {}
    # Empty completions get 0, which says enough.
    assert told(reward(), ["", *CAREFUL[1:]], **columns) == {}
    assert told(reward(), CAREFUL, **columns) == {}


def test_the_function_itself_warns_once():
    """As TRL calls it: without options, step after step."""
    code = (
        "from green_gec import reward\n"
        "for step in range(3):\n"
        "    text = f'He goes home {step}.'\n"
        "    reward([text], source=['He go home .'], references=['He goes home .'])\n"
    )
    ran = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True)
    assert ran.stderr.count(b"InputWarning") == 1


def test_rows_without_reward_are_not_looked_at():
    bleu, references = reward(metric="bleu"), [*REFERENCES, *[None] * 60]
    assert told(bleu, [*CAREFUL, *raw(CAREFUL)], references=references) == {}
    assert told(bleu, [*CAREFUL, *[""] * 60], references=references) == {}


# What a warning is


def test_a_warning_is_a_user_warning_that_can_be_filtered():
    assert issubclass(InputWarning, UserWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", InputWarning)
        score(SOURCES, raw(CAREFUL), REFERENCES)
        warnings.filterwarnings("error", message=".*attached to a word")
        with pytest.raises(InputWarning, match="tokenise all texts alike"):
            score(SOURCES, raw(CAREFUL), REFERENCES)


def test_a_warning_survives_serialisation():
    with pytest.warns(InputWarning) as caught:
        score(SOURCES, raw(CAREFUL), REFERENCES)
    warning = caught[0].message
    again = pickle.loads(pickle.dumps(warning))
    assert type(again) is InputWarning
    assert (str(again), again.kind, again.args) == (str(warning), "punctuation", warning.args)
    assert again.text(lambda name, value: f"<{name} {value}>").endswith(
        "or use <tokenizer 13a>, which separates punctuation"
    )
    assert eval(repr(again)).args == warning.args


@pytest.mark.filterwarnings("error::UserWarning")
def test_work_goes_on_if_warnings_are_errors(metric):
    """A metric can be used again, after texts in one call and after texts that were added."""
    texts = {"sources": SOURCES, "references": REFERENCES}
    expected = score(SOURCES, CAREFUL, REFERENCES)
    for _ in range(2):
        with pytest.raises(UserWarning, match="attached to a word"):
            metric.compute(**texts, predictions=raw(CAREFUL))
        assert metric.compute(**texts, predictions=CAREFUL) == expected
    metric.add_batch(**texts, predictions=raw(CAREFUL))
    with pytest.raises(UserWarning, match="attached to a word"):
        metric.compute()
    assert metric.compute(**texts, predictions=CAREFUL) == expected
    metric.add_batch(**texts, predictions=CAREFUL)
    assert metric.compute() == expected
    with pytest.raises(InputWarning):
        score(SOURCES, raw(CAREFUL), REFERENCES)
    assert score(SOURCES, CAREFUL, REFERENCES) == expected


def test_python_can_be_told_to_stop(tmp_path):
    code = 'from green_gec import score; score(["He go"], ["He goes"], ["He goes"])'
    command = [sys.executable, "-W", "error::UserWarning", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 1
    kind, _, message = ran.stderr.splitlines()[-1].partition(": ")
    assert kind == "green_gec.input_warnings.InputWarning"
    assert message.startswith("1 of 1 sentences have fewer than 4 tokens")


def test_the_metric_warns_like_score(metric_told):
    cases = [
        ((SOURCES, raw(CAREFUL), REFERENCES), {}),
        ((["He go"], ["He goes"], ["He goes"]), {}),
        ((SOURCES, CAREFUL, ["\t".join(listed) for listed in REFERENCES]), {}),
        ((SOURCES, CAREFUL, SOURCES), {}),
        ((SOURCES, [""] * 30 + CAREFUL[30:], REFERENCES), {}),
        ((SOURCES[:2], CAREFUL[:2], list(zip(*REFERENCES[:2], strict=True))), {}),
        ((SOURCES, [f" {text}" for text in CAREFUL], REFERENCES), {"tokenizer": "char"}),
    ]
    kinds = set()
    for columns, options in cases:
        found = metric_told(*columns, **options)
        assert found == told(score, *columns, **options)
        kinds |= found.keys()
    assert len(kinds) == len(cases)


# The command line


@pytest.fixture
def files(tmp_path):
    """A corpus in files, and more of them by name."""

    def write(**texts):
        for name, lines in texts.items():
            content = "".join(f"{line}\n" for line in lines)
            (tmp_path / name).write_text(content, "utf-8")
        return tmp_path

    firsts, seconds = zip(*REFERENCES, strict=True)
    write(s=SOURCES, c=CAREFUL, r0=firsts, r1=seconds, raw=raw(CAREFUL), short=["He go"])
    write(short_r=["He goes"], tabs=["\t".join(listed) for listed in REFERENCES])
    write(lost=[""] * 30 + CAREFUL[30:], spaced=[f"{text} " for text in CAREFUL])
    write(m2=[f"S {text}\n" for text in SOURCES])
    (tmp_path / "m2").rename(tmp_path / "no-edits.m2")
    return write


@pytest.fixture
def run(monkeypatch, capfd):
    """Run a command line in a folder: status, output, errors."""

    def run(folder, line):
        monkeypatch.chdir(folder)
        command, *arguments = shlex.split(line)
        return cli.main(command, LEVELS[command], arguments), *capfd.readouterr()

    return run


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        (
            "green -s s -r r0 r1 -c raw",
            "59 of 60 texts in raw end with punctuation",
            "or use -t 13a, which separates punctuation",
        ),
        (
            "green -s short -r short_r -c short_r",
            "1 of 1 sentences have fewer than 4 tokens",
            "; --effective-order scores them by shorter n-grams only",
        ),
        (
            "green -m bleu -r short_r -c short_r",
            "1 of 1 sentences",
            "; a smaller -n scores them by shorter n-grams only",
        ),
        (
            "mgreen -s s -r tabs -c c",
            "60 of 60 sentences have tabs in their references, like 'Last",
            "or one list of texts per sentence",
        ),
        ("green -s s -r s -c c", "60 of 60 sentences have no reference but the source", "edits"),
        ("green --m2 no-edits.m2 -c c", "60 of 60 sentences have no reference but the", "edits"),
        ("sgreen -s s -r r0 -c lost", "30 of 60 texts in lost are empty", "to be corrected"),
        (
            "green -s s -r r0 -c spaced -t char",
            "60 texts begin or end with whitespace",
            "; --strip removes it",
        ),
    ],
)
def test_one_line_on_standard_error(files, run, line, start, end):
    folder = files()
    status, printed, errors = run(folder, line)
    command = line.split()[0]
    assert status == 0
    assert re.fullmatch(rf"{command}: warning: [^\n]*\n", errors)
    assert errors.startswith(f"{command}: warning: {start}")
    assert errors.endswith(f"{end}\n")
    assert "warning" not in printed
    status, as_json, again = run(folder, f"{line} --format json")
    assert (status, again) == (0, errors)
    assert json.loads(as_json)["warnings"] == [errors.removeprefix(f"{command}: warning: ")[:-1]]


def test_the_remedies_of_the_command_line_work(files, run):
    folder = files()
    for line in (
        "green -s s -r r0 r1 -c raw -t 13a",
        "green -s s -r r0 r1 -c raw -t intl",
        "green -s short -r short_r -c short_r --effective-order",
        "green -m bleu -r short_r -c short_r -n 2",
        "mgreen -s s -r r0 r1 -c c",
        "green -s s -r r0 -c spaced -t char --strip",
        "green -s s -r r0 r1 -c s r0 c",  # the source and a reference as systems
    ):
        status, printed, errors = run(folder, f"{line} --format json")
        assert (status, errors) == (0, "")
        assert json.loads(printed)["warnings"] == []


def test_systems_named_like_columns(files, run):
    folder = files(sources=raw(CAREFUL), references=CAREFUL, predictions=CAREFUL)
    status, printed, errors = run(folder, "green -s s -r r0 r1 -c sources")
    assert (status, printed.count("\n")) == (0, 3)
    assert errors.startswith("green: warning: 59 of 60 texts in sources end with punctuation")
    status, _, errors = run(folder, "green -s s -r r0 r1 -c references predictions")
    assert (status, errors) == (0, "")


def test_no_file_name_breaks_the_line(files, run):
    folder = files(**{"a\nb": raw(CAREFUL)})
    status, _, errors = run(folder, "green -s s -r r0 -c 'a\nb'")
    assert (status, errors.count("\n")) == (0, 1)
    assert r" texts in a\nb end with " in errors


# Correct corpora


# GREEN at every level, the others where most can be wrong.
SETTINGS = [
    *(Options(level=level) for level in LEVELS.values()),
    Options(metric="gleu", selection="max", level="sentence"),
    Options(metric="bleu", level="sentence"),
]


def warned(sources, systems, references):
    """The warnings with each setting, words and characters: metric, tokenizer, kind, number."""
    found = set()
    for tokenizer in ("word", "char"):
        for options in SETTINGS:
            each = options.replace(tokenizer=tokenizer)
            corpus = Corpus(sources if options.metric != "bleu" else None, systems, references)
            listed = []
            count(corpus, [each], warn=listed.append)
            found |= {
                (options.metric, tokenizer, warning.kind, str(warning).split()[0])
                for warning in listed
            }
    return found


def check_silent(sources, systems, references):
    """No warnings but those about whitespace, with characters, and these are true."""
    columns = {"sources": sources, **systems}
    columns["references"] = [text for listed in references for text in listed]
    n_spaced = {
        name: sum(text != text.strip() for text in texts) for name, texts in columns.items()
    }
    n_all = sum(n_spaced.values())
    n_texts = {"green": n_all, "gleu": n_all, "bleu": n_all - n_spaced["sources"]}
    assert warned(sources, systems, references) == {
        (metric, "char", "whitespace", f"{number:,}")
        for metric, number in n_texts.items()
        if number
    }


def as_systems(sources, references):
    """The source, each reference and empty lines: what papers score besides systems."""
    columns = zip(*references, strict=True) if len(set(map(len, references))) == 1 else []
    return {
        "source": sources,
        "nothing": [""] * len(sources),
        **{f"reference {i}": list(column) for i, column in enumerate(columns)},
    }


def test_the_examples_are_silent():
    check_silent(SOURCES, SYSTEMS | as_systems(SOURCES, REFERENCES), REFERENCES)
    for name, system in SYSTEMS.items():
        for options in SETTINGS:
            warnings = []
            sources = SOURCES if options.metric != "bleu" else None
            count(Corpus(sources, {name: system}, REFERENCES), [options], warn=warnings.append)
            assert warnings == []


@pytest.mark.parametrize("m2", [None, "official.m2", "errant.m2"])
def test_conll14_is_silent(data_dir, conll14, m2):
    sources, references, read = conll14
    if m2:
        sources, references = read_m2(data_dir / "conll14" / m2)
    names = sorted(path.name for path in (data_dir / "conll14" / "systems").iterdir())
    systems = {name: read(name) for name in (names if m2 is None else names[:2])}
    assert len(systems) >= 2
    check_silent(sources, systems | as_systems(sources, references), references)


@pytest.mark.parametrize("level", LEVELS.values())
def test_each_system_of_conll14_alone_is_silent(data_dir, conll14, level):
    sources, references, read = conll14
    for path in (data_dir / "conll14" / "systems").iterdir():
        assert told(score, sources, read(path.name), references, level=level) == {}


def test_seeda_is_silent(data_dir, conll14):
    sources, references, _ = conll14
    paths = sorted((data_dir / "seeda" / "systems").iterdir())
    assert len(paths) == 15
    check_silent(sources, {path.stem: read_lines(path) for path in paths}, references)


@pytest.mark.parametrize("part", ["dev", "test"])
@pytest.mark.parametrize("corpus", ["gmeg-fce", "gmeg-wiki"])
def test_gmeg_is_silent(data_dir, corpus, part):
    folder = data_dir / corpus / part
    if not folder.is_dir():
        pytest.skip(f"needs {corpus}")
    sources = read_lines(folder / "source")
    columns = [read_lines(folder / f"ref{i}") for i in range(4)]
    references = list(zip(*columns, strict=True))
    names = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer")
    systems = {name: read_lines(folder / name) for name in names}
    check_silent(sources, systems | as_systems(sources, references), references)


def test_raw_predictions_of_conll14(conll14):
    """The issue's worst case: below the unchanged source, and now a warning and a remedy."""
    sources, references, read = conll14
    attached = raw(read("AMU"))
    assert told(score, sources, attached, references).keys() == {"punctuation"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        assert score(sources, attached, references)["green"] < 0.75
    assert score(sources, sources, references)["green"] == pytest.approx(0.7693, abs=5e-5)
    assert told(score, sources, attached, references, tokenizer="13a") == {}
    assert score(sources, attached, references, tokenizer="13a")["green"] > 0.78


def test_a_first_text_without_a_byte():
    """The bytes before it, which are none, are not read."""
    assert score([""], [""], ["é"])["green"] == 0.0
    assert score(None, [""], ["é"], "bleu")["bleu"] == 0.0


def test_a_list_that_is_two_columns_is_inspected_twice():
    tokenised, attached = ["It is a test ."] * 20, ["It is a test."] * 20
    with pytest.warns(InputWarning, match="40 of 40 texts in predictions and references"):
        score(tokenised, attached, attached)
