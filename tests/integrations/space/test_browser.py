"""The Space as visitors use it, in a real browser."""

import io
import json
import re
import time
from urllib.parse import quote

import pytest
from shared import EXAMPLE_REFERENCES as REFERENCES
from shared import EXAMPLE_SOURCES as SOURCES
from shared import EXAMPLES, SYSTEMS, WITHOUT_SOURCES, half_up

from green_gec import compare, differences, score, worst_sentences
from green_gec.space.examples import SENTENCES

Image = pytest.importorskip("PIL.Image")

EVIL = '<img src=x onerror="window.hacked=1"> <script>window.hacked=1</script>'
PHONE = {"width": 390, "height": 844}
TABS = ("One sentence", "Corpus", "Table", "Metric card")


@pytest.fixture
def open_page(browser, served):
    """Open the Space; at the end, check that nothing came from elsewhere and nothing broke."""
    contexts, wrong = [], []

    def open_page(address="", **settings):
        permissions = ["clipboard-read", "clipboard-write"]
        context = browser.new_context(permissions=permissions, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                request.url.startswith((served.url, "data:", "blob:"))
                or wrong.append(f"request: {request.url}")
            ),
        )
        page.goto(served.url + address)
        page.locator("svg.venn").first.wait_for()
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("window.hacked") is None
        context.close()
    assert not wrong


@pytest.fixture
def page(open_page):
    return open_page()


def tab(page, name):
    page.get_by_role("tab", name=name).click()


def tiles(page):
    """The scores that stand out, which are shown in percent."""
    shown = page.evaluate(
        """[...document.querySelectorAll(".green-tiles div")].filter(tile => tile.offsetParent)
        .map(tile => [tile.querySelector("dt").innerText, tile.querySelector("dd").innerText])"""
    )
    return {name: float(value) / 100 for name, value in shown}


def wait_for(condition, seconds=20):
    """Wait until something is so, and return it."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "it did not become so"
        time.sleep(0.05)
    return value


def wait_for_score(page, expected):
    def is_shown():
        shown = tiles(page)
        return shown and abs(next(iter(shown.values())) - expected) < 5.1e-5

    wait_for(is_shown)


def table(page):
    """The rows of the table that is shown, by their first cells."""
    page.locator(".figures:visible").first.wait_for()
    header, *rows = page.evaluate(
        """[...[...document.querySelectorAll(".figures")].find(one => one.offsetParent).rows]
        .map(row => [...row.cells].map(cell => cell.innerText))"""
    )
    return {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}


def explain_first_sentence(page):
    """Choose the first sentence; a click while Gradio still renews the list is lost."""
    explained = page.locator(".green-pair")

    def is_explained():
        page.locator(".green-choices label").first.click()
        return explained.is_visible()

    wait_for(is_explained)
    return explained


def upload(page, source=None, references=(), systems=()):
    tab(page, "Corpus")
    given = {"source": [source] if source else [], "references": references, "systems": systems}
    for name, paths in given.items():
        if paths:
            field = page.locator(f"#{name} input[type=file]").first
            field.set_input_files([str(path) for path in paths])
            wait_for(lambda n=name, p=paths: page.locator(f"#{n} tr.file").count() == len(p))


def open_options(page):
    page.get_by_role("button", name="More options").filter(visible=True).click()


def press_score(page):
    page.get_by_role("button", name="Score", exact=True).click()


def test_a_good_example_is_there_at_once(page):
    source = page.get_by_label("Source", exact=True).first.input_value()
    correction = page.get_by_label("Correction").input_value()
    references = page.get_by_label("References, one per line").input_value().splitlines()
    expected = score([source], [correction], [references])
    assert tiles(page) == {
        "GREEN (F2)": pytest.approx(expected["green"], abs=5.1e-5),
        "Precision": pytest.approx(expected["precision"], abs=5.1e-5),
        "Recall": pytest.approx(expected["recall"], abs=5.1e-5),
    }
    assert 0.5 < expected["green"] < 0.95
    picture = page.get_by_role("img", name="Venn diagram of the 1-grams: true keep 9, ")
    assert picture.bounding_box()["width"] > 300
    outside = """svg => [...svg.querySelectorAll("text")].map(text => text.getBoundingClientRect())
      .filter(box => box.left < svg.getBoundingClientRect().left
        || box.right > svg.getBoundingClientRect().right).length"""
    assert picture.evaluate(outside) == 0
    rows = table(page)
    assert [*rows] == ["1", "2", "3", "4"]
    assert rows["1"]["TK"] == "9"


def test_what_is_typed_changes_the_score(page):
    field = page.get_by_label("Correction")
    source = page.get_by_label("Source", exact=True).first.input_value()
    references = page.get_by_label("References, one per line").input_value().splitlines()
    field.fill("")
    field.press_sequentially(references[0])
    wait_for_score(page, 1)
    field.fill(source)
    wait_for_score(page, score([source], [source], [references])["green"])
    page.get_by_label("characters").first.check()
    char = score([source], [source], [references], tokenizer="char")
    wait_for_score(page, char["green"])
    wait_for(lambda: [*table(page)] == ["1", "2", "3", "4", "5", "6"])
    open_options(page)
    beta = page.get_by_label("β: weight of recall").first
    beta.fill("1")
    wait_for(lambda: "GREEN (F1)" in tiles(page))
    beta.fill("")
    wait_for(lambda: "GREEN (F2)" in tiles(page))  # the default
    beta.fill("2")
    wait_for(lambda: "GREEN (F2)" in tiles(page))
    page.get_by_label("References, one per line").fill(" ")
    page.get_by_role("alert").get_by_text("there is no reference").wait_for()


def test_a_click_on_an_example(page):
    page.get_by_role("button", name="Two readings").click()
    wait_for_score(page, 1)
    assert page.get_by_label("Correction").input_value() == "Who are you ?"
    page.get_by_role("button", name="Japanese, by character").click()
    source, correction, *references = (
        *("私は昨日学校に行くました。", "私は昨日学校に行きました。"),
        *("私は昨日学校へ行きました。", "昨日、私は学校に行った。"),
    )
    expected = score([source], [correction], [references], tokenizer="char")
    wait_for_score(page, expected["green"])
    page.get_by_text("校へ", exact=False).first.wait_for()


def test_the_picture_of_longer_ngrams(page):
    page.get_by_label("n-grams in the picture").click()
    page.get_by_role("option", name="2", exact=True).click()
    page.get_by_role("img", name="Venn diagram of the 2-grams").wait_for()


def test_short_texts_are_explained(page):
    for label in ("Source", "Correction", "References, one per line"):
        page.get_by_label(label, exact=True).first.fill("Hello !")
    note = page.get_by_text("“Leave out orders that are too long for the texts (GREEN)”")
    note.wait_for()
    open_options(page)
    page.get_by_label("Leave out orders that are too long for the texts").first.check()
    wait_for_score(page, 1)
    assert note.count() == 0


def expected_rows(metric="green", paired="ar", **options):
    systems = {f"{name}.txt": texts for name, texts in SYSTEMS.items()}
    sources = None if metric in WITHOUT_SOURCES else SOURCES
    table = compare(systems, sources, REFERENCES, metric=metric, paired=paired, **options)
    return {row["system"]: row for row in table.to_dict("records")}


def check_table(page, baseline="careful.txt"):
    shown = table(page)
    expected = expected_rows(baseline=baseline)
    assert [*shown] == ["bold.txt", "careful.txt", "broken.txt"]  # the best one first
    for name, row in shown.items():
        values = expected[name]
        for title, key in (("GREEN", "green"), ("precision", "precision"), ("recall", "recall")):
            assert row[title] == half_up(values[key])
        assert row["95% interval"] == f"[{half_up(values['low'])}, {half_up(values['high'])}]"
        if name != baseline:
            assert row["difference"] == f"{100 * values['difference']:+.2f}".replace("-", "\u2212")
            assert row["p-value"] == f"{values['p_value']:.4f}"
            assert row["Holm"] == f"{values['holm']:.4f}"
    page.get_by_text("approximate randomisation, two-sided").first.wait_for()


def test_uploaded_files(page, tmp_path):
    upload(
        page,
        EXAMPLES / "source.txt",
        [EXAMPLES / "reference0.txt", EXAMPLES / "reference1.txt"],
        [EXAMPLES / f"{name}.txt" for name in SYSTEMS],
    )
    press_score(page)
    check_table(page)
    assert page.locator(".dots:visible").first.locator("circle").count() == 3
    assert page.get_by_role("img", name="GREEN of each system as a function of β").is_visible()
    saved = {}
    for kind in ("CSV", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Download {kind}").click()
        assert download.value.suggested_filename == f"green.{kind.lower()}"
        saved[kind] = download.value.path().read_text()
    lines = saved["CSV"].splitlines()
    assert lines[0] == "system,beta,green,precision,recall,low,high,difference,p_value,holm"
    assert float(lines[2].split(",")[2]) == expected_rows()["bold.txt"]["green"]
    results = json.loads(saved["JSON"])["results"]
    assert results[2]["green"] == expected_rows()["broken.txt"]["green"]


def test_bundled_examples_and_differences(page):
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    systems = {f"{name}.txt": SYSTEMS[name] for name in ("bold", "careful")}
    expected = differences(systems, SOURCES, REFERENCES, n=10)
    labels = page.locator(".green-choices label").all_inner_texts()
    rows = zip(expected["sentence"], expected["contribution"], strict=True)
    for text, (sentence, contribution) in zip(labels, rows, strict=True):
        effect = f"{100 * contribution:+.4f}".replace("-", "\u2212")
        assert text.startswith(f"{sentence + 1}: {effect}")
        assert SOURCES[sentence][:80] in text
    explained = explain_first_sentence(page)
    assert explained.locator("h4").all_inner_texts() == ["bold.txt", "careful.txt"]
    assert half_up(expected["green_bold.txt"][0]) in explained.inner_text()
    page.get_by_label("compared with").click()
    page.get_by_role("option", name="(the source itself)").click()
    wait_for(lambda: not explained.is_visible())  # it is about another pair
    explain_first_sentence(page)
    assert explained.locator("h4").all_inner_texts() == ["bold.txt", "(the source itself)"]


def test_the_worst_sentences_of_a_system(page):
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    explained = explain_first_sentence(page)
    page.get_by_label("compared with").click()
    page.get_by_role("option", name="its worst sentences").click()
    page.get_by_text("with their costs in percentage points").wait_for()
    wait_for(lambda: not explained.is_visible())
    expected = worst_sentences({"bold.txt": SYSTEMS["bold"]}, SOURCES, REFERENCES, n=10)
    labels = page.locator(".green-choices label").all_inner_texts()
    for text, sentence, cost in zip(labels, expected["sentence"], expected["cost"], strict=True):
        assert text.startswith(f"{sentence + 1}: {half_up(cost, 4)}")
        assert SOURCES[sentence][:80] in text
    explain_first_sentence(page)
    assert explained.locator("h4").all_inner_texts() == ["bold.txt"]
    assert half_up(expected["green"][0]) in explained.inner_text()


def test_tables_are_those_of_the_report_and_can_be_sorted(page):
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    assert page.locator(".green h3:visible").all_inner_texts() == [
        *("Scores", "Table", "Who beats whom", "Ranks", "GREEN against β", "By sentence length")
    ]
    assert page.locator(".matrix:visible .better").count() == 3
    assert {row["ranks"] for row in table(page).values()} == {"1", "2", "3"}
    button = page.get_by_role("button", name="precision", exact=True)
    button.click()
    assert [*table(page)] == ["careful.txt", "bold.txt", "broken.txt"]
    button.focus()
    page.keyboard.press("Enter")
    assert [*table(page)] == ["broken.txt", "bold.txt", "careful.txt"]
    assert page.locator("th:has(button:focus)").get_attribute("aria-sort") == "ascending"
    page.get_by_label("Baseline").click()  # the table comes again, and its buttons do
    page.get_by_role("option", name="broken.txt").click()
    wait_for(lambda: table(page)["broken.txt"]["difference"] == "baseline")
    button.click()
    assert [*table(page)] == ["careful.txt", "bold.txt", "broken.txt"]
    tab(page, "Table")
    page.get_by_role("button", name="Score the rows").click()
    page.get_by_role("button", name="GREEN", exact=True).filter(visible=True).click()
    scores = [float(row["GREEN"]) for row in table(page).values()]
    assert scores == sorted(scores, reverse=True)
    assert next(iter(table(page))) == "2"


def test_another_baseline(page):
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    page.get_by_label("Baseline").click()
    page.get_by_role("option", name="broken.txt").click()
    wait_for(lambda: table(page)["broken.txt"]["difference"] == "baseline")
    check_table(page, "broken.txt")
    assert page.get_by_text("The dashed line is the baseline, broken.txt.").is_visible()


def test_the_report(page, tmp_path, browser):
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    page.get_by_role("button", name="Make the report").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download HTML").click()
    assert download.value.suggested_filename == "green.html"
    saved = tmp_path / "green.html"
    saved.write_bytes(download.value.path().read_bytes())
    opened = browser.new_page()
    opened.goto(saved.as_uri())
    assert opened.inner_text("h1") == "3 systems by GREEN"
    assert opened.locator("#green-pairs table").first.is_visible()
    opened.close()


def test_twelve_systems(page, tmp_path):
    """As many as CoNLL-2014 had."""
    names = [f"system{number}.txt" for number in range(12)]
    for number, name in enumerate(names):
        lines = SYSTEMS["bold"][number:] + SOURCES[:number]
        (tmp_path / name).write_text("\n".join(lines), "utf-8")
    upload(page, None, [EXAMPLES / "references.m2"], [tmp_path / name for name in names])
    press_score(page)
    wait_for(lambda: sorted(table(page)) == sorted(names))
    assert page.locator(".dots:visible").first.locator("circle").count() == 12


def test_another_score(page):
    tab(page, "Corpus")
    open_options(page)
    page.get_by_label("Score", exact=True).first.click()
    page.get_by_role("option", name="BLEU").click()
    page.get_by_role("button", name="Try the bundled examples").click()
    wait_for(lambda: "BLEU" in next(iter(table(page).values())))
    assert table(page)["bold.txt"]["BLEU"] == half_up(expected_rows("bleu")["bold.txt"]["bleu"])
    explain_first_sentence(page)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("picture.png", b"\x89PNG\xff\xfe", "picture.png:1: not UTF-8"),
        ("short.txt", b"only one line\n", "short.txt has 1 sentences, but source.txt has 60"),
        ("zipped.txt", b"\x1f\x8b\x08", "zipped.txt is compressed"),
    ],
)
def test_a_wrong_upload_is_a_message(page, tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    upload(page, EXAMPLES / "source.txt", [EXAMPLES / "reference0.txt"], [tmp_path / name])
    press_score(page)
    alert = page.get_by_role("alert").filter(has_text="Sorry")
    alert.wait_for()
    assert message in alert.inner_text()
    assert "Traceback" not in page.inner_text("body")
    page.get_by_role("button", name="Try the bundled examples").click()  # all goes on
    check_table(page)


def test_nothing_uploaded_is_a_message(page):
    tab(page, "Corpus")
    press_score(page)
    page.get_by_role("alert").get_by_text("there is no system").wait_for()


def test_a_file_that_is_too_large_is_a_message(page, tmp_path):
    large = tmp_path / "large.txt"
    large.write_text("a b c d\n" * 700_000)
    tab(page, "Corpus")
    page.locator("input[type=file]").first.set_input_files(str(large))
    page.get_by_text(re.compile("exceed the maximum allowed size of 5.0 Mb")).wait_for()


def no_markup(page):
    """Whatever visitors wrote is text: it is shown, it does nothing."""
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x], [onerror]").count() == 0
    scripts = page.locator("script").all_inner_texts()
    assert not any("hacked" in text and "window.gradio_config" not in text for text in scripts)


def test_markup_in_a_sentence_stays_text(page):
    for label in ("Source", "Correction", "References, one per line"):
        page.get_by_label(label, exact=True).first.fill(f"{EVIL} {label}")
    shown = page.locator(".green-sentences")
    shown.get_by_text("onerror").first.wait_for()
    wait_for(lambda: shown.inner_text().count("<script>") >= 3)
    no_markup(page)
    page.get_by_label("characters").first.check()
    wait_for(lambda: len(table(page)) == 6)
    no_markup(page)
    address = page.get_by_role("link", name="Link to this sentence").get_attribute("href")
    page.goto(page.url.partition("?")[0] + address)
    wait_for(lambda: page.get_by_label("Correction").input_value() == f"{EVIL} Correction")
    shown.get_by_text("onerror").first.wait_for()
    no_markup(page)


def test_a_link_leads_back_to_a_sentence(page, open_page):
    page.get_by_label("Source", exact=True).first.fill("a b & c ?")
    page.get_by_label("References, one per line").fill("a b = c ?\n日本 #1")
    page.get_by_label("characters").first.check()
    open_options(page)
    page.get_by_label("β: weight of recall").first.fill("0.5")
    link = page.get_by_role("link", name="Link to this sentence")
    wait_for(lambda: "beta=0.5" in link.get_attribute("href"))
    there = open_page(link.get_attribute("href"))
    wait_for(lambda: "GREEN (F0.5)" in tiles(there))
    assert there.get_by_label("Source", exact=True).first.input_value() == "a b & c ?"
    assert there.get_by_label("References, one per line").input_value() == "a b = c ?\n日本 #1"
    assert there.get_by_label("characters").first.is_checked()
    assert tiles(there) == tiles(page)


def test_markup_in_an_address_stays_text(open_page):
    evil = quote(EVIL)
    names = ("source", "correction", "references", "tokenizer", "max_order", "beta", "order")
    page = open_page("?" + "&".join(f"{name}={evil}" for name in names) + f"&{evil}={evil}")
    page.locator(".green-sentences").get_by_text("onerror").first.wait_for()
    no_markup(page)


def test_only_changes_have_lines(page):
    """Words that stayed are not struck through, whether or not they should have gone."""
    page.locator(".green-sentences del").first.wait_for()
    lines = page.eval_on_selector_all(
        ".green-chip > :first-child",
        "all => all.map(one => [one.innerText, getComputedStyle(one).textDecorationLine])",
    )
    drawn = {(text, line) for text, line in lines if line != "none"}
    assert drawn == {*((word, "line-through") for word in ("go", "a"))} | {
        *((word, "underline") for word in ("the", "goes"))
    }
    assert ["days", "none"] in lines


def test_markup_in_files_stays_text(page, tmp_path):
    lines = [f"{EVIL} {number} a b c d" for number in range(12)]
    source = tmp_path / "source.txt"
    source.write_text("\n".join(lines))
    reference = tmp_path / '<img src=x onerror="window.hacked=1">.txt'
    reference.write_text("\n".join(f"{line} {EVIL}" for line in lines))
    other = tmp_path / "<script>window.hacked=1<\u2215script>.txt"
    other.write_text("\n".join(line.replace("a b", "b a") for line in lines))
    upload(page, source, [reference], [reference, other])
    press_score(page)
    wait_for(lambda: len(table(page)) == 2)
    explain_first_sentence(page)
    assert "onerror" in page.locator(".green-pair").inner_text()
    page.get_by_label("Baseline").click()
    page.get_by_role("option").filter(has_text="script").click()
    page.get_by_text("dashed line is the baseline, script").wait_for()  # Gradio drops brackets
    page.get_by_role("button", name="Make the report").click()
    page.get_by_role("link", name="Download HTML").wait_for()
    no_markup(page)


def test_markup_in_json_lines_stays_text(page, tmp_path):
    """Also in the names of systems."""
    path = tmp_path / "evil.jsonl"
    row = {"source": f"{EVIL} a b c", "references": [EVIL], "predictions": {EVIL: EVIL, "b": "x"}}
    path.write_text("\n".join([json.dumps(row)] * 12))
    upload(page, None, [path], [])
    press_score(page)
    wait_for(lambda: EVIL in table(page))
    no_markup(page)


@pytest.mark.parametrize(
    ("name", "text"), [("bad.m2", EVIL), ("bad.jsonl", json.dumps({EVIL: 1, "source": "a"}))]
)
def test_markup_in_an_error_stays_text(page, tmp_path, name, text):
    bad = tmp_path / name
    bad.write_text(f"{text}\n")
    upload(page, None, [bad], [EXAMPLES / "bold.txt"])
    press_score(page)
    alert = page.get_by_role("alert").filter(has_text="Sorry")
    alert.wait_for()
    assert "<img src=x" in alert.inner_text()
    no_markup(page)


def test_markup_in_the_name_of_a_file_that_is_too_large_stays_text(page, tmp_path):
    large = tmp_path / '<img src=x onerror="window.hacked=1">.txt'
    large.write_text("a b c d\n" * 700_000)
    tab(page, "Corpus")
    page.locator("input[type=file]").first.set_input_files(str(large))
    page.get_by_text(re.compile("exceed the maximum allowed size")).first.wait_for()
    time.sleep(0.5)
    assert page.evaluate("window.hacked") is None


def paste(page, text, into):
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    into.click()
    page.wait_for_function("document.activeElement.closest('#rows, #pasted')")
    page.keyboard.press("Control+V")


def test_pasted_rows(page):
    tab(page, "Table")
    rows = [
        ("She go home .", "She goes home .", '["She goes home .", "She went home ."]'),
        ("I has cat .", "I have cat .", "I have a cat ."),
        ("It are so .", "It are so .", '["It is so ."]'),
        ("A b c d", "A b c d", "A b c e"),
    ]
    paste(
        page,
        "\n".join("\t".join(row) for row in rows),
        page.get_by_text("What is you name ?", exact=True).last,
    )
    page.get_by_text("I have a cat .").last.wait_for()
    page.get_by_role("button", name="Score the rows").click()
    references = [["She goes home .", "She went home ."], "I have a cat .", "It is so .", "A b c e"]
    references = [[text] if isinstance(text, str) else text for text in references]
    expected = score([row[0] for row in rows], [row[1] for row in rows], references)
    wait_for_score(page, expected["green"])
    assert [*table(page)] == ["1", "2", "3", "4"]
    quoted = 'predictions,sources,references\n"a b c d",x,"[""a b c d""]"'
    paste(page, quoted, page.get_by_label("Paste rows here"))
    wait_for(lambda: page.get_by_text("I have a cat .").count() == 0)
    page.get_by_role("button", name="Score the rows").click()
    wait_for_score(page, score(["x"], ["a b c d"], ["a b c d"])["green"])


def test_what_is_typed_into_the_paste_field_does_no_harm(page):
    tab(page, "Table")
    field = page.get_by_label("Paste rows here")
    field.press_sequentially("He left , she stayed , all well .")
    page.get_by_role("alert").get_by_text("row 1 has 1 columns").wait_for()
    assert field.input_value() == "He left , she stayed , all well ."
    assert page.get_by_text("What is you name ?", exact=True).last.is_visible()
    page.get_by_role("button", name="Score the rows").click()
    page.get_by_role("alert").get_by_text("rows that could not be read").wait_for()
    assert not tiles(page)
    field.fill("")
    page.get_by_role("button", name="Score the rows").click()
    wait_for(lambda: tiles(page))


def test_a_header_in_the_singular_and_an_empty_reference(page):
    tab(page, "Table")
    field = page.get_by_label("Paste rows here")
    paste(page, "Reference\tSource\tPrediction\na b c d\tx y z w\ta b c d\n\ts\tp", field)
    page.get_by_text("x y z w").last.wait_for()
    page.get_by_role("button", name="Score the rows").click()
    page.get_by_role("alert").get_by_text("row 2 has no reference").wait_for()
    paste(page, "Reference\tSource\tPrediction\na b c d\tx y z w\ta b c d", field)
    wait_for(lambda: field.input_value() == "")
    page.get_by_role("button", name="Score the rows").click()
    wait_for_score(page, 1)
    assert table(page)["1"]["source"] == "x y z w"
    with page.expect_download() as download:
        page.locator(".green-rows").get_by_role("link", name="Download CSV").click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert lines[0] == "row,green,precision,recall,source,prediction,references"
    assert lines[1] == '1,1.0,1.0,1.0,x y z w,a b c d,"[""a b c d""]"'


def test_options_of_the_table(page):
    tab(page, "Table")
    page.get_by_role("radio", name="characters").filter(visible=True).check()
    page.get_by_role("button", name="Score the rows").click()
    rows = [texts for _, *texts, _ in SENTENCES[:3]]
    sources, predictions, references = zip(*rows, strict=True)
    lists = [text.split("\n") for text in references]
    wait_for_score(page, score(sources, predictions, lists, tokenizer="char")["green"])


def drop(page, name, text):
    """Drop a file on the table."""
    data = page.evaluate_handle(
        """([name, text]) => {const data = new DataTransfer();
        data.items.add(new File([text], name, {type: "text/csv"})); return data}""",
        [name, text],
    )
    page.dispatch_event("#rows .upload-container", "drop", {"dataTransfer": data})


def test_a_file_dropped_on_the_table(page):
    """Gradio's table reads CSV, too; its columns may come in any order, but must be ours."""
    tab(page, "Table")
    for name, header, row in (
        ("other.csv", "references,sources,predictions", "a b c d,x y z w,a b c d"),
        ("wrong.csv", f"{EVIL.replace(',', '')},two", "a,b"),
    ):
        drop(page, name, f"{header}\n{row}\n")
        page.locator("#rows").get_by_text(row.split(",")[0], exact=True).last.wait_for()
        time.sleep(0.5)
        page.get_by_role("button", name="Score the rows").click()
        if name == "other.csv":
            wait_for_score(page, 1)
    page.get_by_role("alert").get_by_text("the columns must be sources, predictions").wait_for()
    no_markup(page)


def test_wrong_rows_are_messages_and_markup_stays_text(page):
    tab(page, "Table")
    field = page.get_by_label("Paste rows here")
    paste(page, f"{EVIL}\tb", field)
    page.get_by_role("alert").get_by_text("row 1 has 2 columns").wait_for()
    field.fill("")
    paste(page, f"{EVIL}\t{EVIL} a\t[{EVIL}", field)
    page.get_by_text("<script>").last.wait_for()
    page.get_by_role("button", name="Score the rows").click()
    page.get_by_role("alert").get_by_text("row 1: the references are not a JSON list").wait_for()
    no_markup(page)
    paste(page, f"{EVIL}\t{EVIL} a\t{json.dumps([EVIL])}", field)
    wait_for(lambda: field.input_value() == "")
    page.get_by_role("button", name="Score the rows").click()
    wait_for(lambda: tiles(page))
    no_markup(page)


def test_markup_in_a_header_that_is_recognised_stays_text(page):
    """In parentheses, where the name of a column may have anything."""
    tab(page, "Table")
    field = page.get_by_label("Paste rows here")
    header = f"source\tprediction ({EVIL})\treference ({EVIL})"
    plain = header.replace('"', "")  # which is no quote in CSV
    paste(page, f"{plain}\na b c d", field)
    alert = page.get_by_role("alert").filter(has_text="row 1 has 1 columns, but there are 3")
    alert.wait_for()
    assert "source, prediction (<img src=x" in alert.inner_text()
    no_markup(page)
    for text in (header, plain):
        field.fill("")
        paste(page, f"{text}\nx y z {len(text)}\ta b c d\ta b c d", field)
        page.locator("#rows").get_by_text(f"x y z {len(text)}", exact=True).last.wait_for()
        wait_for(lambda: field.input_value() == "")
        page.get_by_role("button", name="Score the rows").click()
        wait_for(lambda text=text: table(page)["1"]["source"] == f"x y z {len(text)}")
        assert next(iter(tiles(page).values())) == 1
        no_markup(page)
    drop(page, "evil.csv", f"{plain}\nq r s t\te f g h\te f g h\n".replace("\t", ","))
    page.locator("#rows").get_by_text("q r s t", exact=True).last.wait_for()
    assert "onerror" in page.locator("#rows").inner_text()
    time.sleep(0.5)
    page.get_by_role("button", name="Score the rows").click()
    wait_for(lambda: table(page)["1"]["source"] == "q r s t")
    no_markup(page)


def test_a_quoted_header_and_numbered_references(page):
    """A header that is not recognised would be scored as a row."""
    tab(page, "Table")
    field = page.get_by_label("Paste rows here")
    row = '"x y z w"\t"a b c d"\t"a b c e"\t"a b c d"'
    paste(page, f'\ufeff"source"\t"prediction"\t"Reference 1"\t"Reference 2"\n{row}', field)
    page.locator("#rows").get_by_text("x y z w", exact=True).last.wait_for()
    page.get_by_role("button", name="Score the rows").click()
    wait_for_score(page, 1)
    assert [*table(page)] == ["1"]
    assert table(page)["1"]["references"] == "a b c e / a b c d"


def test_the_metric_card(page):
    tab(page, "Metric card")
    page.get_by_role("heading", name="Metric card for GREEN").wait_for()
    assert "sdk_version" not in page.inner_text("body")
    images = page.locator(".green-card img")
    assert images.count() >= 1
    for image in images.all():
        image.scroll_into_view_if_needed()
        wait_for(lambda image=image: image.evaluate("image => image.naturalWidth") > 100)


def test_the_contents_of_the_card(page):
    """A card that can be read at one go, whose table of contents leads where it says."""
    tab(page, "Metric card")
    card = page.locator(".green-card").first
    card.get_by_role("heading", name="Metric card for GREEN").wait_for()
    assert card.bounding_box()["height"] < 9_000  # pixels
    n_far = 0
    for link in card.locator("p").first.get_by_role("link").all():
        heading = card.locator(f":is(h2, h3, h4)[id='{link.get_attribute('href')[1:]}']")
        page.evaluate("window.scrollTo(0, 0)")
        n_far += not is_in_view(page, heading)
        link.click()
        wait_for(lambda heading=heading: is_in_view(page, heading), 5)
    assert n_far >= 5


def is_in_view(page, element):
    top = element.bounding_box()["y"]
    return -1 < top < page.viewport_size["height"]  # browsers scroll to fractions of a pixel


def test_arabic_begins_on_the_right(page):
    page.get_by_label("Source", exact=True).first.fill("هو ذهب الى المدرسة .")
    row = page.locator(".green-sentences [dir=auto]").filter(has_text="المدرسة").first
    row.wait_for()
    box = row.bounding_box()
    word = row.locator(".green-chip").first.bounding_box()  # the first word, which was deleted
    assert box["x"] + box["width"] - (word["x"] + word["width"]) < 5


def test_a_phone(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    for name in TABS:
        tab(page, name)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], name
    tab(page, "One sentence")
    page.get_by_label("Correction").fill("In winter she goes to school every day by bus .")
    wait_for_score(page, 1)
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    explain_first_sentence(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_columns_beyond_the_edge_are_announced(open_page):
    """By a shadow, which is gone at the end of the table."""
    page = open_page(viewport=PHONE)
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    region = page.locator(".scroll:visible").first
    assert region.evaluate("one => one.scrollWidth > one.clientWidth + 50")

    def darkest():
        """Of the last pixels of the caption's line, where there is no text."""
        box = region.bounding_box()
        page.mouse.move(0, 0)
        clip = {"x": box["x"] + box["width"] - 4, "y": box["y"] + 1, "width": 3, "height": 4}
        image = Image.open(io.BytesIO(page.screenshot(clip=clip)))
        return image.convert("L").getextrema()[0]

    region.scroll_into_view_if_needed()
    assert darkest() < 235
    region.evaluate("one => one.scrollTo(one.scrollWidth, 0)")
    wait_for(lambda: darkest() > 250)


def test_the_header_links_paper_code_and_citation(page):
    for name, start in {
        "Paper": "https://aclanthology.org/2024.inlg-main.25",
        "Code": "https://",
        "Citation": "https://aclanthology.org/2024.inlg-main.25.bib",
    }.items():
        link = page.get_by_role("navigation").get_by_role("link", name=name)
        assert link.get_attribute("href").startswith(start)


def test_examples_in_five_languages(page):
    for name, source, correction, references, tokenizer in SENTENCES:
        page.get_by_role("button", name=name).click()
        expected = score([source], [correction], [references.split("\n")], tokenizer=tokenizer)
        wait_for(lambda text=source: page.get_by_label("Source").first.input_value() == text)
        wait_for_score(page, expected["green"])


def test_the_keyboard_alone_runs_an_example(page):
    def press_until(key, name):
        """Go from control to control until one has the name."""
        for _ in range(60):
            page.keyboard.press(key)
            if page.evaluate("document.activeElement.innerText").strip() == name:
                return
        pytest.fail(f"{name} cannot be reached")

    press_until("Tab", "Two readings")
    page.keyboard.press("Enter")
    wait_for_score(page, 1)
    press_until("Shift+Tab", "Corpus")
    page.keyboard.press("Enter")
    press_until("Tab", "Try the bundled examples")
    page.keyboard.press("Space")
    check_table(page)


def test_pictures_follow_dark_mode(open_page):
    page = open_page(color_scheme="dark")
    tab(page, "Corpus")
    page.get_by_role("button", name="Try the bundled examples").click()
    check_table(page)
    curve = page.locator(".key bdi:visible").first
    assert curve.evaluate("name => getComputedStyle(name).color") == "rgb(233, 237, 241)"
    tab(page, "One sentence")
    fills = page.eval_on_selector_all(
        ".venn polygon", "all => all.map(one => getComputedStyle(one).fill.match(/\\d+/g))"
    )
    assert len(fills) == 7
    assert all(luminance([int(c) / 255 for c in fill]) < 0.1 for fill in fills)


def test_a_dark_page_is_legible(open_page):
    page = open_page(color_scheme="dark")
    for name in ("One sentence", "Corpus"):
        tab(page, name)
        if name == "Corpus":
            page.get_by_role("button", name="Try the bundled examples").click()
            explain_first_sentence(page)
        colors = page.evaluate(
            """[...document.querySelectorAll(".green-chip, .green-chip *")]
            .filter(one => one.offsetParent && one.innerText.trim())
            .map(one => [one, one.closest(".green-chip")].map((part, i) =>
              getComputedStyle(part)[i ? "backgroundColor" : "color"]))"""
        )
        assert len(colors) > 20
        for pair in colors:
            ink, fill = ([int(n) / 255 for n in re.findall(r"\d+", color)[:3]] for color in pair)
            dark, light = sorted(luminance(color) for color in (ink, fill))
            assert (light + 0.05) / (dark + 0.05) > 7  # WCAG's enhanced contrast


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
