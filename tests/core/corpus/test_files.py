"""Text files to lines: every kind of line end, gzip, and what is not UTF-8."""

import bz2
import gzip
import io
import lzma
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

from green_gec.corpus import read_lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a b\nc\n", ["a b", "c"]),
        ("a b\nc", ["a b", "c"]),
        ("a\n\n\n", ["a", "", ""]),
        ("", []),
        ("\n", [""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb", ["a", "b"]),
        ("\ufeffa\nb\n", ["a", "b"]),
        (" a \t\n b\u3000\n", [" a \t", " b\u3000"]),
        ("a\u2028b\x0cc\x85d\x1ce\n", ["a\u2028b\x0cc\x85d\x1ce"]),
        ("naïve 😀\n", ["naïve 😀"]),
    ],
)
def test_lines(write, content, lines):
    assert read_lines(write("text", content)) == lines
    assert read_lines(write("text.gz", gzip.compress(content.encode()))) == lines


def test_lines_are_those_of_python(write):
    content = "a\r\n b\n\rc\r\r\n\n d\n"
    path = write("text", content)
    with open(path, encoding="utf-8") as file:
        assert read_lines(path) == [line.rstrip("\n") for line in file]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    assert read_lines("-") == ["a", "b"]


def test_not_utf8(write):
    with pytest.raises(ValueError, match=r"^x:2: not UTF-8: byte 0xe9 at offset 10;"):
        read_lines(write("x", "naïve\n".encode() + b"caf\xe9\n"))
    with pytest.raises(ValueError, match=r"^x:1: not UTF-8: byte 0xff at offset 4;"):
        read_lines(write("x", b"\xef\xbb\xbfa\xff"))


def test_windows_1252(write):
    """The text that it would make lets a user judge, whatever the encoding is."""
    message = "^x:2: not UTF-8: .*; if '{}' is what .*: iconv -f WINDOWS-1252 -t UTF-8 x > x.utf8$"
    for line, shown in (("café", "café"), ("so " * 40 + "café", " so so so so so so so café")):
        with pytest.raises(ValueError, match=message.format(shown)):
            read_lines(write("x", f"It's 5 o'clock at the\n{line}\n".encode("cp1252")))
    for other in ("привет мир\n".encode("cp1251"), "猫\n".encode("shift-jis"), b"caf\x81 ab\n"):
        with pytest.raises(ValueError, match=r"^x:1: not UTF-8: byte 0x\w+ at offset \d+; if '"):
            read_lines(write("x", other))


@pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("iconv"), reason="needs a Unix shell with iconv"
)
def test_commands_in_messages_can_be_copied(write):
    path = write("a file", "café\n".encode("cp1252"))
    with pytest.raises(ValueError, match="convert it: ") as error:
        read_lines(path)
    command = str(error.value).partition("convert it: ")[2]
    subprocess.run(command, shell=True, check=True)
    assert read_lines("a file.utf8") == ["café"]


@pytest.mark.parametrize(
    ("beginning", "command"),
    [
        (lzma.compress(b"a\n"), "xz -d"),
        (bz2.compress(b"a\n"), "bzip2 -d"),
        (b"\x28\xb5\x2f\xfd\x04\x58\x11\x00\x00a\n", "zstd -d"),
    ],
)
def test_other_compressions(write, beginning, command):
    with pytest.raises(ValueError, match=rf"^x: compressed .*; decompress it first: {command} x$"):
        read_lines(write("x", beginning))


@pytest.mark.parametrize(
    "url", ["https://example.org/x.txt", "hf://datasets/x/y.m2", "https://example.org/x?y=1&z=2"]
)
def test_a_url(url):
    message = f"{url} is a URL; download it first: curl -LO {shlex.quote(url)}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_lines(url)


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-16LE", "UTF-16BE"])
def test_utf16(write, encoding):
    """With a byte order mark or without; a few characters may need both of their bytes."""
    message = f"^x: this looks like UTF-16.*: iconv -f {encoding} -t UTF-8 x > x.utf8$"
    for text in ("a b\n", "naïve “quotes”, 本\n" + "a b c d e f g\n" * 20):
        with pytest.raises(ValueError, match=message):
            read_lines(write("x", text.encode(encoding)))


@pytest.mark.parametrize("text", ["a\0\n", "\0\n", "a\0b\0c\n", "\0" * 3 + "\n"])
def test_some_null_characters_are_text(write, text):
    assert read_lines(write("x", text)) == [text[:-1]]


@pytest.mark.parametrize("kind", ["tar", "tar.gz", "pax", "zip"])
def test_archives(write, kind):
    file = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("text", "a\nb\n")
    else:
        format_ = tarfile.PAX_FORMAT if kind == "pax" else tarfile.GNU_FORMAT
        mode = "w:gz" if kind == "tar.gz" else "w"
        with tarfile.open(fileobj=file, mode=mode, format=format_) as archive:
            archive.addfile(tarfile.TarInfo("text"))
    name = "zip archive or a spreadsheet" if kind == "zip" else "tar archive"
    with pytest.raises(ValueError, match=f"^x: a {name}; unpack it"):
        read_lines(write("x", file.getvalue()))


def test_text_that_resembles_an_archive(write):
    lines = ["a" * 256 + "custard is no tar", "PK"]
    assert read_lines(write("x", "\n".join(lines))) == lines


def test_half_a_gzip_file(write):
    with pytest.raises(ValueError, match=r"^x: not a complete gzip file"):
        read_lines(write("x", gzip.compress(b"abc" * 100)[:-12]))
