"""The arguments of the commands: every option of `options.py` that has a flag, files and output."""

from __future__ import annotations

import errno
import os
import sys
from argparse import (
    SUPPRESS,
    Action,
    ArgumentParser,
    ArgumentTypeError,
    RawDescriptionHelpFormatter,
)

from ..options import (
    EDIT_METRICS,
    METRICS,
    N_SENTENCES,
    OPTIONS,
    SELECTIONS,
    Options,
    __version__,
    whole,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from ..options import Check

_ABOUT = {
    "corpus": "Score grammatical error corrections with GREEN, an n-gram F-score, or another one.",
    "mean": "Score grammatical error corrections: the mean of the sentences' GREEN or other score.",
    "sentence": "Score each grammatical error correction with GREEN or another score: a line each.",
}
_EXAMPLES = """\
examples:
  {prog} -s source.txt -r reference0.txt reference1.txt -c system.txt
  {prog} --m2 references.m2 -c system0.txt system1.txt -t char
  {prog} -m gleu -s source.txt -r reference0.txt reference1.txt -c system.txt
"""
_MORE_EXAMPLES = """\
  {prog} --m2 references.m2 -c old.txt new.txt --confidence --paired
  {prog} --m2 references.m2 -c old.txt new.txt -m green gleu m2 --format latex
  {prog} --jsonl sentences.jsonl --format json --save results.json
"""
_EXAMPLES_OF_SENTENCES = """\
  {prog} --m2 references.m2 -c old.txt new.txt --between old.txt new.txt --explain
  {prog} --m2 references.m2 -c new.txt --worst 20
"""
FORMATS_OF_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}
FORMATS_OF_ENDINGS |= {".html": "html"}


def encoded(text: str) -> bytes:
    """The output's bytes: UTF-8 on every system, and file names as they came in."""
    return text.encode("utf-8", sys.getfilesystemencodeerrors())


def write(parser: ArgumentParser, output: bytes) -> int:
    """Write to standard output; return the exit status."""
    # Not through sys.stdout, which can lose data silently if it is unbuffered, and which on Windows
    # has another encoding and other line ends.
    try:
        with open(1, "wb", closefd=False) as file:
            file.write(output)
    except OSError as error:
        # The reader has seen enough; Windows may call its closed pipe an invalid argument.
        if error.errno == errno.EPIPE or (sys.platform == "win32" and error.errno == errno.EINVAL):
            return 141
        parser.error(f"cannot write the output: {error.strerror}")
    return 0


class Parser(ArgumentParser):
    """Reports errors on one line, and fails if its help or version cannot be written."""

    def error(self, message: str) -> NoReturn:
        self.tell("error", message)
        self.exit(2)

    def tell(self, kind: str, message: str) -> None:
        """Write a message on one line, which no file name can break."""
        line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
        self._print_message(f"{self.prog}: {kind}: {line}\n", sys.stderr)

    def print_help(self, file: Any = None) -> None:
        self.print_and_exit(self.format_help())

    def print_and_exit(self, text: str) -> NoReturn:
        self.exit(write(self, encoded(text)))


class _Version(Action):
    def __call__(self, parser: Parser, *_: Any) -> NoReturn:
        parser.print_and_exit(f"{parser.prog} {__version__}\n")


class _Registration(Action):
    def __call__(self, parser: Parser, *_: Any) -> NoReturn:
        from .. import registry

        try:
            done = getattr(registry, self.dest)()
        except OSError as error:
            parser.error(f"argument --{self.dest}: {error.strerror}")
        parser.print_and_exit(f"{done}\n")


def make_parser(prog: str, level: str) -> Parser:
    more = _EXAMPLES_OF_SENTENCES if level == "sentence" else _MORE_EXAMPLES
    parser = Parser(
        prog=prog,
        description=_ABOUT[level],
        epilog=(_EXAMPLES + more).format(prog=prog),
        formatter_class=RawDescriptionHelpFormatter,
    )
    _add_files(parser)
    score = parser.add_argument_group("score")
    for name, option in OPTIONS.items():
        if option.flags and name not in _DIFFERENCES:
            _add_option(score, name)
    score.add_argument(
        "--max",
        dest="selection",
        action="store_const",
        const="max",
        help="the same as --selection max",
    )
    _add_differences(parser)
    _add_output(parser)
    if level == "corpus":
        _add_registration(parser)
    return parser


def _add_files(parser: ArgumentParser) -> None:
    files = parser.add_argument_group(
        "files", "UTF-8, one sentence per line, plain or gzip-compressed; - is standard input"
    )
    origin = files.add_mutually_exclusive_group()
    _add(
        origin,
        ("-s", "--source", "--src"),
        metavar="FILE",
        dest="source",
        help="the original sentences, for green, gleu, m2 and errant",
    )
    origin.add_argument(
        "--m2", metavar="FILE", help="M2, instead of -s and -r: original sentences and edits"
    )
    origin.add_argument(
        "--jsonl",
        metavar="FILE",
        help="JSON Lines, instead of -s, -r and -c: fields source, references, and prediction "
        "or predictions",
    )
    several = {"metavar": "FILE", "nargs": "+", "action": "extend", "default": []}
    _add(
        files,
        ("-r", "--references", "--ref", "--refs"),
        dest="references",
        help="the reference corrections, as plain text or M2",
        **several,
    )
    _add(
        files,
        (
            *("-c", "--corrected", "--cor", "--cors", "--corrected-sentences", "-o", "--out"),
            *("--outs", "--outputs", "--hyp", "--hyps", "--hypotheses"),
        ),
        dest="systems",
        help="the systems' corrected sentences, one file per system, as plain text or M2; "
        "name=FILE names the system",
        **several,
    )
    files.add_argument(
        "--names", metavar="NAME", nargs="+", help="the systems' names, instead of their files'"
    )


_DIFFERENCES = ("confidence_level", "paired", "n_resamples", "seed")


def _add_differences(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(
        "differences", "is a score or a difference more than chance? (green and mgreen)"
    )
    for name in _DIFFERENCES:
        _add_option(group, name)
    group.add_argument(
        "--baseline",
        metavar="SYSTEM",
        help="the system to compare with, its file or name (default: the first)",
    )


def _add_output(parser: ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    output.add_argument(
        "-d",
        "--digit",
        dest="digits",
        metavar="D",
        type=_reader(int, whole(0, 100)),
        default=2,
        help="digits after the decimal point (default: 2); not for json and csv",
    )
    output.add_argument(
        "-v", "--verbose", action="store_true", help="a table with the counts of each order"
    )
    output.add_argument(
        "--types",
        metavar="TIER",
        nargs="?",
        type=_reader(int, whole(1, 3)),
        const=3,
        help="instead of scores, how many gold edits of each error type the systems found, by M² "
        "or -m errant; of ERRANT's types the operation (1), the main type (2) or both (3, the "
        "default)",
    )
    which = output.add_mutually_exclusive_group()
    which.add_argument(
        "--worst",
        metavar="N",
        nargs="?",
        type=_reader(int, whole(1)),
        const=N_SENTENCES,
        help="sgreen: instead of all scores, each system's N worst sentences "
        f"(default: {N_SENTENCES}), by what the corpus's score would gain if a reference were in "
        "their place",
    )
    which.add_argument(
        "--between",
        metavar="SYSTEM",
        nargs=2,
        help="sgreen: instead of all scores, the sentences that make the difference between two "
        "systems, by what would change if the systems swapped them",
    )
    output.add_argument(
        "--top",
        metavar="N",
        type=_reader(int, whole(1)),
        help=f"with --between: the number of sentences (default: {N_SENTENCES})",
    )
    output.add_argument(
        "--explain",
        action="store_true",
        help="sgreen: show the n-grams of each sentence, or of those of --worst or --between, by "
        "region, in colour on a terminal",
    )
    output.add_argument(
        "-l",
        "--line-verbose",
        action="store_true",
        help="green: with -v, alpha, beta, precision, recall and F on one line",
    )
    output.add_argument(
        "--format",
        choices=["text", "json", "csv", "markdown", "latex", "html"],
        default="text",
        help="for people (text, markdown, latex, html), scores are in percent and sentences count "
        "from 1; for programs (json, csv), scores have full precision between 0 and 1 and "
        "sentences count from 0; JSON also has the counts of each order; html is a report in one "
        "file, with intervals, tests, pictures and sentences",
    )
    output.add_argument(
        "--signature", action="store_true", help="add the signature, which pins every setting"
    )
    output.add_argument(
        "--save",
        metavar="FILE",
        help="also write the output to a file, whose ending may choose another format "
        "(.json, .csv, .md, .tex, .html); .txt or none for the same",
    )
    output.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")


def _add_registration(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("evaluate")
    for flag, what in {
        "--register": 'make evaluate.load("green") load this package, and exit',
        "--unregister": "undo --register, and exit",
    }.items():
        group.add_argument(flag, action=_Registration, nargs=0, help=what)


def _add(group: Any, flags: Sequence[str], **settings: Any) -> None:
    """Add an argument; the help shows its first two flags, the others are the authors'."""
    group.add_argument(*flags[:2], **settings)
    if flags[2:]:
        group.add_argument(*flags[2:], **{**settings, "help": SUPPRESS})


def _add_option(group: Any, name: str) -> None:
    """Add a declared option; without a value of the user's it is None, but for the metric."""
    option, default = OPTIONS[name], getattr(Options, name)
    unset = [default] if name == "metric" else None
    settings: dict[str, Any] = {"dest": name, "default": unset, "help": option.help}
    settings |= option.argument
    if not str(settings.get("action")).startswith("store_"):
        if option.choices:
            settings |= {"choices": option.choices}
        else:
            settings |= {"type": _reader(option.read, option.check)}
        if default is not None and "default" not in settings["help"]:
            shown = f"{default:g}" if isinstance(default, float) else default
            settings["help"] += f" (default: {shown})"
    only = option.only(OPTIONS["metric"].choices)
    if only and only != METRICS:
        *others, last = only
        names = f"{', '.join(others)} and {last}" if others else last
        settings["help"] = f"{names}: {settings['help']}"
    _add(group, option.flags, **settings)


def _reader(read: Callable[[str], Any], check: Check) -> Callable[[str], Any]:
    """Turn an argument's text into a checked value."""

    def read_and_check(text: str) -> Any:
        try:
            value = read(text)
        except ValueError:
            value = text
        try:
            check("", value)
        except (TypeError, ValueError) as error:
            expected = str(error).strip().partition(", not ")[0]
            raise ArgumentTypeError(f"{expected}, not {text!r}") from None
        return value

    return read_and_check


def split_names(parser: ArgumentParser, given: Namespace) -> None:
    """Replace name=FILE by the file, collect the names in `given.names`, and check them."""
    _collect_names(parser, given)
    names = given.names or ()
    if not all(names) or len(set(names)) < len(names):
        parser.error("argument --names: each system needs a name of its own")


def _collect_names(parser: ArgumentParser, given: Namespace) -> None:
    named = {}
    for index, path in enumerate(given.systems):
        name, equals, rest = path.partition("=")
        if equals and name and rest and not os.path.exists(path):
            named[index], given.systems[index] = name, rest
    if not named:
        return
    if given.names is not None:
        parser.error("argument --names: not allowed with name=FILE")
    if given.jsonl is not None or len(named) < len(given.systems):
        parser.error("argument -c/--corrected: name either all systems or none")
    given.names = list(named.values())


def check(parser: ArgumentParser, given: Namespace, level: str) -> None:
    """Check arguments that depend on each other."""
    if given.verbose and given.format != "text":
        parser.error(f"argument -v: its tables are for --format text, not {given.format}")
    asks = (given.confidence_level, given.paired, given.types)
    resamples = any(value is not None for value in asks) or makes_report(given)
    if level == "sentence" and asks[:2] != (None, None):
        option = "--paired" if given.confidence_level is None else "--confidence"
        parser.error(f"argument {option}: resamples sentences; use green or mgreen")
    if given.explain:
        _check_explain(parser, given, level)
    if given.worst or given.between:
        _check_sentences(parser, given, level)
    elif given.top:
        parser.error("argument --top: needs --between")
    if given.baseline is not None and not given.paired and not makes_report(given):
        parser.error("argument --baseline: needs --paired")
    for name in ("n_resamples", "seed"):
        if getattr(given, name) is not None and not resamples:
            (flag,) = OPTIONS[name].flags
            parser.error(f"argument {flag}: needs --confidence or --paired")
    if given.n_resamples == 0:
        parser.error("argument --resamples: must be at least 1, not '0'")
    if given.save is not None:
        _check_save(parser, given)
    if makes_report(given):
        _check_report(parser, given, level)
    _check_scores(parser, given, level)
    if not given.references and given.m2 is None and given.jsonl is None:
        names = "-r/--references --m2 --jsonl"
        parser.error(f"one of the arguments {names} is required: there are no references")
    if not given.systems and given.jsonl is None:
        names = "-c/--corrected --jsonl"
        parser.error(f"one of the arguments {names} is required: there are no systems to score")


def makes_report(given: Namespace) -> bool:
    """Whether the output or the saved file is HTML."""
    return "html" in (given.format, FORMATS_OF_ENDINGS.get(ending(given.save or "")))


def _check_report(parser: ArgumentParser, given: Namespace, level: str) -> None:
    option = "--format html" if given.format == "html" else "--save"
    if level == "sentence":
        parser.error(f"argument {option}: a report is of a corpus; use green or mgreen")
    if given.types is not None:
        parser.error(f"argument {option}: a report has no error types; leave --types out")
    if given.beta and len(given.beta) > 1:
        parser.error(f"argument {option}: a report takes one beta; it shows others anyway")


def _check_scores(parser: ArgumentParser, given: Namespace, level: str) -> None:
    """Check the arguments that some scores have and others do not."""
    if given.types is not None:
        _check_types(parser, given, level)
    metrics = given.metric = list(dict.fromkeys(given.metric))
    has = "has" if len(metrics) == 1 else "have"
    for name in options_given(given):
        if not any(OPTIONS[name].is_of(metric) for metric in metrics):
            flags = "/".join(OPTIONS[name].flags[:2])
            parser.error(f"argument {flags}: {' and '.join(metrics)} {has} no such option")
    if given.beta and len(given.beta) > 1 and len(metrics) > 1:
        parser.error("argument -b/--beta: several scores take one value")
    allowed = list(dict.fromkeys(each for metric in metrics for each in SELECTIONS.get(metric, ())))
    if given.selection is not None and given.selection not in allowed:
        takes = "takes" if len(metrics) == 1 else "take"
        known = f"{' and '.join(metrics)} {takes} {' or '.join(allowed)}"
        parser.error(f"argument --selection: {known}")
    if given.selection == "mean" and level == "corpus":
        parser.error("argument --selection: mean needs the scores of sentences; use mgreen")
    for flag, is_given in {"-v": given.verbose, "--explain": given.explain}.items():
        if is_given and (len(metrics) > 1 or metrics[0] in EDIT_METRICS):
            parser.error(
                f"argument {flag}: shows the n-grams of one score, not {' '.join(metrics)}"
            )
    if given.line_verbose and not OPTIONS["beta"].is_of(metrics[0]):
        parser.error(f"argument -l/--line-verbose: {metrics[0]} has no such option")


def _check_types(parser: ArgumentParser, given: Namespace, level: str) -> None:
    if level != "corpus":
        parser.error("argument --types: counts the edits of a corpus; use green")
    if given.metric not in (["green"], ["m2"], ["errant"]):
        parser.error("argument --types: edits are found by m2, the default, or errant")
    for option, is_given in {
        "-l": given.line_verbose,
        "--paired": given.paired is not None,
        "-v": given.verbose,
    }.items():
        if is_given:
            parser.error(f"argument --types: not allowed with {option}")
    # It comes with GREEN.
    given.metric = ["green", "errant" if given.metric == ["errant"] else "m2"]


def options_given(given: Namespace) -> dict[str, Any]:
    """The options that the user gave, apart from the metric."""
    values = {name: getattr(given, name, None) for name in OPTIONS if name != "metric"}
    return {name: value for name, value in values.items() if value is not None}


def as_flag(name: str, value: Any) -> str:
    """An option and its value, if given, as one writes them on the command line."""
    flag = OPTIONS[name].flags[0]
    return flag if value in (None, True) else f"{flag} {value}"


def _check_explain(parser: ArgumentParser, given: Namespace, level: str) -> None:
    if level != "sentence":
        parser.error("argument --explain: explains single sentences; use sgreen")
    for option, is_given in {
        "-v": given.verbose,
        "-l": given.line_verbose,
        "--format": given.format != "text",
        "--signature": given.signature,
    }.items():
        if is_given:
            parser.error(f"argument --explain: not allowed with {option}")
    if given.beta and len(given.beta) > 1:
        parser.error("argument --explain: takes one beta")


def _check_sentences(parser: ArgumentParser, given: Namespace, level: str) -> None:
    """Check the arguments of the report of sentences that matter."""
    flag = "--worst" if given.worst else "--between"
    if level != "sentence":
        parser.error(f"argument {flag}: lists single sentences; use sgreen")
    if given.worst and given.top:
        parser.error("argument --top: needs --between; --worst takes the number itself")
    for option, is_given in {"-v": given.verbose, "-l": given.line_verbose}.items():
        if is_given:
            parser.error(f"argument {flag}: not allowed with {option}")
    for format_ in (given.format, FORMATS_OF_ENDINGS.get(ending(given.save or ""))):
        if format_ in ("markdown", "latex"):
            parser.error(f"argument {flag}: lists texts in text, json or csv, not {format_}")
    if len(set(given.metric)) > 1 or (given.beta and len(given.beta) > 1):
        parser.error(f"argument {flag}: takes one score with one beta")


def _check_save(parser: ArgumentParser, given: Namespace) -> None:
    """Fail early: check that the output can be written before scoring."""
    path = given.save
    # Devices and pipes are written to, files are replaced.
    written = path if is_special(path) else os.path.dirname(os.path.realpath(path))
    if path in ("", "-") or os.path.isdir(path) or not os.access(written, os.W_OK):
        parser.error(f"argument --save: cannot write {path!r}")
    if not is_special(path) and ending(path) not in ("", ".txt", *FORMATS_OF_ENDINGS):
        known = f"{', '.join(FORMATS_OF_ENDINGS)} or .txt, or none"
        parser.error(f"argument --save: unknown ending {ending(path)!r}; use {known}")
    for other in (given.source, given.m2, given.jsonl, *given.references, *given.systems):
        if other and os.path.isfile(path) and os.path.realpath(path) == os.path.realpath(other):
            parser.error(f"argument --save: {path} is an input; choose another file")


def ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def is_special(path: str) -> bool:
    """Whether a path is a device or a pipe."""
    return os.path.exists(path) and not os.path.isfile(path)
