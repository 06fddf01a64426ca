"""`green_gec.score`: options, shapes of results, and laws that every corpus obeys."""

import json
import random
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from green_gec import score

SOURCES = ["She go to school every days .", "I has two cat and one dogs .", "Hello there"]
PREDICTIONS = ["She goes to school every days .", "I have two cats and one dog .", "Hello there"]
REFERENCES = [
    ["She goes to school every day .", "She went to school each day ."],
    ["I have two cats and one dog ."],
    ["Hello there", "Hello , there", "Hi there"],
]
CORPUS = (SOURCES, PREDICTIONS, REFERENCES)


def test_the_result_is_flat_floats():
    result = score(*CORPUS)
    assert list(result) == ["green", "precision", "recall"]
    assert all(type(value) is float for value in result.values())


def test_defaults_are_the_papers():
    assert score(*CORPUS) == score(*CORPUS, tokenizer="word", max_order=4, beta=2.0)
    assert score(*CORPUS, tokenizer="char") == score(*CORPUS, tokenizer="char", max_order=6)


def test_levels():
    each = score(*CORPUS, level="sentence")
    mean = score(*CORPUS, level="mean")
    assert all(len(values) == len(SOURCES) for values in each.values())
    assert mean == {name: pytest.approx(np.mean(each[name])) for name in each}


def test_beta_weighs_precision_and_recall():
    result = score(*CORPUS, beta=[1e-6, 1.0, 1e6, float("inf")])
    (p, _, _, _), (_, _, _, r) = result["precision"], result["recall"]
    assert result["green"][0] == pytest.approx(p)
    assert result["green"][1] == pytest.approx(2 * p * r / (p + r))
    assert result["green"][2:] == [pytest.approx(r)] * 2


def test_a_short_perfect_correction_needs_effective_order():
    short = (["Helo"], ["Hello"], ["Hello"])
    assert score(*short)["green"] == 0.0
    assert score(*short, effective_order=True) == {"green": 1.0, "precision": 1.0, "recall": 1.0}
    nothing = ([""], [""], [""])
    assert score(*nothing)["green"] == 0.0
    assert score(*nothing, effective_order=True)["green"] == 1.0


def test_strip_and_its_warning():
    spaced = (SOURCES, [text + " " for text in PREDICTIONS], REFERENCES)
    with pytest.warns(
        UserWarning, match=r"3 texts begin or end with whitespace.*strip=True"
    ) as caught:
        unstripped = score(*spaced, tokenizer="char")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert score(*spaced, tokenizer="char", strip=True) == score(*CORPUS, tokenizer="char")
    assert unstripped != score(*CORPUS, tokenizer="char")
    assert score(*spaced) == score(*CORPUS)  # words do not care, and nobody is warned


@pytest.mark.filterwarnings("error")
def test_no_warning_without_reason():
    score(*CORPUS, tokenizer="char")
    score([" a "], ["a"], ["a"])
    score([""], [""], [""], tokenizer="char")


def test_detailed():
    result = score(*CORPUS, detailed=True)
    assert result["precisions"] == [1.0] * 4
    assert len(result["recalls"]) == 4
    assert result["true_keep"] == [12, 4, 1, 0]
    assert result["under_delete"] == [1, 2, 2, 2]
    assert "chosen_reference" not in result
    assert score(*CORPUS, level="sentence", detailed=True)["chosen_reference"] == [0, 0, 0]


def test_detailed_at_the_mean():
    result = score(*CORPUS, level="mean", detailed=True)
    each = score(*CORPUS, level="sentence", detailed=True)
    assert result["recalls"] == pytest.approx(np.mean(each["recalls"], axis=0))
    assert result["true_keep"] == np.sum(each["true_keep"], axis=0).tolist()


def test_the_result_can_be_stored():
    for level in ("corpus", "mean", "sentence"):
        result = score(*CORPUS, level=level, beta=[1, 2], detailed=True)
        assert json.loads(json.dumps(result)) == result


def signature(**options):
    return score(*CORPUS, detailed=True, **options)["signature"]


def test_signature():
    from green_gec import __version__

    assert signature() == (
        "green|nrefs:1-3|tok:word|order:4|beta:2|level:corpus|eff:no|strip:no|"
        f"version:{__version__}"
    )
    chars = signature(
        tokenizer="char", beta=[0.5, float("inf")], level="mean", effective_order=True, strip=True
    )
    assert chars.startswith(
        "green|nrefs:1-3|tok:char|order:6|beta:0.5,inf|level:mean|eff:yes|strip:yes|version:"
    )
    assert "|tok:str.split|order:2|" in signature(tokenizer=str.split, max_order=2)
    assert "|bs:10|conf:0.9|seed:3|" in signature(n_resamples=10, confidence_level=0.9, seed=3)


@pytest.mark.parametrize(
    "wrap",
    [
        tuple,
        np.array,
        pa.array,
        lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
        lambda texts: pa.array(texts, pa.large_string()),
        lambda texts: pa.array(texts, pa.string_view()),
        lambda texts: pa.array(texts).dictionary_encode(),
        lambda texts: iter(texts),
        lambda texts: __import__("pandas").Series(texts, index=[5, 6, 7]),
        lambda texts: __import__("datasets").Dataset.from_dict({"x": texts})["x"],
    ],
)
def test_any_kind_of_sequence(wrap):
    one_each = [texts[0] for texts in REFERENCES]
    expected = score(SOURCES, PREDICTIONS, one_each)
    assert score(wrap(SOURCES), wrap(PREDICTIONS), wrap(one_each)) == expected


def test_any_kind_of_references():
    expected = score(*CORPUS)
    mixed = [tuple(REFERENCES[0]), REFERENCES[1][0], np.array(REFERENCES[2])]
    for references in (
        mixed,
        pa.array(REFERENCES),
        pa.array(REFERENCES, pa.large_list(pa.string())).slice(0),
        pa.chunked_array([pa.array(REFERENCES[:2]), pa.array(REFERENCES[2:])]),
    ):
        assert score(SOURCES, PREDICTIONS, references) == expected


def random_corpus(n_sentences=60, seed=0):
    rng = random.Random(seed)

    def text():
        return " ".join(rng.choices("abcd", k=rng.randrange(8)))

    sources = [text() for _ in range(n_sentences)]
    predictions = [rng.choice([source, text()]) for source in sources]
    references = [[text() for _ in range(rng.randint(1, 3))] for _ in sources]
    return sources, predictions, references


def test_the_order_of_sentences_does_not_matter():
    corpus = random_corpus()
    order = random.Random(1).sample(range(60), 60)
    permuted = [[column[i] for i in order] for column in corpus]
    assert score(*permuted, detailed=True) == score(*corpus, detailed=True)
    each = score(*corpus, level="sentence")["green"]
    assert score(*permuted, level="sentence")["green"] == [each[i] for i in order]


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_a_corpus_twice_scores_as_once(level):
    corpus = random_corpus()
    twice = [column * 2 for column in corpus]
    assert score(*twice, level=level) == pytest.approx(score(*corpus, level=level), rel=1e-12)


def test_a_worse_reference_changes_nothing():
    sources, predictions, references = random_corpus(300)
    others = random_corpus(300, seed=8)[0]
    before = score(sources, predictions, references, level="sentence", detailed=True)
    other = score(sources, predictions, others, level="sentence")["green"]
    worse = [i for i in range(300) if other[i] < before["green"][i]]
    assert len(worse) > 20
    more = [[*texts, text] for texts, text in zip(references, others, strict=True)]
    after = score(sources, predictions, more, level="sentence", detailed=True)
    for name in before.keys() - {"signature"}:
        assert [after[name][i] for i in worse] == [before[name][i] for i in worse]


def test_another_reference_never_lowers_a_sentence():
    sources, predictions, references = random_corpus()
    one = score(sources, predictions, [texts[:1] for texts in references], level="sentence")
    all_of_them = score(sources, predictions, references, level="sentence")
    assert all(a >= b for a, b in zip(all_of_them["green"], one["green"], strict=True))


def test_the_names_of_tokens_do_not_matter():
    def renamed(texts):
        if isinstance(texts, list):
            return [renamed(text) for text in texts]
        return texts.translate(
            {ord("a"): "🙂🙂", ord("b"): "q" * 30, ord("c"): "本", ord("d"): "a"}
        )

    corpus = random_corpus()
    assert score(*map(renamed, corpus), detailed=True) == score(*corpus, detailed=True)


def test_perfect_corrections_score_1():
    sources, _, references = random_corpus()
    perfect = [texts[-1] for texts in references]
    result = score(sources, perfect, references, effective_order=True)
    assert result == {"green": 1.0, "precision": 1.0, "recall": 1.0}


def test_scoring_imports_neither_evaluate_nor_datasets():
    code = (
        "import sys, green_gec; green_gec.score(['a'], ['a'], ['a']); "
        "print([name for name in ('evaluate', 'datasets', 'pandas') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_scoring_leaves_no_garbage():
    """Reference cycles would keep a block's arrays until Python happens to collect them."""
    import gc

    options = [{}, {"tokenizer": "char"}, {"level": "sentence"}, {"n_resamples": 9}]
    options += [{"metric": "gleu"}, {"metric": "gleu", "n_resamples": 9}]
    for _ in range(2):  # the first round may import something
        gc.collect()
        gc.disable()
        try:
            for each in options:
                score(*CORPUS, **each)
            n_unreachable = gc.collect()
        finally:
            gc.enable()
    assert n_unreachable == 0
