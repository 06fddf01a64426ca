"""The Space as visitors use it, in a real browser."""

import io
import json
import re
import time
from itertools import pairwise
from urllib.parse import quote

import pytest
from shared import EXAMPLE_REFERENCES as REFERENCES
from shared import EXAMPLE_SOURCES as SOURCES
from shared import EXAMPLES, SYSTEMS, half_up

from green_gec import compare, differences, score, worst_sentences

Image = pytest.importorskip("PIL.Image")

EVIL = '<img src=x onerror="window.hacked=1"> <script>window.hacked=1</script>'
PHONE = {"width": 390, "height": 844}
TABS = ("One sentence", "Systems", "Metric card")
SENTENCES = json.loads((EXAMPLES / "sentences.json").read_text("utf-8"))


@pytest.fixture
def open_page(browser, served):
    """Open the Space; at the end, check that nothing came from elsewhere and nothing broke."""
    contexts, wrong = [], []

    def open_page(address="", **settings):
        context = browser.new_context(**settings)
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


def upload(page, source=None, references=(), systems=()):
    tab(page, "Systems")
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


def score_examples(page):
    tab(page, "Systems")
    page.get_by_role("button", name="Try the bundled examples").click()
    page.locator(".green-list:visible").wait_for()


def choose(page, label, option):
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=option).click()


def sentence_list(page):
    """The rows of the list of sentences that matter."""
    return page.eval_on_selector_all(
        ".green-list summary",
        "all => all.map(row => [...row.children].map(cell => cell.innerText))",
    )


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


def test_untokenised_texts_get_a_hint_that_helps_with_one_click(page):
    hint = page.get_by_role("button", name="Use the tokenizer “words and punctuation (13a)”")
    texts = ("She go by bus.", "She goes by a bus.", "She goes by bus.\nShe takes the bus.")
    for label, text in zip(
        ("Source", "Correction", "References, one per line"), texts, strict=True
    ):
        assert not hint.is_visible()
        page.get_by_label(label, exact=True).first.fill(text)
        hint.wait_for()
        if label != "References, one per line":
            page.get_by_label(label, exact=True).first.fill(text.replace(".", " ."))
            wait_for(lambda: not hint.is_visible())
    hint.click()
    wait_for(lambda: page.get_by_label("words and punctuation (13a)").first.is_checked())
    wait_for(lambda: not hint.is_visible())
    source, correction, references = (text.replace(".", " .") for text in texts)
    wait_for_score(page, score([source], [correction], [references.split("\n")])["green"])
    assert page.locator(".green-warning:visible").count() == 0


def check_table(page, baseline="careful.txt"):
    systems = {f"{name}.txt": texts for name, texts in SYSTEMS.items()}
    expected = compare(systems, SOURCES, REFERENCES, baseline=baseline)
    wait_for(lambda: table(page)[baseline]["difference"] == "baseline")
    shown = table(page)
    assert [*shown] == ["bold.txt", "careful.txt", "broken.txt"]  # the best one first
    for values in expected.to_dict("records"):
        row = shown[values["system"]]
        for title, key in (("GREEN", "green"), ("precision", "precision"), ("recall", "recall")):
            assert row[title] == half_up(values[key])
        assert row["95% interval"] == f"[{half_up(values['low'])}, {half_up(values['high'])}]"
        if values["system"] != baseline:
            assert row["difference"] == f"{100 * values['difference']:+.2f}".replace("-", "\u2212")
            assert row["Holm"] == f"{values['holm']:.4f}"


def test_uploaded_files(page):
    upload(
        page,
        EXAMPLES / "source.txt",
        [EXAMPLES / "reference0.txt", EXAMPLES / "reference1.txt"],
        [EXAMPLES / f"{name}.txt" for name in SYSTEMS],
    )
    press_score(page)
    check_table(page)
    page.get_by_text("Read 6 files: 60 sentences, 2 references each.").wait_for()
    verdict = page.locator(".green-verdict")
    assert "bold.txt has the highest GREEN, 88.90" in verdict.inner_text()
    wait_for(lambda: is_in_view(page, verdict))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download JSON").click()
    assert download.value.suggested_filename == "green.json"
    results = json.loads(download.value.path().read_text())["results"]
    expected = score(SOURCES, SYSTEMS["broken"], REFERENCES)["green"]
    assert [row["green"] for row in results if row["system"] == "broken.txt"] == [expected]


def test_the_result_of_the_examples_scrolls_into_view(open_page):
    page = open_page(viewport=PHONE)
    score_examples(page)
    wait_for(lambda: is_in_view(page, page.locator(".green-verdict")))


def test_a_table_with_everything(page, tmp_path):
    path = tmp_path / "all.csv"
    rows = zip(SOURCES, REFERENCES, SYSTEMS["bold"], strict=True)
    cells = [[text.replace('"', '""') for text in (s, *r, b)] for s, r, b in rows]
    lines = ["Original,Reference 1,Reference 2,bold", *('"' + '","'.join(c) + '"' for c in cells)]
    path.write_text("\n".join(lines), "utf-8")
    upload(page, references=[path])
    press_score(page)
    expected = score(SOURCES, SYSTEMS["bold"], REFERENCES)["green"]
    page.get_by_text(f"The GREEN of bold is {half_up(expected)}").wait_for()


def test_sentences_that_matter(page):
    score_examples(page)
    systems = {f"{name}.txt": SYSTEMS[name] for name in ("bold", "careful")}
    expected = differences(systems, SOURCES, REFERENCES, n=10)
    for row, values in zip(sentence_list(page), expected.to_dict("records"), strict=True):
        effect = f"{100 * values['contribution']:+.4f}".replace("-", "\u2212")
        scores = [half_up(values[f"green_{name}"]) for name in systems]
        assert row == [f"{values['sentence'] + 1}", effect, *scores, values["source"]]
    page.locator(".green-list summary").first.focus()
    page.keyboard.press("Enter")
    opened = page.locator(".green-list details[open]")
    titles = opened.locator("dt").all_inner_texts()
    assert titles == ["source", "bold.txt", "careful.txt", "reference 1", "reference 2"]
    link = opened.get_by_role("link", name="Explain careful.txt")
    with page.context.expect_page() as popup:
        link.click()
    there = popup.value
    wait_for(lambda: there.get_by_label("Source").first.input_value() == expected["source"][0])
    wait_for_score(there, expected["green_careful.txt"][0])
    choose(page, "System", "careful.txt")  # the baseline itself
    worst = worst_sentences({"careful.txt": SYSTEMS["careful"]}, SOURCES, REFERENCES, n=10)
    numbers = [f"{number + 1}" for number in worst["sentence"]]
    wait_for(lambda: [row[0] for row in sentence_list(page)] == numbers)


def test_another_baseline(page):
    score_examples(page)
    check_table(page)
    choose(page, "Baseline", "broken.txt")
    check_table(page, "broken.txt")


def test_tables_can_be_sorted(page):
    score_examples(page)
    button = page.get_by_role("button", name="precision", exact=True)
    button.click()
    assert [*table(page)] == ["careful.txt", "bold.txt", "broken.txt"]
    button.focus()
    page.keyboard.press("Enter")
    assert [*table(page)] == ["broken.txt", "bold.txt", "careful.txt"]


def test_the_report_downloads_with_one_click(page, tmp_path, browser):
    score_examples(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Make the report").click()
    assert download.value.suggested_filename == "green.html"
    saved = tmp_path / "green.html"
    saved.write_bytes(download.value.path().read_bytes())
    opened = browser.new_page()
    opened.goto(saved.as_uri())
    assert opened.inner_text("h1") == "3 systems by GREEN"
    opened.close()


def test_another_score(page):
    tab(page, "Systems")
    open_options(page)
    choose(page, "Score", "BLEU")
    score_examples(page)
    systems = {f"{name}.txt": texts for name, texts in SYSTEMS.items()}
    expected = compare(systems, None, REFERENCES, metric="bleu").set_index("system")["bleu"]
    assert table(page)["bold.txt"]["BLEU"] == half_up(expected["bold.txt"])


def test_wrong_uploads_are_messages_and_all_goes_on(page, tmp_path):
    tab(page, "Systems")
    press_score(page)
    page.get_by_role("alert").get_by_text("there are no").wait_for()
    short = tmp_path / "short.txt"
    short.write_text("only one line\n")
    upload(page, EXAMPLES / "source.txt", [EXAMPLES / "reference0.txt"], [short])
    press_score(page)
    page.get_by_role("alert").get_by_text("short.txt has 1 sentences").wait_for()
    assert not page.get_by_label("Baseline").is_visible()
    score_examples(page)
    check_table(page)


def test_too_much_is_a_message_with_a_command(page, tmp_path):
    large = tmp_path / "large.txt"
    large.write_text("a b c d e f g h i j k l m n o p q\n" * 150_000)
    upload(page, large, [EXAMPLES / "reference0.txt"], [EXAMPLES / "bold.txt"])
    press_score(page)
    alert = page.get_by_role("alert").filter(has_text="at most 4,000,000 bytes")
    alert.wait_for()
    command = alert.locator("code").inner_text()
    assert command.startswith("green report -s large.txt -r reference0.txt -c bold.txt ")
    assert command.endswith(" -o report.html")
    huge = tmp_path / "huge.txt"
    huge.write_text("a b c d\n" * 1_600_000)
    page.locator("input[type=file]").first.set_input_files(str(huge))
    page.get_by_text(re.compile("exceed the maximum allowed size of")).first.wait_for()


def test_what_is_shown_goes_when_an_option_changes(page):
    """Else, the report and the sentences would be of other options than the table."""
    score_examples(page)
    page.get_by_label("characters").filter(visible=True).check()
    wait_for(lambda: not page.locator(".green-verdict").is_visible())
    assert not page.get_by_label("Baseline").is_visible()
    press_score(page)
    page.locator(".green-verdict").wait_for()
    page.get_by_text("tok:char").wait_for()
    page.locator("#systems").get_by_label("Remove").first.click()
    wait_for(lambda: not page.locator(".green-verdict").is_visible())


def test_markup_in_files_stays_text(page, tmp_path):
    lines = [f"{EVIL} {number} a b c d" for number in range(12)]
    source = tmp_path / "source.txt"
    source.write_text("\n".join(lines))
    name = '<img src=x onerror="window.hacked=1">.txt'
    for path in (tmp_path / name, tmp_path / "<script>window.hacked=1<\u2215script>.txt"):
        path.write_text("\n".join(line.replace("a b", path.name[1:4]) for line in lines))
    jsonl = tmp_path / "evil.jsonl"
    row = {"source": f"{EVIL} a b c", "references": [EVIL], "predictions": {EVIL: EVIL, "b": "x"}}
    jsonl.write_text("\n".join([json.dumps(row)] * 12))
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps({EVIL: 1, "source": "a"}))
    reference = EXAMPLES / "reference0.txt"
    upload(page, references=[bad], systems=[reference])
    press_score(page)
    page.get_by_role("alert").get_by_text("<img src=x").wait_for()
    no_markup(page)
    for references, systems in (([jsonl], []), ([source], [tmp_path / name])):
        page.reload()
        page.locator("svg.venn").first.wait_for()
        upload(page, source if systems else None, references, systems)
        press_score(page)
        page.locator(".green-list summary").first.click()
        page.get_by_role("button", name="Make the report").click()
        page.get_by_role("link", name="Download HTML").wait_for()
        assert "onerror" in page.locator(".green-list details[open]").inner_text()
        no_markup(page)


def test_examples_in_five_languages(page):
    for example in SENTENCES:
        name, source, correction, references, tokenizer = example.values()
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
    press_until("Shift+Tab", "Systems")
    page.keyboard.press("Enter")
    press_until("Tab", "Try the bundled examples")
    page.keyboard.press("Space")
    check_table(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 900}, PHONE])
def test_every_tab_is_legible_and_fits(open_page, scheme, viewport):
    """Contrast, the width of the page, the order of headings; empty, with results, with errors."""
    page = open_page(color_scheme=scheme, viewport=viewport)

    def check():
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        # Gradio fades what it is about to replace.
        wait_for(lambda: all(ratio >= 4.5 for _, ratio in page.evaluate(CONTRASTS)))
        levels = page.evaluate(HEADINGS)
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))

    check()
    open_options(page)
    page.get_by_label("References, one per line").fill("He is here.")
    page.locator(".green-warning:visible").wait_for()
    check()
    page.get_by_label("References, one per line").fill("")
    page.get_by_role("alert").first.wait_for()
    check()
    tab(page, "Systems")
    check()
    press_score(page)
    page.get_by_role("alert").get_by_text("there are no").wait_for()
    check()
    score_examples(page)
    page.locator(".green-list summary").first.click()
    check()
    tab(page, "Metric card")
    page.locator(".green-card table").first.wait_for()
    check()


# The contrast of every visible piece of text with the colour behind it, as the WCAG defines it.
CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const luminance = (color) => {
    const linear = (c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
    const [r, g, b] = color.map((c) => linear(c / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (element) => {
    for (; element; element = element.parentElement) {
      const color = rgba(getComputedStyle(element).backgroundColor);
      if (color[3] > .99) return color;
    }
    return [255, 255, 255, 1];
  };
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement, text = texts.currentNode.textContent.trim();
    const visible = {opacityProperty: true, visibilityProperty: true};
    const box = element.getBoundingClientRect();
    if (!text || element.closest("svg, script, style") || box.width < 2 || box.height < 2) continue;
    if (!element.checkVisibility(visible)) continue;
    const ink = rgba(getComputedStyle(element).color), paper = behind(element);
    let opacity = ink[3];
    for (let each = element; each; each = each.parentElement)
      opacity *= getComputedStyle(each).opacity;
    const mixed = ink.slice(0, 3).map((c, i) => c * opacity + paper[i] * (1 - opacity));
    const [dark, light] = [luminance(mixed), luminance(paper)].sort((a, b) => a - b);
    found.push([text.slice(0, 40), (light + .05) / (dark + .05)]);
  }
  return found;
}"""
HEADINGS = """[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((heading) => heading.checkVisibility()).map((heading) => +heading.tagName[1])"""


def test_every_control_shows_that_it_has_the_focus(page):
    score_examples(page)
    for name in TABS:
        tab(page, name)
        page.evaluate("document.activeElement.blur()")
        page.mouse.click(2, 2)
        n_controls = 0
        while True:
            page.keyboard.press("Tab")
            outline = page.evaluate(
                """() => {const {activeElement, body} = document; return activeElement !== body &&
                [activeElement.outerHTML, getComputedStyle(activeElement).outlineStyle]}"""
            )
            if not outline:
                break
            assert outline[1] == "solid", outline[0][:300]
            n_controls += 1
        assert n_controls > 15


def test_pictures_follow_dark_mode(open_page):
    page = open_page(color_scheme="dark")
    fills = page.eval_on_selector_all(
        ".venn polygon", "all => all.map(one => getComputedStyle(one).fill.match(/\\d+/g))"
    )
    assert len(fills) == 7
    assert all(sum(map(int, fill[:3])) < 300 for fill in fills)


def test_a_phone_shows_the_score_below_the_fields(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    fields = page.get_by_label("References, one per line").bounding_box()
    shown = page.locator(".green-tiles").bounding_box()
    options = page.get_by_label("characters").first.bounding_box()
    assert fields["y"] < shown["y"] < fields["y"] + fields["height"] + 60
    assert shown["y"] < options["y"]
    row = [button.bounding_box()["y"] for button in page.locator(".green-examples button").all()]
    assert len({*row}) == 1  # one row, which scrolls
    page.get_by_label("Correction").fill("In winter she goes to school every day by bus .")
    wait_for_score(page, 1)


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
    assert tiles(open_page("?order=0&max_order=99&beta=nan&effective_order=yes")) == tiles(
        open_page()
    )


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


def test_arabic_begins_on_the_right(page):
    page.get_by_label("Source", exact=True).first.fill("هو ذهب الى المدرسة .")
    row = page.locator(".green-sentences [dir=auto]").filter(has_text="المدرسة").first
    row.wait_for()
    box = row.bounding_box()
    word = row.locator(".green-chip").first.bounding_box()  # the first word, which was deleted
    assert box["x"] + box["width"] - (word["x"] + word["width"]) < 5


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


def test_columns_beyond_the_edge_are_announced(open_page):
    """By a shadow, which is gone at the end of the table."""
    page = open_page(viewport=PHONE)
    score_examples(page)
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
