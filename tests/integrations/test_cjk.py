"""Japanese and Korean: sacreBLEU's tokenizers with their dictionaries."""

import pytest

from green_gec import score
from green_gec.tokenization import get_tokenizer

pytest.importorskip("MeCab")
pytest.importorskip("mecab_ko")

from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab

SACREBLEUS = {"ja-mecab": TokenizerJaMecab, "ko-mecab": TokenizerKoMecab}
CORPUS = (
    ["이게 뭐야? これは花です。", "彼は学校に行く。", "Hello, there"],
    ["이게 뭐예요? これは美しい花です。", "彼は学校に行った。", "Hello there"],
    [["이게 뭐예요? これは花だ。"], ["彼は学校に行った。", "彼が学校へ行く。"], ["Hello there"]],
)


# From sacreBLEU's own tests and documentation.
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("ja-mecab", "これは美しい花です。", ["これ", "は", "美しい", "花", "です", "。"]),
        ("ko-mecab", "이게 뭐야?", ["이게", "뭐", "야", "?"]),
    ],
)
def test_documented_examples(name, text, expected):
    assert list(get_tokenizer(name).split(text)) == expected


@pytest.mark.parametrize(
    "options", [{}, {"max_order": 2, "level": "sentence"}, {"detailed": True, "max_order": 3}]
)
@pytest.mark.parametrize("name", SACREBLEUS)
def test_the_score_is_that_of_texts_that_sacrebleu_tokenised(metric, name, options):
    tokenize = SACREBLEUS[name]()
    sources, predictions, references = CORPUS
    expected = score(
        list(map(tokenize, sources)),
        list(map(tokenize, predictions)),
        [list(map(tokenize, texts)) for texts in references],
        **options,
    )
    if "signature" in expected:
        expected["signature"] = expected["signature"].replace("tok:word", f"tok:{name}")
    assert score(*CORPUS, tokenizer=name, **options) == expected
    texts = {"sources": sources, "predictions": predictions, "references": references}
    assert metric.compute(**texts, tokenizer=name, **options) == expected
