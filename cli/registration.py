"""`green register` and `green unregister`: evaluate.load("green") loads the installed package."""

from argparse import Namespace

from .output import write
from .parser import Parser

_ABOUT = {
    "register": 'Make evaluate.load("green") load this package, in any folder, without the Hub.',
    "unregister": "Undo green register.",
}


def make_parser(prog: str) -> Parser:
    return Parser(prog, "", _ABOUT[prog.split()[-1]])


def run(args: Namespace) -> int:
    from .. import registry  # slow

    change = getattr(registry, args.prog.split()[-1])
    return write(f"{change()}\n")
