"""The commands on other systems, as far as these can be imitated: encodings, line ends, Windows."""

import errno
import gzip
import json
import os
import subprocess
import sys

import pytest
from shared import BOTH, EXAMPLES, GIVEN

from green_gec.cli import output, scoring

ENCODINGS = {
    "Windows": {"PYTHONIOENCODING": "cp1252"},
    "ASCII": {"PYTHONIOENCODING": "ascii"},
}
# Python's UTF-8 mode switched off where it is the default; file names are bytes then.
C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture
def folder(tmp_path):
    """The examples, with a source and a system whose name and text few encodings have."""
    for path in EXAMPLES.glob("*.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "é漢.txt").write_bytes((EXAMPLES / "bold.txt").read_bytes() + "é ≥ 漢\n".encode())
    for name in ("source.txt", "reference0.txt", "reference1.txt"):
        path = tmp_path / name
        path.write_bytes(path.read_bytes() + "è ≥ 漢\n".encode())
    return tmp_path


def ran(folder, line, **environment):
    """Run a command in a process of its own: status, output, errors, as bytes."""
    command, *given = line.split()
    code = f"import sys; from green_gec.cli import {command}; sys.exit({command}())"
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env |= environment
    done = subprocess.run(
        [sys.executable, "-c", code, *given], cwd=folder, env=env, capture_output=True
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("line", ["--help", "--format markdown --signature"])
@pytest.mark.parametrize("system", ENCODINGS)
def test_the_output_is_utf8_whatever_the_console_has(folder, system, line):
    line = f"green {GIVEN} -c é漢.txt {line}"
    expected = ran(folder, line, PYTHONUTF8="1")
    assert expected[0] == 0
    assert "--help" in line or "é漢" in expected[1].decode("utf-8")
    assert ran(folder, line, **ENCODINGS[system]) == expected


@pytest.mark.parametrize("environment", [*ENCODINGS.values(), C])
def test_texts_in_the_output(folder, environment):
    line = f"green sentences {GIVEN} -c é漢.txt --worst 61 --names one"
    expected = ran(folder, line, PYTHONUTF8="1")
    assert "é ≥ 漢" in expected[1].decode("utf-8")
    assert ran(folder, line, **environment) == expected


def test_a_name_in_the_c_locale(folder):
    line = f"green {GIVEN} -c é漢.txt"
    assert ran(folder, line, **C) == ran(folder, line, PYTHONUTF8="1")


@pytest.mark.parametrize("system", ENCODINGS)
def test_errors_escape_what_the_console_cannot_show(folder, system):
    found = ran(folder, f"green {GIVEN} -c 漢≥.txt", **ENCODINGS[system])
    message = rb"green: error: \u6f22\u2265.txt: No such file or directory"
    assert (*found[:2], found[2].strip()) == (2, b"", message)


def test_windows_line_ends(run, tmp_path, monkeypatch):
    """Files with CRLF give the same output, which has LF."""
    row = {"source": "I has cat .", "references": ["I have cats ."], "prediction": "I have cat ."}
    lines = "".join(f"{json.dumps(row)}\n" for _ in range(2)).encode()
    for end in (b"\n", b"\r\n"):
        folder = tmp_path / str(len(end))
        folder.mkdir()
        contents = {path.name: path.read_bytes() for path in EXAMPLES.glob("*.[tm][x2]*")}
        for name, content in (contents | {"two.jsonl": lines}).items():
            (folder / name).write_bytes(content.replace(b"\n", end))
        packed = gzip.compress((folder / "bold.txt").read_bytes())
        (folder / "bold.txt.gz").write_bytes(packed)
    for line in (
        f"green {GIVEN} -c bold.txt bold.txt.gz -v",
        f"green sentences {GIVEN} -c bold.txt --worst 1",
        "sgreen --m2 references.m2 -c careful.txt bold.txt",
        "green -m m2 --m2 references.m2 -c bold.txt --format csv",
        "green types --m2 references.m2 -c bold.txt",
        "green --jsonl two.jsonl -n 2 --format json",
    ):
        printed = []
        for name in "12":
            monkeypatch.chdir(tmp_path / name)
            printed.append(run(line))
        unix, windows = printed
        assert windows == unix
        assert unix[0] == 0
        assert "\r" not in unix[1]


def test_folders_of_windows():
    files = [r"C:\runs\bold.txt", r"D:runs\careful.txt.gz", r"runs\sub/broken.txt"]
    named = [(file, file) for file in files]
    assert scoring.short_names(files, named) == ["bold", "careful", "broken"]


def test_names_before_paths_of_windows(refused):
    message = refused(f"green {GIVEN} -c one=C:\\no\\a.txt two=C:\\no\\b.txt")
    assert message == r"C:\no\a.txt: No such file or directory"


def test_a_closed_pipe_of_windows(run, monkeypatch):
    def closed(*_, **__):
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(output, "open", closed, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    message = "green: error: cannot write the output: Invalid argument\n"
    assert run(f"green {BOTH}") == (2, "", message)
    monkeypatch.setattr(sys, "platform", "win32")
    assert run(f"green {BOTH}") == (141, "", "")


def test_file_names_of_windows_may_have_lone_surrogates(monkeypatch):
    monkeypatch.setattr(sys, "getfilesystemencodeerrors", lambda: "surrogateescape")
    assert output.encode("a\udcffb") == b"a\xffb"
    monkeypatch.setattr(sys, "getfilesystemencodeerrors", lambda: "surrogatepass")
    assert output.encode("a\ud800b") == b"a\xed\xa0\x80b"


def test_colours_on_windows(monkeypatch):
    monkeypatch.setattr(os, "isatty", lambda _: True)
    for name in ("NO_COLOR", "TERM", "WT_SESSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert scoring.shows_colors()
    monkeypatch.setattr(sys, "platform", "win32")
    assert not scoring.shows_colors()
    monkeypatch.setenv("WT_SESSION", "1")
    assert scoring.shows_colors()


def test_two_names_for_one_command():
    for name, line in {"green": "green", "green_gec": "green-gec"}.items():
        status, printed, _ = ran(EXAMPLES, f"{name} --version")
        assert (status, printed.split()[0].decode()) == (0, line)
        assert ran(EXAMPLES, f"{name} --no-such-flag")[2].startswith(f"{line}: error: ".encode())
