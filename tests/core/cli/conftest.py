"""Command lines among the bundled examples, run in this process."""

import os
import shlex
import shutil

import pytest
from shared import EXAMPLES, LEVELS

from green_gec import cli

# Beside the examples, for what cannot be scored.
MORE_FILES = {
    "short": b"a\nb\n",
    "latin": b"ab\ncaf\xe9\n",
    "malformed.m2": b"S a\nA 0 1|||X|||b\n",
    "outside.m2": b"S a\nA 0 2|||X|||b|||REQUIRED|||-NONE-|||0\n",
    "unsourced.jsonl": b'{"references": "a", "prediction": "b"}',
    "bad.jsonl": b'{"source": "a", "prediction": "b"}\n{"source\n',
    "array.json": b'[{"source": "a", "references": "a", "prediction": "b"}]',
    "edits.txt": (EXAMPLES / "references.m2").read_bytes(),
    "longer.txt": (EXAMPLES / "bold.txt").read_bytes() + b"\n",
    "utf16.txt": (EXAMPLES / "bold.txt").read_text("utf-8").encode("utf-16"),
}


@pytest.fixture
def run(monkeypatch, capfd):
    """Run a command line: status, output, errors."""
    monkeypatch.chdir(EXAMPLES)

    def run(line):
        command, *arguments = shlex.split(line.replace("\\", "\\\\"))  # as in paths of Windows
        try:
            status = cli.main(command, LEVELS[command], arguments)
        except SystemExit as end:
            status = end.code
        return status, *capfd.readouterr()

    return run


@pytest.fixture
def output(run):
    """The output of a command line that works and has nothing to complain about."""

    def output(line):
        status, printed, errors = run(line)
        assert (status, errors) == (0, "")
        return printed

    return output


@pytest.fixture
def refused(run, tmp_path, monkeypatch):
    """The message of a command line that is refused: one line, and nothing is printed or saved."""
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    for name, content in MORE_FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)

    def refused(line):
        before = sorted(os.listdir(tmp_path))
        program, name = line.split()[:2]
        prog = f"{program} {name}" if name in set(cli.COMMANDS) - {"score"} else program
        saves = name not in ("report", "explain", "register") and "--save" not in line
        status, printed, errors = run(f"{line} --save saved" if saves else line)
        assert sorted(os.listdir(tmp_path)) == before
        assert (status, printed) == (2, "")
        start = f"{prog}: error: "
        assert errors.startswith(start)
        assert errors.endswith("\n")
        assert errors.count("\n") == 1
        return errors[len(start) : -1]

    return refused
