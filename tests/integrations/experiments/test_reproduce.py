"""The command that reproduces the papers, on small corpora and on the public ones."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from shared import ROOT
from small_corpora import CONLL_SYSTEMS, EXPECTED_WINS, write

from experiments import corpora, report, reproduce, timing
from green_gec.corpus import read_lines


@pytest.fixture(scope="module")
def small_run(small_data, tmp_path_factory):
    """The command's exit status and output folder, with another metric's scores."""
    folder = tmp_path_factory.mktemp("out")
    lines = ["metric,corpus,level,system,score"]
    lines += [f"Mine,conll14,corpus,{name},{n}" for n, name in enumerate(CONLL_SYSTEMS)]
    lines += ["Mine,conll14,corpus,NULL,0.5", ""]
    lines += [f"Mine,seeda,mean,{name},{n}" for n, name in enumerate(corpora.SEEDA_SYSTEMS)]
    path = write(folder / "mine.csv", lines)
    out = folder / "new" / "out"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(timing, "N_RUNS", 1)
        status = reproduce.main(
            ["--data", str(small_data), "--out", str(out), "--scores", str(path)]
        )
    return status, folder / "new" / "out"


def run(capsys, *arguments):
    """Run the command; return its exit status, output and error messages."""
    try:
        status = reproduce.main([str(argument) for argument in arguments])
    except SystemExit as exit_:
        status = exit_.code
    output = capsys.readouterr()
    return status, output.out, output.err


def test_cells_that_do_not_agree_are_an_error(small_run):
    status, folder = small_run
    text = (folder / "RESULTS.md").read_text("utf-8")
    assert status == 1
    assert "cells should agree with the papers and do not" in text
    assert "- Wrong: Table 4, wordGREEN, INPUT: printed 76.93, here 56.39." in text


def test_the_report_has_all_sections_and_figures(small_run):
    _, folder = small_run
    text = (folder / "RESULTS.md").read_text("utf-8")
    headings = re.findall(r"^#+ .*", report.TEMPLATE.read_text("utf-8"), flags=re.M)
    assert re.findall(r"^#+ .*", text, flags=re.M) == headings
    assert "{" not in text
    shown = re.findall(r"!\[.+?\]\((.*?)\)", text)
    assert len(shown) == 10
    for name in shown:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (folder / name).with_suffix(".svg").read_text("utf-8")


def test_another_metric_has_rows_in_the_tables(small_run):
    _, folder = small_run
    text = (folder / "RESULTS.md").read_text("utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| Mine ")]
    cells = [[cell.strip(" *") for cell in row[1:-1]] for row in rows]
    r = f"{np.corrcoef(range(4), EXPECTED_WINS)[0, 1]:.3f}"
    assert cells[0] == ["Mine", "your file", r, "-1.000", "–", "–", "–", "–"]
    assert cells[1][:6] == ["Mine", "your file", "–", "–", "1.000", "1.000"]
    assert cells[2] == ["Mine", "your file", "0.00", "2.00", "3.00", "0.50"]
    assert cells[3] == ["Mine", r, "-1.000", *["–"] * 8]


def test_names_cannot_break_a_table():
    assert r"| a\|b " in report.markdown(["metric"], [["a|b"]])


def test_seeda_alone(capsys, data, tmp_path):
    (data / "conll14" / "judgments.xml").unlink()
    for name in corpora.GMEG:
        (data / name / "dev" / "source").unlink()
    status, _, _ = run(capsys, "--data", data, "--out", tmp_path / "out")
    text = (tmp_path / "out" / "RESULTS.md").read_text("utf-8")
    assert status == 1
    assert "## Fluency (Figure 7)" in text
    for heading in ("Two cells", "Time", "whitespace", "one reference", "Figures 4", "Wiki"):
        assert heading not in "".join(re.findall(r"^#.*", text, flags=re.M))
    rows = [
        line.split("|")
        for line in text.splitlines()
        if re.match(r"\| (PT-M²|charGREEN +\| here)", line)
    ]
    # The best printed figure is not bold, because ours are missing.
    assert [row[3].strip() for row in rows[:2]] == ["0.686", "–"]


def test_a_missing_corpus_is_left_out(capsys, data, tmp_path):
    (data / "conll14" / "judgments.xml").unlink()
    (data / "seeda" / "systems" / "T5.txt").unlink()
    (data / "gmeg-wiki" / "test" / "ref2").unlink()
    status, out, err = run(capsys, "--data", data, "--out", tmp_path / "out")
    text = (tmp_path / "out" / "RESULTS.md").read_text("utf-8")
    assert status == 1  # because the small corpus is not FCE
    for shown in (text, out):
        assert "Left out: conll14: " in shown
        assert "judgments.xml is missing; get the CoNLL-2014 test set" in shown
        assert "T5.txt is missing; get SEEDA from https://github.com/tmu-nlp/SEEDA" in shown
    assert "left out conll14" in err
    assert "## The first paper: CoNLL, FCE and Wiki" in text
    assert "## How much recall should count" in text
    assert "(Table 4)" not in text
    assert {path.name for path in (tmp_path / "out" / "figures").iterdir()} == {
        *("beta.png", "beta.svg", "best_beta.png", "best_beta.svg")
    }


def test_no_corpus_at_all(capsys, tmp_path):
    status, out, err = run(capsys, "--data", tmp_path, "--out", tmp_path / "out")
    assert status == 2
    assert out == ""
    assert "error: no complete corpus in" in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("file", "lines", "message"),
    [
        ("conll14/systems/AMU", 59, "AMU:60: expected 60 lines, found 59"),
        ("conll14/systems/IPN", 61, "IPN:61: expected 60 lines, found 61"),
        ("conll14/reference1.txt", 3, "reference1.txt:4: expected 60 lines, found 3"),
        ("conll14/source.txt", 0, "source.txt is empty"),
        ("seeda/systems/T5.txt", 1, "T5.txt:2: expected 60 lines, found 1"),
        ("seeda/human/EW_sent.txt", 14, "EW_sent.txt:15: expected 15 lines, found 14"),
        ("gmeg-fce/test/ref3", 29, "ref3:30: expected 30 lines, found 29"),
        ("gmeg-fce/dev/fce-segment-scores.csv", 30, "scores.csv:31: expected 31 lines, found 30"),
    ],
)
def test_files_of_the_wrong_length(capsys, data, tmp_path, file, lines, message):
    texts = [*read_lines(data / file), "one more"]
    write(data / file, texts[:lines])
    status, out, err = run(capsys, "--data", data, "--out", tmp_path / "out")
    assert (status, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_bad_human_scores(capsys, data, tmp_path):
    write(data / "seeda" / "human" / "EW_edit.txt", ["0.5"] * 7 + ["half"] + ["0.5"] * 7)
    status, _, err = run(capsys, "--data", data, "--out", tmp_path / "out")
    assert status == 2
    assert err.endswith("EW_edit.txt:8: expected a number, found 'half'\n")


def test_output_that_cannot_be_written(capsys, data):
    status, _, err = run(capsys, "--data", data, "--out", data / "conll14" / "source.txt")
    assert status == 2
    assert "source.txt is not a writable folder" in err.splitlines()[-1]


def test_the_papers_are_reproduced(data_dir, tmp_path):
    """The command writes the committed report, except for measured times."""
    ran = subprocess.run(
        [sys.executable, "-m", "experiments.reproduce", "--data", data_dir, "--out", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "139 of the papers' 159 cells come out exactly; the other 20 are known" in ran.stdout

    def sections(path: Path) -> list[str]:
        parts = re.split(r"\n(?=##+ )", path.read_text("utf-8"))
        parts[0] = re.sub(r"in \d+ seconds", "", parts[0])
        return [part for part in parts if not part.startswith("## Time")]  # measured

    made, kept = sections(tmp_path / "RESULTS.md"), sections(ROOT / "experiments" / "RESULTS.md")
    assert made == kept
    for name in re.findall(r"\((figures/.*?)\)", "".join(made)):
        assert (ROOT / "experiments" / name).exists()


def test_documented_counts():
    """README, CHANGELOG and docs/exactness.md say how many cells agree, as the report does."""
    results = (ROOT / "experiments" / "RESULTS.md").read_text("utf-8")
    n_exact, n_cells = re.search(r"(\d+) of the papers' (\d+) cells come out", results).groups()
    exactness = (ROOT / "docs" / "exactness.md").read_text("utf-8")
    assert f"{n_exact} of {n_cells} printed cells" in (ROOT / "README.md").read_text("utf-8")
    assert f"all printed digits in {n_exact} of {n_cells} cells" in exactness
    changes = " ".join((ROOT / "CHANGELOG.md").read_text("utf-8").split())
    assert f"which cells agree (`experiments/RESULTS.md`): {n_exact} of {n_cells}." in changes
    for metric in ("M²", "I-measure", "CLEME", "ERRANT"):
        row = re.search(rf"^\| {metric} +\|(.*)\|[^|]*\|$", results, flags=re.M)[1]
        cells = " | ".join(cell.strip() for cell in row.split("|"))
        assert f"| {metric} | {cells} |" in exactness


def test_documented_fluency():
    """docs/choosing.md says how far r falls with the systems that rewrite."""
    results = (ROOT / "experiments" / "RESULTS.md").read_text("utf-8")
    page = " ".join((ROOT / "docs" / "choosing.md").read_text("utf-8").split())
    row = re.search(r"^\| wordGREEN +\| corpus level +\|(.*)", results, flags=re.M)[1]
    usual, fluent = (cell.strip() for cell in row.split("|")[:2])
    assert f"r falls from {usual} to {fluent};" in page
    row = re.search(r"^\| wordGREEN, mean +\| sentence level +\|(.*)", results, flags=re.M)[1]
    assert f'`level="mean", selection="mean"` has {row.split("|")[1].strip()}.' in page


def test_a_file_in_place_of_the_figures(capsys, data, tmp_path):
    write(tmp_path / "out" / "figures", "mine")
    status, _, err = run(capsys, "--data", data, "--out", tmp_path / "out")
    assert status == 2
    assert "figures is not a writable folder" in err.splitlines()[-1]
    assert (tmp_path / "out" / "figures").read_text() == "mine"


def test_metrics_without_their_edits_are_left_out(capsys, data, tmp_path, monkeypatch):
    """The other rows, figures and sections stay; M² and ERRANT are those of the paper again."""
    monkeypatch.setattr(timing, "N_RUNS", 1)
    for name in ("official.m2", "errant.m2"):
        (data / "conll14" / name).unlink()
    status, out, _ = run(capsys, "--data", data, "--out", tmp_path / "out")
    text = (tmp_path / "out" / "RESULTS.md").read_text("utf-8")
    assert status == 1
    for metric in ("M²", "ERRANT", "CLEME", "I-measure"):
        assert f"Left out: {metric} on conll14: " in out
    assert re.search(r"^\| M² +\| published +\| +0.623 ", text, flags=re.M)
    headings = re.findall(r"^#+ .*", text, flags=re.M)
    assert "## Systems as metrics and people see them (Figures 4 to 6)" in headings
    assert "### M² and ERRANT (Figure 5)" not in headings
    assert "### The mean of sentence scores (Figure 6)" in headings
    assert "| M²        | here" not in text.partition("## Time")[2].partition("## Beyond")[0]
