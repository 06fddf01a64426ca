"""Japanese and Korean: sacreBLEU's tokenizers with their dictionaries."""

import pytest

from green_gec import multiset, score

pytest.importorskip("sacrebleu")


@pytest.fixture(scope="module", params=["ja-mecab", "ko-mecab"])
def tokenizer(request):
    """Our name of a tokenizer, and sacreBLEU's own."""
    from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
    from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab

    kinds = {"ja-mecab": TokenizerJaMecab, "ko-mecab": TokenizerKoMecab}
    return request.param, kinds[request.param]()


# From sacreBLEU's own tests and documentation.
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("ja-mecab", "これは美しい花です。", ["これ", "は", "美しい", "花", "です", "。"]),
        ("ko-mecab", "이게 뭐야?", ["이게", "뭐", "야", "?"]),
    ],
)
def test_documented_examples(name, text, expected):
    assert list(multiset.tokenizer(name).split(text)) == expected


def test_the_score_is_that_of_texts_that_sacrebleu_tokenised(tokenizer):
    name, tokenize = tokenizer
    texts = ["이게 뭐야? これは花です。", "彼は学校に行く。"]
    corrections = ["이게 뭐예요? これは美しい花です。", "彼は学校に行った。"]
    columns = (texts, corrections, corrections[::-1])
    tokenised = (list(map(tokenize, column)) for column in columns)
    assert score(*columns, tokenizer=name) == score(*tokenised)
