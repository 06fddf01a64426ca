"""The arguments that several commands share, and the options among them.

Arguments without a help text are the authors' other names for the one above them; argparse takes
abbreviations, too. Defaults are written out in the help; the tests compare them with those of the
options.
"""

import os
from argparse import SUPPRESS, Namespace
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ..options import EDIT_METRICS, TOKENIZERS, Options
from .output import check_file, is_special
from .parser import Once, Parser, positive, share, whole_number

TABLE_FORMATS = ("text", "json", "csv", "markdown", "latex")
# The formats that the ending of a saved file chooses.
_ENDINGS = {".txt": "text", ".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


def add_files(parser: Parser, systems: Sequence[str] = ()) -> None:
    """Input files; `systems` are further names of the systems' argument."""
    group = parser.add_argument_group(
        "files (UTF-8, one sentence per line, also gzip-compressed; - is standard input)"
    )
    files: dict[str, Any] = {"metavar": "FILE", "nargs": "+", "action": "extend", "default": []}
    file: dict[str, Any] = {"metavar": "FILE", "action": Once}
    group.add_argument("-s", "--source", **file, help="the original sentences")
    group.add_argument("--src", dest="source", action=Once, help=SUPPRESS)
    group.add_argument("-r", "--references", **files, help="references, plain text or M2")
    group.add_argument("--ref", "--refs", dest="references", **files, help=SUPPRESS)
    group.add_argument(
        *("-c", "--corrected"),
        **files,
        type=_named_file,
        dest="systems",
        help="corrections, a file per system, plain text or M2; name=FILE names the system",
    )
    names = ("--cor", "--cors", "--corrected-sentences", "--hyp", "--hyps", "--hypotheses")
    group.add_argument(*names, *systems, **files, type=_named_file, dest="systems", help=SUPPRESS)
    group.add_argument(
        "--names", metavar="NAME", nargs="+", action="extend", help="names of all systems"
    )
    gold = group.add_mutually_exclusive_group()
    gold.add_argument("--m2", **file, help="M2 with gold edits; also for -s and -r, if left out")
    gold.add_argument(
        "--gold",
        metavar="METRIC=FILE",
        nargs="+",
        action="extend",
        help="M2 per metric, like m2=official.m2 errant=errant.m2",
    )
    group.add_argument("--jsonl", **file, help="JSON Lines with source, references, prediction(s)")


def _named_file(argument: str) -> tuple[str, str]:
    """The name and the file of a system that is given as name=FILE or as FILE."""
    name, _, path = argument.partition("=")
    is_named = name and path and "://" not in name and not os.path.exists(argument)
    return (name, path) if is_named else (argument, argument)


def add_options(parser: Parser, metrics: Sequence[str]) -> None:
    """The options of the metrics; each is None if the user does not set it.

    There may be several metrics and betas: commands that take one call `check_one`.
    """
    group = parser.add_argument_group("score")
    group.add_argument(
        *("-m", "--metric"),
        metavar="NAME",
        nargs="+",
        action="extend",
        choices=metrics,
        help=f"{', '.join(metrics)} (default: {metrics[0]})",
    )
    tokenizers = f"{', '.join(TOKENIZERS)} (default: word)"
    group.add_argument("-t", "--tokenizer", metavar="NAME", choices=TOKENIZERS, help=tokenizers)
    names = ("--token", "--tokenization")
    group.add_argument(*names, dest="tokenizer", choices=TOKENIZERS, help=SUPPRESS)
    order = whole_number(1, 100)
    longest = "longest n-grams (default: 4, or 6 for characters)"
    group.add_argument("-n", dest="max_order", **order, help=longest)
    group.add_argument("--max-order", "--n", **order, help=SUPPRESS)  # --n is not short for --names
    weight = "green: weight of recall (default: 2)"
    if "m2" in metrics:
        weight = "green, m2, errant: weight of recall (default: 2; 0.5 for m2 and errant)"
    group.add_argument(
        *("-b", "--beta"), metavar="B", nargs="+", action="extend", type=positive, help=weight
    )
    _add_own_options(group, metrics)
    group.add_argument(
        "--strip", action="store_true", default=None, help="strip whitespace around all texts"
    )


def _add_own_options(group: Any, metrics: Sequence[str]) -> None:
    """The options that some of the metrics have."""
    switch: dict[str, Any] = {"action": "store_true", "default": None}
    group.add_argument(
        "--effective-order", **switch, help="green: skip orders for which all texts are too short"
    )
    if "green" in metrics:
        group.add_argument(
            "--selection",
            choices=["max", "mean", "sample"],
            help="best reference (green's default), mean, or draws (gleu's default)",
        )
        best: dict[str, Any] = {"action": "store_const", "const": "max"}
        group.add_argument("--max", dest="selection", **best, help=SUPPRESS)
    if "gleu" in metrics:
        formulas = ["official", "paper"]
        group.add_argument("--formula", choices=formulas, help="gleu: penalty (default: official)")
        draws = whole_number(1, 100_000)
        group.add_argument("-i", "--iterations", **draws, help="gleu: draws (default: 500)")
    if "m2" in metrics:
        unchanged = "m2: unchanged words in an edit (default: 2)"
        group.add_argument("--max-unchanged-words", **whole_number(0, 100), help=unchanged)
        group.add_argument("--ignore-case", **switch, help="m2: ignore case")


def add_level(parser: Parser) -> None:
    levels = ["corpus", "mean"]
    parser.add_argument(
        "--level", choices=levels, help="score of the corpus, or mean (default: corpus)"
    )


def add_resamples(parser: Parser, paired: bool = True) -> None:
    """Intervals and, if a command has them, paired tests."""
    group = parser.add_argument_group("differences")
    group.add_argument(
        "--confidence",
        dest="confidence_level",
        metavar="LEVEL",
        nargs="?",
        const=0.95,
        type=share,
        help="confidence intervals, and their level (default: 0.95)",
    )
    if paired:
        group.add_argument(
            "--paired",
            nargs="?",
            const="ar",
            choices=["ar", "bs"],
            help="test against the baseline: approximate randomisation (ar, the default) or "
            "paired bootstrap (bs)",
        )
        group.add_argument(
            "--baseline", metavar="SYSTEM", help="its file or name (default: the first)"
        )
    group.add_argument(
        "--resamples",
        dest="n_resamples",
        **whole_number(1, 10_000_000),
        help="resamples of the sentences (default: 1000)",
    )
    group.add_argument("--seed", **whole_number(0), help="of the resamples (default: 12345)")


def add_output(parser: Parser, formats: Sequence[str] = ()) -> Any:
    """Output, and the saved file of a command with several formats; returns the group."""
    group = parser.add_argument_group("output")
    group.add_argument(
        *("-d", "--digit"),
        dest="digits",
        **whole_number(0, 100),
        default=2,
        help="digits after the decimal point (default: 2)",
    )
    if formats:
        group.add_argument(
            "--format",
            metavar="NAME",
            choices=formats,
            default="text",
            help=f"{', '.join(formats)} (default: text); percent for people, full precision in "
            "json and csv",
        )
        group.add_argument(
            "--signature", action="store_true", help="add the signature, which pins every setting"
        )
        group.add_argument(
            "--save",
            metavar="FILE",
            action=Once,
            help="also write a file, in the format of its ending",
        )
    group.add_argument("--strict", action="store_true", help="warnings are errors")
    return group


def user_options(args: Namespace) -> dict[str, Any]:
    """The options that the user set, apart from the metric; a single beta is a number."""
    names = {field.name for field in fields(Options)} - {"metric"}
    settings = vars(args).items()
    options = {name: value for name, value in settings if name in names and value is not None}
    if len(options.get("beta", ())) == 1:
        (options["beta"],) = options["beta"]
    return options


def check_one(args: Namespace, *names: str) -> None:
    """Refuse several metrics or betas for a command that takes one."""
    for name in names:
        values = getattr(args, name) or ()
        if len(values) > 1:
            raise ValueError(f"argument -{name[0]}: takes one value here, not {len(values)}")


def as_flag(name: str, value: Any) -> str:
    """An option that a warning names, and its value if any, as on the command line."""
    flag = {"tokenizer": "-t", "max_order": "-n"}.get(name, f"--{name.replace('_', '-')}")
    return flag if value in (None, True) else f"{flag} {value}"


def file_format(args: Namespace) -> str:
    """The format of the saved file: that of its ending or, without one, of the output."""
    return _ENDINGS.get(os.path.splitext(args.save or "")[1].lower(), args.format)


def check_save(args: Namespace, formats: Sequence[str]) -> None:
    if args.save is None:
        return
    check_file("--save", args.save, input_files(args))
    ending = os.path.splitext(args.save)[1].lower()
    known = [each for each, format_ in _ENDINGS.items() if format_ in formats]
    if ending and ending not in known and not is_special(args.save):
        raise ValueError(
            f"argument --save: unknown ending {ending!r}; use {', '.join(known)} or none"
        )


def input_files(args: Namespace) -> list[str]:
    """The files that are read, except standard input."""
    gold, systems = gold_files(args).values(), [path for _, path in args.systems]
    paths = [args.source, args.m2, *gold, args.jsonl, *args.references, *systems]
    return [path for path in paths if path not in (None, "-")]


def gold_files(args: Namespace) -> dict[str, str]:
    """The files of --gold by metric."""
    files: dict[str, str] = {}
    for argument in args.gold or ():
        metric, _, path = argument.partition("=")
        if metric not in EDIT_METRICS or metric in files or not path:
            known = " and ".join(f"{name}=FILE" for name in EDIT_METRICS)
            raise ValueError(f"argument --gold: expected {known}, each once, not {argument!r}")
        files[metric] = path
    return files
