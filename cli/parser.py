"""The parser of all commands, and the types of their numbers; knows no argument."""

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from typing import Any, NoReturn

from ..options import __version__, check_int, check_number
from .output import tell


class Parser(argparse.ArgumentParser):
    """Reports errors on one line, with a hint at what an unknown argument may mean."""

    def __init__(self, prog: str, usage: str, description: str, epilog: str = "") -> None:
        super().__init__(
            prog=prog,
            usage=f"{prog} {usage}".strip(),
            description=description,
            epilog=epilog,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, max_help_position=26),
        )
        self.set_defaults(prog=prog)
        version = f"{prog} {__version__}"
        self.add_argument(
            "--version", action="version", version=version, help="print the version and exit"
        )

    def parse_args(self, argv: Sequence[str]) -> argparse.Namespace:
        args, unknown = self.parse_known_args(argv)
        if unknown:
            flags = re.findall(r"--[\w-]+", self.format_help())
            hint = did_you_mean(unknown[0], flags) or f"; see {self.prog} --help"
            self.error(f"unknown argument {unknown[0]}{hint}")
        return args

    def error(self, message: str) -> NoReturn:
        tell(self.prog, "error", message)
        self.exit(2)


class Once(argparse.Action):
    """Stores the value of an argument that may be given once."""

    def __call__(
        self, parser: Parser, args: argparse.Namespace, value: Any, flag: str | None = None
    ) -> None:
        before = getattr(args, self.dest)
        if before is not None:
            parser.error(f"argument {flag}: takes one file, not both {before} and {value}")
        setattr(args, self.dest, value)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest one, if any is near."""
    nearest = get_close_matches(name.partition("=")[0], known, n=1, cutoff=0.75)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def _number(read: Callable[[str], Any], check: Callable, *bounds: int | None) -> Callable:
    """The type of an argument that is read and then checked as options are."""

    def convert(text: str) -> Any:
        value: Any = text  # which the check refuses
        with suppress(ValueError):
            value = read(text)
        try:
            check("", value, *bounds)
        except (TypeError, ValueError) as error:
            raise argparse.ArgumentTypeError(str(error).strip()) from error
        return value

    return convert


def whole_number(least: int, most: int | None = None) -> dict[str, Any]:
    """The settings of an argument that is a whole number."""
    return {"metavar": "N", "type": _number(int, check_int, least, most)}


positive = _number(float, check_number)
share = _number(float, check_number, 1)
