"""The kernel: exact for any input, one system or many, words or characters."""

import functools
import operator
import random
from collections import Counter

import pyarrow as pa
import pytest
from shared import at_most_megabytes

import oracle
from green_gec import multiset, score
from green_gec.multiset import TOKENIZERS, word_ids

# Some texts here are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::green_gec.InputWarning")


def kernel(sources, systems, references, tokenizer, max_order):
    parts = multiset.count(
        pa.array(sources, pa.large_string()),
        [pa.array(system, pa.large_string()) for system in systems],
        pa.array(references, pa.large_list(pa.large_string())),
        TOKENIZERS[tokenizer].to_ids,
        max_order,
        multiset.SIZES,
    )
    return [sentence for sizes in parts for sentence in sizes.swapaxes(0, 1)]


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
    for k, system in enumerate(systems):
        for i, (source, prediction) in enumerate(zip(sources, system, strict=True)):
            for j, reference in enumerate(references[i]):
                for n in range(1, max_order + 1):
                    expected = counted(source, prediction, reference, references[i], tokenizer, n)
                    assert sizes[i][k, j, n - 1].tolist() == expected, (k, i, j, n)


def words(rng, n_words, vocabulary):
    return " ".join(f"w{rng.randrange(vocabulary)}" for _ in range(n_words))


def test_a_document_of_60_000_words():
    rng = random.Random(1)
    source, prediction, reference = (words(rng, 60_000, 40_000) for _ in range(3))
    check([source], [[prediction]], [[reference]], "word", 4)


def test_a_text_of_one_word_70_000_times():
    many, fewer = "a " * 70_000, "a " * 69_999
    check([many, "a"], [[fewer, ""]], [[many], ["a a"]], "word", 3)


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
    assert score(["a b"], ["a b"], ["a b"], max_order=5_000)["green"] == 0.0


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
    monkeypatch.setattr(multiset, "_WORD_COST_AT_ONCE", 500)
    rng = random.Random(6)
    texts = [[words(rng, rng.randrange(9), 4) for _ in range(40)] for _ in range(4)]
    check(texts[0], texts[1:3], [[text] * rng.randint(1, 3) for text in texts[3]], "word", 3)


def test_sizes_without_sources():
    texts = pa.array(["a"], pa.large_string())
    references = pa.array([["a"]], pa.large_list(pa.large_string()))
    with pytest.raises(ValueError, match="without sources, C, SC cannot be counted"):
        list(multiset.count(None, [texts], references, word_ids, 1, ("C", "SC")))
