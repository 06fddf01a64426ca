"""The page: its figures, its sections, its size, and that nothing in it is the users' markup."""

import re
from datetime import date
from html import escape

import pytest
from shared import (
    EXAMPLE_REFERENCES,
    EXAMPLE_SOURCES,
    EXAMPLES,
    SYSTEMS,
    WITHOUT_SOURCES,
    half_up,
    run_doctests,
)

import green_gec
from green_gec import compare, differences, report, worst_sentences
from green_gec.inputs import Corpus
from green_gec.options import Options
from green_gec.reporting.report import make_report

TEXTS = (SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
EVIL = '"><img src=x onerror="hacked=1"><script>hacked=1</script>\'&lt;b&gt; style="color:red"'
GOLD = EXAMPLES / "references.m2"


def articles_of(page):
    return re.findall("<article>.*?</article>", page)


def section_of(page, name):
    return page.partition(f'<section id="{name}">')[2].partition("</section>")[0]


def blends(n_systems):
    """Systems from good to less good."""
    return {f"system {n}": SYSTEMS["careful"][:n] + SYSTEMS["bold"][n:] for n in range(n_systems)}


def test_docstring():
    run_doctests(report.__doc__, "report")


@pytest.mark.parametrize("options", [{}, {"paired": "bs", "level": "mean", "baseline": "broken"}])
def test_figures_are_those_of_compare(read, options):
    page = read(report(*TEXTS, n_resamples=200, **options))
    table = compare(*TEXTS, n_resamples=200, **options)
    table = table.sort_values("green", ascending=False)
    _, *rows = page.values["GREEN of all systems"]
    names = ["system", "green", "precision", "recall", "low", "difference", "p_value", "holm"]
    for row, (_, expected) in zip(rows, table.iterrows(), strict=True):
        shown = [float(value) if value else None for value in row[1:-1]]
        of_table = [None if value != value else value for value in expected[names[1:]]]
        assert (row[0], shown) == (expected["system"], of_table)
    titles, best, *_ = page.tables["GREEN of all systems"]
    assert titles[:5] == ["system", "GREEN", "precision", "recall", "95% interval"]
    low, high = (f"{100 * table[name].iloc[0]:.2f}" for name in ("low", "high"))
    assert best[4] == f"[{low}, {high}]"


def test_significant_pairs_are_marked(read, page):
    (caption,) = (name for name in read(page).tables if name.startswith("The row's"))
    rows = read(page).tables[caption]
    assert [row[0] for row in rows] == ["", "1 bold", "2 careful", "3 broken"]
    assert rows[1][1:] == ["", "+7.40*", "+36.55*"]
    assert rows[3][1:] == ["\u221236.55*", "\u221229.15*", ""]
    assert "It is significantly better than all 2 others." in page


@pytest.mark.parametrize(
    ("options", "has_fewer"),
    [
        ({"iterations": 51}, True),
        ({"iterations": 50}, False),
        ({"iterations": 51, "level": "mean"}, False),
        ({"iterations": 51, "selection": "max"}, False),
    ],
)
def test_the_page_says_if_tests_draw_fewer_references_than_the_score(options, has_fewer):
    """At the level "mean" and with the best references, nothing is drawn."""
    page = report(*TEXTS, metric="gleu", n_resamples=20, **options)
    assert ("first 50 of 51 draws" in page) == has_fewer


SECTIONS = ["dots", "table", "pairs", "ranks", "beta", "length", "sentences"]


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "rouge", "f1", "m2"])
def test_sections_of_each_score(read, metric):
    options = {"metric": metric, "n_resamples": 20}
    options |= {"iterations": 9} if metric == "gleu" else {}
    left_out = "" if metric in ("green", "m2") else "beta"
    if metric == "m2":
        page = report(SYSTEMS, gold=GOLD, **options)
    else:
        sources = None if metric in WITHOUT_SOURCES else EXAMPLE_SOURCES
        page = report(SYSTEMS, sources, EXAMPLE_REFERENCES, **options)
    expected = [f"{metric}-{name}" for name in SECTIONS if name != left_out]
    assert read(page).ids == [*expected, "settings"]
    assert ("green-chip" in page.partition("<main>")[2]) == (metric not in WITHOUT_SOURCES)
    assert f"<code>{metric}|nrefs:2|" in page


def test_several_scores(read):
    page = report(SYSTEMS, gold=GOLD, metrics=["green", "m2"], n_resamples=20)
    ids = [f"{metric}-{name}" for metric in ("green", "m2") for name in SECTIONS]
    assert read(page).ids == [*ids, "settings"]
    assert "<h1>3 systems by GREEN and M²</h1>" in page
    *headings, settings = re.findall("<h2>(.*?)</h2>", page)
    assert settings == "Settings"
    for title in ("GREEN", "M²"):
        of_score = [heading for heading in headings if heading.startswith(title)]
        assert [heading.count(title) for heading in of_score] == [1] * len(SECTIONS)
        assert f"{title} against β" in of_score


def test_a_single_score_is_named_once(page):
    """Only the section that shows its curve has a heading with its name."""
    headings = re.findall("<h2>(.*?)</h2>", page)
    assert [heading for heading in headings if "GREEN" in heading] == ["GREEN against β"]


@pytest.mark.parametrize("metric", ["green", "m2"])
def test_scores_with_sources_beside_scores_without(read, metric):
    """Each part is what it is in a report of its own; the one without sources has no marks."""
    page = report(SYSTEMS, gold=GOLD, metrics=[metric, "bleu"], n_resamples=20)
    alone = report(SYSTEMS, references=EXAMPLE_REFERENCES, metrics=["bleu"], n_resamples=20)
    of_file = report(SYSTEMS, gold=GOLD, metrics=["bleu"], n_resamples=20)
    assert alone == re.sub("<h3>Files</h3>.*?</dl>", "", of_file)
    parts = {}
    for name, text in (("both", page), ("alone", alone)):
        parts[name] = dict(re.findall(r'id="bleu-(\w+)"><h2>.*?</h2>(.*?)</section>', text))
    assert parts["both"] == parts["alone"]
    assert set(parts["alone"]) == {"dots", "table", "pairs", "ranks", "length", "sentences"}
    assert "words in the first reference" in parts["both"]["length"]
    assert "green-chip" not in parts["both"]["sentences"]


def test_systems_that_share_a_rank(read):
    same = {name: SYSTEMS["bold"] for name in "abc"} | {"d": SYSTEMS["careful"]}
    page = report(same, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)
    assert "<b><bdi>a</bdi></b> and 2 others share the highest GREEN, <b>88.90</b>" in page
    (ranks,) = (rows for caption, rows in read(page).tables.items() if caption.startswith("Rank "))
    assert [row[-1] for row in ranks if row[0] in same] == ["1", "1", "1", "4"]
    section = page[page.index('id="green-ranks"') : page.index('id="green-beta"')]
    assert re.findall(r'circle cx="([\d.]+)%"', section) == ["0.00", "0.00", "0.00", "100.00"]
    two = report({"a": same["a"], "b": same["b"]}, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
    assert "<b><bdi>a</bdi></b> and <b><bdi>b</bdi></b> share the highest GREEN" in two


def test_names_need_not_be_texts():
    systems = {1: SYSTEMS["bold"], None: SYSTEMS["careful"]}
    page = report(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)
    assert "<b><bdi>1</bdi></b> has the highest GREEN" in page
    assert "Holm&#x27;s correction for" not in page  # of one pair


def test_sentences_of_scores_of_edits_say_whose_figures_they_show():
    page = report(SYSTEMS, gold=GOLD, metrics=["m2"], n_resamples=20)
    assert "<small>(GREEN " in page
    assert "<small>(GREEN " not in report(*TEXTS)


def test_sentences_have_their_numbers_and_effects(page):
    """Numbers from 1, and effects in percent, with two more digits than scores have."""
    rows = worst_sentences(*TEXTS, n=3).to_dict("records")
    headings = [
        f"Sentence {row['sentence'] + 1}: costs <b>{half_up(row['cost'], 4)}</b>" for row in rows
    ]
    rows = differences(*TEXTS, between=["bold", "careful"], n=3).to_dict("records")
    for row in rows:
        sign = "+" if row["contribution"] > 0 else "\u2212"
        effect = f"{sign}{half_up(abs(row['contribution']), 4)}"
        headings.append(f"Sentence {row['sentence'] + 1}: <b>{effect}</b>")
    assert [heading for heading in headings if f"<h4>{heading}</h4>" not in page] == []


def test_one_system(read):
    one = {"bold": SYSTEMS["bold"]}
    page = report(one, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=50)
    ids = ["green-table", "green-beta", "green-length", "green-sentences", "settings"]
    assert read(page).ids == ids
    assert "The GREEN of <b><bdi>bold</bdi></b> is <b>88.90</b>" in page
    titles = read(page).tables["GREEN of all systems"][0]
    assert titles == ["system", "GREEN", "precision", "recall", "95% interval"]


def test_settings_signature_version_and_warnings():
    sources, texts = ["a b c d e", "a"], {"A": ["a b c d e", ""], "B": ["a b c d", ""]}
    with pytest.warns(green_gec.InputWarning) as told:
        page = report(texts, sources, sources, n_resamples=20, seed=7, beta=0.5, baseline="B")
    for warning in told:
        assert str(warning.message).partition("'")[0] in page
    assert "<dt>seed</dt><dd>7</dd>" in page
    assert "<dt>beta</dt><dd>0.5</dd>" in page
    assert "<dt>baseline</dt><dd>B</dd>" in page
    assert "|beta:0.5|level:corpus|" in page


def test_the_page_says_when_and_from_what_it_was_made():
    corpus = Corpus(EXAMPLE_SOURCES, SYSTEMS, EXAMPLE_REFERENCES)
    settings = [Options(n_resamples=20, paired="ar")]
    files = {"source": ["source.txt"], "systems": ["a.txt", f"{EVIL}.txt"]}
    before = date.today().isoformat()
    page = make_report(corpus, settings, 0, warn=str, files=files)
    (made,) = re.findall("<time>(.*?)</time>", page)
    assert before <= made <= date.today().isoformat()
    settings = section_of(page, "settings")
    assert "<dt>source</dt><dd>source.txt</dd>" in settings
    assert f"<dd>a.txt<br>{escape(EVIL)}.txt</dd>" in settings
    assert 'href="https://aclanthology.org/2024.inlg-main.25"' in settings
    assert f"green-gec {green_gec.__version__}" in settings
    settings = section_of(report(SYSTEMS, gold=GOLD, metrics=["m2"], n_resamples=20), "settings")
    assert f"<dt>gold edits</dt><dd>{escape(str(GOLD))}</dd>" in settings
    assert "https://aclanthology.org/N12-1067" in settings


def curves_of(page, section):
    """The names of the curves in colour, of the grey ones, and of those that can be highlighted."""
    markup = section_of(page, section)
    curves = re.findall(r'<li class="curve c\d( grey|)".*?<bdi>(.*?)</bdi>', markup)
    coloured, grey = ([name for look, name in curves if look == each] for each in ("", " grey"))
    return coloured, grey, re.findall("<option [^>]*>(.*?)</option>", markup)


@pytest.mark.parametrize("section", ["green-beta", "green-length"])
def test_up_to_six_systems_have_colours(section):
    page = report(blends(6), EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)
    coloured, grey, options = curves_of(page, section)
    assert {*coloured} == {*blends(6)}
    assert grey == options == []


@pytest.mark.parametrize("section", ["green-beta", "green-length"])
def test_of_many_systems_the_best_and_the_baseline_have_colours(read, section):
    """The other curves are grey; one of them can be highlighted."""
    texts = (blends(7), EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
    page = report(*texts, baseline="system 6", n_resamples=20)
    best, *others = (row[0] for row in read(page).tables["GREEN of all systems"][1:])
    others.remove("system 6")
    coloured, grey, options = curves_of(page, section)
    assert coloured == [best, "system 6"]
    assert grey == options[1:] == others  # the first option is none of them
    coloured, *_ = curves_of(report(*texts, baseline=best, n_resamples=20), section)
    assert coloured == [best]


def test_every_system_has_a_curve():
    """The best one and the baseline in colour."""
    systems = {**blends(13), "bad": SYSTEMS["broken"]}
    page = report(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, baseline="bad", n_resamples=20)
    (_, baseline), grey, _ = curves_of(page, "green-beta")
    assert baseline == "bad"
    assert len(grey) == 12


def test_the_same_texts_make_the_same_page():
    assert report(*TEXTS, n_resamples=20) == report(*TEXTS, n_resamples=20)


def test_nothing_is_requested_from_anywhere(read, page):
    """No address but links within the page and to the paper, and a policy that forbids all else."""
    for tag, attributes in read(page).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not {"src", "srcset", "action", "data"} & {*attributes}
        assert attributes.get("href", "#").startswith(("#", "https://aclanthology.org/"))
    assert "url(" not in page
    assert "@import" not in page
    (policy,) = re.findall('http-equiv="Content-Security-Policy" content="(.*?)"', page)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "m2"])
def test_no_text_becomes_markup(read, metric):
    """Names, sources, corrections, references, the tokenizer's name: only our own tags come out."""

    def tokenizer(text):
        return text.split()

    tokenizer.__qualname__ = EVIL
    odd = f"{EVIL} \u202e \x00 \x1b[31m"
    systems = {EVIL: [odd] * 25, f"{EVIL}2": [f"{odd} two"] * 25}
    options = {"metric": metric, "n_resamples": 20}
    if metric == "m2":
        edit = green_gec.corpus.Edit(0, 1, (tuple(EVIL.split()),), EVIL)
        annotated = green_gec.corpus.Annotated(odd.split(), {0: [edit]})
        page = report(systems, gold=[annotated] * 25, **options)
    else:
        sources = None if metric in WITHOUT_SOURCES else [f"{odd} one"] * 25
        page = report(systems, sources, [[odd, f"{odd} x"]] * 25, tokenizer=tokenizer, **options)
    found = read(page)
    plain = report(*TEXTS, n_resamples=20)
    assert {tag for tag, _ in found.tags} <= {tag for tag, _ in read(plain).tags}
    assert [tag for tag, _ in found.tags].count("script") == 1
    assert not [name for _, given in found.tags for name in given if name.startswith("on")]
    assert not {given["style"] for _, given in found.tags if "style" in given}
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)


def test_names_with_lone_surrogates_can_be_written():
    systems = {"a\udc80": SYSTEMS["bold"], "b": SYSTEMS["careful"]}
    page = report(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)
    assert r"a\udc80" in page.encode("utf-8").decode()


def test_many_systems_and_long_sentences_make_no_huge_page(read):
    """The best systems have sentences, and long sentences no marks."""
    words = [f"word{n}" for n in range(1_000)]
    sources, references = [*EXAMPLE_SOURCES], [*EXAMPLE_REFERENCES]
    sources[5], references[5] = " ".join(words), [" ".join(reversed(words))] * 9
    systems = blends(40)
    for lines in systems.values():
        lines[5] = sources[5]
    page = report(systems, sources, references, n_resamples=20)
    assert len(page) < 3_000_000
    articles = articles_of(page)
    assert sum(": costs <b>" in article for article in articles) == 6 * 3
    assert len(articles) <= 6 * 3 + 15 * 3
    long = [article for article in articles if "Sentence 6:" in article]
    assert len(long) == 6
    for article in articles:
        assert ("green-chip" not in article) == (article in long)
        assert ("Too long to be marked." in article) == (article in long)
    assert "The 20 best of 40 systems are compared." in page
    colored, grey, _ = curves_of(page, "green-beta")
    assert len(colored) + len(grey) == 40
    assert "each pair of the 6 best systems, up to 3 sentences" in page
    assert len(read(page).tables["GREEN of all systems"]) == 41


def test_too_long_texts_are_cut():
    same = "it is the same word again and again and " * 90
    sources, references = [f"{same} was {same}", "a b"], [f"{same} were {same}", "a b"]
    systems = {name: [f"{same} by {name} {same}", "a b"] for name in ("one", "two or three")}
    articles = articles_of(report(systems, sources, references, n_resamples=20))
    assert len(articles) == 3
    for article in articles:
        assert "green-chip" not in article
        assert '<p class="note">Too long to be marked.</p>' in article
        texts = re.findall("dir=auto>(.*?)…<", article)
        assert texts == [same[:1_000]] * len(texts)
        assert len(texts) == 2 + article.count("<bdi>")  # source and references are shown once


def test_the_caption_says_if_the_axis_does_not_start_at_0():
    references, options = ["a b c d"] * 20, {"metric": "f1", "n_resamples": 20}
    systems = {"right": references, "half": ["a b c d x y"] * 20, "wrong": ["w x y z"] * 20}
    all_of_it = report(systems, references=references, **options)
    assert "intervals, best first. The dashed line" in all_of_it
    assert "does not start at 0" not in all_of_it
    del systems["wrong"]
    above = report(systems, references=references, **options)
    assert "best first; the axis does not start at 0. The dashed line" in above


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "sentence"}, "level='corpus' or level='mean', not level='sentence'"),
        ({"beta": [1, 2]}, "beta must be one number"),
        ({"n_resamples": 0}, "n_resamples must be at least 1"),
        ({"baseline": "best"}, "baseline must be one of the systems"),
        ({"betta": 2}, "green has no option 'betta'"),
        ({"paired": "x"}, "paired must be 'ar' or 'bs' or None"),
    ],
)
def test_what_makes_no_report(options, message):
    for systems in (SYSTEMS, {"bold": SYSTEMS["bold"]}):
        with pytest.raises((TypeError, ValueError), match=message):
            report(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **options)


@pytest.fixture
def twelve(conll14, data_dir):
    names = sorted(path.name for path in (data_dir / "conll14" / "systems").iterdir())
    return {name: conll14[2](name) for name in names}


def test_twelve_systems_make_less_than_three_megabytes(conll14, twelve, read):
    sources, references, _ = conll14
    page = report(twelve, sources, references)
    assert len(page.encode()) < 3_000_000
    articles = articles_of(page)
    assert len(articles) == 6 * 3 + 15 * 3  # of the six best systems, and their pairs
    assert all("green-chip" in each for each in articles)
    assert len(sources[332].split()) == 227
    assert any("Sentence 333:" in each for each in articles)
    (caption,) = (name for name in read(page).tables if name.startswith("The row's"))
    rows = {row[0].split()[-1]: row[1:] for row in read(page).tables[caption][1:]}
    assert 66 < sum(cell.endswith("*") for row in rows.values() for cell in row) < 132
    assert list(rows)[:2] == ["CAMB", "AMU"]
    assert rows["CAMB"][1] == "+0.50"  # not significant
    assert 'class="warnings"' not in page


def test_several_scores_share_three_megabytes(data_dir, twelve):
    """Fewer systems have sentences: six of three scores each."""
    gold = data_dir / "conll14" / "official.m2"
    metrics = ["green", "gleu", "m2"]
    page = report(twelve, gold=gold, metrics=metrics, selection="max", n_resamples=20)
    assert len(page.encode()) < 3_000_000
    articles = articles_of(page)
    assert len(articles) == 3 * (6 * 3 + 15 * 3)
    assert all("green-chip" in article for article in articles)
    assert page.count("each pair of the 6 best systems, up to 3 sentences") == 3
