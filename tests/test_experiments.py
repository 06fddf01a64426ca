"""The papers' experiments, on small corpora made of the bundled examples and on the public ones."""

import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from shared import EXAMPLES, ROOT, half_up

from experiments import corpora, figures, measure, payouts, prepare, published, report, reproduce
from green_gec import reward
from green_gec.corpus import read_lines, read_m2

TEXTS = {
    name: read_lines(EXAMPLES / f"{name}.txt")
    for name in ("source", "reference0", "reference1", "careful", "bold", "broken")
}
# From best to worst in all three rankings, except that one of them swaps CAMB and IPN.
CONLL_SYSTEMS = {"AMU": "bold", "CAMB": "careful", "INPUT": "source", "IPN": "broken"}
GMEG_HEADER = ",".join(corpora.GMEG_SYSTEMS)
EXPECTED_WINS = [1, (0 + 2 / 3 + 2 / 3) / 3, (0 + 1 / 3 + 2 / 3) / 3, (0 + 1 / 3 + 1 / 3) / 3]

JUDGMENTS = """<?xml version="1.0"?>
<appraise-results>
  <ranking-item id="0" src-id="1">
    <translation rank="1" system="a b"/>
    <translation rank="2" system="c"/>
    <translation rank="2" system="d"/>
  </ranking-item>
  <ranking-item id="1" src-id="2">
    <translation rank="3" system="a"/>
    <translation rank="1" system="c"/>
  </ranking-item>
</appraise-results>
"""


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
    path.write_text(text, "utf-8")
    return path


def mixed(index, start=0, stop=60):
    """The output of a system that is bold, careful or broken, or does nothing, in turns."""
    kinds = ("bold", "careful", "source", "bold", "broken")
    return [TEXTS[kinds[(n * index + n // 7) % 5]][n] for n in range(start, stop)]


def write_conll14(folder):
    for name in ("source", "reference0", "reference1"):
        write(folder / f"{name}.txt", TEXTS[name])
    for name, example in CONLL_SYSTEMS.items():
        if name != "INPUT":
            write(folder / "systems" / name, TEXTS[example])
    ranks = "".join(
        f'<translation rank="{rank}" system="{name}"/>\n'
        for rank, name in enumerate(CONLL_SYSTEMS, 1)
    )
    swapped = ranks.replace('"CAMB"', '"?"').replace('"IPN"', '"CAMB"').replace('"?"', '"IPN"')
    items = "".join(f"<ranking-item>\n{text}</ranking-item>\n" for text in (ranks, ranks, swapped))
    write(folder / "judgments.xml", f"<appraise-results>\n{items}</appraise-results>\n")


def write_seeda(folder):
    for index, name in enumerate(corpora.SEEDA_SYSTEMS):
        write(folder / "systems" / f"{name}.txt", mixed(index))
    for file in corpora.SEEDA_HUMAN.values():
        write(folder / "human" / file, [f"0.{n}" for n in range(10, 25)])


def write_gmeg(folder):
    for part, start in {"dev": 0, "test": 30}.items():
        for index, name in enumerate(("ref0", "ref1", "ref2", "ref3", *corpora.GMEG_SYSTEMS)):
            write(folder / part / name, mixed(index, start, start + 30))
        header = f"ref,{GMEG_HEADER}"
        rows = ["90," + ",".join(str((n * i) % 11) for i in range(2, 9)) for n in range(29)]
        write(folder / part / "fce-segment-scores.csv", [header, *rows, "90,1,,2,,3,,4"])


@pytest.fixture(scope="module")
def small_data(tmp_path_factory):
    """A folder with all three corpora, made of the bundled examples."""
    folder = tmp_path_factory.mktemp("data")
    write_conll14(folder / "conll14")
    write_seeda(folder / "seeda")
    write_gmeg(folder / "gmeg-fce")
    return folder


@pytest.fixture
def data(small_data, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(small_data, tmp_path / "data")


def run(capsys, *arguments):
    """Run the command; return its exit status, output and error messages."""
    try:
        status = reproduce.main([str(argument) for argument in arguments])
    except SystemExit as exit_:
        status = exit_.code
    output = capsys.readouterr()
    return status, output.out, output.err


# Human judgments


def test_judgments_are_wins_and_ties_do_not_count(tmp_path):
    wins = corpora.read_judgments(write(tmp_path / "judgments.xml", JUDGMENTS))
    assert wins == {("a", "c"): 1, ("a", "d"): 1, ("b", "c"): 1, ("b", "d"): 1, ("c", "a"): 1}


def test_expected_wins():
    wins = Counter({("a", "b"): 3, ("b", "a"): 1, ("a", "c"): 2, ("c", "b"): 5})
    expected = corpora.expected_wins(wins)
    assert expected == {"a": (3 / 4 + 1) / 2, "b": (1 / 4 + 0) / 2, "c": (0 + 1) / 2}


def test_expected_wins_leave_out_pairs_that_were_not_compared():
    assert corpora.expected_wins(Counter({("a", "b"): 1, ("b", "c"): 1}))["b"] == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("</ranking-item>", "", 1), r":12: not well-formed XML: mismatched tag"),
        (
            ('rank="2" system="c"', 'system="c"'),
            r":5: a translation needs a numeric rank .* not rank ''",
        ),
        (('rank="3"', 'rank="third"'), r":9: a translation needs a numeric rank .* 'third'"),
        (('system="a b"', 'system=" "'), r":4: .* at least one system, .* and system ' '"),
        (
            ('rank="3"', f'rank="{"9" * 5000}"'),
            r":9: a translation needs a numeric rank .* '9+\.\.\. and",
        ),
        (('"1.0"', '"1.0" encoding="rot13"'), None),
        (("a b", "\0"), r":4: not well-formed XML"),
        (("ranking-item", "item"), r"judgments\.xml has no ranking-item"),
    ],
)
def test_bad_judgments(tmp_path, change, message):
    path = write(tmp_path / "judgments.xml", JUDGMENTS.replace(*change))
    if message is None:  # the file is read as UTF-8, whatever it declares
        assert len(corpora.read_judgments(path)) == 5
        return
    with pytest.raises(ValueError, match=message):
        corpora.read_judgments(path)


def test_segment_scores_are_wins_and_empty_cells_do_not_count(tmp_path):
    path = write(tmp_path / "scores.csv", [GMEG_HEADER, "3,2,,2,,,", ",,,,,,"])
    wins = corpora.read_segment_scores(path, n_sentences=2)
    assert wins == {("amu", "lstm"): 1, ("amu", "marian"): 1}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["amu,lstm", "1,2"], r":1: the header has no column 'lstm-r'"),
        ([GMEG_HEADER, "1,2,3,4,5,six,7"], r":2: expected a number, found 'six'"),
        ([GMEG_HEADER, "1,2,3,4,5,nan,7"], r":2: expected a number, found 'nan'"),
        ([GMEG_HEADER, "1,2,3"], r":2: expected 7 fields, found 3"),
        ([GMEG_HEADER, "1" * 200_000], r":2: field larger than field limit"),
        ([GMEG_HEADER], r":2: expected 2 lines, found 1"),
    ],
)
def test_bad_segment_scores(tmp_path, lines, message):
    path = write(tmp_path / "scores.csv", lines)
    with pytest.raises(ValueError, match=message):
        corpora.read_segment_scores(path, n_sentences=1)


def test_systems_without_judgments(data):
    for part in ("dev", "test"):
        path = data / "gmeg-fce" / part / "fce-segment-scores.csv"
        write(path, [GMEG_HEADER, *["1,2,3,4,,5,6"] * 30])
    with pytest.raises(ValueError, match=r"no fce-segment-scores\.csv compares nus with others"):
        corpora.read_gmeg(data)
    write(data / "conll14" / "judgments.xml", JUDGMENTS)
    with pytest.raises(ValueError, match=r"judgments\.xml has no judgments of AMU"):
        corpora.read_conll14(data)


def test_corpora(small_data):
    conll = corpora.read_conll14(small_data)
    assert list(conll.systems) == ["AMU", "CAMB", "INPUT", "IPN"]
    assert conll.systems["INPUT"] == TEXTS["source"]
    assert conll.human["CoNLL"] == pytest.approx(EXPECTED_WINS)
    seeda = corpora.read_seeda(small_data)
    assert seeda.counted.sum() == 12
    assert seeda.human["SEEDA-E"][0] == 0.10
    fce = corpora.read_gmeg(small_data)
    assert len(fce.sources) == len(fce.systems["amu"]) == 60
    assert len(fce.references[0]) == 4


# Statistics


def test_correlations_leave_out_systems_that_do_not_count(small_data):
    seeda = corpora.read_seeda(small_data)
    values = np.random.default_rng(1).random((3, 15))
    found = measure.correlate(seeda, "SEEDA-S", values)
    human = seeda.human["SEEDA-S"][seeda.counted]
    for index in range(3):
        counted = values[index, seeda.counted]
        assert found[0, index] == pytest.approx(np.corrcoef(counted, human)[0, 1])
        assert found[1, index] == pytest.approx(stats.spearmanr(counted, human)[0])


def test_equal_scores_have_no_correlation(small_data):
    seeda = corpora.read_seeda(small_data)
    with pytest.raises(ValueError, match="SEEDA-E: the metric's scores are all equal"):
        measure.correlate(seeda, "SEEDA-E", np.ones(15))
    human = {"SEEDA-E": np.ones(15)}
    with pytest.raises(ValueError, match="SEEDA-E: human scores are all equal"):
        measure.correlate(replace(seeda, human=human), "SEEDA-E", np.arange(15))


def test_two_betas(small_data):
    conll = corpora.read_conll14(small_data)
    both = measure.two_betas(conll, "charGREEN", level="mean")
    for beta in (1, 2):
        expected = measure.scores_of(conll, "charGREEN", level="mean", beta=beta)
        assert both[f"β = {beta}"] == pytest.approx(expected)


def test_stripped_texts(small_data):
    conll = corpora.read_conll14(small_data)
    spaced = {name: list(texts) for name, texts in conll.systems.items()}
    spaced["CAMB"] = [f"{text} " for text in spaced["CAMB"]]
    spaced["AMU"][3] += " "
    found = measure.stripped({"conll14": replace(conll, systems=spaced)})
    assert list(found.gains) == ["CAMB"]
    with_spaces = measure.scores_of(replace(conll, systems=spaced), "charGREEN")
    expected = measure.scores_of(conll, "charGREEN")
    assert found.gains["CAMB"] == pytest.approx(expected[1] - with_spaces[1])
    assert found.gains["CAMB"] > 0
    for way, values in (("as they are", with_spaces), ("stripped", expected)):
        cells = measure.correlate(conll, "CoNLL", values)
        assert found.rows["charGREEN", "corpus level", way][:2] == pytest.approx(cells)


def test_single_references(small_data):
    conll = corpora.read_conll14(small_data)
    rows = measure.single_references({"conll14": conll})
    for way, name in (("the first only", "reference0"), ("the second only", "reference1")):
        listed = replace(conll, references=[[text] for text in TEXTS[name]])
        expected = measure.correlate(conll, "CoNLL", measure.scores_of(listed, "wordGREEN"))
        assert rows["wordGREEN", "corpus level", way][:2] == pytest.approx(expected)


def test_the_mean_loss_with_a_single_reference():
    both, one = [0.9, 0.5, *[np.nan] * 4], [0.7, 0.8, *[np.nan] * 4]
    rows = {("wordGREEN", "corpus level", way): both for way in ("both", "the first only")}
    rows["wordGREEN", "corpus level", "the second only"] = one
    assert report.single(rows)["mean_lost"] == pytest.approx(0.1)  # in r, not in ρ


def test_best_betas_are_estimated_on_nine_tenths(small_data):
    conll = corpora.read_conll14(small_data)
    best = []
    for tenth in np.array_split(np.arange(60), 10):

        def without(texts, tenth=tenth):
            return [text for n, text in enumerate(texts) if n not in tenth]

        rest = replace(
            conll,
            sources=without(conll.sources),
            references=without(conll.references),
            systems={name: without(texts) for name, texts in conll.systems.items()},
        )
        values = measure.scores_of(rest, "wordGREEN", beta=measure.BETAS.tolist())
        found = measure.correlate(conll, "CoNLL", values.reshape(4, -1).T)
        best.append([measure.middle_of_best(row) for row in found])
    sums = measure.sums_by_chunk(conll, "wordGREEN")
    assert measure.estimate_betas(conll, "CoNLL", sums) == pytest.approx(np.mean(best, axis=0))
    curves, stars = measure.betas({"conll14": conll}, progress=lambda step: None)
    assert [curve.metric for curve in curves] == ["wordGREEN", "charGREEN"]
    assert [star.estimate for star in stars[:2]] == pytest.approx(np.mean(best, axis=0))
    assert all(star.low <= star.high for star in stars)
    assert any(star.low < star.high for star in stars)


def test_the_first_beta_stands_for_0(small_data):
    conll = corpora.read_conll14(small_data)
    table = measure.compare(
        conll.systems, conll.sources, conll.references, beta=measure.BETAS[0], n_resamples=0
    )
    assert table["green"].to_numpy() == pytest.approx(table["precision"].to_numpy(), abs=1e-15)


def test_the_middle_of_the_best_betas():
    correlations = np.zeros(501)
    correlations[[150, 151, 152, 153, 154]] = 0.9
    assert measure.middle_of_best(correlations) == pytest.approx(1.52)


def test_chunks_add_up_to_the_corpus(small_data):
    conll = corpora.read_conll14(small_data)
    sums = measure.sums_by_chunk(conll, "charGREEN").sum(axis=0)
    expected = measure.scores_of(conll, "charGREEN", beta=2)
    assert measure.green_at_betas(sums)[200] == pytest.approx(expected, abs=1e-12)


def test_drawn_references_are_those_of_the_original_implementation():
    second = np.zeros(40)
    for i in range(500):
        random.seed(i * 101, version=1)
        second += [int(random.random() * 2) for _ in range(40)]
    assert measure.drawn_shares(40)[:, 1] == pytest.approx(second / 500)


def test_stability(small_data):
    found = measure.stability(corpora.read_conll14(small_data))
    assert found.names == ["AMU", "CAMB", "INPUT", "IPN"]
    assert found.rank_probability.sum(axis=0) == pytest.approx(np.ones(4))
    assert found.rank_probability.argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert (found.intervals[:, 0] < found.scores).all()
    assert (found.scores < found.intervals[:, 1]).all()
    assert found.differ[0, 3]
    assert (found.differ == found.differ.T).all()
    assert figures.pair_kind(found, 0, 3) == "significant, people agree"
    swapped = found._replace(human=found.human[::-1])
    assert figures.pair_kind(swapped, 0, 3) == "significant, people disagree"
    assert report.stability(found)["n_agree"] > report.stability(swapped)["n_agree"]


def test_human_ranks_in_the_figure(small_data):
    found = measure.stability(corpora.read_conll14(small_data))
    figure = figures.intervals(found._replace(human=np.array([0.2, 0.9, 0.5, 0.4])))
    assert [text.get_text() for text in figure.axes[1].texts] == ["4.", "1.", "2.", "3."]


@pytest.mark.parametrize(
    ("cell", "off", "is_wrong"),
    [
        (("corpus level", "wordGREEN", "CoNLL r", "0.741", 0.7406), 0, False),
        (("corpus level", "wordGREEN", "CoNLL r", "0.741", 0.7404), 1, True),
        (("sentence level", "wordGLEU", "CoNLL r", "0.779", 0.7810), 2, False),
        (("sentence level", "wordGLEU", "CoNLL r", "0.779", 0.7793), 0, True),
        (("scores", "charGLEU", "NULL", "0.00", 0.0), 0, False),
    ],
)
def test_cells(cell, off, is_wrong):
    found = measure.Cell(*cell)
    assert (found.off, found.is_wrong) == (off, is_wrong)


def test_printed_tables_are_whole():
    for columns, rows in (
        (published.CORRELATION_COLUMNS, published.CORPUS_LEVEL),
        (published.CORRELATION_COLUMNS, published.SENTENCE_LEVEL),
        (published.SCORE_COLUMNS, published.SCORES),
        (published.FIRST_COLUMNS, published.FIRST),
        (published.FIRST_COLUMNS, published.BEST_BETAS),
    ):
        assert {len(cells) for cells in rows.values()} == {len(columns)}


@pytest.mark.parametrize("dpi", [72, 160])
def test_names_are_beside_their_points_at_every_resolution(small_data, dpi):
    conll = corpora.read_conll14(small_data)
    panels = measure.two_betas(conll, "wordGREEN")
    with figures.style():
        figure = figures.scatter(conll, "CoNLL", "wordGREEN", panels)
    figure.set_dpi(dpi)
    figure.draw_without_rendering()
    for axes, values in zip(figure.axes, panels.values(), strict=True):
        places = np.column_stack([100 * values, conll.human["CoNLL"]])
        points = axes.transData.transform(places) * 72 / dpi
        boxes = {text.get_text(): text.get_window_extent() for text in axes.texts}
        boxes.pop("", None)  # annotations that are lines to names
        assert set(boxes) == set(conll.systems)
        for name, box in boxes.items():
            middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]) * 72 / dpi
            distances = np.abs(points - middle).max(axis=1)
            assert list(conll.systems)[distances.argmin()] == name
            assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
            others = (other for key, other in boxes.items() if key != name)
            assert not any(box.overlaps(other) for other in others)


# The command


@pytest.fixture(scope="module")
def small_run(small_data, tmp_path_factory):
    """The command's exit status and output folder, with another metric's scores."""
    folder = tmp_path_factory.mktemp("out")
    lines = ["metric,corpus,level,system,score"]
    lines += [f"Mine,conll14,corpus,{name},{n}" for n, name in enumerate(CONLL_SYSTEMS)]
    lines += ["Mine,conll14,corpus,NULL,0.5", ""]
    lines += [f"Mine,seeda,mean,{name},{n}" for n, name in enumerate(corpora.SEEDA_SYSTEMS)]
    path = write(folder / "mine.csv", lines)
    status = reproduce.main(
        ["--data", str(small_data), "--out", str(folder / "new" / "out"), "--scores", str(path)]
    )
    return status, folder / "new" / "out"


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
    assert len(shown) == 8
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
    assert cells[3] == ["Mine", "your file", r, "-1.000", "–", "–"]


def test_one_metric_in_two_files(tmp_path):
    lines = ["metric,corpus,level,system,score", "Mine,conll14,corpus,AMU,1"]
    one = write(tmp_path / "one.csv", lines)
    other = write(tmp_path / "other.csv", [lines[0], "Mine,seeda,mean,T5,2"])
    found = corpora.read_scores([one, other])
    assert found == {"Mine": {("conll14", "corpus"): {"AMU": 1}, ("seeda", "mean"): {"T5": 2}}}
    with pytest.raises(ValueError, match=r"one\.csv:2: duplicate score of 'AMU'"):
        corpora.read_scores([one, one])


def test_names_cannot_break_a_table():
    assert r"| a\|b " in report.markdown(["metric"], [["a|b"]])


def test_seeda_alone(capsys, data, tmp_path):
    (data / "conll14" / "judgments.xml").unlink()
    (data / "gmeg-fce" / "dev" / "source").unlink()
    status, _, _ = run(capsys, "--data", data, "--out", tmp_path / "out")
    text = (tmp_path / "out" / "RESULTS.md").read_text("utf-8")
    assert status == 1
    assert "## Fluency (Figure 7)" in text
    for heading in ("two cells", "Time", "whitespace", "one reference", "Figures 4"):
        assert heading not in "".join(re.findall(r"^#.*", text, flags=re.M))
    rows = [line.split("|") for line in text.splitlines() if re.match(r"\| (PT-M²|charGR)", line)]
    # The best printed figure is not bold, because ours are missing.
    assert [row[3].strip() for row in rows[:2]] == ["0.686", "–"]


def test_a_missing_corpus_is_left_out(capsys, data, tmp_path):
    (data / "conll14" / "judgments.xml").unlink()
    (data / "seeda" / "systems" / "T5.txt").unlink()
    status, out, err = run(capsys, "--data", data, "--out", tmp_path / "out")
    text = (tmp_path / "out" / "RESULTS.md").read_text("utf-8")
    assert status == 1  # because the small corpus is not FCE
    for shown in (text, out):
        assert "Left out: conll14: " in shown
        assert "judgments.xml is missing; get the CoNLL-2014 test set" in shown
        assert "T5.txt is missing; get SEEDA from https://github.com/tmu-nlp/SEEDA" in shown
    assert "left out conll14" in err
    assert "## The first paper: CoNLL and FCE" in text
    assert "## How much recall should count" in text
    assert "Table 4" not in text
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


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["system,score", "AMU,3"],
            ":1: the header must be metric,corpus,level,system,score, not 'system,score'",
        ),
        (["X,conll14,corpus,AMU"], ":2: expected 5 fields, found 4"),
        (["X,conll,corpus,AMU,3"], ":2: the corpus must be one of conll14, seeda, gmeg-fce, not"),
        (["X,conll14,word,AMU,3"], ":2: the level of conll14 must be corpus or mean, not"),
        (["X,conll14,corpus,AMU,high"], ":2: expected a number, found 'high'"),
        (["X,conll14,corpus,AMU,1", "X,conll14,corpus,AMU,2"], ":3: duplicate score of 'AMU'"),
        (
            ["M²,conll14,corpus,AMU,1"],
            ":2: the tables already have a row 'M²'; choose another name",
        ),
        (["X,gmeg-fce,mean,amu,1"], ":2: the level of gmeg-fce must be corpus, not 'mean'"),
        ([" ,conll14,corpus,AMU,1"], ":2: the name of the metric is empty"),
        (["X" * 200_000 + ",conll14,corpus,AMU,1"], ":2: field larger than field limit"),
        (["X,conll14,corpus,AMU,1"], "--scores: X, conll14, corpus: the score of CAMB is missing"),
        (
            [f"X,conll14,corpus,{name},1" for name in (*CONLL_SYSTEMS, "AMUU")],
            "X, conll14, corpus: unknown system AMUU; conll14 has AMU, CAMB, INPUT, IPN",
        ),
        ([], "mine.csv has no scores"),
    ],
)
def test_bad_scores_of_another_metric(capsys, data, tmp_path, lines, message):
    if not lines or not lines[0].startswith("system"):
        lines = ["metric,corpus,level,system,score", *lines]
    path = write(tmp_path / "mine.csv", lines)
    given = ("--data", data, "--out", tmp_path / "out", "--scores", path)
    status, out, err = run(capsys, *given)
    assert (status, out) == (2, "")
    assert message in err.splitlines()[-1]


def test_output_that_cannot_be_written(capsys, data):
    status, _, err = run(capsys, "--data", data, "--out", data / "conll14" / "source.txt")
    assert status == 2
    assert "source.txt is not a writable folder" in err.splitlines()[-1]


# The converter


def test_corpora_as_they_are_distributed(small_data, tmp_path, capsys):
    downloads = tmp_path / "downloads"
    m2 = write(
        downloads / "conll14st-test-data" / "noalt" / "official-2014.combined.m2",
        "S I has cat .\n"
        "A 1 2|||SVA|||have|||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||SVA|||had|||REQUIRED|||-NONE-|||1\n"
        "\nS Both agree on this ones .\n"
        "A 4 5|||Nn|||one|||REQUIRED|||-NONE-|||0\n"
        "\nS One changes nothing .\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "A 0 1|||Mec|||Some|||REQUIRED|||-NONE-|||1\n"
        "\nS Neither changes this .\n\n",
    )
    write(downloads / "evaluation" / "data" / "judgments.xml", JUDGMENTS)
    for name in "abcd":
        write(downloads / "official_submissions" / name, [name] * 4)
    write(downloads / "official_submissions" / ".DS_Store", "")
    for name in corpora.SEEDA_SYSTEMS:
        write(downloads / "SEEDA" / "outputs" / "all" / f"{name}.txt", [name] * 4)
    for file in corpora.SEEDA_HUMAN.values():
        write(downloads / "SEEDA" / "scores" / "human" / file, ["0.5"] * 15)

    assert prepare.main([str(downloads), "--data", str(tmp_path / "data")]) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[:2] == ["conll14: 9 files", "seeda: 17 files"]
    assert output[2].startswith("gmeg-fce: left out: ")
    seeda = corpora.read_seeda(tmp_path / "data")
    assert seeda.sources[0] == "I has cat ."
    assert seeda.references == [
        ["I have cat .", "I had cat ."],
        ["Both agree on this one ."] * 2,
        ["One changes nothing .", "Some changes nothing ."],
        ["Neither changes this ."] * 2,
    ]
    assert (tmp_path / "data" / "conll14" / "official.m2").read_bytes() == m2.read_bytes()
    assert read_lines(tmp_path / "data" / "conll14" / "systems" / "d") == ["d"] * 4

    gmeg = downloads / "GMEG" / "data"
    for part in ("dev", "test"):
        for path in (small_data / "gmeg-fce" / part).iterdir():
            to = gmeg / part if path.suffix else gmeg / part / "fce"
            write(to / path.name, path.read_text())
    assert prepare.main([str(downloads), "--data", str(tmp_path / "data")]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "gmeg-fce: 24 files"
    assert len(corpora.read_gmeg(tmp_path / "data").sources) == 60

    write(downloads / "official_submissions" / "c", ["c"] * 3)
    with pytest.raises(SystemExit, match="2"):
        prepare.main([str(downloads), "--data", str(tmp_path / "new")])
    where = downloads / "official_submissions" / "c"
    assert f"{where}:4: expected 4 lines, found 3" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_nothing_to_convert(tmp_path, capsys):
    assert prepare.main([str(tmp_path), "--data", str(tmp_path / "data")]) == 2
    assert "official-2014.combined.m2 is missing" in capsys.readouterr().out
    assert not (tmp_path / "data").exists()


# The public corpora


def test_the_m2_file_of_conll14_gives_its_references(data_dir, tmp_path):
    sources, references = read_m2(data_dir / "conll14" / "official.m2")
    conll = corpora.read_conll14(data_dir)
    assert sources == conll.sources
    assert [[listed[0], listed[-1]] for listed in references] == conll.references


def test_the_papers_are_reproduced(data_dir, tmp_path):
    """The command writes the committed report, except for measured times."""
    ran = subprocess.run(
        [sys.executable, "-m", "experiments.reproduce", "--data", data_dir, "--out", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "80 of the papers' 83 cells come out exactly; the other 3 are known" in ran.stdout

    def sections(path: Path) -> list[str]:
        # The introduction and Table 3 contain measured times.
        _, *parts = re.split(r"\n(?=##+ )", path.read_text("utf-8"))
        return [part for part in parts if not part.startswith("## Time")]

    made, kept = sections(tmp_path / "RESULTS.md"), sections(ROOT / "experiments" / "RESULTS.md")
    assert made == kept
    for name in re.findall(r"\((figures/.*?)\)", "".join(made)):
        assert (ROOT / "experiments" / name).exists()


def test_payouts_of_a_small_corpus(small_data, capsys):
    """Of the bundled examples; "the correction" is that of bold.txt, there named AMU."""
    assert payouts.main(["--data", str(small_data)]) == 0
    of_answers, of_tokenizers = capsys.readouterr().out.strip().split("\n\n")
    rows = {
        name.strip(): [cell.strip() for cell in cells]
        for name, *cells in (line.strip("|").split("|") for line in of_answers.splitlines()[2:])
    }
    columns = {"source": TEXTS["source"], "references": references_of_examples()}
    values = reward(TEXTS["bold"], **columns)
    assert rows["the correction"][0] == half_up(np.mean(values), 1)
    assert rows["nothing at all"] == ["0.0"] * 3
    assert rows["nothing done: the source"][1] == "0.0"
    assert "| AMU, untokenised" in of_tokenizers


def references_of_examples():
    return [*map(list, zip(TEXTS["reference0"], TEXTS["reference1"], strict=True))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I do n't know , really .", "I don't know, really."),
        ("He said ( yes ) : it 's 5 % !", "He said (yes): it's 5%!"),
        ("No change", "No change"),
    ],
)
def test_untokenised_texts(text, expected):
    assert payouts.untokenised(text) == expected


def test_the_documented_payouts(data_dir, capsys):
    payouts.main(["--data", str(data_dir)])
    of_answers, of_tokenizers = capsys.readouterr().out.strip().split("\n\n")
    assert of_answers in (ROOT / "docs" / "reward.md").read_text("utf-8")
    assert of_tokenizers in (ROOT / "docs" / "choosing.md").read_text("utf-8")


def test_payouts_need_the_corpus(tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        payouts.main(["--data", str(tmp_path)])
    assert caught.value.code == 2
    assert "is missing; get the CoNLL-2014 test set" in capsys.readouterr().err
