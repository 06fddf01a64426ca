"""The commands: `green` (corpus), `mgreen` (mean of the sentences), `sgreen` (each sentence).

`green-gec` is `green` under a name that no other package installs.

Slow imports wait until the arguments have been validated.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import namedtuple

from ..options import EDIT_METRICS, N_SENTENCES, Options
from . import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Sequence
    from typing import NoReturn

    from ..corpus import Corpus, Edits
    from .arguments import Parser


def green() -> NoReturn:
    _leave(main("green", "corpus"))


def green_gec() -> NoReturn:
    _leave(main("green-gec", "corpus"))


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
    # NumPy's matrix products gain nothing from threads, and on a busy machine these wait for long.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        parser = arguments.make_parser(prog, level)
        if sys.stdout is None:
            parser.error("cannot write the output: standard output is closed")
        given = parser.parse_args(argv)
        arguments.split_names(parser, given)
        arguments.check(parser, given, level)
        return arguments.write(parser, _run(parser, given, level))
    except KeyboardInterrupt:
        return 130


# What a report shows of each score: its statistics and results, arrays (beta, system, …).
# `of_references` are the statistics of all references, for tables of GLEU in which the best one is
# marked, `at_betas` those for the curves of a report; `baseline` is the number of a system.
Scored = namedtuple(
    "Scored", ["texts", "made", "results", "of_references", "at_betas", "baseline", "warnings"]
)


def _run(parser: Parser, given: Namespace, level: str) -> bytes:
    """Score, save the report and return what is to be printed."""
    format_of_file = arguments.FORMATS_OF_ENDINGS.get(
        arguments.ending(given.save or ""), given.format
    )
    settings = _settings(given, level, "json" in (given.format, format_of_file))
    texts, edits = _read(parser, given, settings)
    names = [name for name, _ in texts.systems]
    for flag, is_given in {"--paired": given.paired, "--between": given.between}.items():
        if is_given and len(names) == 1:
            parser.error(
                f"argument {flag}: compares systems, but {names[0]} is the only one; give at least "
                "two with -c"
            )
    if len(names) == 1:  # a report of one has no tests
        settings = [options.replace(paired=None) for options in settings]
    baseline = 0
    if given.baseline is not None:
        baseline = _find_system(parser, given, names, "--baseline", given.baseline)
    pair = [_find_system(parser, given, names, "--between", name) for name in given.between or ()]
    if pair and pair[0] == pair[1]:
        parser.error(f"argument --between: compares two systems, but both are {names[pair[0]]}")
    scored = _score(parser, given, texts, edits, settings, baseline)
    render_sentences = None
    if given.worst or pair:
        render_sentences = _sentences(parser, given, scored, edits, pair)

    def render(format_: str, color: bool = False) -> str:
        if render_sentences is not None:
            return render_sentences(format_, color)
        if given.explain and format_ == "text":
            return _explain(texts, settings[0], given.digits, color)
        if given.types is not None:
            return _render_types(parser, format_, given, scored, edits)
        if format_ == "html":
            return _report(given, scored, edits)
        return _render(format_, given, scored)

    color = given.explain and _shows_colors()
    output = arguments.encoded(render(given.format, color))
    if given.save is not None:
        same = format_of_file == given.format and not color
        try:
            _save(given.save, output if same else arguments.encoded(render(format_of_file)))
        except OSError as error:
            parser.error(f"cannot write {given.save}: {error.strerror}")
    return output


def _settings(given: Namespace, level: str, to_json: bool) -> list[Options]:
    from ..api import N_RESAMPLES

    options = {"confidence_level": None, **arguments.options_given(given)}
    if given.types is not None:  # which comes with intervals
        options["confidence_level"] = given.confidence_level or Options.confidence_level
        options.setdefault("n_resamples", N_RESAMPLES)
    elif arguments.makes_report(given):  # which comes with intervals and tests
        options["confidence_level"] = given.confidence_level or Options.confidence_level
        options.setdefault("paired", "ar")
        options.setdefault("n_resamples", N_RESAMPLES)
    elif given.confidence_level is not None or given.paired is not None:
        options.setdefault("n_resamples", N_RESAMPLES)
    if len(given.metric) > 1 and given.beta:
        (options["beta"],) = given.beta
    detailed = to_json or given.verbose
    settings = Options.of_each(given.metric, options, "systems", level=level, detailed=detailed)
    if given.types is not None:  # error types have intervals that need no resamples
        settings[1] = settings[1].replace(n_resamples=0)
    return settings


def _read(parser: Parser, given: Namespace, settings: list[Options]) -> tuple[Corpus, Edits]:
    """Read the files; keep sources only if a score needs them."""
    from .. import corpus
    from ..scores import scoring

    metrics = " and ".join(given.metric)
    needs = "needs" if len(given.metric) == 1 else "need"
    needs_sources = any(scoring(options).needs_sources for options in settings)
    if given.explain and not needs_sources:
        parser.error(f"argument --explain: needs sources, and {metrics} takes none")
    if not needs_sources and given.source is not None:
        parser.error(f"argument -s/--source: {metrics} takes no sources; leave it out")
    if needs_sources and given.source is given.m2 is given.jsonl is None:
        names = "-s/--source --m2 --jsonl"
        parser.error(f"one of the arguments {names} is required: {metrics} {needs} sources")
    try:
        files = (given.source, given.references, given.systems, given.m2, given.jsonl)
        texts, edits = corpus.read_with_edits(*files, needs_sources)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    of_edits = [metric for metric in given.metric if metric in EDIT_METRICS]
    if of_edits and edits.gold is None:
        parser.error(f"{of_edits[0]} needs gold edits; give an M2 file with --m2 or -r")
    systems = texts.systems
    if given.names is not None:
        if len(given.names) != len(systems):
            parser.error(
                f"argument --names: got {len(given.names)} for {len(systems)} systems; name each"
            )
        systems = [
            (name, of_system) for name, (_, of_system) in zip(given.names, systems, strict=True)
        ]
    return texts._replace(systems=systems, sources=texts.sources if needs_sources else None), edits


def _find_system(parser: Parser, given: Namespace, names: list[str], flag: str, name: str) -> int:
    """The number of a system, given by its name or its file."""
    from .reports import short_names

    files = given.systems if len(given.systems) == len(names) else names
    for known in (names, files, short_names(names, given.systems)):
        if name in known:
            return known.index(name)
    parser.error(f"argument {flag}: must be one of {', '.join(names)}, not {name!r}")


def _score(
    parser: Parser,
    given: Namespace,
    texts: Corpus,
    edits: Edits,
    settings: list[Options],
    baseline: int,
) -> Scored:
    from .. import api

    options = settings[0]
    is_best_of_gleu = (options.metric, options.selection) == ("gleu", "max")
    if given.verbose and options.level == "sentence" and is_best_of_gleu:
        settings = [*settings, options.replace(selection="sample")]  # keeps all references
    by_beta = []
    if arguments.makes_report(given):
        from ..reporting.findings import settings_by_beta

        by_beta = settings_by_beta(settings)
    warnings: list[str] = []
    try:
        made = api.count(
            *(texts.sources, texts.systems, texts.references, [*settings, *by_beta]),
            progress=_progress("counting"),
            warn=lambda warning: warnings.append(warning.text(arguments.as_flag)),
            edits=edits,
        )
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    for warning in warnings:
        parser.tell("warning", warning)
    of_references, at_betas = made[len(settings) - 1], made[len(settings) :]
    made = made[: len(given.metric)]
    results = []
    if given.types is None:
        results = [statistics.results(baseline, _progress("resampling")) for statistics in made]
    return Scored(texts, made, results, of_references, at_betas, baseline, warnings)


def _shows_colors() -> bool:
    """Whether the output goes to a terminal whose user has not asked for plain text."""
    if sys.platform == "win32" and "WT_SESSION" not in os.environ:
        return False  # consoles older than Windows Terminal print the codes
    return os.isatty(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _explain(
    texts: Corpus,
    options: Options,
    digits: int,
    color: bool,
    places: Sequence[tuple[int, int, str]] | None = None,
) -> str:
    """The n-grams by region of some sentences and systems, with notes, or of all."""
    from ..explanation import of_sentence, visible
    from ..reporting.figures import percent

    options = options.replace(detailed=True)
    parts = []
    if places is None:
        systems = range(len(texts.systems))
        places = [(i, system, "") for i in range(len(texts.references)) for system in systems]
    for sentence, system, note in _progress("explaining")(places, len(places)):
        name, corrected = texts.systems[system]
        given = (texts.sources[sentence], corrected[sentence], texts.references[sentence])
        # The whole corpus has been warned about already.
        found = of_sentence(*given, options, warn=None)
        text = found.to_text(color, lambda value: percent(value, digits))
        parts.append(f"sentence {sentence + 1}, {visible(name)}{note}\n{text}\n")
    return "\n".join(parts)


def _render(format_: str, given: Namespace, scored: Scored) -> str:
    """The report in a format."""
    from ..api import columns_of
    from . import reports

    made, results = scored.made, scored.results
    names = [name for name, _ in scored.texts.systems]
    signatures = {each.options.metric: each.signature for each in made}
    if format_ == "json":
        columns = columns_of(made, names, results)
        baseline = names[scored.baseline] if made[0].options.paired else None
        settings = [each.options.settings() | {"baseline": baseline} for each in made]
        n_sentences = len(scored.texts.references)
        return reports.to_json(columns, signatures, settings, n_sentences, scored.warnings)
    if format_ == "csv":
        columns = reports.flat(columns_of(made, names, results), made)
        for metric in signatures if given.signature else ():
            name = "signature" if len(made) == 1 else f"{metric}_signature"
            columns[name] = [signatures[metric]] * len(columns["system"])
        return reports.to_csv(columns)
    output = ""
    statistics, options = made[0], made[0].options
    is_table = format_ != "text" or options.n_resamples or len(made) > 1
    if format_ == "text" and given.verbose:
        if given.line_verbose:
            output = reports.order_lines(statistics, given.digits)
        else:
            output = reports.order_tables(scored.texts, scored.of_references, given.digits)
    elif not is_table:
        output = reports.plain(names, results[0][options.metric], options, given.digits)
    if is_table:
        shown = reports.short_names(names, given.systems)
        output += reports.table(made, shown, results, format_, given.digits)
        if options.paired:
            note = reports.about_marks(options, shown[scored.baseline], len(names), format_)
            output = reports.with_line(output, note, format_)
    for signature in signatures.values() if given.signature else ():
        output = reports.with_line(output, signature, format_)
    return output


def _report(given: Namespace, scored: Scored, edits: Edits) -> str:
    """The report in one file, as HTML."""
    from ..reporting.findings import find
    from ..reporting.page import page
    from .reports import short_names

    names, corrected = zip(*scored.texts.systems, strict=True)
    shown = short_names(names, given.systems)
    texts = scored.texts._replace(systems=[*zip(shown, corrected, strict=True)])
    rest = (scored.at_betas, _progress("resampling"))
    found = [
        find(statistics, texts, edits, scored.baseline, results, *rest)
        for statistics, results in zip(scored.made, scored.results, strict=True)
    ]
    return page(found, scored.warnings, given.digits)


def _sentences(
    parser: Parser, given: Namespace, scored: Scored, edits: Edits, pair: list[int]
) -> Callable[[str, bool], str]:
    """Find the sentences of `--between` or `--worst`; return a function that makes the report."""
    from . import reports, sentences

    texts, (statistics,), digits = scored.texts, scored.made, given.digits
    names = [name for name, _ in texts.systems]
    n = given.worst or given.top or N_SENTENCES
    try:
        whole, columns = sentences.find(texts, statistics, edits, pair, n)
    except ValueError as error:
        parser.error(str(error))

    def render(format_: str, color: bool) -> str:
        if format_ == "json":
            about = {"between": [names[index] for index in pair] or None, "n": n}
            signatures = {whole.options.metric: whole.signature}
            settings, n_sentences = whole.options.settings() | about, len(texts.references)
            return reports.to_json(columns, signatures, [settings], n_sentences, scored.warnings)
        if format_ == "csv":
            signature = {"signature": [whole.signature] * len(columns["sentence"])}
            return sentences.to_csv(columns | (signature if given.signature else {}))
        shown = reports.short_names(names, given.systems)
        places = sentences.places(columns, names, pair, shown, digits)
        if given.explain:
            noted = [(i, system, f": {effect}") for i, some, effect in places for system in some]
            corrected = [lines for _, lines in texts.systems]
            named = texts._replace(systems=[*zip(shown, corrected, strict=True)])
            body = _explain(named, statistics.options, digits, color, noted)
        else:
            body = sentences.to_text(places, texts, statistics, shown, digits)
        parts = [sentences.heading(whole, pair, shown, digits), body or "no such sentences\n"]
        return "\n".join([*parts, *([f"{whole.signature}\n"] if given.signature else [])])

    return render


def _render_types(
    parser: Parser, format_: str, given: Namespace, scored: Scored, edits: Edits
) -> str:
    """The report of `--types` in a format."""
    from ..edits.types import columns
    from . import error_types, reports

    names = [name for name, _ in scored.texts.systems]
    try:
        if format_ == "csv":  # the groups of sentences have other columns
            return reports.to_csv(columns(names, scored.made[1], given.types))
        found = error_types.tables(names, scored.made, edits, given.types)
    except ValueError as error:
        parser.error(f"argument --types: {error}")
    if format_ == "json":
        n_sentences = len(scored.texts.references)
        return error_types.to_json(found, scored.made, n_sentences, scored.warnings)
    shown = reports.short_names(names, given.systems)
    output = error_types.to_text(found, scored.made, shown, format_, given.digits)
    for statistics in scored.made if given.signature else ():
        output = reports.with_line(output, statistics.signature, format_)
    return output


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
