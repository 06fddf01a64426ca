"""The bundled corpus is consistent; `tests/core/corpus` checks that its M2 gives its references."""

from shared import EXAMPLES

from green_gec.corpus import read_lines

FILES = ("source", "reference0", "reference1", "careful", "bold", "broken")


def test_files_have_one_line_per_sentence():
    lengths = {name: len(read_lines(EXAMPLES / f"{name}.txt")) for name in FILES}
    assert lengths == dict.fromkeys(FILES, 60)
