"""The commands' flags; what may not be given together is in `checks`.

This module imports nothing slow, not even `options`, so that `--help` answers at once. Choices and
defaults are repeated here; the tests compare them.
"""

from __future__ import annotations

import sys
from argparse import (
    SUPPRESS,
    Action,
    ArgumentParser,
    ArgumentTypeError,
    RawDescriptionHelpFormatter,
)

from .output import encode, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

METRICS = ("green", "gleu", "bleu", "rouge", "f1", "m2", "errant")
TOKENIZERS = ("word", "char", "13a", "intl", "zh", "ja-mecab", "ko-mecab")
# The flags of the options, as messages name them; a parsed argument has the option's name.
FLAGS = {
    "tokenizer": "-t/--tokenize",
    "max_order": "-n",
    "beta": "-b/--beta",
    "effective_order": "--effective-order",
    "formula": "--formula",
    "selection": "--selection",
    "iterations": "-i/--iterations",
    "max_unchanged_words": "--max-unchanged-words",
    "ignore_case": "--ignore-case",
    "strip": "--strip",
    "confidence_level": "--confidence",
    "paired": "--paired",
    "n_resamples": "--resamples",
    "seed": "--seed",
}
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
_EXAMPLES_OF_CORPORA = """\
  {prog} --m2 references.m2 -c old.txt new.txt --confidence --paired
  {prog} --m2 references.m2 -c old.txt new.txt -m green gleu m2 --format latex
  {prog} --jsonl sentences.jsonl --format json --save results.json
"""
_EXAMPLES_OF_SENTENCES = """\
  {prog} --m2 references.m2 -c old.txt new.txt --between old.txt new.txt --explain
  {prog} --m2 references.m2 -c new.txt --worst 20
"""


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
        self.exit(write(self, encode(text)))


class _Version(Action):
    def __call__(self, parser: Parser, *_: Any) -> NoReturn:
        from ..options import __version__  # slow

        parser.print_and_exit(f"{parser.prog} {__version__}\n")


class _Registration(Action):
    def __call__(self, parser: Parser, *_: Any) -> NoReturn:
        from .. import registry  # slow

        try:
            done = getattr(registry, self.dest)()
        except OSError as error:
            parser.error(f"argument --{self.dest}: {error.strerror}")
        parser.print_and_exit(f"{done}\n")


def make_parser(prog: str, level: str) -> Parser:
    examples = _EXAMPLES_OF_SENTENCES if level == "sentence" else _EXAMPLES_OF_CORPORA
    parser = Parser(
        prog=prog,
        description=_ABOUT[level],
        epilog=(_EXAMPLES + examples).format(prog=prog),
        formatter_class=RawDescriptionHelpFormatter,
    )
    _add_files(parser)
    _add_score(parser)
    _add_differences(parser)
    _add_output(parser)
    if level == "corpus":
        _add_registration(parser)
    return parser


# Flags without a help text are the authors' other names for the flag above them.


def _add_files(parser: ArgumentParser) -> None:
    files = parser.add_argument_group(
        "files", "UTF-8, one sentence per line, plain or gzip-compressed; - is standard input"
    )
    origin = files.add_mutually_exclusive_group()
    origin.add_argument(
        "-s",
        "--source",
        metavar="FILE",
        help="the original sentences, for green, gleu, m2 and errant",
    )
    origin.add_argument("--src", dest="source", metavar="FILE", help=SUPPRESS)
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
    files.add_argument(
        "-r",
        "--references",
        help="the reference corrections, as plain text or M2",
        **several,
    )
    files.add_argument("--ref", "--refs", dest="references", help=SUPPRESS, **several)
    files.add_argument(
        "-c",
        "--corrected",
        dest="systems",
        help="the systems' corrected sentences, one file per system, as plain text or M2; "
        "name=FILE names the system",
        **several,
    )
    files.add_argument(
        *("--cor", "--cors", "--corrected-sentences", "-o", "--out", "--outs", "--outputs"),
        *("--hyp", "--hyps", "--hypotheses"),
        dest="systems",
        help=SUPPRESS,
        **several,
    )
    files.add_argument(
        "--names", metavar="NAME", nargs="+", help="the systems' names, instead of their files'"
    )


def _add_score(parser: ArgumentParser) -> None:
    """The options that decide the figures; without a value of the user's they are None."""
    score = parser.add_argument_group("score")
    score.add_argument(
        "-m",
        "--metric",
        metavar="SCORE",
        nargs="+",
        choices=METRICS,
        default=["green"],
        help=f"one of {', '.join(METRICS)}, or several for one table; rouge is ROUGE-N, the recall "
        "of order N, and f1 the harmonic mean of BLEU and ROUGE-N; m2 and errant score edits and "
        "need an M2 file (default: green)",
    )
    score.add_argument(
        "-t",
        "--tokenize",
        dest="tokenizer",
        choices=TOKENIZERS,
        help="what n-grams are made of: words, split at whitespace; characters; or words and "
        "punctuation, separated as sacreBLEU does (13a, intl; zh, ja-mecab and ko-mecab need "
        "sacreBLEU) (default: word)",
    )
    score.add_argument(
        "--token", "--tokenization", dest="tokenizer", choices=TOKENIZERS, help=SUPPRESS
    )
    score.add_argument(
        "-n",
        dest="max_order",
        metavar="N",
        type=_int(1, 100),
        help="N, the length of the longest n-grams (default: 4, or 6 for characters)",
    )
    betas = {"metavar": "B", "nargs": "+", "action": "extend", "type": _positive}
    score.add_argument(
        "-b",
        "--beta",
        help="green, m2 and errant: the weight of recall over precision, a positive number or inf; "
        "several give several results (default: 2; 0.5 for m2 and errant)",
        **betas,
    )
    # --between must not make these two ambiguous.
    score.add_argument("--be", "--bet", dest="beta", help=SUPPRESS, **betas)
    score.add_argument(
        "--effective-order",
        action="store_true",
        default=None,
        help="green: leave out the orders for which all texts are too short; without it, a "
        "sentence of fewer than N tokens scores 0, as published",
    )
    score.add_argument(
        "--formula",
        choices=["official", "paper"],
        help='gleu: which penalty to use: "official", as the original implementation computes it, '
        'or "paper", as the paper defines it (default: official)',
    )
    score.add_argument(
        "--selection",
        choices=["max", "mean", "sample"],
        help='green and gleu: how a sentence\'s references are combined: "max" takes the best one '
        '(GREEN\'s default), "mean" averages over them (GREEN at the levels "mean" and '
        '"sentence"), and "sample" draws them at random, always in the same way, and averages '
        "(GLEU's default)",
    )
    draws = {"dest": "iterations", "metavar": "N", "type": _int(1, 100_000)}
    score.add_argument(
        "-i",
        "--iterations",
        help="gleu: how many times references are drawn (default: 500)",
        **draws,
    )
    score.add_argument("--iter", help=SUPPRESS, **draws)
    score.add_argument(
        "--max-unchanged-words",
        metavar="N",
        type=_int(0, 100),
        help="m2: how many words an edit may keep (default: 2)",
    )
    score.add_argument(
        "--ignore-case",
        action="store_true",
        default=None,
        help="m2: ignore case: an edit that changes nothing else does not count",
    )
    score.add_argument(
        "--strip",
        action="store_true",
        default=None,
        help="first remove the whitespace around every text",
    )
    score.add_argument(
        "--max",
        dest="selection",
        action="store_const",
        const="max",
        help="the same as --selection max",
    )


def _add_differences(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(
        "differences", "is a score or a difference more than chance? (green and mgreen)"
    )
    group.add_argument(
        "--confidence",
        dest="confidence_level",
        metavar="LEVEL",
        nargs="?",
        const=0.95,
        type=_share,
        help="add a bootstrap confidence interval of this level (default: 0.95)",
    )
    group.add_argument(
        "--paired",
        nargs="?",
        const="ar",
        choices=["ar", "bs"],
        help="add each system's difference from the baseline and its p-value, by approximate "
        "randomisation (ar, the default) or sacreBLEU's paired bootstrap (bs)",
    )
    group.add_argument(
        "--resamples",
        dest="n_resamples",
        metavar="N",
        type=_int(0, 10_000_000),
        help="number of resamples of the sentences (default: 1000)",
    )
    group.add_argument(
        "--seed", metavar="N", type=_int(0), help="seed of the resamples (default: 12345)"
    )
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
        type=_int(0, 100),
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
        type=_int(1, 3),
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
        type=_int(1),
        const=10,
        help="sgreen: instead of all scores, each system's N worst sentences (default: 10), by "
        "what the corpus's score would gain if a reference were in their place",
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
        type=_int(1),
        help="with --between: the number of sentences (default: 10)",
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
    group.add_argument(
        "--register",
        action=_Registration,
        nargs=0,
        help='make evaluate.load("green") load this package, and exit',
    )
    group.add_argument(
        "--unregister", action=_Registration, nargs=0, help="undo --register, and exit"
    )


def _int(least: int, most: int | None = None) -> Callable[[str], int]:
    """The type of an argument that is a whole number."""
    span = f"of at least {least}" if most is None else f"from {least} to {most:,}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1  # refused below
        if value < least or (most is not None and value > most):
            raise ArgumentTypeError(f"must be a whole number {span}, not {text!r}")
        return value

    return read


def _positive(text: str) -> float:
    """The type of an argument that is a positive number or infinity."""
    if not _float(text) > 0:
        raise ArgumentTypeError(f"must be a positive number, not {text!r}")
    return _float(text)


def _share(text: str) -> float:
    """The type of an argument that is a number between 0 and 1."""
    if not 0 < _float(text) < 1:
        raise ArgumentTypeError(f"must be a number between 0 and 1, not {text!r}")
    return _float(text)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
