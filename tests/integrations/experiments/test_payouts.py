"""What GREEN pays for."""

import numpy as np
import pytest
from shared import ROOT, half_up
from small_corpora import TEXTS

from experiments import payouts
from green_gec import reward


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
