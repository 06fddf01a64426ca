"""What visitors of the Space send is read as they mean it, and counted once."""

import json
import pickle
import re
import subprocess
import sys
import urllib.parse

import pytest
from shared import EXAMPLES, SYSTEMS

from green_gec import differences, multiset, report, score, worst_sentences
from green_gec.corpus import read_m2
from green_gec.inputs import Corpus
from green_gec.reporting import analysis
from green_gec.significance import no_progress
from green_gec.space import answers, visitors


@pytest.mark.parametrize(
    "text",
    [
        'a b\tc d\t["e", "f"]\n\n g \th\ti\n',
        'a b\tc d\t"[""e"", ""f""]"\r\n g \th\ti',
        'sources\tpredictions\treferences\na b\tc d\t["e", "f"]\n g \th\ti\n',
        'references,sources,predictions\n"[""e"", ""f""]",a b,c d\ni, g ,h\n',
        'Reference\t source\tPREDICTION\n["e", "f"]\ta b\tc d\ni\t g \th\n',
        'id,hyp,src,ref\n1,c d,a b,"[""e"", ""f""]"\n2,h, g ,i\n',
        '"source","correction","references (JSON)"\n"a b","c d","[""e"", ""f""]"\n" g ",h,i\n',
        'Source\tSystem\tReference\na b\tc d\t["e", "f"]\n g \th\ti\n',
        '"source"\t"prediction"\t"reference"\na b\tc d\t["e", "f"]\n g \th\ti\n',
        '"source"\t"prediction"\t"reference"\n"a b"\t"c d"\t"[""e"", ""f""]"\n" g "\t"h"\t"i"\n',
        '\ufeffsource\tprediction\treference\na b\tc d\t["e", "f"]\n g \th\ti\n',
        'source\u00a0\tprediction\treference\u3000\na b\tc d\t["e", "f"]\n g \th\ti\n',
        '"source"\tprediction\treference\na b\tc d\t["e", "f"]\n g \th\ti\n',
        '\ufeff"source","prediction","reference 1"\na b,c d,"[""e"", ""f""]"\n g ,h,i\n',
        '\ufeffa b\tc d\t["e", "f"]\n g \th\ti\n',
    ],
)
def test_pasted_rows(text):
    assert visitors.read_rows(text) == [["a b", "c d", '["e", "f"]'], [" g ", "h", "i"]]


@pytest.mark.parametrize(
    "names",
    [
        ("reference", "reference"),
        ("Reference 1", "Reference 2"),
        ("reference1", "ref_2"),
        ('"References 0"', '"References 1"'),
    ],
)
def test_several_columns_of_references(names):
    header = "source\t{}\tprediction\t{}".format(*names)
    text = f'{header}\na\tb\tc\td\ne\t\tf\t["g", "h"]\ni\t\tj\t\n'
    expected = [["a", "c", '["b", "d"]'], ["e", "f", '["g", "h"]'], ["i", "j", ""]]
    assert visitors.read_rows(text) == expected


def test_line_breaks_in_csv_are_whitespace():
    assert visitors.read_rows('source,prediction,reference\n"a\nb",c,d') == [["a\nb", "c", "d"]]


def test_pasted_quotes_are_quotes():
    """Tokenised text is full of them; only a spreadsheet's doubled ones mean something else."""
    many = '"' + '""' * 100_000 + "x"  # to be read in no time
    rows = [['" I agree , " he said .', '"Hello"', '""'], ['" e f', many, '"""']]
    for some in (rows, rows[::-1]):
        assert visitors.read_rows("\n".join("\t".join(row) for row in some)) == some


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb", "row 1 has 2 columns, but there are 3: sources, predictions, references"),
        ("a\tb\tc\nd\te\tf\tg", "row 2 has 4 columns"),
        ("He left , she stayed , all well .", "row 1 has 1 columns"),
        ("a\tb\tc\n" * 1001, "at most 1,000 rows, not 1,001"),
        ('sources,predictions,references\na,b,"c', "this is not CSV"),
        ("Source text\tCorrection\tReference\na\tb\tc", "no column is called source: Source text"),
        ("source\tfixed\treference\na\tb\tc", "no column is called prediction"),
        ("source,prediction\na,b", "no column is called references"),
        ("source\tsrc\tprediction\treference\na\tb\tc\td", "several columns could be the sources"),
    ],
)
def test_rows_that_cannot_be_pasted(text, message):
    with pytest.raises(ValueError, match=message):
        visitors.read_rows(text)


def test_scores_of_rows():
    rows = [
        ["She go home .", "She goes home .", '["She goes home .", "She went home ."]'],
        ["", None, float("nan")],
        ["Hello !", "Hello !", "Hello !"],
    ]
    of_all, of_each, warnings = visitors.score_rows(visitors.COLUMNS, rows)
    other_order = [[row[2], row[0], row[1]] for row in rows]
    names = ["Reference", "source", "prediction"]
    assert visitors.score_rows(names, other_order) == (of_all, of_each, warnings)
    texts = (["She go home .", "Hello !"], ["She goes home .", "Hello !"])
    references = [["She goes home .", "She went home ."], ["Hello !"]]
    assert of_all == score(*texts, references)
    assert of_each == {
        "row": [1, 3],
        **{name: [1.0, 1.0] for name in ("green", "precision", "recall")},
        **dict(zip(("source", "prediction"), texts, strict=True)),
        "references": references,
    }
    assert warnings == []


def test_options_of_rows():
    rows = [["She go home .", "She goes home .", "She went home ."]] * 2
    options = {"tokenizer": "char", "max_order": 3, "beta": 0.5}
    of_all, *_ = visitors.score_rows(visitors.COLUMNS, rows, **options)
    assert of_all == score(*zip(*rows, strict=True), **options)


def test_rows_that_are_not_tokenised():
    rows = [["He go home today .", "He goes home today.", "He goes home today ."]]
    of_all, _, (warning,) = visitors.score_rows(visitors.COLUMNS, rows)
    assert of_all["green"] < 1
    assert "“Tokens: words and punctuation (13a)”" in warning
    of_all, _, warnings = visitors.score_rows(visitors.COLUMNS, rows, "13a")
    assert of_all["green"] == 1
    assert warnings == []


def test_a_sentence_that_is_short():
    _, (warning,) = visitors.explain("He go", "He goes", "He goes", "word", None)
    assert warning == (
        "1 of 1 sentences have fewer than 4 tokens, like 'He go', and even a perfect correction of "
        "them scores 0, as published; “Leave out orders that are too long for the texts (GREEN)” "
        "scores them by shorter n-grams only"
    )


def test_rows_that_are_short():
    rows = [["He go", "He goes", "He goes"]]
    of_all, of_each, (warning,) = visitors.score_rows(visitors.COLUMNS, rows)
    assert of_all["green"] == 0
    assert of_each["green"] == [1]
    assert "“Leave out orders that are too long for the texts (GREEN)”" in warning
    of_all, _, warnings = visitors.score_rows(visitors.COLUMNS, rows, effective_order=True)
    assert of_all["green"] == 1
    assert warnings == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["", None, ""]], "there are no rows"),
        ([["", "", ""], ["a", "b", '["c"']], "row 2: the references are not a JSON list"),
        ([["a", "b", "c"], ["a", "b", " "]], "row 2 has no reference; write one, or a JSON list"),
        ([["a", "b", None]], "row 1 has no reference"),
        ([["a", "b", "[" * 4_000]], "row 1: the references are not a JSON list"),
        ([["a", "b", "[]"]], "row 1: the references must be a JSON list of one or more texts"),
        ([["a", "b", '["c", 1]']], "row 1: the references must be a JSON list"),
        ([["a", "b", '["c"' + ', "c"' * 20 + "]"]], "at most 20 references of a row, not 21"),
        ([["a" * 5_001, "b", "c"]], "a cell can have at most 5,000 characters, not 5,001"),
        ([["a", "b", "c"]] * 1_001, "at most 1,000 rows"),
    ],
)
def test_rows_that_cannot_be_scored(rows, message):
    with pytest.raises(ValueError, match=message):
        visitors.score_rows(visitors.COLUMNS, rows)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["a", "b"], "the columns must be sources, predictions, references, not a, b"),
        (["sources", "predictions", "texts"], "no column is called references"),
    ],
)
def test_tables_of_other_columns(columns, message):
    with pytest.raises(ValueError, match=message):
        visitors.score_rows(columns, [["x"] * len(columns)])


@pytest.mark.parametrize(
    ("n_files", "message"),
    [(20, "at most 20 files with references, not 21"), (19, "20 references of a sentence, not 21")],
)
def test_too_many_references(count, n_files, message):
    with pytest.raises(ValueError, match=message):
        count(references=["references.m2"] + ["reference0.txt"] * n_files)


def test_too_large_a_file(count, tmp_path):
    path = tmp_path / "large.txt"
    path.write_text("a" * 5_000_001)
    with pytest.raises(ValueError, match=r"^large\.txt is larger than 5 MB"):
        count(path, ["reference0.txt"])


def test_references_are_split_at_ends_of_lines_only():
    found, _ = visitors.explain("a", "b", "a\u2028b\r\nc\rd\n", "word", 0)
    assert found.references == ["a\u2028b", "c", "d"]


@pytest.mark.parametrize("tokenizer", ["zh", "ja-mecab", "ko-mecab"])
def test_tokenizers_of_sacrebleu_are_there_if_they_are_installed(tokenizer):
    texts = (
        "私は昨日学校に行くました。",
        "私は昨日学校に行きました。",
        ["私は昨日学校へ行きました。"],
    )
    found, _ = visitors.explain(*texts, tokenizer, 2)
    expected = score([texts[0]], [texts[1]], [texts[2]], tokenizer=tokenizer, max_order=2)
    assert found.result["green"] == expected["green"]


def test_the_space_does_not_need_sacrebleu():
    code = (
        "import sys; sys.modules['sacrebleu'] = None; "
        "from green_gec.space import visitors; print(*visitors.TOKENS)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["word", "char", "13a", "intl"]


def test_the_space_does_not_need_matplotlib():
    code = "import sys; sys.modules['matplotlib'] = None; from green_gec.space import warm"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_m2_is_known_by_its_content(compare, tmp_path):
    path = tmp_path / "edits.txt"
    path.write_bytes((EXAMPLES / "references.m2").read_bytes())
    assert compare(references=[path]).columns["green"] == compare().columns["green"]
    with pytest.raises(ValueError, match=r"^edits.txt is M2: upload it as references"):
        compare(source=path)


def test_a_system_may_have_the_name_of_the_source(count, tmp_path):
    path = tmp_path / visitors.SOURCE
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    counted = count(systems=[path])
    assert counted.find("ar").names == [visitors.SOURCE]
    assert counted.names == [visitors.SOURCE, f"{visitors.SOURCE} (2)"]


def test_json_lines(compare, tmp_path):
    """With the source and the references, and with corrections, too, which files add to."""
    sources, references = read_m2(EXAMPLES / "references.m2")
    texts = [sources, references, *(SYSTEMS[name] for name in ("bold", "careful"))]
    rows = [*zip(*texts, strict=True)]
    without = [json.dumps({"src": s, "refs": r}) for s, r, *_ in rows]
    within = [
        json.dumps({"source": s, "references": r, "predictions": {"bold": b, "<b>": c}})
        for s, r, b, c in rows
    ]
    expected = compare(systems=["bold.txt", "careful.txt"])
    for lines, systems, names in (
        (without, ["bold.txt", "careful.txt"], ["bold.txt", "careful.txt"]),
        (within, [], ["bold", "<b>"]),
        (within, ["bold.txt"], ["bold", "<b>", "bold.txt"]),
    ):
        path = tmp_path / "corpus.jsonl"
        path.write_text("\n".join(lines), "utf-8")
        found = compare(references=[path], systems=systems)
        assert found.names == names
        assert found.columns["green"][:2] == expected.columns["green"]
    with pytest.raises(ValueError, match=r"^corpus.jsonl is JSON Lines: upload it as references"):
        compare(source=path)
    path.write_text("\n".join(without), "utf-8")
    with pytest.raises(ValueError, match=r"^corpus.jsonl has no predictions; its fields are src"):
        compare(references=[path], systems=[])


def test_too_many_systems(count, tmp_path):
    path = tmp_path / "corpus.jsonl"
    row = {"source": "a", "references": ["a"], "predictions": ["a"] * 21}
    path.write_text(json.dumps(row))
    with pytest.raises(ValueError, match="at most 20 systems, not 21"):
        count(references=[path], systems=[])


def test_curves_are_the_scores_of_every_beta(counted, scored):
    texts = counted.texts
    for beta, values in zip(analysis.BETAS, scored.by_beta.values, strict=True):
        corrections = [texts.systems[name] for name in scored.names]
        for corrected, value in zip(corrections, values, strict=True):
            alone = score(texts.sources, corrected, texts.references, beta=beta)
            assert value == pytest.approx(alone["green"], abs=1e-12)


def test_only_green_has_curves(compare):
    assert compare(metric="gleu").by_beta is None


def test_a_sentence_and_its_address():
    given = {"source": "a & b", "correction": "<c>", "references": "d\ne", "tokenizer": "char"}
    options = {"max_order": 3, "beta": 0.5, "effective_order": True, "order": 2}
    for some in ({}, options):
        address = visitors.link(given | some)
        query = dict(urllib.parse.parse_qsl(address[1:]))
        assert visitors.linked(query) == given | some
    defaults = {"tokenizer": "word", "max_order": 0, "beta": 2, "effective_order": False}
    assert visitors.link({"source": "a", **defaults, "order": 1}) == "?source=a"


@pytest.mark.parametrize(
    "query",
    [
        {"tokenizer": "<b>"},
        {"max_order": "11"},
        {"max_order": "<b>"},
        {"beta": "much"},
        {"beta": "nan"},
        {"order": "0"},
        {"effective_order": "perhaps"},
        {"other": "x"},
    ],
)
def test_addresses_with_unknown_options(query):
    texts = {"source": "a", "correction": "b", "references": "c"}
    assert visitors.linked(texts | query) == texts
    for missing in texts:
        some = texts | query
        del some[missing]
        assert visitors.linked(some) == {}


@pytest.fixture
def calls(monkeypatch):
    """What is converted to Arrow and counted from here on: columns, sentences and systems."""
    converted, counted = [], []
    make_block, count = Corpus.block, multiset.count

    def watched_block(corpus, *bounds):
        converted.append(corpus.names)
        return make_block(corpus, *bounds)

    def watched_count(block, *given):
        counted.append((len(block), block.n_systems))
        return count(block, *given)

    monkeypatch.setattr(Corpus, "block", watched_block)
    monkeypatch.setattr(multiset, "count", watched_count)
    return converted, counted


def test_an_upload_is_counted_once(calls, tmp_path):
    """For tables, tests, curves and sentences, and for another test of the same files.

    The two references stand in for systems when it is asked what a sentence costs.
    """
    files = {"source": None, "references": [str(EXAMPLES / "references.m2")]}
    files |= {"systems": [str(EXAMPLES / name) for name in ("bold.txt", "careful.txt")]}
    options = {"metric": "green", "tokenizer": "word", "max_order": 0, "beta": 2, "strip": False}
    given = {**files, **options, "progress": no_progress}
    path = str(tmp_path / "kept")
    shown = answers.systems(path, "ar", None, **given)
    assert answers.choices(path, "bold.txt", visitors.SOURCE)
    other = answers.systems(path, "bs", None, **given)
    assert "paired bootstrap" in other[0]
    assert other[1:] == shown[1:]
    other = answers.systems(path, "ar", "careful.txt", **given)
    assert "the baseline, careful.txt" in other[0]
    assert '"baseline": "careful.txt"' in answers.scores(path, "ar", "careful.txt", **given)
    converted, counted = calls
    assert sum("references" in names and len(names) == 5 for names in converted) == 1
    assert counted.count((60, 3)) == 1
    assert set(counted) == {(60, 3), (60, 2)}


def test_sentences_that_make_the_difference(counted):
    assert counted.names == ["bold.txt", "careful.txt", visitors.SOURCE]
    found = counted.differences("careful.txt", visitors.SOURCE, 10)
    texts = counted.texts
    systems = {name: texts.systems[name] for name in ("careful.txt", visitors.SOURCE)}
    expected = differences(systems, texts.sources, texts.references, n=10)
    assert found == {name: expected[name].tolist() for name in expected}
    for index, one in zip(found["sentence"], found["green_careful.txt"], strict=True):
        assert counted.explain("careful.txt", index).result["green"] == one
    assert counted.differences("bold.txt", "bold.txt", 10)["sentence"] == []


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu"])
def test_sentences_that_cost_most(count, metric):
    counted = count(systems=("bold.txt", "careful.txt"), metric=metric)
    texts = counted.texts
    found = counted.worst("careful.txt", 10)
    systems = {"careful.txt": texts.systems["careful.txt"]}
    sources = texts.sources if metric != "bleu" else None
    expected = worst_sentences(systems, sources, texts.references, metric, n=10)
    assert {name: found[name] for name in expected} == {
        name: expected[name].tolist() for name in expected
    }
    assert found["source"] == [texts.sources[index] for index in found["sentence"]]


def test_one_system_has_its_worst_sentences(count, tmp_path):
    path = tmp_path / "kept"
    path.write_bytes(pickle.dumps(count()))
    *_, pair, choices = answers.systems(path, "ar", None, progress=no_progress)
    assert pair == ["bold.txt", answers.WORST]
    assert choices == answers.choices(path, *pair)
    assert choices[0][0].startswith("41: 0.8649  On the one hand")
    shown = answers.explained(path, *pair, choices[0][1])
    assert re.findall("<h4>(.*?)</h4>", shown) == ["bold.txt"]


def test_the_report_is_that_of_the_package(counted):
    texts = counted.texts
    systems = {name: texts.systems[name] for name in counted.names[:-1]}
    expected = report(systems, texts.sources, texts.references, baseline="careful.txt")
    found = counted.report("ar", "careful.txt")
    assert re.sub(r"<dl.*?</dl>", "", found) == re.sub(r"<dl.*?</dl>", "", expected)


@pytest.mark.parametrize(
    ("options", "n_texts"),
    [
        ({}, 0),
        ({"tokenizer": "char"}, 60),
        ({"tokenizer": "char", "metric": "bleu"}, 60),
        ({"tokenizer": "char", "strip": True}, 0),
    ],
)
@pytest.mark.parametrize("spaced", ["source", "system"])
def test_whitespace_that_counts_is_told_once(count, tmp_path, spaced, options, n_texts):
    """The source is one of the systems as well."""
    name = {"source": "source.txt", "system": "bold.txt"}[spaced]
    path = tmp_path / name
    lines = (EXAMPLES / name).read_text("utf-8").splitlines()
    path.write_text("\n".join(f"{line} " for line in lines), "utf-8")
    files = {"source": "source.txt", "system": "bold.txt", spaced: path}
    counted = count(
        files["source"], ["reference0.txt", "reference1.txt"], [files["system"]], **options
    )
    if spaced == "source" and "metric" not in options:
        n_texts *= 2  # as the source and as a system
    assert len(counted.warnings) == bool(n_texts)
    assert all(told.startswith(f"{n_texts} texts begin or e") for told in counted.warnings)
