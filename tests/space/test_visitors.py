"""What visitors of the Space send is read as they mean it, and counted once."""

import subprocess
import sys

import numpy as np
import pytest
from shared import EXAMPLES

from green_gec import inputs, multiset, score
from green_gec.space import visitors


@pytest.mark.parametrize(
    "text",
    [
        'a b\tc d\t["e", "f"]\n\n g \th\ti\n',
        'a b\tc d\t"[""e"", ""f""]"\r\n g \th\ti',
        'sources\tpredictions\treferences\na b\tc d\t["e", "f"]\n g \th\ti\n',
        'references,sources,predictions\n"[""e"", ""f""]",a b,c d\ni, g ,h\n',
    ],
)
def test_pasted_rows(text):
    assert visitors.read_rows(text) == [["a b", "c d", '["e", "f"]'], [" g ", "h", "i"]]


def test_pasted_quotes_are_quotes():
    """Tokenised text is full of them; only a spreadsheet's doubled ones mean something else."""
    many = '"' + '""' * 100_000 + "x"  # to be read in no time
    rows = [['" I agree , " he said .', '"Hello"', '""'], ['" e f', many, '"""']]
    assert visitors.read_rows("\n".join("\t".join(row) for row in rows)) == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb", "row 1 has 2 columns, but there are 3: sources, predictions, references"),
        ("a\tb\tc\nd\te\tf\tg", "row 2 has 4 columns"),
        ("He left , she stayed , all well .", "row 1 has 1 columns"),
        ("a\tb\tc\n" * 1001, "at most 1,000 rows, not 1,001"),
        ('sources,predictions,references\na,b,"c', "this is not CSV"),
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
    names = ["references", "sources", "predictions"]
    assert visitors.score_rows(names, other_order) == (of_all, of_each, warnings)
    texts = (["She go home .", "Hello !"], ["She goes home .", "Hello !"])
    references = [["She goes home .", "She went home ."], ["Hello !"]]
    assert of_all == score(*texts, references)
    assert of_each == {1: [1.0, 1.0, 1.0], 3: [1.0, 1.0, 1.0]}
    assert warnings == []


def test_rows_that_are_not_tokenised():
    rows = [["He go home today .", "He goes home today.", "He goes home today ."]]
    of_all, _, (warning,) = visitors.score_rows(visitors.COLUMNS, rows)
    assert of_all["green"] < 1
    assert "“Tokens: words and punctuation (13a)”" in warning
    of_all, _, warnings = visitors.score_rows(visitors.COLUMNS, rows, "13a")
    assert of_all["green"] == 1
    assert warnings == []


def test_rows_that_are_short():
    rows = [["He go", "He goes", "He goes"]]
    of_all, of_each, (warning,) = visitors.score_rows(visitors.COLUMNS, rows)
    assert of_all["green"] == 0
    assert of_each[1][0] == 1
    assert "“Leave out orders that are too long for the texts (GREEN)”" in warning
    of_all, _, warnings = visitors.score_rows(visitors.COLUMNS, rows, effective_order=True)
    assert of_all["green"] == 1
    assert warnings == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["", None, ""]], "there are no rows"),
        ([["", "", ""], ["a", "b", '["c"']], "row 2: the references are not a JSON list"),
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


@pytest.mark.parametrize("columns", [["a", "b"], ["sources", "predictions", "reference"]])
def test_tables_of_other_columns(columns):
    with pytest.raises(
        ValueError, match="the columns must be sources, predictions, references, not"
    ):
        visitors.score_rows(columns, [["x"] * len(columns)])


@pytest.mark.parametrize(
    ("n_files", "message"),
    [(20, "at most 20 files with references, not 21"), (19, "20 references of a sentence, not 21")],
)
def test_too_many_references(compare, n_files, message):
    with pytest.raises(ValueError, match=message):
        compare(references=["references.m2"] + ["reference0.txt"] * n_files)


def test_too_large_a_file(compare, tmp_path):
    path = tmp_path / "large.txt"
    path.write_text("a" * 5_000_001)
    with pytest.raises(ValueError, match=r"^large\.txt is larger than 5 MB"):
        compare(path, ["reference0.txt"])


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


def test_m2_is_known_by_its_content(compare, tmp_path):
    path = tmp_path / "edits.txt"
    path.write_bytes((EXAMPLES / "references.m2").read_bytes())
    assert compare(references=[path]).columns["green"] == compare().columns["green"]
    with pytest.raises(ValueError, match=r"^edits.txt is an M2 file: upload it as references"):
        compare(source=path)


def test_a_system_may_have_the_name_of_the_source(compare, tmp_path):
    path = tmp_path / visitors.SOURCE
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    scored = compare(systems=[path])
    assert scored.names == [visitors.SOURCE]
    assert scored.sentences.names == [visitors.SOURCE, f"{visitors.SOURCE} (2)"]


def test_curves_are_the_scores_of_every_beta(scored):
    texts = scored.texts
    for beta, values in zip(visitors.BETAS, scored.beta_curves, strict=True):
        for (_, corrected), value in zip(texts.systems[:-1], values, strict=True):
            alone = score(texts.sources, corrected, texts.references, beta=beta)
            assert value == pytest.approx(alone["green"], abs=1e-12)


def test_only_green_has_curves(compare):
    assert compare(metric="gleu").beta_curves is None


@pytest.fixture
def calls(monkeypatch):
    """What is converted to Arrow and counted from here on: columns, sentences and systems."""
    converted, counted = [], []
    block, count = inputs.block, multiset.count

    def watched_block(named, *given):
        converted.append([name for name, _ in named])
        return block(named, *given)

    def watched_count(texts, n_references, n_systems, *given):
        counted.append((len(n_references), n_systems))
        return count(texts, n_references, n_systems, *given)

    monkeypatch.setattr(inputs, "block", watched_block)
    monkeypatch.setattr(multiset, "count", watched_count)
    return converted, counted


def test_an_upload_is_counted_once(compare, calls):
    """For the table, its intervals and tests, the curves and the scores of sentences."""
    scored = compare(systems=["bold.txt", "careful.txt"])
    assert scored.report
    assert scored.sentences.most_different("bold.txt", visitors.SOURCE, 10)
    converted, counted = calls
    assert len(converted) == 1
    assert counted == [(60, 3)]


def test_the_most_different_sentences(scored):
    sentences = scored.sentences
    assert sentences.names == ["bold.txt", "careful.txt", visitors.SOURCE]
    found = sentences.most_different("careful.txt", visitors.SOURCE, 10)
    sizes = [abs(one - other) for _, one, other in found]
    assert sizes == sorted(sizes, reverse=True)
    values = sentences.values[1:]
    assert sizes[0] == np.abs(values[0] - values[1]).max()
    for index, one, _ in found:
        assert sentences.explain("careful.txt", index).result["green"] == one
    assert sentences.most_different("bold.txt", "bold.txt", 10) == []


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
def test_whitespace_that_counts_is_told_once(compare, tmp_path, spaced, options, n_texts):
    """Also of the source, which is one of the systems as well."""
    name = {"source": "source.txt", "system": "bold.txt"}[spaced]
    path = tmp_path / name
    lines = (EXAMPLES / name).read_text("utf-8").splitlines()
    path.write_text("\n".join(f"{line} " for line in lines), "utf-8")
    files = {"source": "source.txt", "system": "bold.txt", spaced: path}
    scored = compare(
        files["source"], ["reference0.txt", "reference1.txt"], [files["system"]], **options
    )
    assert len(scored.warnings) == bool(n_texts)
    assert all(told.startswith("60 texts begin or end with whi") for told in scored.warnings)
