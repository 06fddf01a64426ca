"""The kernel: exact for any input, one system or many, words or characters."""

import functools
import itertools
import operator
import random
from collections import Counter
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import at_most_megabytes

import oracle
from green_gec import multiset, score
from green_gec.inputs import Corpus
from green_gec.tokenization import TOKENIZERS

SIZES = list(multiset.SIZES)
# Without this size, n-grams that all texts share are not counted one by one.
WITHOUT = [name for name in SIZES if name != "SC-R"]


def kernel(sources, systems, references, tokenizer, max_order, names=SIZES):
    corpus = Corpus(sources, dict(enumerate(systems)), references)
    block = corpus.block(0, len(corpus))
    units = list(multiset.count(block, TOKENIZERS[tokenizer], max_order, names))
    shape = (len(systems), len(corpus), block.n_references.max(), max_order, len(names))
    all_sizes, seen = np.zeros(shape, dtype=np.int64), []
    for sentences, sizes in units:
        assert set(block.n_references[sentences]) == {sizes.shape[2]}
        all_sizes[:, sentences, : sizes.shape[2]] = sizes
        seen += sentences.tolist()
    assert sorted(seen) == list(range(len(corpus)))
    return all_sizes


def counted(s, c, r, references, tokenizer, n):
    """All of `multiset.SIZES`, with Counters."""

    def ngrams(text):
        return oracle.ngrams(oracle.tokens_of(text, tokenizer), n)

    s, c, r = map(ngrams, (s, c, r))
    absent = Counter({x: min(s[x], c[x]) for x in s if not r[x]})
    union = functools.reduce(operator.or_, map(ngrams, references))
    sets = (s, c, r, s & r, s & c, r & c, s & r & c, absent, c & union)
    return [x.total() for x in sets]


def check(sources, systems, references, tokenizer, max_order):
    sizes = kernel(sources, systems, references, tokenizer, max_order)
    some_sizes = kernel(sources, systems, references, tokenizer, max_order, WITHOUT)
    indexes = [SIZES.index(name) for name in WITHOUT]
    assert (sizes[..., indexes] == some_sizes).all()
    texts = itertools.chain(sources, *systems, *references)
    longest = max(len(oracle.tokens_of(text, tokenizer)) for text in texts)
    most = max(map(len, references))
    assert sizes.shape == (len(systems), len(sources), most, max_order, len(SIZES))
    assert not sizes[:, :, :, longest:].any()
    for k, system in enumerate(systems):
        for i, (source, prediction) in enumerate(zip(sources, system, strict=True)):
            assert not sizes[k, i, len(references[i]) :].any()  # those that it does not have
            for j, reference in enumerate(references[i]):
                for n in range(1, min(max_order, longest) + 1):
                    expected = counted(source, prediction, reference, references[i], tokenizer, n)
                    assert sizes[k, i, j, n - 1].tolist() == expected, (k, i, j, n)


def words(rng, n_words, vocabulary):
    return " ".join(f"w{rng.randrange(vocabulary)}" for _ in range(n_words))


def test_a_document_of_60_000_words():
    rng = random.Random(1)
    source, prediction, reference = (words(rng, 60_000, 40_000) for _ in range(3))
    check([source], [[prediction]], [[reference]], "word", 4)


def test_a_text_of_one_word_70_000_times():
    many, fewer = "a " * 70_000, "a " * 69_999
    check([many, "a"], [[fewer, ""]], [[many], ["a a"]], "word", 3)


@pytest.mark.parametrize("n", [255, 256, 65_535, 65_536])
def test_counts_that_just_fit_into_bytes(n):
    check(["a " * n], [["a " * n]], [["a " * n]], "word", 2)


def test_the_last_of_ascii_is_no_other_character():
    check(["\x7f\x80"], [["\x80\x7f"]], [["\x7f\x7f"]], "char", 2)
    check(["\x7fé"], [["éé"]], [["\x7f本"]], "char", 2)


def test_12_000_different_characters():
    rng = random.Random(2)
    alphabet = [chr(0x4E00 + i) for i in range(12_000)]
    texts = ["".join(rng.choices(alphabet, k=20_000)) for _ in range(3)]
    texts[1] = texts[0][:12_000] + texts[1][:3_000]
    check([texts[0]], [[texts[1]]], [[texts[2]]], "char", 6)


def test_20_references_and_12_systems_at_once():
    rng = random.Random(3)
    sources = [words(rng, 12, 6) for _ in range(7)]
    systems = [[words(rng, 12, 6) for _ in sources] for _ in range(12)]
    references = [[words(rng, 12, 6) for _ in range(rng.choice([1, 5, 20]))] for _ in sources]
    check(sources, systems, references, "word", 4)


def test_100_references_of_one_sentence_and_one_of_others():
    rng = random.Random(8)
    sources = [words(rng, 9, 5) for _ in range(12)]
    references = [[words(rng, 9, 5) for _ in range(100 if i == 4 else 1)] for i in range(12)]
    check(sources, [sources[::-1]], references, "word", 3)
    check(sources, [sources[::-1]], references, "char", 2)


def test_one_sentence_with_many_references_does_not_cost_room_for_all():
    references = [["a b"] * (1_000 if i == 9 else 1) for i in range(2_000)]
    texts = ["a b"] * 2_000
    with at_most_megabytes(100):
        score(texts, texts, references)


def test_order_50():
    rng = random.Random(4)
    source = words(rng, 90, 5)
    check([source], [[source + " w1"]], [["w2 " + source, words(rng, 60, 2)]], "word", 50)


def test_an_order_far_beyond_the_texts():
    check(["a b", ""], [["a b", "a"], ["b", ""]], [["a b a"], ["", "a"]], "word", 100)
    check([""], [[""]], [["", ""]], "char", 100)
    assert score(["a b"], ["a b"], ["a b"], max_order=100)["green"] == 0.0


def test_an_order_that_texts_lack_costs_no_room():
    texts = ["a b"] * 20_000
    with at_most_megabytes(60):
        score(texts, texts, texts, max_order=100)


def test_words_alike_up_to_their_end():
    alike = [
        "abcdefgh",
        "abcdefghi",
        "abcdefghij",
        "abcdefgh\0",
        "abcdefg\0",
        "abcdefg",
        "\0",
        "\0\0",
    ]
    alike += [16 * "x", 17 * "x", 16 * "x" + "\0", 40 * "é", 41 * "é", 200 * "x", 200 * "x" + "\0"]
    rng = random.Random(5)
    texts = [" ".join(rng.choices(alike, k=30)) for _ in range(9)]
    check(texts[:3], [texts[3:6]], [[text] for text in texts[6:]], "word", 2)


def test_many_sentences_are_cut_into_pieces(monkeypatch):
    monkeypatch.setitem(TOKENIZERS, "word", replace(TOKENIZERS["word"], bytes_at_once=100))
    rng = random.Random(6)
    texts = [[words(rng, rng.randrange(9), 4) for _ in range(40)] for _ in range(4)]
    check(texts[0], texts[1:3], [[text] * rng.randint(1, 3) for text in texts[3]], "word", 3)


@pytest.mark.parametrize("key_bits", [63, 40, 28])
@given(st.data())
def test_sizes_are_those_of_counters(key_bits, data):
    """Also where few tokens fit into a key."""
    vocabulary = data.draw(st.sampled_from(["a", "ab", "abcdefghij", "aé本😀"]))
    lengths = st.sampled_from([0, 1, 2, 3, 5, 8, 30])

    def text():
        words = st.lists(st.sampled_from(vocabulary), max_size=data.draw(lengths))
        return " ".join(data.draw(words))

    def edit(words):
        at, new = data.draw(st.integers(0, 9)), data.draw(st.sampled_from([[], ["x"], ["a", "b"]]))
        return " ".join([*words.split()[:at], *new, *words.split()[at + 1 :]])

    sources = [text() for _ in range(data.draw(st.integers(1, 5)))]
    like = data.draw(st.sampled_from([edit, lambda _: text(), str]))
    systems = [list(map(like, sources)) for _ in range(data.draw(st.integers(1, 3)))]
    n_references = st.sampled_from([1, 2, 2, 3, 18])
    references = [[like(source) for _ in range(data.draw(n_references))] for source in sources]
    tokenizer, order = data.draw(st.sampled_from([("word", 4), ("char", 6), ("word", 9)]))
    with mock.patch.object(multiset, "_KEY_BITS", key_bits):
        check(sources, systems, references, tokenizer, order)


def test_sentences_of_any_width_in_any_order():
    rng = random.Random(9)
    sources = [
        " ".join(["a", "bb"][i % 2] * rng.choice([1, 40]) for _ in range(n))
        for i, n in enumerate(rng.choices([0, 1, 90, 700], k=60))
    ]
    systems = [[source.replace("a", "b", 1) for source in sources]]
    check(sources, systems, [[source + " a"] for source in sources], "word", 2)


def test_sizes_without_sources():
    block = Corpus(None, {"A": ["a"]}, ["a"]).block(0, 1)
    ((_, sizes),) = multiset.count(block, TOKENIZERS["word"], 1, ("C", "R", "RC"))
    assert sizes.tolist() == [[[[[1, 1, 1]]]]]
