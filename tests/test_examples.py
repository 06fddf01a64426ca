"""The bundled corpus is in order; that its M2 gives its references, `test_corpus.py` shows."""

from conftest import ROOT

from green_gec.corpus import read_lines

FILES = ("source", "reference0", "reference1", "careful", "bold", "broken")


def test_files_have_the_same_length():
    lengths = {name: len(read_lines(ROOT / "examples" / f"{name}.txt")) for name in FILES}
    assert lengths == dict.fromkeys(FILES, 60)
