"""Text files: bytes to lines. UTF-8 with or without a byte order mark, any line ends, gzip.

Errors say how to convert other files. `-` is standard input.
"""

import gzip
import pathlib
import re
import shlex
import sys
import zlib
from os import PathLike, fspath

Path = str | PathLike[str]

_UTF16 = "this looks like UTF-16, not UTF-8; convert it: iconv -f {} -t UTF-8 {{0}} > {{0}}.utf8"
# How other files begin (regular expressions), and what to do about it.
_OTHER_FILES = {
    rb"PK\x03\x04": "a zip archive or a spreadsheet; unpack it, or save it as text",
    rb".{257}ustar(\x00|  \x00)": "a tar archive; unpack it first",  # POSIX, GNU
    rb"\xfd7zXZ\x00": "compressed with xz; decompress it first: xz -d {}",
    rb"BZh[1-9]1AY&SY": "compressed with bzip2; decompress it first: bzip2 -d {}",
    rb"\x28\xb5\x2f\xfd": "compressed with Zstandard; decompress it first: zstd -d {}",
    rb"\xff\xfe|\xfe\xff": _UTF16.format("UTF-16"),
    # Without a byte order mark: four Latin letters in a row.
    rb"(..){0,500}?([^\x00]\x00){4}": _UTF16.format("UTF-16LE"),
    rb"(..){0,500}?(\x00[^\x00]){4}": _UTF16.format("UTF-16BE"),
}


def read_lines(path: Path) -> list[str]:
    """The lines of a text file without their ends; all other whitespace stays."""
    text = _decode(path, _read_bytes(path)).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _read_bytes(path: Path) -> bytes:
    is_stdin = fspath(path) == "-"
    if is_stdin and sys.stdin is None:
        raise ValueError("standard input is closed")
    try:
        data = sys.stdin.buffer.read() if is_stdin else pathlib.Path(path).read_bytes()
    except OSError as error:
        if re.match(r"\w+://", fspath(path)):
            command = f"curl -LO {name_in_commands(path)}"
            raise ValueError(f"{path} is a URL; download it first: {command}") from None
        error.filename = show_name(path)  # missing if the file opens but cannot be read
        raise
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{show_name(path)}: not a complete gzip file: {error}") from None


def _decode(path: Path, data: bytes) -> str:
    file = name_in_commands(path)
    for beginning, remedy in _OTHER_FILES.items():
        if re.match(beginning, data, re.DOTALL):
            raise ValueError(f"{show_name(path)}: {remedy.format(file)}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offset = len(data) - len(error.object) + error.start  # the object has no byte order mark
        before, after = data[:offset].split(b"\n"), data[offset:].split(b"\n")
        line, around = len(before), before[-1][-25:] + after[0][:25]
        text = repr(around.decode("cp1252", "replace").strip("\r"))
        raise ValueError(
            f"{show_name(path)}:{line}: not UTF-8: byte 0x{data[offset]:02x} at offset {offset}; "
            f"if {text} is what the line should say, it is Windows-1252; convert it: "
            f"iconv -f WINDOWS-1252 -t UTF-8 {file} > {file}.utf8"
        ) from None


def show_name(path: Path) -> str:
    """The name of a file in messages."""
    return "standard input" if fspath(path) == "-" else fspath(path) or "''"


def name_in_commands(path: Path) -> str:
    """The name of a file in commands to copy."""
    return "FILE" if fspath(path) == "-" else shlex.quote(fspath(path))
