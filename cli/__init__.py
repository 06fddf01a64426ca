"""The commands: `green` (corpus), `mgreen` (mean of the sentences), `sgreen` (each sentence).

`green-gec` is `green` under a name that no other package installs.
"""

from __future__ import annotations

import os
import sys

from .arguments import make_parser
from .output import write


def green() -> int:
    return main("green", "corpus")


def green_gec() -> int:
    return main("green-gec", "corpus")


def mgreen() -> int:
    return main("mgreen", "mean")


def sgreen() -> int:
    return main("sgreen", "sentence")


def main(prog: str, level: str, argv: list[str] | None = None) -> int:
    """Run a command; return the exit status."""
    if sys.stderr is None:  # closed by the parent process
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    # Nothing here gains from NumPy's threads for matrices, and starting them takes 40 ms.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        parser = make_parser(prog, level)
        if sys.stdout is None:
            parser.error("cannot write the output: standard output is closed")
        args = parser.parse_args(argv)
        # Slow imports wait: for the options until there are arguments, for NumPy and Arrow until
        # these have been checked.
        from .checks import check

        check(parser, args, level)
        from .scoring import run

        return write(parser, run(parser, args, level))
    except KeyboardInterrupt:
        return 130
