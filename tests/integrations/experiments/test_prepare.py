"""The corpora as they are distributed."""

import pytest
from small_corpora import JUDGMENTS, write

from experiments import corpora, prepare
from green_gec.corpus import read_lines


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
    for name in ("judgments_sent.xml", "judgments_edit.xml"):
        write(downloads / "SEEDA" / "data" / "all" / name, JUDGMENTS)

    assert prepare.main([str(downloads), "--data", str(tmp_path / "data")]) == 0
    output = capsys.readouterr().out.splitlines()
    assert (output[0], output[2]) == ("conll14: 9 files", "seeda: 19 files")
    for index, name in ((1, "conll14/errant"), (3, "gmeg-fce"), (4, "gmeg-wiki")):
        assert output[index].startswith(f"{name}: left out: ")
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

    for folder, domain in corpora.GMEG.items():
        for part in ("dev", "test"):
            to = downloads / "GMEG" / "data" / part
            for path in (small_data / folder / part).iterdir():
                write((to if path.suffix else to / domain.lower()) / path.name, path.read_text())
    edits = downloads / "CLEME" / "demo" / "examples"
    for name in ("", *(f"-{name}" for name in "abcd")):
        write(edits / f"conll14{name}.errant", m2.read_text())
    assert prepare.main([str(downloads), "--data", str(tmp_path / "data")]) == 0
    output = capsys.readouterr().out.splitlines()
    assert (output[1], *output[3:]) == (
        *("conll14/errant: 5 files", "gmeg-fce: 24 files", "gmeg-wiki: 24 files"),
    )
    assert len(corpora.read_gmeg(tmp_path / "data", "gmeg-wiki").sources) == 60
    made = tmp_path / "data" / "conll14"
    for name in ("errant.m2", "errant/d.m2"):
        assert (made / name).read_bytes() == m2.read_bytes()

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
