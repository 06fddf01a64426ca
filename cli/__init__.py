"""The commands: `green` (corpus), `mgreen` (mean of the sentences), `sgreen` (each sentence).

Slow imports wait until the arguments have been validated.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import namedtuple

from ..options import Options
from . import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable
    from typing import NoReturn

    from ..corpus import Corpus
    from .arguments import Parser


def green() -> NoReturn:
    _leave(main("green", "corpus"))


def mgreen() -> NoReturn:
    _leave(main("mgreen", "mean"))


def sgreen() -> NoReturn:
    _leave(main("sgreen", "sentence"))


def _leave(status: int) -> NoReturn:
    """Exit at once; an orderly shutdown of NumPy and Arrow would cost a tenth of a score's time."""
    sys.stderr.flush()
    os._exit(status)


def main(prog: str, level: str, argv: list[str] | None = None) -> int:
    """Run a command; return the exit status."""
    if sys.stderr is None:  # closed by the parent process
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    try:
        parser = arguments.make_parser(prog, level)
        if sys.stdout is None:
            parser.error("cannot write the output: standard output is closed")
        given = parser.parse_args(argv)
        arguments.check(parser, given, level)
        return arguments.write(parser, _run(parser, given, level))
    except KeyboardInterrupt:
        return 130


# What a report shows. The results are arrays (beta, system, …); `of_references` are the statistics
# of all references, for tables of GLEU in which the best one is marked.
Scored = namedtuple(
    "Scored", ["texts", "statistics", "results", "of_references", "baseline", "warnings"]
)


def _run(parser: Parser, given: Namespace, level: str) -> bytes:
    """Score, save the report and return what is to be printed."""
    format_of_file = arguments.FORMATS_OF_ENDINGS.get(
        arguments.ending(given.save or ""), given.format
    )
    options = _options(given, level, "json" in (given.format, format_of_file))
    texts = _read(parser, given, options)
    names = [name for name, _ in texts.systems]
    if given.baseline is not None and given.baseline not in names:
        parser.error(f"argument --baseline: must be one of {', '.join(names)}")
    if given.paired and len(names) == 1:
        parser.error(
            f"argument --paired: compares systems, but {names[0]} is the only one; give at least "
            "two with -c"
        )
    baseline = names.index(given.baseline) if given.baseline is not None else 0
    scored = _score(parser, given, texts, options, baseline)

    def render(format_: str, color: bool = False) -> bytes:
        if given.explain and format_ == "text":
            output = _explain(texts, options, given.digits, color)
        else:
            output = _render(format_, given, scored)
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


def _options(given: Namespace, level: str, to_json: bool) -> Options:
    from ..api import N_RESAMPLES

    options = {"confidence_level": None, **arguments.options_given(given)}
    if given.confidence_level is not None or given.paired is not None:
        options.setdefault("n_resamples", N_RESAMPLES)
    detailed = to_json or given.verbose
    return Options.of(given.metric, options, "systems", level=level, detailed=detailed)


def _read(parser: Parser, given: Namespace, options: Options) -> Corpus:
    """Read the files; keep sources only if the score needs them."""
    from .. import corpus
    from ..scores import scoring

    needs_sources = scoring(options).needs_sources
    if given.explain and not needs_sources:
        parser.error(f"argument --explain: needs sources, and {given.metric} takes none")
    if not needs_sources and given.source is not None:
        parser.error(f"argument -s/--source: {given.metric} takes no sources; leave it out")
    if needs_sources and given.source is given.m2 is given.jsonl is None:
        names = "-s/--source --m2 --jsonl"
        parser.error(f"one of the arguments {names} is required: {given.metric} needs sources")
    try:
        files = (given.source, given.references, given.systems, given.m2, given.jsonl)
        texts = corpus.read(*files, needs_sources)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    return texts if needs_sources else texts._replace(sources=None)


def _score(
    parser: Parser, given: Namespace, texts: Corpus, options: Options, baseline: int
) -> Scored:
    from .. import api

    settings = [options]
    is_best_of_gleu = (options.metric, options.selection) == ("gleu", "max")
    if given.verbose and options.level == "sentence" and is_best_of_gleu:
        settings.append(options.replace(selection="sample"))  # keeps all references
    warnings: list[str] = []
    try:
        all_statistics = api.count(
            *(texts.sources, texts.systems, texts.references, settings),
            progress=_progress("counting"),
            warn=lambda warning: warnings.append(warning.text(arguments.as_flag)),
        )
    except ImportError as error:
        parser.error(str(error))
    for warning in warnings:
        parser.tell("warning", warning)
    statistics = all_statistics[0]
    results = statistics.results(baseline, _progress("resampling"))
    name, _ = texts.systems[baseline]
    return Scored(texts, statistics, results, all_statistics[-1], name, warnings)


def _shows_colors() -> bool:
    """Whether the output goes to a terminal whose user has not asked for plain text."""
    return os.isatty(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _explain(texts: Corpus, options: Options, digits: int, color: bool) -> str:
    """The n-grams of each sentence by region, system by system."""
    from ..explanation import of_sentence, visible
    from .reports import percent

    options = options.replace(detailed=True)
    parts = []
    sentences = list(zip(texts.sources, texts.references, strict=True))
    for index in _progress("explaining")(range(len(sentences)), len(sentences)):
        source, references = sentences[index]
        for name, corrected in texts.systems:
            # The whole corpus has been warned about already.
            found = of_sentence(source, corrected[index], references, options, warn=None)
            text = found.to_text(color, lambda value: percent(value, digits))
            parts.append(f"sentence {index + 1}, {visible(name)}\n{text}\n")
    return "\n".join(parts)


def _render(format_: str, given: Namespace, scored: Scored) -> str:
    """The report in a format."""
    from . import reports

    statistics, options = scored.statistics, scored.statistics.options
    names = [name for name, _ in scored.texts.systems]
    signature = statistics.signature
    columns = {}
    if format_ != "text" or options.n_resamples:
        columns = statistics.columns(names, scored.results)
    if format_ == "json":
        settings = {**options.settings(), "baseline": scored.baseline if given.paired else None}
        n_sentences = len(scored.texts.references)
        return reports.to_json(columns, signature, settings, n_sentences, scored.warnings)
    if format_ == "csv":
        if given.signature:
            columns["signature"] = [signature] * len(columns["system"])
        return reports.to_csv(reports.flat(columns, options))
    output = ""
    if format_ == "text" and given.verbose:
        if given.line_verbose:
            output = reports.order_lines(statistics, given.digits)
        else:
            output = reports.order_tables(scored.texts, scored.of_references, given.digits)
    elif not columns:
        output = reports.plain(names, scored.results[options.metric], options, given.digits)
    if columns:
        output += reports.table(columns, format_, options, given.digits)
    if options.paired:
        note = reports.about_test(options, scored.baseline, len(names))
        output = reports.with_line(output, note, format_)
    return reports.with_line(output, signature, format_) if given.signature else output


def _progress(what: str) -> Callable[[Iterable, int], Iterable]:
    """A bar on a terminal, for work that takes more than a second."""
    from ..significance import without_progress

    if not sys.stderr.isatty():
        return without_progress
    from tqdm import tqdm

    return lambda parts, n_parts: tqdm(parts, what, n_parts, leave=False, delay=1)


def _save(path: str, data: bytes) -> None:
    """Write a file atomically: as a whole or not at all."""
    if arguments.is_special(path):
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


def _mode(path: str) -> int:
    """The permissions of a file, or those that new files get here."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
