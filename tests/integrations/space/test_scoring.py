"""What the Space accepts and computes, without a server."""

import json
import re
import shlex
import time

import pytest
from shared import EXAMPLE_REFERENCES as REFERENCES
from shared import EXAMPLE_SOURCES as SOURCES
from shared import EXAMPLES, ROOT, SYSTEMS, WITHOUT_SOURCES

from green_gec import compare, differences, report, score, worst_sentences
from green_gec.cli import main

pytest.importorskip("gradio")
from uploads import columns, count

from green_gec.reporting import analysis, page
from green_gec.space import controls, pages, scoring

SENTENCE = ("word", None, 2.0, False)  # its options


@pytest.fixture(scope="module")
def counted():
    return count(systems=("bold.txt", "careful.txt"))


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "rouge", "f1"])
@pytest.mark.parametrize("paired", ["ar", "bs"])
def test_the_figures_are_those_of_compare(metric, paired):
    found = columns(count(systems=("bold.txt", "careful.txt"), metric=metric, paired=paired))
    systems = {f"{name}.txt": SYSTEMS[name] for name in ("bold", "careful")}
    sources = None if metric in WITHOUT_SOURCES else SOURCES
    best = {"selection": "max"} if metric == "gleu" else {}
    table = compare(systems, sources, REFERENCES, metric=metric, paired=paired, **best)
    for name in table:
        assert found[name] == pytest.approx(table[name].tolist(), abs=1e-12, nan_ok=True)


def test_options_reach_the_score():
    found = columns(count(tokenizer="char", max_order=3, beta=0.5, effective_order=True))
    options = {"tokenizer": "char", "max_order": 3, "beta": 0.5, "effective_order": True}
    assert found["green"] == [score(SOURCES, SYSTEMS["bold"], REFERENCES, **options)["green"]]


def test_sources_references_and_systems_of_any_kind_of_file(tmp_path):
    rows = [*zip(SOURCES, REFERENCES, SYSTEMS["bold"], SYSTEMS["careful"], strict=True)]
    jsonl = tmp_path / "all.jsonl"
    lines = [
        {"source": s, "references": r, "predictions": {"bold.txt": b, "careful.txt": c}}
        for s, r, b, c in rows
    ]
    jsonl.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    table = tmp_path / "all.tsv"
    texts = ["\t".join([s, *r, b, c]) for s, r, b, c in rows]
    header = "Source\tReference 1\tReference 2\tbold.txt\tcareful.txt"
    table.write_text("\n".join([header, *texts]).replace('"', '""'), "utf-8")
    systems = ("bold.txt", "careful.txt")
    expected = count(systems=systems).corpus
    for source, references, files in (
        ("source.txt", ["reference0.txt", "reference1.txt"], systems),
        ("references.m2", [], systems),
        (None, [jsonl], []),
        (jsonl, [], []),
        (None, [table], []),
        (table, [], []),
    ):
        found = count(source, references, files).corpus
        assert (found.sources, found.systems, found.references) == (
            *(expected.sources, expected.systems, expected.references),
        )


def test_equal_names_of_files_are_numbered():
    names = [*count(systems=["bold.txt", "careful.txt", "bold.txt"]).corpus.systems]
    assert names == ["bold.txt", "careful.txt", "bold.txt (3)"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": []}, "no systems"),
        ({"references": []}, "no references"),
        ({"references": ["reference0.txt"]}, "there is no source"),
        ({"references": ["references.m2", "other.m2"]}, "both have gold edits; leave one out"),
        ({"systems": ["short.txt"]}, "^short.txt has 2 sentences, but references.m2 has 60"),
        ({"systems": ["picture.png"]}, "^picture.png:1: not UTF-8"),
        ({"systems": ["zipped.gz"]}, "^zipped.gz is compressed; unpack it first"),
        ({"systems": ["archive.zip"]}, "^archive.zip: a zip archive or a spreadsheet"),
        ({"systems": ["gone.txt"]}, "^gone.txt is no longer here; upload it again"),
        ({"references": ["bad.m2"]}, "^bad.m2:1: an edit before the first"),
        ({"references": ["nested.jsonl"]}, "^nested.jsonl:1: not JSON"),
        ({"source": "empty.txt"}, "^empty.txt has no sentences"),
        ({"references": ["all.csv"]}, "a table must be the only file"),
        ({"references": ["all.csv"], "systems": []}, "^all.csv:1: the first row must name"),
        ({"beta": -1}, "beta must be a positive number"),
        ({"beta": [1, 2]}, "beta must be one number"),
        ({"tokenizer": "zh"}, "tokenizer must be 'word' or"),
        ({"metric": "m2"}, "metric must be 'green' or"),
        ({"max_order": -1}, "max_order must be a whole number"),
    ],
)
def test_errors_name_the_file_and_what_to_do(tmp_path, change, message):
    for name, data in {
        "short.txt": b"a\nb\n",
        "picture.png": b"\x89PNG\xff",
        "zipped.gz": b"\x1f\x8b\x08",
        "archive.zip": b"PK\x03\x04",
        "bad.m2": b"A 1 2|||x\n",
        "other.m2": (EXAMPLES / "references.m2").read_bytes(),
        "nested.jsonl": b'{"a":' * 100_000,
        "empty.txt": b"",
        "all.csv": b"a,b\n1,2\n",
    }.items():
        (tmp_path / name).write_bytes(data)

    def find(given):
        if isinstance(given, list):
            return [find(each) for each in given]
        return given if (EXAMPLES / given).exists() else tmp_path / given

    files = {
        name: find(change.pop(name))
        for name in ("source", "references", "systems")
        if name in change
    }
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        count(**files, **change)
    assert str(tmp_path) not in str(caught.value)


def corpus_of(folder, n_sentences, n_references=1, n_systems=1, text="a b c d"):
    """Files of the same text."""
    paths = [folder / f"{number} .txt" for number in range(1 + n_references + n_systems)]
    for path in paths:
        path.write_text(f"{text}\n" * n_sentences, "utf-8")
    return paths[0], paths[1 : 1 + n_references], paths[1 + n_references :]


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ({"n_sentences": 2_001}, "at most 2,000 sentences, not 2,001"),
        ({"n_sentences": 2, "n_systems": 13}, "at most 12 systems, not 13"),
        ({"n_sentences": 2, "n_references": 6}, "at most 5 references of a sentence, not 6"),
        ({"n_sentences": 2, "text": "a" * 2_001}, "at most 2,000 characters in a text, not 2,001"),
        ({"n_sentences": 2_000, "text": "a" * 999}, "at most 4,000,000 bytes in all files"),
        ({"n_sentences": 40_001, "text": "a"}, "at most 40,000 lines in a file, not 40,001"),
    ],
)
def test_what_does_not_fit_comes_with_a_command(tmp_path, size, message):
    source, references, systems = corpus_of(tmp_path, **size)
    with pytest.raises(ValueError, match=message) as caught:
        count(source, references, systems, tokenizer="char")
    command = re.search("green report .*", str(caught.value))[0]
    assert f"<pre><code>{pages.escape(command)}</code></pre>" in pages.problem(caught.value)
    assert str(tmp_path) not in command


@pytest.mark.parametrize("kind", ["text", "m2", "m2 as source", "jsonl", "jsonl by content"])
@pytest.mark.parametrize(
    "options",
    [
        {"beta": 0.5, "paired": "bs"},
        {"metric": "bleu", "tokenizer": "char", "strip": True},
        {"max_order": 9, "effective_order": True},
    ],
)
def test_the_command_scores_the_files(tmp_path, monkeypatch, kind, options):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(scoring, "MOST_SENTENCES", 59)
    paths = [tmp_path / f"{name}.txt" for name in ("a system", "b=c", "d")]
    for path, texts in zip(paths, SYSTEMS.values(), strict=True):
        path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    source, references = EXAMPLES / "source.txt", [EXAMPLES / "reference0.txt"]
    if kind.startswith("m2"):
        source, references = None, [EXAMPLES / "references.m2"]
    elif kind.startswith("jsonl"):
        rows = zip(SOURCES, REFERENCES, strict=True)
        lines = [json.dumps({"source": s, "references": r}) for s, r in rows]
        references = [tmp_path / ("x.txt" if "content" in kind else "x.jsonl")]
        references[0].write_text("\n".join(lines), "utf-8")
        source = None
    if kind == "m2 as source":
        source, references = references[0], []
    for path in filter(None, (source, *references)):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(ValueError, match="at most 59 sentences") as caught:
        count(source, references, paths, **options)
    command = re.search("green report .*", str(caught.value))[0]
    assert main("green", "corpus", shlex.split(command)[1:]) == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    monkeypatch.setattr(scoring, "MOST_SENTENCES", 2_000)
    counted = count(source, references, paths, **options)
    found = analysis.analyse_scores(counted.statistics, counted.corpus, 0)
    score_cell = pages.sections.with_interval(found, found.order[0], 2)
    assert score_cell in page


def test_tables_are_bounded_too(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("source,reference,a\n" + "s,r,c\n" * 2_001)
    with pytest.raises(ValueError, match=r"at most 2,000 sentences.*save the columns of the table"):
        count(None, [path], [])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.m2", "S a\n\n" * 790_000, "at most 40,000 lines in a file"),
        ("x.csv", f"source,{'reference,' * 1_500}a\n", "each column needs a title of its own"),
        ("x.jsonl", '{"source": "a", "references": ["b"]}\n' * 100_000, "at most 40,000 lines"),
        ("x.txt", "\n" * 3_900_000, "at most 40,000 lines in a file"),
    ],
)
def test_what_would_take_long_to_parse_is_refused_at_once(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    began = time.monotonic()
    with pytest.raises(ValueError, match=message):
        count(None, [path], [] if name == "x.csv" else ["bold.txt"])
    assert time.monotonic() - began < 2


def test_as_much_as_the_limits_allow(tmp_path):
    files = corpus_of(tmp_path, 2_000, n_references=5, n_systems=12, text="a b c d " * 13)
    assert len(count(*files, max_order=10).corpus) == 2_000


def test_m2_cannot_unpack_to_more_than_it_has(tmp_path):
    """Each annotator makes a copy of the sentence."""
    edits = "".join(f"A 0 1|||R|||b|||REQUIRED|||-NONE-|||{n}\n" for n in range(30_000))
    path = tmp_path / "bomb.m2"
    path.write_text(f"S {'a ' * 200_000}\n{edits}", "utf-8")
    with pytest.raises(ValueError, match="at most 4,000 characters in a line"):
        count(references=[path])


def test_a_sentence_is_explained_as_by_score():
    source, correction = "He go home .", "He goes home ."
    for references in (
        ["He went home .", "He goes to home ."],
        " He went home .\n\nHe goes to home .\r\n",
    ):
        found, _ = scoring.explain(f" {source}", correction, references, "char", 3, 0.5, True)
        options = {"tokenizer": "char", "max_order": 3, "beta": 0.5, "effective_order": True}
        lists = [["He went home .", "He goes to home ."]]
        assert found.result["green"] == score([source], [correction], lists, **options)["green"]
    found, _ = scoring.explain("a", "b", "a\u2028b\nc", *SENTENCE)
    assert found.references == ["a\u2028b", "c"]  # as in files


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"references": " \n "}, "there is no reference"),
        ({"references": []}, "there is no reference"),
        ({"references": ["a", 3]}, r"references\[1\] must be a string, not 3"),
        ({"references": {"a": "b"}}, "references must be a list"),
        ({"references": ["a"] * 6}, "at most 5 references, not 6"),
        ({"source": "a" * 2001}, "at most 2,000 characters in a text, not 2,001"),
        ({"correction": None}, "correction must be a string, not None"),
    ],
)
def test_wrong_sentences(given, message):
    texts = {"source": "a", "correction": "b", "references": ["c"], **given}
    with pytest.raises((TypeError, ValueError), match=message):
        scoring.explain(*texts.values(), *SENTENCE)


def test_short_and_untokenised_texts_are_told_in_the_words_of_the_page():
    found, (warning,) = scoring.explain("He go", "He goes", "He goes", *SENTENCE)
    assert found.result["green"] == 0
    assert "“Leave out orders that are too long for the texts (GREEN)”" in warning
    *_, (warning,) = scoring.explain("It is so .", "It was so.", "It was so .", *SENTENCE)
    assert "“Tokenizer: words and punctuation (13a)”" in warning


def shown_sentences(counted, *pair):
    """The sentences of a list, with their effects."""
    markup = pages.sentences(counted, *pair)
    rows = re.findall(r"<summary><span>(\d+)</span><span>([^<]*)", markup)
    return [(int(number) - 1, float(effect.replace("\u2212", "-"))) for number, effect in rows]


def test_sentences_that_matter(counted):
    systems = {name: counted.corpus.systems[name] for name in ("careful.txt", "bold.txt")}
    table = differences(systems, SOURCES, REFERENCES, n=10)
    found = shown_sentences(counted, "careful.txt", "bold.txt")
    assert [number for number, _ in found] == table["sentence"].tolist()
    effects = [100 * value for value in table["contribution"]]
    assert [effect for _, effect in found] == pytest.approx(effects, abs=5.1e-5)
    table = worst_sentences({"bold.txt": SYSTEMS["bold"]}, SOURCES, REFERENCES, n=10)
    found = shown_sentences(counted, "bold.txt", "bold.txt")
    assert [number for number, _ in found] == table["sentence"].tolist()


def test_the_report_is_that_of_the_package(counted):
    found = analysis.analyse(counted.statistics, counted.corpus, 1)
    expected = report(counted.corpus.systems, SOURCES, REFERENCES, baseline="careful.txt")
    without_settings = re.compile("<dl.*?</dl>")
    shown = page.page([found], [], files={})
    assert without_settings.sub("", shown) == without_settings.sub("", expected)


def test_the_limits_are_on_the_page_and_in_the_documentation():
    for text in (
        controls.LIMITS.replace("\n", " "),
        (ROOT / "docs" / "space.md").read_text("utf-8"),
    ):
        for limit in (
            f"{scoring.MOST_CHARACTERS:,} characters",
            f"{scoring.MOST_REFERENCES} references",
            f"{scoring.MOST_ORDER} tokens",
            f"{scoring.MOST_MEGABYTES} MB",
            f"{scoring.MOST_SENTENCES:,} sentences",
            f"{scoring.MOST_SYSTEMS} systems",
            f"{scoring.N_RESAMPLES:,} resamples",
            f"{scoring.SECONDS_KEPT // 60} minutes",
        ):
            assert limit in text
