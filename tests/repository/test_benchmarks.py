"""The benchmarks run, on few sentences and once; how long they take is not tested."""

import os
import re
import subprocess
import sys

import pytest
from shared import ROOT

SCRIPT = ROOT / "benchmarks" / "speed.py"
PEER = """
def prepare(sources, predictions, references):
    assert len(sources) == len(predictions) == len(references)
    return {"BLEU": {"a peer": lambda: print("not part of the table")}}
"""


def run(*arguments, script=SCRIPT, peers=("bleuscore", "gleu")):
    for peer in peers:
        pytest.importorskip(peer)
    environment = {name: value for name, value in os.environ.items() if name != "GREEN_DATA_DIR"}
    command = [sys.executable, str(script), "--rounds", "1", "--sentences", "5", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def rows(ran):
    """The cells of all rows."""
    assert ran.returncode == 0, ran.stderr
    return [re.split(r" *\| *", line)[1:-1] for line in ran.stdout.splitlines() if line[:1] == "|"]


def test_against_another_clone():
    tables = "corpus one-sentence metric reward systems worst resamples threads"
    ran = run("--against", str(ROOT), "--only", *tables.split())
    compared = {cells[0]: cells for cells in rows(ran) if len(cells) == 5}
    for name in (
        *("GREEN, words", "GREEN, characters", "GLEU, 500 iterations", "BLEU"),
        *("one sentence", "the corpus", "64 completions", "two systems, words"),
        *("texts that share nothing, words", "unrelated texts, characters"),
        *("a document of 60,000 words, words", "20 sentences with 100 references, characters"),
        *("12,000 Chinese characters in one text, characters", "12 systems, words"),
        *("GREEN, 12 systems", "GLEU, 500 iterations, 12 systems"),
    ):
        assert name in compared
    assert sum(cells[-1] == "yes" for cells in rows(ran)) == 30
    assert "NO" not in ran.stdout
    threads = [cells[:2] for cells in rows(ran) if cells[1] in ("before", "now")]
    assert threads == [
        [f"GREEN, {tokens}", clone]
        for tokens in ("words", "characters")
        for clone in ("before", "now")
    ]
    assert re.search(r"^NumPy \S+ sorts with: ", ran.stdout, flags=re.M)


def test_peers(tmp_path):
    path = tmp_path / "peer.py"
    path.write_text(PEER)
    ran = run("--only", "peers", "--peer", str(path))
    found = {tuple(cells[:2]) for cells in rows(ran)}
    words, characters = "GREEN, words", "GREEN, characters"
    assert {(words, "`score`"), (words, "sacreBLEU, BLEU"), (words, "bleuscore")} <= found
    assert {(words, "oracle"), (characters, "sacreBLEU, chrF"), (characters, "oracle")} <= found
    assert {("GLEU, 500 iterations", "gleu, fixed seeds"), ("BLEU", "a peer")} <= found
    assert "not part of the table" not in ran.stdout


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (None, r"there is no Python file .*peer\.py"),
        ("x = 1", r"peer\.py has no function prepare\(sources, predictions, references\)"),
        (
            "def prepare(**texts): return {'blue': {}}",
            r"peer\.py names a group 'blue'; choose from",
        ),
    ],
)
def test_files_that_are_no_peers(code, message, tmp_path):
    path = tmp_path / "peer.py"
    if code:
        path.write_text(code)
    ran = run("--only", "peers", "--peer", str(path))
    assert ran.returncode == 1
    assert re.search(message, ran.stderr)
    assert not ran.stdout


def test_scores_of_edits():
    ran = run(script=SCRIPT.parent / "edits.py", peers=["errant"])
    found = [cells[0] for cells in rows(ran)]
    assert {"careful 0", "all 12 systems", "`compare`", "`errant_compare`"} <= set(found)
    assert "120 words, ten repeated clauses, one of them deleted" in found


def test_texts():
    """The texts that are hard to score are what their names say."""
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        import texts
    finally:
        sys.path.pop(0)
    corpus = dict(zip(texts.COLUMNS, texts.load(9)[1:], strict=True))
    cases = texts.worst_cases(corpus)
    assert texts.worst_cases(corpus) == cases

    def first(name):
        case = cases[name]
        return [case["sources"][0], case["predictions"][0], *case["references"][0]]

    for unit, split in {"words": str.split, "characters": list}.items():
        tokens = [set(split(text)) for text in first(f"texts that share nothing, {unit}")]
        assert len(set.union(*tokens)) == sum(map(len, tokens)) > 20
    assert {len(text.split()) for text in first("a document of 60,000 words, words")} == {60_000}
    assert len(first("20 sentences with 100 references, words")) == 102
    chinese = "12,000 Chinese characters in"
    assert len(set(first(f"{chinese} one text, characters")[0])) == 12_000
    assert len(set("".join(cases[f"{chinese} 300 sentences, characters"]["sources"]))) == 12_000
    assert len(texts.load_systems(9)) == 12
