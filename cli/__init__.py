"""The commands: `green` with its subcommands, `mgreen` and `sgreen`.

Each job has a module with its arguments (`make_parser`) and what it does with them (`run`). Slow
imports wait until the arguments have been checked.
"""

import os
import sys
from functools import partial

from . import error_types, explain, registration, report, score, sentences
from .parser import did_you_mean

COMMANDS = {
    "score": score,
    "report": report,
    "sentences": sentences,
    "types": error_types,
    "explain": explain,
    "register": registration,
    "unregister": registration,
}


def main(prog: str, level: str, argv: list[str] | None = None) -> int:
    """Run a command; return the exit status."""
    if sys.stderr is None:  # closed by the parent process
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    # Nothing here gains from NumPy's threads for matrices, and starting them takes 40 ms.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    name, argv = "score", sys.argv[1:] if argv is None else argv
    if level == "corpus" and argv and not argv[0].startswith("-"):
        name, *argv = argv
    parser = score.make_parser(prog, level)
    if name not in COMMANDS:
        hint = did_you_mean(name, COMMANDS) or f"; the commands are {', '.join(COMMANDS)}"
        parser.error(f"there is no command {name!r}{hint}")
    if name != "score":
        parser = COMMANDS[name].make_parser(f"{prog} {name}")
    if sys.stdout is None:
        parser.error("cannot write the output: standard output is closed")
    try:
        return COMMANDS[name].run(parser.parse_args(argv))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        parser.error(f"{file}{error.strerror or error}")
    except (ImportError, ValueError) as error:  # bad arguments and files, missing packages
        parser.error(str(error))


green = partial(main, "green", "corpus")
green_gec = partial(main, "green-gec", "corpus")  # a name that no other package installs
mgreen = partial(main, "mgreen", "mean")
sgreen = partial(main, "sgreen", "sentence")
