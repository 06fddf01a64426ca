"""The page in a real browser, from disk, without a network."""

import re
import shutil
import subprocess
from itertools import pairwise

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS

from green_gec import report

EVIL = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def page():
    return report(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)


@pytest.fixture(scope="module")
def page_of_twenty():
    """A report of many systems, whose tables are longer than a printed page."""
    lines = [SYSTEMS["careful"][:n] + SYSTEMS["bold"][n:] for n in range(20)]
    systems = dict(zip([f"system {n}" for n in range(20)], lines, strict=True))
    return report(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)


@pytest.fixture
def open_page(browser, page, tmp_path):
    """Open a page offline; at the end, check that it requested nothing and nothing broke."""
    contexts, wrong = [], []

    def open_page(markup=page, **settings):
        path = tmp_path / "report.html"
        path.write_text(markup, "utf-8")
        context = browser.new_context(offline=True, **settings)
        contexts.append(context)
        opened = context.new_page()
        opened.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        opened.on("console", lambda message: wrong.append(f"console: {message.text}"))
        opened.on(
            "request",
            lambda request: request.url == path.as_uri() or wrong.append(f"request: {request.url}"),
        )
        opened.goto(path.as_uri())
        return opened

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong


def column(page, number):
    return page.eval_on_selector_all(
        "#green-table tbody tr", f"rows => rows.map(row => row.cells[{number}].innerText)"
    )


def test_sorting(open_page):
    page = open_page()
    assert column(page, 0) == ["bold", "careful", "broken"]
    heading = page.locator("#green-table thead th")
    assert heading.nth(1).get_attribute("aria-sort") == "descending"
    page.locator("#green-table").get_by_role("button", name="GREEN").click()
    assert heading.nth(1).get_attribute("aria-sort") == "ascending"
    assert column(page, 0) == ["broken", "careful", "bold"]
    page.locator("#green-table").get_by_role("button", name="precision").click()
    assert heading.nth(1).get_attribute("aria-sort") is None
    assert column(page, 2) == ["97.39", "79.11", "40.57"]
    page.locator("#green-table").get_by_role("button", name="system").click()
    assert column(page, 0) == ["bold", "broken", "careful"]
    page.locator("#green-table").get_by_role("button", name="ranks").click()
    assert heading.nth(8).get_attribute("aria-sort") == "descending"
    assert column(page, 8) == ["3", "2", "1"]


@pytest.mark.parametrize("times", [1, 2])
def test_what_has_no_value_comes_last(open_page, times):
    page = open_page()
    for _ in range(times):
        page.locator("#green-table").get_by_role("button", name="difference").click()
    assert column(page, 0)[-1] == "careful"  # the baseline
    assert column(page, 0)[0] == ("bold" if times == 1 else "broken")


def test_keyboard(open_page):
    """Tab reaches the links, the headings and what can be opened; Enter sorts; focus is visible."""
    page = open_page()
    seen = []
    while "All p-values" not in seen:
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.innerText"))
        if seen[-1] == "precision":
            page.keyboard.press("Enter")
        assert len(seen) < 40
    assert column(page, 2) == ["97.39", "79.11", "40.57"]
    assert "Sentences" in seen
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    page.keyboard.press("Tab")
    assert page.evaluate(outline) == "solid"


def test_choosing_a_pair(open_page):
    page = open_page()
    visible = page.locator("#green-sentences details[data-pair]:visible")
    assert visible.count() == 1
    assert visible.locator("summary").inner_text() == "bold against careful: +7.40"
    page.locator(".choice.pair select").select_option("bold against broken")
    assert visible.locator("summary").inner_text() == "bold against broken: +36.55"
    assert visible.locator("article").count() == 3


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_highlighting_a_curve(open_page, page_of_twenty, viewport):
    """It gets a colour and lies above the others; its name appears below."""
    page = open_page(page_of_twenty, viewport=viewport)
    highlight = page.locator("#green-beta").get_by_label("Highlight")
    coloured = page.locator("#green-beta .curves .curve:not(.grey)")
    names = page.locator("#green-beta .key li:visible")
    n_coloured = coloured.count()
    for name in ("system 7", "system 3"):
        highlight.select_option(name)
        assert coloured.count() == n_coloured + 1
        assert coloured.last.locator("title").text_content() == name
        assert page.locator("#green-beta .curve").last.get_attribute("data-curve")
        assert name in names.all_inner_texts()
    highlight.select_option("none")
    assert coloured.count() == n_coloured
    assert page.locator("#green-length .curves .curve:not(.grey)").count() == n_coloured


def test_without_a_script(open_page):
    page = open_page(java_script_enabled=False)
    assert page.locator("#green-sentences details[data-pair]").count() == 3
    assert page.locator(".choice.pair select").is_hidden()
    page.locator("details[data-pair] summary").first.click()
    assert page.locator("article").first.is_visible()
    assert page.locator("thead button").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_nothing_is_wider_than_the_page(open_page, viewport, scheme):
    page = open_page(viewport=viewport, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    for details in page.locator("details").all():
        details.evaluate("part => { part.hidden = false; part.open = true }")
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    outside = """[...document.querySelectorAll("svg text")].filter(text => text.checkVisibility())
        .map(text => text.getBoundingClientRect())
        .filter(box => box.left < 0 || box.right > innerWidth)"""
    assert page.evaluate(f"{outside}.length") == 0


CONTRAST = """() => {
  const channels = color => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const color = getComputedStyle(node).backgroundColor;
      if (channels(color).length === 3) return color;
    }
  };
  const weak = [];
  for (const node of document.querySelectorAll("body *")) {
    const text = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
    if (!text || !node.checkVisibility() || node.closest("script")) continue;
    const style = getComputedStyle(node);
    const ink = node instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [ink, behind(node)].map(color => light(channels(color)));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.push([node.textContent.slice(0, 30), ratio]);
  }
  return weak;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(open_page, scheme):
    """4.5 to 1 for all text, as WCAG asks."""
    page = open_page(color_scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(19, 23, 28)")
    assert page.evaluate(CONTRAST) == []


RIGHT = "tables => Math.max(...tables.map(table => table.getBoundingClientRect().right))"


def print_media(opened):
    opened.set_viewport_size({"width": 680, "height": 960})  # A4 without margins
    opened.emulate_media(media="print")


def test_printing(open_page, page_of_twenty):
    opened = open_page(color_scheme="dark")
    pdf = opened.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert 2 <= pdf.count(b"/Type /Page\n") <= 12
    print_media(opened)
    paper = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    assert opened.eval_on_selector_all("table", RIGHT) <= 681
    opened = open_page(page_of_twenty)
    print_media(opened)
    assert opened.eval_on_selector_all("table", RIGHT) <= 681


def test_prints_show_what_is_folded(open_page):
    """And the sentences of all pairs, of which the screen shows one."""
    opened = open_page()
    folded = """parts => parts
        .filter(part => !part.lastElementChild.checkVisibility())
        .map(part => part.firstElementChild.innerText)"""
    names = ["All p-values", "Figures", "Figures", *SYSTEMS]
    assert {*names} <= {*opened.eval_on_selector_all("details", folded)}
    pairs = opened.locator("#green-sentences details[data-pair]:visible")
    assert pairs.count() == 1
    print_media(opened)
    assert opened.eval_on_selector_all("details", folded) == []
    assert pairs.count() == 3


def test_pictures_do_not_break_across_pages(open_page):
    opened = open_page()
    print_media(opened)
    breaks = "parts => parts.map(part => getComputedStyle(part).breakInside)"
    assert {*opened.eval_on_selector_all("figure, svg, .dots, tr", breaks)} == {"avoid"}


def test_printed_tables_repeat_their_header(open_page, page_of_twenty, tmp_path):
    """The list of 190 pairs is longer than two pages; each has the titles of its columns."""
    if not shutil.which("pdftotext"):
        pytest.skip("needs pdftotext (on Debian, package poppler-utils)")
    path = tmp_path / "report.pdf"
    open_page(page_of_twenty).pdf(path=path, prefer_css_page_size=True)
    command = ["pdftotext", "-layout", path, "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    pages = [
        page for page in text.split("\f") if re.search(r"^system \d+ +system \d+ ", page, re.M)
    ]
    assert len(pages) >= 3
    for page in pages:
        assert re.search("system +against +difference.* +p-value +Holm", page)


def test_prints_are_the_same_in_dark_mode(open_page):
    """Names are still there where the browser keeps `prefers-color-scheme: dark` in print."""
    opened, shots = open_page(), []
    print_media(opened)
    for scheme in ("light", "dark"):
        opened.emulate_media(media="print", color_scheme=scheme)
        is_dark = opened.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert is_dark == (scheme == "dark")
        shots.append(opened.screenshot(full_page=True))
    assert shots[0] == shots[1]
    blend = "tables => tables.map(table => getComputedStyle(table).mixBlendMode)"
    assert {*opened.eval_on_selector_all(".scroll > table", blend)} == {"normal"}
    covers = "parts => parts.map(part => getComputedStyle(part).backgroundImage)"
    assert {*opened.eval_on_selector_all(".scroll", covers)} == {"none"}


def test_screen_readers(open_page):
    """Pictures have a name and a description, tables captions, regions labels."""
    page = open_page()
    for picture in page.locator("svg[role=img]").all():
        assert picture.locator("title").first.text_content()
        assert picture.locator("desc").first.text_content().startswith("highest at ")
    unnamed = "tables => tables.filter(table => !table.caption.textContent.trim()).length"
    assert page.eval_on_selector_all("table", unnamed) == 0
    levels = page.eval_on_selector_all("h1, h2, h3, h4, h5", "all => all.map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert page.get_by_role("table", name="GREEN of all systems").count() == 1


def test_no_text_runs(open_page):
    systems = {EVIL: [EVIL] * 25, f"{EVIL}2": [f"{EVIL} two"] * 25}
    markup = report(systems, [f"{EVIL} one"] * 25, [[EVIL, f"{EVIL} x"]] * 25, n_resamples=20)
    page = open_page(markup)
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert EVIL in column(page, 0)


NAMES = ["careful.txt", "CAMB2", "T5-large-cLang8-ens", "w" * 300, "several words, " * 20]
# Of each name on the page: the text, the boxes of its lines, its box and that of what it is in.
BOXES = """nodes => nodes.filter(node => node.checkVisibility()).map(node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const [own, around] = [node, node.closest("figure, section")].map(n => n.getBoundingClientRect());
  const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
  return {text: node.textContent, lines: lines.size, height: own.height, width: own.width,
          isCut: node.scrollHeight > node.clientHeight + 5, right: own.right, most: around.right};
})"""


@pytest.fixture(scope="module")
def page_of_names():
    lines = [[*SYSTEMS["bold"][n:], *SYSTEMS["careful"][:n]] for n in range(0, 50, 10)]
    systems = dict(zip(NAMES, lines, strict=True))
    return report(systems, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n_resamples=20)


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_names_are_whole(open_page, page_of_names, viewport):
    page = open_page(page_of_names, viewport=viewport)
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    for kind in (".dots", ".figures:not(.matrix)", ".matrix"):
        boxes = page.eval_on_selector_all(f"{kind} tbody th bdi", BOXES)
        assert {box["text"] for box in boxes} == {*NAMES}
        for box in boxes:
            assert not box["isCut"], (kind, box)
            if box["text"] in ("careful.txt", "CAMB2"):
                assert box["lines"] == 1, (kind, box)


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_names_of_curves_lie_within_the_figure(open_page, page_of_names, viewport):
    page = open_page(page_of_names, viewport=viewport)
    boxes = page.eval_on_selector_all(".key bdi", BOXES)
    assert {box["text"] for box in boxes} == {*NAMES}
    assert len(boxes) == 2 * len(NAMES)  # by beta and by length
    assert not any(box["right"] > box["most"] or box["isCut"] for box in boxes)
