"""The corpora: what is read, and what is wrong with files."""

import pytest
from small_corpora import EXPECTED_WINS, GMEG_HEADER, TEXTS, rankings, write

from experiments import corpora
from green_gec.corpus import read_m2


def test_systems_without_judgments(data):
    for part in ("dev", "test"):
        path = data / "gmeg-fce" / part / "fce-segment-scores.csv"
        write(path, [GMEG_HEADER, *["1,2,3,4,,5,6"] * 30])
    with pytest.raises(ValueError, match=r"no fce-segment-scores\.csv compares nus with others"):
        corpora.read_gmeg(data)
    write(
        data / "conll14" / "judgments.xml",
        rankings(['<translation rank="1" system="a"/><translation rank="2" system="b"/>'], 0),
    )
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


def test_the_m2_file_of_conll14_gives_its_references(data_dir, tmp_path):
    sources, references = read_m2(data_dir / "conll14" / "official.m2")
    conll = corpora.read_conll14(data_dir)
    assert sources == conll.sources
    assert [[listed[0], listed[-1]] for listed in references] == conll.references
