"""GREEN as a reward function."""

import pickle

import numpy as np
import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS

from green_gec import reward, score
from green_gec.options import NGRAM_METRICS

SOURCES = EXAMPLE_SOURCES[:24]
FIRST, SECOND = map(list, zip(*EXAMPLE_REFERENCES[:24], strict=True))


def test_reward_is_the_sentences_score():
    expected = score(SOURCES, SECOND, FIRST, level="sentence", effective_order=True)["green"]
    columns = {"source": SOURCES, "references": FIRST, "level": ["A1"] * 24, "prompts": SOURCES}
    assert reward(completions=SECOND, **columns) == expected
    plural = {"sources": SOURCES, "reference": [[text] for text in FIRST]}
    assert reward(SECOND, **plural) == expected
    assert reward(["Yes ."], source=["Yes ,"], references=["Yes ."]) == [1.0]  # a short sentence
    messages = [[{"role": "assistant", "content": text}] for text in SECOND]
    assert reward(completions=messages, **columns) == expected
    parts = [
        [
            {"role": "assistant", "content": "Let me see ."},
            {"role": "tool", "content": None},
            {"role": "assistant", "content": [{"type": "text", "text": text}, {"type": "image"}]},
        ]
        for text in SECOND
    ]
    assert reward(completions=parts, **columns) == expected
    silent = [[{"role": "assistant", "content": None}]] * 24
    assert reward(completions=silent, **columns) == [0.0] * 24


def test_the_defaults_of_rewards():
    """The mean over the references, and orders that a sentence has; both can be changed."""
    columns = {"source": SOURCES, "references": EXAMPLE_REFERENCES[:24]}
    texts = (SOURCES, SYSTEMS["bold"][:24], EXAMPLE_REFERENCES[:24])
    defaults = {"selection": "mean", "effective_order": True}
    found = []
    for options in ({}, {"selection": "max"}, {"effective_order": False}):
        expected = score(*texts, level="sentence", **{**defaults, **options})["green"]
        assert reward(**options)(texts[1], **columns) == expected
        found.append(expected)
    assert found[0] != found[1]
    assert reward(texts[1], **columns) == found[0]
    # Other scores have no such options, and GLEU keeps its own selection.
    for name in ("gleu", "bleu"):
        given = columns if name == "gleu" else {"references": columns["references"]}
        expected = score(texts[0] if name == "gleu" else None, *texts[1:], name, level="sentence")
        assert reward(metric=name)(texts[1], **given) == expected[name]


@pytest.mark.parametrize("metric", NGRAM_METRICS)
@pytest.mark.parametrize("nothing", ["", " ", " \n\t", "\u3000\xa0"])
def test_an_empty_completion_gets_nothing(metric, nothing):
    """Even where deleting everything would pay, or where nothing is right."""
    columns = {"source": ["a b c d", "x y", ""], "references": [["a"], ["", "z"], [""]]}
    columns = columns if metric in ("green", "gleu") else {"references": columns["references"]}
    conversation = [{"role": "assistant", "content": nothing}]
    parts = [{"role": "assistant", "content": [{"type": "text", "text": nothing}]}]
    for empty in (nothing, conversation, parts):
        rewards = reward(metric=metric)([empty] * 3, **columns)
        assert rewards == [0.0] * 3
        assert all(type(value) is float for value in rewards)


def test_an_empty_completion_among_others():
    columns = {"source": SOURCES[:4], "references": [FIRST[0], FIRST[1], None, FIRST[3]]}
    found = reward(["", FIRST[1], "", FIRST[3]], **columns)
    assert found == [0.0, 1.0, None, 1.0]  # without references, there is no reward at all
    deleting = score(["a b c d"], [""], ["a"], effective_order=True)["green"]
    assert deleting > 0
    assert reward([""], source=["a b c d"], references=["a"]) == [0.0]


def test_reward_with_options():
    options = {"tokenizer": "char", "beta": 0.5, "effective_order": False}
    function = reward(**options)
    expected = score(SOURCES, SECOND, FIRST, level="sentence", **options)["green"]
    assert function(SECOND, source=SOURCES, references=FIRST) == expected
    bleu = reward(metric="bleu", max_order=2)
    expected = score(None, SECOND, FIRST, "bleu", max_order=2, level="sentence")["bleu"]
    assert bleu(completions=SECOND, references=FIRST) == expected
    assert (function.__name__, bleu.__name__) == ("green", "bleu")
    sent = pickle.loads(pickle.dumps(bleu))
    assert sent(completions=SECOND, references=FIRST) == expected


def test_rows_without_references_have_no_reward():
    columns = {"source": ["a", "a", None], "references": [["b"], None, ["b"]]}
    assert reward(["b", "b", "b"], **columns) == [1.0, None, None]
    assert reward(["b"], source=["a"], references=[None]) == [None]
    assert reward([], source=[], references=[]) == []
    arrays = [np.array(["b"]), None]  # as a dataset in NumPy's format has them
    assert reward(["b", "b"], source=["a", "a"], references=arrays) == [1.0, None]
    with pytest.raises(TypeError, match=r"sources\[2\] must be a string, not 3"):
        reward(["b"] * 3, source=["a", None, 3], references=["b"] * 3)
    with pytest.raises(ValueError, match=r"references\[2\] is empty"):
        reward(["b"] * 3, source=["a", None, "a"], references=["b", "b", []])
    with pytest.raises(TypeError, match=r"references\[2\]\[1\] must be a string, not 3"):
        reward(["b"] * 3, source=[None, "a", "a"], references=["b", "b", ["b", 3]])
    with pytest.raises(ValueError, match=r"completions\[1\] has a lone surrogate"):
        reward(["b", "\ud800"], source=[None, "a"], references=["b", "b"])


def test_rows_without_references_are_not_warned_of():
    """The numbers in a warning are those of the rows that are rated."""
    function = reward(tokenizer="char")
    columns = {"source": ["He go .", "He go .", None], "references": ["He goes .", None, "He ."]}
    with pytest.warns(UserWarning, match="^1 text begins or ends with whitespace"):
        assert function([" He goes .", " He", " He"], **columns)[1:] == [None, None]


ONE = {"source": ["a"], "references": ["a"]}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"completions": ["a"], "references": ["a"]}, ValueError, "no column 'source'"),
        (
            {"completions": ["a"], "source": ["a"]},
            ValueError,
            "no column 'references', only source",
        ),
        (
            {"completions": ["a"], "source": ["a", "b"], "references": ["a"]},
            ValueError,
            "got 1 completions, 2 sources, 1 references",
        ),
        (
            {"completions": ["a", "b"], "source": ["a", 3], "references": ["a", "b"]},
            TypeError,
            r"sources\[1\] must be a string, not 3",
        ),
        ({"completions": "gleu", **ONE}, TypeError, "completions must be a list"),
        (
            {"completions": ["a"], "tokenizer": "13a", **ONE},
            TypeError,
            r"reward\(tokenizer='13a'\)\(completions, …\)",
        ),
        ({"completions": ["a"], "metric": "gleu", **ONE}, TypeError, "metric='gleu' is an option"),
        (
            {"completions": [3], **ONE},
            TypeError,
            r"completions\[0\] must be a text or a conv",
        ),
        (
            {"completions": [[]], **ONE},
            TypeError,
            r"completions\[0\] must be a text or a conv",
        ),
        (
            {"completions": [[{"role": "user"}]], **ONE},
            TypeError,
            "a list of messages with content",
        ),
        ({"level": "corpus"}, ValueError, "green has no option 'level'; its options are"),
        ({"n_resamples": 10}, ValueError, "green has no option 'n_resamples'; its"),
        ({"beta": [1, 2]}, ValueError, "beta must be one number"),
        ({"blue": 1}, TypeError, "green has no option 'blue'"),
        ({"metric": "errant"}, ValueError, "errant scores edits, not texts alone"),
        ({"metric": "bleu", "effective_order": True}, ValueError, "bleu has no option"),
    ],
)
def test_rewards_that_cannot_be(arguments, error, message):
    with pytest.raises(error, match=message):
        reward(**arguments)
