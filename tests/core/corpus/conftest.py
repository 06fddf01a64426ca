"""Files for the readers."""

import pytest


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file into the current folder, which is empty at first."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


@pytest.fixture
def m2():
    """Three sentences with none to two annotators."""
    return """\
S a b c d
A 1 2|||R:X|||B|||REQUIRED|||-NONE-|||0
A 3 3|||M:X|||x y|||REQUIRED|||-NONE-|||0

S e f
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||U:X||||||REQUIRED|||-NONE-|||1

S g h
"""
