"""The command that prints the agreement of any metric with people."""

import numpy as np
import pytest
from scipy import stats
from small_corpora import CONLL_SYSTEMS, EXPECTED_WINS, write

from experiments import agree, metrics, report


@pytest.fixture(scope="module")
def printed(small_data, tmp_path_factory):
    """The tables, as rows by their first cell, with a metric that likes the end of the alphabet."""
    folder = tmp_path_factory.mktemp("scores")
    systems = ["metric,corpus,level,system,score"]
    systems += [f"Mine,conll14,corpus,{name},{n}" for n, name in enumerate(CONLL_SYSTEMS)]
    sentences = ["metric,corpus,system,sentence,score"]
    sentences += [
        f"Mine,conll14,{name},{sentence},{n + sentence}"
        for n, name in enumerate(CONLL_SYSTEMS)
        for sentence in range(60)
    ]
    files = [write(folder / "a.csv", systems), write(folder / "b.csv", sentences)]
    with pytest.MonkeyPatch.context() as patched:
        texts = []
        patched.setattr("builtins.print", lambda *values, **how: texts.append((values, how)))
        status = agree.main(["--data", str(small_data), "--scores", *map(str, files)])
    assert status == 0
    text = "\n".join(str(values[0]) for values, how in texts if "file" not in how)
    return text, [rows_of(part) for part in text.split("\n\n") if part.startswith("|")]


def rows_of(table):
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    return {name: cells for name, *cells in rows if not name.startswith(":")}


def test_three_tables(printed):
    text, found = printed
    for title in agree.SECTIONS.values():
        assert title in text
    corpus, mean, shares = found
    assert list(mean)[1:] == [*metrics.METRICS, "Mine"]
    assert set(mean) - set(corpus) == {"wordGREEN, mean", "charGREEN, mean"}
    assert list(shares)[1:] == ["pairs", "sentences", *metrics.METRICS, "Mine"]


def test_another_metric_beside_ours(printed):
    _, (corpus, mean, shares) = printed
    r, rho = np.corrcoef(range(4), EXPECTED_WINS)[0, 1], stats.spearmanr(range(4), EXPECTED_WINS)[0]
    assert corpus["Mine"] == [f"{r:.3f}", f"{rho:.3f}", *["–"] * 8]
    assert mean["Mine"] == corpus["Mine"]
    # People rank AMU, CAMB, INPUT and IPN in this order, but once CAMB and IPN the other way.
    n_right = 0 + 0 + 3
    assert shares["Mine"][0].startswith(f"{n_right / 18:.3f} (")
    assert set(shares["Mine"][1:]) == {"–"}


def test_our_rows_are_those_of_the_report(printed, small_bench):
    values = report.agreement(small_bench, lambda step: None)
    ours = rows_of(values["all_corpus"])
    _, (corpus, _, _) = printed
    assert ours == {name: row for name, row in corpus.items() if name != "Mine"}


def test_what_is_missing(data, capsys):
    (data / "conll14" / "official.m2").unlink()
    (data / "seeda" / "human" / "judgments_edit.xml").unlink()
    for name in ("gmeg-fce", "gmeg-wiki"):
        (data / name / "dev" / "source").unlink()
    assert agree.main(["--data", str(data)]) == 0
    output = capsys.readouterr().out
    corpus, _, shares = (rows_of(part) for part in output.split("\n\n") if part.startswith("|"))
    assert "M²" not in corpus
    assert corpus["ERRANT"][0] != "–"
    assert list(shares[""]) == ["CoNLL"]
    for note in ("gmeg-wiki: ", "M² on conll14: ", "I-measure on seeda: ", "sentences of seeda: "):
        assert f"left out: {note}" in output


def test_no_corpus(tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        agree.main(["--data", str(tmp_path)])
    assert caught.value.code == 2
    assert "no complete corpus in" in capsys.readouterr().err
