"""Text files: bytes to lines. UTF-8 with or without a byte order mark, any line ends, gzip."""

import codecs
import gzip
import sys
import zlib
from os import PathLike, fspath

Path = str | PathLike[str]


def read_lines(path: Path) -> list[str]:
    """The lines of a text file without their ends; all other whitespace stays."""
    text = _read(path)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _read(path: Path) -> str:
    if fspath(path) == "-" and sys.stdin is None:
        raise ValueError("standard input is closed")
    try:
        if fspath(path) == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        error.filename = show_name(path)  # missing if the file opens but cannot be read
        raise
    if data.startswith(b"\x1f\x8b"):
        data = _unzip(path, data)
    _check_kind(path, data)
    skipped = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    try:
        return data[skipped:].decode()
    except UnicodeDecodeError as error:
        offset = skipped + error.start
        line = data.count(b"\n", 0, offset) + 1
        raise ValueError(
            f"{show_name(path)}:{line}: not UTF-8: byte 0x{data[offset]:02x} at offset {offset}"
        ) from None


def _unzip(path: Path, data: bytes) -> bytes:
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{show_name(path)}: not a complete gzip file: {error}") from None


def _check_kind(path: Path, data: bytes) -> None:
    """Refuse archives and UTF-16, which need another remedy than a wrong byte does."""
    if data.startswith((b"ustar\0", b"ustar  \0"), 257):  # POSIX, GNU
        raise ValueError(f"{show_name(path)}: a tar archive; unpack it first")
    if data.startswith(b"PK\3\4"):
        raise ValueError(f"{show_name(path)}: a zip archive; unpack it first")
    encoding = _utf16(data)
    if encoding:
        raise ValueError(
            f"{show_name(path)}: this looks like UTF-16, not UTF-8; convert it: "
            f"iconv -f {encoding} -t UTF-8"
        )


def _utf16(data: bytes) -> str | None:
    """The kind of UTF-16, known by a byte order mark or by null bytes at every second place."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    if len(data) % 2 == 0:
        even, odd = data[:1000:2], data[1:1000:2]
        for encoding, high, low in (("UTF-16LE", odd, even), ("UTF-16BE", even, odd)):
            if high.count(0) > 0.9 * len(high) > 1 and 0 not in low:
                return encoding
    return None


def show_name(path: Path) -> str:
    """The name of a file in messages."""
    return "standard input" if fspath(path) == "-" else fspath(path)
