"""The command line: `green` (corpus), `mgreen` (mean of sentences), `sgreen` (each sentence).

What takes long to import is imported when the arguments are known to be right.
"""

import os
import stat
import sys
import warnings
from argparse import (
    SUPPRESS,
    Action,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from .api import Counted
    from .corpus import Corpus
    from .options import Options

_ABOUT = {
    "corpus": "Score grammatical error corrections with GREEN, an n-gram F-score, or another one.",
    "mean": "Score grammatical error corrections: the mean of the sentences' GREEN or other score.",
    "sentence": "Score each grammatical error correction with GREEN or another score: a line each.",
}
_FORMATS_OF_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}
_EXAMPLES = """\
examples:
  {prog} -s source.txt -r reference0.txt reference1.txt -c system.txt
  {prog} --m2 references.m2 -c system0.txt system1.txt -t char
  {prog} -m gleu -s source.txt -r reference0.txt reference1.txt -c system.txt
"""
_MORE_EXAMPLES = """\
  {prog} --m2 references.m2 -c old.txt new.txt --confidence --paired
  {prog} --jsonl sentences.jsonl --format json --save results.json
"""


def green() -> NoReturn:
    _leave(main("green", "corpus"))


def mgreen() -> NoReturn:
    _leave(main("mgreen", "mean"))


def sgreen() -> NoReturn:
    _leave(main("sgreen", "sentence"))


def _leave(status: int) -> NoReturn:
    """End at once; to take NumPy and Arrow apart first would cost a tenth of a score's time."""
    sys.stderr.flush()
    os._exit(status)


def main(prog: str, level: str, arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    if sys.stderr is None:  # closed by whoever started us
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    try:
        parser = _parser(prog, level)
        if sys.stdout is None:
            parser.error("cannot write the output: standard output is closed")
        given = parser.parse_args(arguments)
        _check(parser, given, level)
        output = _run(parser, given, level)
        return _print(parser, output)
    except KeyboardInterrupt:
        return 130


def _print(parser: ArgumentParser, output: bytes) -> int:
    # Not sys.stdout, which may lose a part of it without a word when it has no buffer.
    try:
        with open(1, "wb", closefd=False) as file:
            file.write(output)
    except BrokenPipeError:  # whoever reads has seen enough
        return 141
    except OSError as error:
        parser.error(f"cannot write the output: {error.strerror}")
    return 0


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """End with one line that no file name can break."""
        shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
        self.exit(2, f"{self.prog}: error: {shown}\n")


class _Version(Action):
    def __init__(self, *names: Any, **settings: Any):
        super().__init__(*names, nargs=0, **settings)

    def __call__(self, parser: ArgumentParser, *_: Any) -> NoReturn:
        from .options import __version__

        print(f"{parser.prog} {__version__}")
        parser.exit()


def _parser(prog: str, level: str) -> ArgumentParser:
    examples = _EXAMPLES + ("" if level == "sentence" else _MORE_EXAMPLES)
    parser = _Parser(
        prog=prog,
        description=_ABOUT[level],
        epilog=examples.format(prog=prog),
        formatter_class=RawDescriptionHelpFormatter,
    )
    _add_files(parser)
    _add_score(parser)
    _add_differences(parser)
    _add_output(parser)
    return parser


def _add_files(parser: ArgumentParser) -> None:
    files = parser.add_argument_group(
        "files", "UTF-8, one sentence a line, compressed with gzip or not; - is standard input"
    )
    origin = files.add_mutually_exclusive_group()
    _add(
        origin,
        ("-s", "--source"),
        ("--src",),
        metavar="FILE",
        dest="source",
        help="the texts before correction, for green and gleu",
    )
    origin.add_argument(
        "--m2", metavar="FILE", help="M2, in place of -s and -r: the texts and how to correct them"
    )
    origin.add_argument(
        "--jsonl",
        metavar="FILE",
        help="JSON Lines, in place of -s, -r and -c: fields source, references, and prediction "
        "or predictions",
    )
    several = {"metavar": "FILE", "nargs": "+", "action": "extend", "default": []}
    _add(
        files,
        ("-r", "--references"),
        ("--ref", "--refs"),
        dest="references",
        help="what the texts should be; a file named *.m2 is read as M2",
        **several,
    )
    _add(
        files,
        ("-c", "--corrected"),
        (
            *("--cor", "--cors", "--corrected-sentences", "-o", "--out", "--outs", "--outputs"),
            *("--hyp", "--hyps", "--hypotheses"),
        ),
        dest="systems",
        help="the systems' corrected texts",
        **several,
    )


def _add_score(parser: ArgumentParser) -> None:
    score = parser.add_argument_group("score")
    score.add_argument(
        "-m",
        "--metric",
        choices=["green", "gleu", "bleu", "rouge", "f1"],
        default="green",
        help="the score (default: green); rouge is ROUGE-N, f1 the F1 of it and bleu",
    )
    _add(
        score,
        ("-t", "--tokenize"),
        ("--token", "--tokenization"),
        dest="tokenizer",
        choices=["word", "char"],
        default="word",
        help="what n-grams are made of (default: word)",
    )
    score.add_argument(
        "-n",
        type=_number(int, 1, 1000, "a whole number from 1 to 1000"),
        help="the longest n-grams (default: 4, or 6 for char)",
    )
    score.add_argument(
        "-b",
        "--beta",
        type=_number(float, 0, None, "a positive number", open_=True),
        nargs="+",
        action="extend",
        metavar="B",
        help="green: how much more recall counts than precision (default: 2)",
    )
    score.add_argument(
        "--effective-order",
        action="store_true",
        help="green: leave out the orders for which all texts are too short",
    )
    score.add_argument(
        "--formula",
        metavar="{official,paper}",
        help="gleu: its penalty, as in the original code or as in the paper (default: official)",
    )
    score.add_argument(
        "--max",
        action="store_true",
        help="gleu: take each sentence's best reference, instead of drawing references at random "
        "(always in the same way)",
    )
    _add(
        score,
        ("-i", "--iterations"),
        ("--iter",),
        dest="iterations",
        metavar="N",
        type=_number(int, 1, 10**5, "a whole number of draws for gleu, from 1 to 100000"),
        help="gleu: how often to draw (default: 500)",
    )
    score.add_argument(
        "--strip", action="store_true", help="first remove the whitespace around every text"
    )


def _add_differences(parser: ArgumentParser) -> None:
    sure = parser.add_argument_group(
        "differences", "is a score or a difference more than chance? (green and mgreen)"
    )
    sure.add_argument(
        "--confidence",
        metavar="LEVEL",
        nargs="?",
        const=0.95,
        type=_number(float, 0, 1, "a number between 0 and 1", open_=True),
        help="add a bootstrap confidence interval, of level 0.95 if no other is given",
    )
    sure.add_argument(
        "--paired",
        metavar="TEST",
        nargs="?",
        const="bs",
        choices=["bs", "ar"],
        help="add each system's difference from the baseline and its p-value, by paired "
        "bootstrap (bs, default) or approximate randomisation (ar)",
    )
    sure.add_argument(
        "--baseline", metavar="FILE", help="the system to compare with (default: the first)"
    )
    sure.add_argument(
        "--resamples",
        metavar="N",
        type=_number(int, 1, 10**7, "a whole number from 1 to 10000000"),
        help="how often to resample the sentences (default: 1000)",
    )
    sure.add_argument(
        "--seed",
        metavar="N",
        type=_number(int, 0, None, "a whole number of at least 0"),
        help="the seed of the resamples (default: 12345)",
    )


def _add_output(parser: ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    output.add_argument(
        "-d",
        "--digit",
        dest="digits",
        metavar="D",
        type=_number(int, 0, 100, "a whole number from 0 to 100"),
        default=2,
        help="digits after the decimal point (default: 2)",
    )
    output.add_argument(
        "-v", "--verbose", action="store_true", help="a table with the counts of every order"
    )
    output.add_argument(
        "--explain",
        action="store_true",
        help="sgreen: say of every n-gram what became of it, in colour on a terminal",
    )
    output.add_argument(
        "-l",
        "--line-verbose",
        action="store_true",
        help="green: with -v, alpha, beta, precision, recall and F on a line",
    )
    output.add_argument(
        "--format",
        choices=["text", "json", "csv", "markdown", "latex"],
        default="text",
        help="scores are in percent; JSON has everything, in full, between 0 and 1",
    )
    output.add_argument(
        "--signature", action="store_true", help="add the signature, which pins all settings"
    )
    output.add_argument(
        "--save",
        metavar="FILE",
        help="also write the output to a file, whose ending may choose another format "
        "(.json, .csv, .md, .tex)",
    )
    output.add_argument("--version", action=_Version, help="print the version and stop")


def _add(group: Any, names: Sequence[str], hidden: Sequence[str], **settings: Any) -> None:
    """Add an option with the names that the help shows, and the authors' other names for it."""
    group.add_argument(*names, **settings)
    group.add_argument(*hidden, **{**settings, "help": SUPPRESS})


def _number(
    kind: type, least: float, most: float | None, words: str, open_: bool = False
) -> Callable[[str], Any]:
    """A check for an option's value; the range is closed or open."""

    def check(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            value = None
        fits = value is not None and value >= least and (most is None or value <= most)
        if not fits or (open_ and value in (least, most)):
            raise ArgumentTypeError(f"must be {words}, not {text!r}")
        return value

    return check


def _check(parser: ArgumentParser, given: Namespace, level: str) -> None:
    """Check what concerns several options."""
    if given.verbose and given.format != "text":
        parser.error(f"argument -v: its tables are for --format text, not {given.format}")
    if level == "sentence" and (given.confidence or given.paired):
        option = "--confidence" if given.confidence else "--paired"
        parser.error(f"argument {option}: resamples sentences; use green or mgreen")
    if given.explain:
        _check_explain(parser, given, level)
    if given.baseline is not None and not given.paired:
        parser.error("argument --baseline: needs --paired")
    for name in ("resamples", "seed"):
        if getattr(given, name) is not None and not (given.confidence or given.paired):
            parser.error(f"argument --{name}: needs --confidence or --paired")
    if given.save is not None:
        _check_save(parser, given)


def _check_explain(parser: ArgumentParser, given: Namespace, level: str) -> None:
    if level != "sentence":
        parser.error("argument --explain: explains each sentence; use sgreen")
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


def _check_save(parser: ArgumentParser, given: Namespace) -> None:
    """Check before the work what would be a pity after it."""
    path = given.save
    # A device or a pipe is written, a file is replaced.
    written = path if _is_special(path) else os.path.dirname(os.path.realpath(path))
    if path in ("", "-") or os.path.isdir(path) or not os.access(written, os.W_OK):
        parser.error(f"argument --save: cannot write {path!r}")
    for other in (given.source, given.m2, given.jsonl, *given.references, *given.systems):
        if other and os.path.isfile(path) and os.path.realpath(path) == os.path.realpath(other):
            parser.error(f"argument --save: {path} is to be read, not to be written")


def _run(parser: ArgumentParser, given: Namespace, level: str) -> bytes:
    """Do the work, save the result and return what is to be printed."""
    format_of_file = _FORMATS_OF_ENDINGS.get(os.path.splitext(given.save or "")[1], given.format)
    options = _options(parser, given, level, "json" in (given.format, format_of_file))
    texts = _read(parser, given, options)
    names = [name for name, _ in texts.systems]
    if given.baseline is not None and given.baseline not in names:
        parser.error(f"argument --baseline: must be one of {', '.join(names)}")
    baseline = names.index(given.baseline) if given.baseline is not None else 0

    from . import api

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        counted = api.count(
            texts.sources, texts.systems, texts.references, options, _progress("counting")
        )
    for warning in caught:
        print(f"{parser.prog}: warning: {warning.message}", file=sys.stderr)
    results = api.results(counted, options, baseline, _progress("resampling"))

    def render(format_: str, color: bool = False) -> bytes:
        if given.explain and format_ == "text":
            output = _explain(texts, options, given.digits, color)
        else:
            output = _render(format_, given, texts, options, counted, results, names[baseline])
        return output.encode("utf-8", "surrogateescape")  # as file names come in

    color = given.explain and _shows_colors()
    output = render(given.format, color)
    if given.save is not None:
        same = format_of_file == given.format and not color
        try:
            _save(given.save, output if same else render(format_of_file))
        except OSError as error:
            parser.error(f"cannot write {given.save}: {error.strerror}")
    return output


def _options(parser: ArgumentParser, given: Namespace, level: str, to_json: bool) -> "Options":
    """The options, when it is known that the score has them all."""
    from .api import N_RESAMPLES
    from .options import Options, options_of

    own = {
        ("-b", "beta"): given.beta,
        ("--effective-order", "effective_order"): given.effective_order or None,
        ("--formula", "formula"): given.formula,
        ("--max", "selection"): "max" if given.max else None,
        ("-i", "iterations"): given.iterations,
    }
    known = options_of(given.metric)
    for (flag, name), value in own.items():
        if value is not None and name not in known:
            parser.error(f"argument {flag}: {given.metric} has no such option")
    if given.line_verbose and "beta" not in known:
        parser.error(f"argument -l: {given.metric} has no such option")
    try:
        return Options(
            metric=given.metric,
            tokenizer=given.tokenizer,
            max_order=given.n,
            level=level,
            strip=given.strip,
            detailed=to_json or given.verbose,
            n_resamples=(given.resamples or N_RESAMPLES) if given.confidence or given.paired else 0,
            confidence_level=given.confidence,
            seed=Options.seed if given.seed is None else given.seed,
            paired=given.paired,
            **{name: value for (_, name), value in own.items() if value is not None},
        )
    except ValueError as error:
        parser.error(str(error))


def _read(parser: ArgumentParser, given: Namespace, options: "Options") -> "Corpus":
    """The files; the sources only if the score needs them."""
    from . import corpus

    origin = given.m2 or given.jsonl
    if given.explain and not options.scoring.needs_sources:
        parser.error(f"argument --explain: needs sources, and {given.metric} takes none")
    if not options.scoring.needs_sources and given.source is not None:
        parser.error(f"argument -s/--source: {given.metric} takes no sources; leave it out")
    if options.scoring.needs_sources and given.source is None and origin is None:
        names = "-s/--source --m2 --jsonl"
        parser.error(f"one of the arguments {names} is required: {given.metric} needs sources")
    try:
        texts = corpus.read(given.source, given.references, given.systems, given.m2, given.jsonl)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    if not options.scoring.needs_sources:
        return texts._replace(sources=None)
    if texts.sources is None:
        parser.error(f"{corpus.show_name(origin)} has no sources; {given.metric} needs them")
    return texts


def _shows_colors() -> bool:
    """Whether it is a terminal that reads, and nobody has asked for plain text."""
    return os.isatty(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _explain(texts: "Corpus", options: "Options", digits: int, color: bool) -> str:
    """What became of the n-grams of each sentence, system by system."""
    from dataclasses import replace

    from . import report
    from .explain import of_sentence, visible

    options = replace(options, detailed=True)
    parts = []
    sentences = list(zip(texts.sources, texts.references, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # they have been printed
        for index in _progress("explaining")(range(len(sentences)), len(sentences)):
            source, references = sentences[index]
            for name, corrected in texts.systems:
                found = of_sentence(source, corrected[index], references, options)
                text = found.to_text(color, lambda value: report.percent(value, digits))
                parts.append(f"sentence {index + 1}, {visible(name)}\n{text}\n")
    return "\n".join(parts)


def _render(
    format_: str,
    given: Namespace,
    texts: "Corpus",
    options: "Options",
    counted: "Counted",
    results: dict[str, Any],
    baseline: str,
) -> str:
    """All that is to be printed or saved, in a format."""
    from dataclasses import replace

    from . import api, report

    names = [name for name, _ in texts.systems]
    signature = options.signature(counted.n_references)
    if format_ == "json":
        settings = {**options.settings(), "baseline": baseline if given.paired else None}
        columns = api.table(names, results, options)
        return report.to_json(columns, signature, settings, len(texts.references))
    output = ""
    if format_ == "text" and given.verbose:
        if given.max and options.level == "sentence":  # show all references, the best one marked
            options = replace(options, selection="sample")
            counted = api.count(texts.sources, texts.systems, texts.references, options)
        orders = api.by_order(counted, options)
        if given.line_verbose:
            output = report.order_lines(orders, options, given.digits)
        else:
            output = report.order_tables(texts, orders, counted, options, given.digits)
    elif format_ == "text" and not options.n_resamples:
        output = report.plain(names, results[options.metric], options, given.digits)
    if format_ != "text" or options.n_resamples:
        columns = api.table(names, results, options)
        if format_ == "csv" and given.signature:
            columns["signature"] = [signature] * len(columns["system"])
        output += report.table(columns, format_, options, given.digits)
    return report.with_signature(output, signature, format_) if given.signature else output


def _progress(what: str) -> Callable[[Iterable, int], Iterable]:
    """A bar on a terminal, for what takes more than a second."""
    from .significance import without_progress

    if not sys.stderr.isatty():
        return without_progress
    from tqdm import tqdm

    return lambda parts, n_parts: tqdm(parts, what, n_parts, leave=False, delay=1)


def _save(path: str, data: bytes) -> None:
    """Write a file so that there is never half of it."""
    if _is_special(path):
        with open(path, "wb") as file:
            file.write(data)
        return
    import tempfile

    path = os.path.realpath(path)
    descriptor, temporary = tempfile.mkstemp(prefix=".green-", dir=os.path.dirname(path))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _is_special(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)


def _mode(path: str) -> int:
    """The permissions of a file; if it is a new one, those that files get here."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
