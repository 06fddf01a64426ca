"""The page: its figures, its sections, its size, and that nothing in it is the users' markup."""

import re

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
from green_gec.reporting import page as page_module

EVIL = '"><img src=x onerror="hacked=1"><script>hacked=1</script>\'&lt;b&gt; style="color:red"'
GOLD = EXAMPLES / "references.m2"


def test_docstring():
    run_doctests(report.__doc__, "report")


@pytest.mark.parametrize("options", [{}, {"paired": "bs", "level": "mean", "baseline": "broken"}])
def test_figures_are_those_of_compare(read, options):
    page = read(report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=200, **options))
    table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=200, **options)
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


@pytest.mark.parametrize("iterations", [50, 51])
def test_pairs_say_how_many_references_are_drawn_if_fewer_than_for_the_score(iterations):
    options = {"metric": "gleu", "iterations": iterations, "n_resamples": 20}
    page = report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **options)
    section = page[page.index('id="gleu-pairs"') : page.index('id="gleu-ranks"')]
    assert ("first 50 of 51 draws" in section) == (iterations == 51)


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


@pytest.mark.parametrize("metric", ["green", "m2"])
def test_scores_with_sources_beside_scores_without(read, metric):
    """Each part is what it is in a report of its own; the one without sources has no marks."""
    page = report(SYSTEMS, gold=GOLD, metrics=[metric, "bleu"], n_resamples=20)
    alone = report(SYSTEMS, references=EXAMPLE_REFERENCES, metrics=["bleu"], n_resamples=20)
    assert alone == report(SYSTEMS, gold=GOLD, metrics=["bleu"], n_resamples=20)
    parts = {}
    for name, text in (("both", page), ("alone", alone)):
        found = re.findall(r'<section id="bleu-(\w+)"><h2>(?:BLEU: )?(.*?)</section>', text)
        parts[name] = dict(found)
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
    assert "<small>(GREEN " not in report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)


def test_sentences_have_their_numbers_and_effects(page):
    """Numbers from 1, and effects in percent, with two more digits than scores have."""
    given = (SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
    rows = worst_sentences(*given, n=3).to_dict("records")
    headings = [
        f"Sentence {row['sentence'] + 1}: costs <b>{half_up(row['cost'], 4)}</b>" for row in rows
    ]
    rows = differences(*given, between=["bold", "careful"], n=3).to_dict("records")
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
    assert "<b><bdi>bold</bdi></b> has a GREEN of <b>88.90</b>" in page
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
    assert f"Made by green-gec {green_gec.__version__}." in page


def test_the_same_texts_make_the_same_page(page):
    assert report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES) == page


def test_nothing_is_requested_from_anywhere(read, page):
    """No address but links within the page, and a policy that forbids all else."""
    for tag, given in read(page).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not {"src", "srcset", "action", "data"} & set(given)
        assert given.get("href", "#").startswith("#")
    assert "url(" not in page
    assert "@import" not in page
    (policy,) = (given["content"] for _, given in read(page).tags if "http-equiv" in given)
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
        edits = green_gec.corpus.Edit(0, 1, ((EVIL,),), EVIL)
        annotated = green_gec.corpus.Annotated(odd.split(), {0: [edits]})
        page = report(systems, gold=[annotated] * 25, **options)
    else:
        sources = None if metric in WITHOUT_SOURCES else [f"{odd} one"] * 25
        page = report(systems, sources, [[odd, f"{odd} x"]] * 25, tokenizer=tokenizer, **options)
    found = read(page)
    plain = report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)
    assert {tag for tag, _ in found.tags} <= {tag for tag, _ in read(plain).tags}
    assert [tag for tag, _ in found.tags].count("script") == 1
    assert not [name for _, given in found.tags for name in given if name.startswith("on")]
    assert not {given["style"] for _, given in found.tags if "style" in given}
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)


def test_names_with_lone_surrogates_can_be_written():
    systems = {"a\udc80": SYSTEMS["bold"], "b": SYSTEMS["careful"]}
    page = report(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)
    assert r"a\udc80" in page.encode("utf-8").decode()


def articles_of(page):
    return re.findall("<article>.*?</article>", page)


@pytest.mark.parametrize("room", [300_000, 900_000])
def test_many_systems_and_long_sentences_make_no_huge_page(monkeypatch, read, room):
    monkeypatch.setattr(page_module, "MOST_MARKUP", room)
    words = [f"\u8a9e{n}" for n in range(1_000)]  # three bytes per character
    systems = {f"system {n}": [*SYSTEMS["bold"][n:], *SYSTEMS["careful"][:n]] for n in range(40)}
    sources, references = [*EXAMPLE_SOURCES], [*EXAMPLE_REFERENCES]
    sources[5], references[5] = " ".join(words), [" ".join(reversed(words))] * 9
    for lines in systems.values():
        lines[5] = sources[5]
    page = report(systems, sources, references, n_resamples=20)
    assert room - 50_000 < len(page.encode()) < room + 50_000
    assert "(4,889 characters)" in page
    assert "<b>more references</b></div><div dir=auto>5</div>" in page
    articles = articles_of(page)
    assert len(re.findall("<article><h4>Sentence [0-9]+: costs", page)) == 36
    left_out = "it leaves out" in page
    assert "</summary></details>" not in page
    assert ("Left out, to keep the page small." in page) == left_out
    assert left_out == (len(articles) < 12 * 3 + 66 * 3) == (room == 300_000)
    not_marked = [each for each in articles if "green-chip" not in each]
    reasons = ("Too long to be marked.", "Not marked, to keep the page small.")
    assert all(sum(map(each.count, reasons)) == 1 for each in not_marked)
    assert 0 < len(not_marked) < len(articles) or left_out
    assert "The 20 best of 40 systems are compared." in page
    assert "The 12 best of 40 systems." in page
    assert "each pair of the 12 best systems, up to 3 sentences" in page
    assert len(read(page).tables["GREEN of all systems"]) == 41


def test_too_long_texts_are_cut_around_their_first_difference():
    same = "it is the same word again and again and " * 90
    sources, references = [f"{same} was {same}", "a b"], [f"{same} were {same}", "a b"]
    systems = {name: [f"{same} by {name} {same}", "a b"] for name in ("one", "two or three")}
    articles = articles_of(report(systems, sources, references, n_resamples=20))
    assert len(articles) == 3
    for article in articles:
        assert "green-chip" not in article
        assert '<p class="note">Too long to be marked.</p>' in article
        texts = re.findall(r"dir=auto>…(.*?)… \(7,\d+ characters\)<", article)
        assert [len(text) for text in texts] == [300] * len(texts)
        assert len(texts) == 2 + article.count("<bdi>")  # source and references are shown once
        places = [re.search(r" (was|were|by \w+) ", text) for text in texts]
        assert {place.start(1) for place in places} == {60}


def test_too_long_texts_that_differ_at_their_end_are_shown_to_it():
    same = "it is the same word again and again and " * 180
    source, system, reference = (f"{same}{word}" for word in ("was", "be", "were"))
    (article,) = articles_of(report({"A": [system]}, [source], [reference], n_resamples=20))
    texts = re.findall(r"dir=auto>…(.*?) \(7,\d+ characters\)<", article)
    assert texts == [text[-300:] for text in (source, system, reference)]


def test_several_scores_share_the_room(monkeypatch):
    monkeypatch.setattr(page_module, "MOST_MARKUP", 100_000)
    options = {"metrics": ["green", "gleu"], "selection": "max", "n_resamples": 20}
    page = report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, **options)
    assert "Not marked, to keep the page small." in page
    assert 100_000 < len(page.encode()) < 130_000


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
        ({"level": "sentence"}, "a report is of a corpus: level must be 'corpus' or 'mean'"),
        ({"beta": [1, 2]}, r"a report takes one beta, not \[1, 2\]"),
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
    assert len(articles) == 12 * 3 + 66 * 3
    assert all("green-chip" in each for each in articles)
    assert len(sources[332].split()) == 227
    assert sum("Sentence 333:" in each for each in articles) == 26
    (caption,) = (name for name in read(page).tables if name.startswith("The row's"))
    rows = {row[0].split()[-1]: row[1:] for row in read(page).tables[caption][1:]}
    assert 66 < sum(cell.endswith("*") for row in rows.values() for cell in row) < 132
    assert list(rows)[:2] == ["CAMB", "AMU"]
    assert rows["CAMB"][1] == "+0.50"  # not significant
    assert 'class="warnings"' not in page


def test_several_scores_share_three_megabytes(data_dir, twelve):
    gold = data_dir / "conll14" / "official.m2"
    metrics = ["green", "gleu", "m2"]
    page = report(twelve, gold=gold, metrics=metrics, selection="max", n_resamples=20)
    assert len(page.encode()) < 3_000_000
    articles = articles_of(page)
    assert len(articles) == 3 * (12 * 3 + 66 * 3)
    worst = [each for each in articles if ": costs <b>" in each]
    assert len(worst) == 3 * 12 * 3
    assert all("green-chip" in each for each in worst)
    not_marked = [each for each in articles if "green-chip" not in each]
    assert not_marked
    assert all("Not marked, to keep the page small." in each for each in not_marked)
