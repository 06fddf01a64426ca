"""Explanations: the regions are the paper's, and everything that is shown is true and harmless."""

import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import green_gec
import oracle
from green_gec import explain, score
from green_gec.explanation import REGIONS

TEXT = st.text("abc ", max_size=12)
SENTENCE = (
    "She go to school every days .",
    "She goes to school every days .",
    ["She went to school each day .", "She goes to school every day ."],
)
EVIL = ("<img src=x onerror=alert(1)>", "<script>alert(1)</script>", '"><b onmouseover="x">&amp;')


@given(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=3), st.sampled_from(["word", "char"]))
def test_every_ngram_is_in_the_papers_regions(source, prediction, references, tokenizer):
    found = explain(source, prediction, references, tokenizer=tokenizer, max_order=3)
    expected = score(
        [source], [prediction], [references], tokenizer=tokenizer, max_order=3, detailed=True
    )
    assert found.result["green"] == expected["green"]
    for order, ngrams in enumerate(found.orders, 1):
        s, c, r = (
            oracle.ngrams(oracle.tokens_of(text, tokenizer), order)
            for text in (source, prediction, references[found.chosen_reference])
        )
        assert {ngram.tokens for ngram in ngrams} == {*s, *c, *r}
        for ngram in ngrams:
            x = ngram.tokens
            assert (ngram.source, ngram.prediction, ngram.reference) == (s[x], c[x], r[x])
            only = (Counter({x: counter[x]}) for counter in (s, r, c))
            assert Counter(ngram.regions) == oracle.region_counts(*only)
        assert found.region_counts(order) == {name: expected[name][order - 1] for name in REGIONS}


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "rouge", "f1"])
@pytest.mark.parametrize("tokenizer", ["word", "char", str.split])
def test_scores_of_all_references(metric, tokenizer):
    source, prediction, references = SENTENCE
    found = explain(*SENTENCE, metric, tokenizer=tokenizer)

    def of(references):
        sources = [source] if metric in ("green", "gleu") else None
        how = {"level": "sentence", "tokenizer": tokenizer}
        return score(sources, [prediction], [references], metric, **how)[metric][0]

    assert found.result[metric] == of(references)
    assert found.reference_scores == [of([reference]) for reference in references]
    assert found.reference_scores[1] == max(found.reference_scores)
    assert found.chosen_reference == (1 if found.reference_scores[1] or metric == "gleu" else 0)
    assert found.reference == references[found.chosen_reference]


def test_the_chosen_reference_is_that_of_the_score():
    """Both score 0 over four orders, so the lower orders decide."""
    texts = ("a b", "a b", ["x y", "a y", "a b"])
    expected = score([texts[0]], [texts[1]], [texts[2]], level="sentence", detailed=True)
    assert explain(*texts).chosen_reference == expected["chosen_reference"][0] == 2
    assert explain(*texts).result["chosen_reference"] == 2


def test_options():
    assert len(explain(*SENTENCE).orders) == 4
    assert len(explain(*SENTENCE, tokenizer="char").orders) == 6
    assert explain("a", "a", "a").result["green"] == 0
    assert explain("a", "a", "a", effective_order=True).result["green"] == 1
    assert explain(" a", "a ", "\ta", tokenizer="char", strip=True).source == "a"
    arrays = explain("a b", "a b", np.array(["a c", "a b"]))
    assert arrays.chosen_reference == 1
    betas = [explain(*SENTENCE, beta=beta).result["green"] for beta in (0.5, 2)]
    assert betas == [score(*([x] for x in SENTENCE), beta=beta)["green"] for beta in (0.5, 2)]


def test_the_mean_over_references():
    """The result is the mean; what is shown is the best reference."""
    mean, best = explain(*SENTENCE, selection="mean"), explain(*SENTENCE)
    assert mean.reference_scores == best.reference_scores
    assert len(mean.reference_scores) > 1
    assert mean.result["green"] == pytest.approx(np.mean(mean.reference_scores))
    assert mean.chosen_reference == best.chosen_reference == np.argmax(best.reference_scores)
    texts = [[text] for text in SENTENCE]
    expected = score(*texts, selection="mean", level="sentence", detailed=True)
    del expected["signature"]
    assert mean.result == {name: values[0] for name, values in expected.items()}
    assert f"green {mean.result['green']:.4f}" in str(mean)
    assert mean.orders == best.orders
    with pytest.raises(ValueError, match="selection must be 'max' or 'mean' for green"):
        explain(*SENTENCE, selection="sample")


def test_whitespace_that_counts_is_a_warning_said_once():
    with pytest.warns(UserWarning, match="^1 text begins or ends with whitespace") as caught:
        explain("a ", "a", ["a", "b"], tokenizer="char", max_order=1)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((None, "a", "a"), {}, "source must be a string, not None"),
        (("a", 3, "a"), {}, "prediction must be a string, not 3"),
        (("a", "a", ["a", None]), {}, r"references\[1\] must be a string"),
        (("a", "a", []), {}, "at least one"),
        (("a", "a", {"a": "b"}), {}, "references must be a string or a list"),
        (("a\ud800", "a", "a"), {}, "source has a lone surrogate"),
        (SENTENCE, {"beta": [1, 2]}, "beta must be one number"),
        (SENTENCE, {"level": "corpus"}, "green has no option 'level'; its"),
        (SENTENCE, {"n_resamples": 9}, "no option 'n_resamples'"),
        (SENTENCE, {"colour": 1}, "no option 'colour'"),
        (SENTENCE, {"metric": "bleu", "beta": 1}, "bleu has no option 'beta'"),
        ((None, None, []), {"metric": "m2"}, "m2 scores edits, not texts alone"),
        (SENTENCE, {"max_order": 0}, "max_order must be"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        explain(*arguments, **options)


def test_the_metric_explains(metric, clone):
    import evaluate

    found = metric.explain(*SENTENCE, beta=1, tokenizer="char")
    ours = explain(*SENTENCE, beta=1, tokenizer="char")
    assert (found.result, str(found)) == (ours.result, str(ours))
    assert metric.explain(*SENTENCE).to_svg() == explain(*SENTENCE).to_svg()
    gleu = evaluate.load(str(clone), "gleu").explain(*SENTENCE, selection="max")
    assert gleu.result == explain(*SENTENCE, "gleu", selection="max").result


def test_options_of_the_loaded_metric_are_defaults(clone):
    """Those that apply to a sentence; others are for `compute`."""
    import evaluate

    given = {"tokenizer": "char", "beta": 1}
    loaded = evaluate.load(str(clone), **given, level="mean", n_resamples=10, detailed=True)
    assert loaded.explain(*SENTENCE).result == explain(*SENTENCE, **given).result
    found = loaded.explain(*SENTENCE, beta=0.5, max_order=2)
    assert found.result == explain(*SENTENCE, tokenizer="char", beta=0.5, max_order=2).result
    assert found.result != loaded.explain(*SENTENCE).result


def test_the_library_explains_whatever_was_imported_first():
    assert green_gec.explain(*SENTENCE).chosen_reference == 1
    for first in (
        "import green_gec.explanation",
        "from green_gec import explain",
        "import green_gec",
    ):
        code = f"{first}; import green_gec; green_gec.explain('a', 'a', 'a')"
        subprocess.run([sys.executable, "-c", code], check=True)


def test_explaining_imports_neither_pandas_nor_matplotlib():
    code = (
        "import sys, green_gec; str(green_gec.explain('a', 'a', 'a'));"
        "assert not {'pandas', 'matplotlib', 'evaluate'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_table():
    table = explain(*SENTENCE).to_pandas()
    assert [*table.columns] == [
        *("order", "ngram", "source", "prediction", "reference"),
        *oracle.REGIONS,
    ]
    row = table[(table["order"] == 2) & (table["ngram"] == "every days")].iloc[0]
    assert (row["source"], row["prediction"], row["reference"]) == (1, 1, 0)
    assert (row["under_delete"], row["true_keep"]) == (1, 0)
    assert table.groupby("order")["source"].sum().tolist() == [7, 6, 5, 4]
    empty = explain("", "", "").to_pandas()
    assert len(empty) == 0
    assert [*empty.columns] == [*table.columns]


@given(TEXT, TEXT, TEXT, st.sampled_from(["word", "char"]))
def test_as_many_tokens_are_marked_as_lie_in_the_regions(source, prediction, reference, tokenizer):
    found = explain(source, prediction, reference, tokenizer=tokenizer, max_order=1)
    counts = found.region_counts(1)
    for text, original in zip("SCR", (source, prediction, reference), strict=True):
        marked = found._marked[text]
        assert [token for token, _ in marked] == oracle.tokens_of(original, tokenizer)
        marks = Counter(name for _, name in marked)
        assert marks == {name: n for name, n in counts.items() if n and text in REGIONS[name].texts}


def test_of_equal_tokens_the_one_that_changed_is_marked():
    found = explain(
        "the cat saw the dog near the house",
        "the cat saw dog near the house",
        "the cat saw the dog near the house",
        max_order=1,
    )
    assert "the cat saw the[OD] dog near the house" in str(found)
    # Two regions, neither of them the middle: the first "a" stayed, the second did not.
    two = explain("x a y z a w", "x a y q", "x y z w", max_order=1)
    assert "x a[UD] y z[OD] a[TD] w[OD]" in str(two)
    # Where the next words are alike, those after them decide.
    far = explain("p x a y q r x a y s", "p x y q r x a y s", "p x a y q r x a y s", max_order=1)
    assert "p x a[OD] y q r x a y s" in str(far)
    doubled = explain("a b c d", "a b b c d", "a b c d", max_order=1)
    assert str(doubled).count("b[OI]") == 1


def test_characters_are_marked_in_runs_and_spaces_can_be_seen():
    found = explain("an other", "another", "another", tokenizer="char", max_order=2)
    assert "source      an␣[TD]other" in str(found)
    assert "␣o" in str(found)


def test_colours_are_those_of_the_outcome():
    """Right, wrong and missed: the paper's true positives, false positives, false negatives."""
    found = explain("a b c d e", "a b x d f", "a c y d f", max_order=1)
    html = found.to_html()
    fills = {
        region.code: re.search(
            rf'title="{region.title}: [^"]*" style="background: var\([\w-]+, (#\w+)\)', html
        )
        for region in REGIONS.values()
    }
    fills = {code: match[1] for code, match in fills.items() if match}
    assert fills.keys() == {region.code for region in REGIONS.values()}
    groups = (("TK",), ("TD", "TI"), ("OD", "OI"), ("UD", "UI"))
    assert [len({fills[code] for code in group}) for group in groups] == [1] * 4
    assert len(set(fills.values())) == 4


def test_lines_show_what_the_system_did():
    """Deleted tokens are struck through, inserted ones underlined, and no others have a line."""
    html = explain("a b c d e", "a b x d f", "a c y d f", max_order=1).sentences_to_html()
    source, correction, reference = html.split("<b>")[1:]
    assert re.findall(r"<(del|ins)>(\w)</\1>", source) == [("del", "c"), ("del", "e")]
    assert re.findall(r"<(del|ins)>(\w)</\1>", correction) == [("ins", "x"), ("ins", "f")]
    assert not re.findall("<(?:del|ins)>", reference)
    assert "<span>b</span>" in source  # it should have gone, but stayed
    assert "<span>b</span>" in correction
    assert "text-decoration" not in html
    colored = explain("a b c d e", "a b x d f", "a c y d f", max_order=1).to_text(color=True)
    struck, underlined = (re.findall(rf"\x1b\[\d+;{n}m(\w)", colored) for n in (9, 4))
    assert (struck, underlined) == (["c", "e"], ["x", "f"])


def test_texts_that_begin_on_the_right():
    """A text decides its direction, and the codes of regions, which are Latin, do not count."""
    html = explain("هو ذهب الى المدرسة .", "هو يذهب الى المدرسة .", "She goes .").to_html()
    assert html.count('<div dir="auto"') == 3
    assert html.count("<sup ") == html.count('<sup dir="ltr"') > 0


class Page(HTMLParser):
    """Reads HTML as a browser would, and keeps what matters here."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], Counter(), Counter(), []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_html_shows_every_token_and_mark():
    page = Page(explain(*SENTENCE).to_html())
    text = " ".join("".join(page.text).split())
    assert "source" in text
    assert "She go TD to school every days UD ." in text
    assert "She goes TI to school every day UI ." in text
    assert "reference 2 (chosen)" in text
    for name in ("true_keep", "true_delete", "true_insert", "under_delete", "under_insert"):
        region = REGIONS[name]
        assert f"{region.code} {region.meaning}:" in text  # words, not only a colour
    assert page.tags["details"] == 4


@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize("tokenizer", ["word", "char", lambda text: [text]])
def test_html_of_any_text_is_text(evil, tokenizer):
    found = explain(evil, f"{evil} b", [f"b {evil}", f"{evil} {evil}"], tokenizer=tokenizer)
    page = Page(found.to_html())
    assert set(page.tags) <= {
        *("div", "p", "b", "span", "del", "ins", "sup", "small", "details", "summary"),
    }
    assert set(page.attributes) <= {"class", "style", "title", "dir", "open"}
    if tokenizer != "char":
        assert evil.split()[0] in "".join(page.text)


@given(st.text(max_size=15), st.text(max_size=15), st.text(max_size=15))
def test_any_text_can_be_shown(source, prediction, reference):
    for tokenizer in ("word", "char"):
        found = explain(source, prediction, reference, tokenizer=tokenizer, strip=True)
        Page(found.to_html())
        for line in str(found).splitlines():
            assert (
                line.replace("\u200c", "").replace("\u200d", "").replace("\xa0", "").isprintable()
            )


def test_text_in_colour_says_the_same():
    found = explain(*SENTENCE)
    colored = found.to_text(color=True)
    assert "\x1b[33mdays[UD]\x1b[0m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == str(found) == found.to_text()
    assert "65.22" in found.to_text(show=lambda value: f"{100 * value:.2f}")
