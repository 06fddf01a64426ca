"""Arguments to output: read the files, score the systems, make the report."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from .. import explanation
from ..api import N_RESAMPLES, count_each, join_columns, need_sources
from ..corpus import Corpus, read
from ..counting import Statistics
from ..edits.counting import Matches, make_statistics, match_edits
from ..edits.types import type_columns
from ..input_warnings import InputWarning
from ..metrics import Values
from ..options import EDIT_METRICS, N_SENTENCES, Options
from ..reporting.figures import percent
from ..reporting.findings import find, settings_by_beta
from ..reporting.page import page
from ..significance import no_progress
from . import error_types, reports, sentences
from .arguments import Parser
from .checks import as_flag, format_of_file, given_options, makes_report
from .output import encode, save


@dataclass(frozen=True)
class Scored:
    """What reports are made of: a corpus with the statistics and results of each metric."""

    corpus: Corpus
    statistics: list[Statistics]
    results: list[Values]  # arrays (beta, system, …)
    baseline: int  # the number of a system
    warnings: list[str]
    table_statistics: Statistics  # for tables of the orders; of GLEU, with all references
    beta_statistics: list[Statistics]  # for the curves of a report in HTML
    matches: Matches | None = None  # for error types
    listing: sentences.Listing | None = None  # the sentences that matter


def run(parser: Parser, args: Namespace, level: str) -> bytes:
    """Score, save the report and return what is to be printed."""
    settings = _make_settings(args, level)
    corpus = _read(parser, args, settings)
    names = list(corpus.systems)
    for flag, is_given in {"--paired": args.paired, "--between": args.between}.items():
        if is_given and len(names) == 1:
            parser.error(
                f"argument {flag}: compares systems, but {names[0]} is the only one; give at least "
                "two with -c"
            )
    if len(names) == 1:  # a report of one has no tests
        settings = [options.replace(paired=None) for options in settings]
    baseline = 0
    if args.baseline is not None:
        baseline = _find_system(parser, args, names, "--baseline", args.baseline)
    pair = [_find_system(parser, args, names, "--between", name) for name in args.between or ()]
    if pair and pair[0] == pair[1]:
        parser.error(f"argument --between: compares two systems, but both are {names[pair[0]]}")
    scored = _score(parser, args, corpus, settings, baseline)
    if args.worst or pair:
        scored = replace(scored, listing=_list_sentences(parser, args, scored, pair))
    color = args.explain and shows_colors()
    output = encode(_render(parser, args, scored, args.format, color))
    if args.save is not None:
        format_ = format_of_file(args) or args.format
        is_same = format_ == args.format and not color
        saved = output if is_same else encode(_render(parser, args, scored, format_))
        try:
            save(args.save, saved)
        except OSError as error:
            parser.error(f"cannot write {args.save}: {error.strerror}")
    return output


def _make_settings(args: Namespace, level: str) -> list[Options]:
    """The options of each metric."""
    options = {"confidence_level": None, **given_options(args)}
    has_intervals = args.types is not None or makes_report(args)
    if has_intervals:
        options["confidence_level"] = args.confidence_level or Options.confidence_level
    if has_intervals or args.confidence_level is not None or args.paired is not None:
        options.setdefault("n_resamples", N_RESAMPLES)
    if makes_report(args):
        options.setdefault("paired", "ar")
    if len(args.metric) > 1 and args.beta:
        (options["beta"],) = args.beta
    detailed = args.verbose or "json" in (args.format, format_of_file(args))
    settings = Options.make_each(args.metric, options, level=level, detailed=detailed)
    if args.types is not None:  # error types have intervals that need no resamples
        settings[1] = settings[1].replace(n_resamples=0)
    return settings


def _read(parser: Parser, args: Namespace, settings: list[Options]) -> Corpus:
    """Read the files; keep sources only if a metric needs them."""
    needs_sources = need_sources(settings)
    _check_sources(parser, args, needs_sources)
    systems = args.systems
    if args.names is not None and args.jsonl is None:
        _check_names(parser, args, len(systems))
        systems = dict(zip(args.names, systems, strict=True))
    try:
        corpus = read(args.source, args.references, systems, args.m2, args.jsonl, needs_sources)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    for metric in args.metric:
        if metric in EDIT_METRICS and corpus.gold is None:
            parser.error(f"{metric} needs gold edits; give an M2 file with --m2 or -r")
    if args.names is not None:  # also those of JSON Lines
        _check_names(parser, args, len(corpus.systems))
        corpus = _rename_systems(corpus, args.names)
    return corpus if needs_sources else replace(corpus, sources=None)


def _check_sources(parser: Parser, args: Namespace, needs_sources: bool) -> None:
    metrics, is_one = " and ".join(args.metric), len(args.metric) == 1
    if args.explain and not needs_sources:
        parser.error(f"argument --explain: needs sources, and {metrics} takes none")
    if not needs_sources and args.source is not None:
        takes = "takes" if is_one else "take"
        parser.error(f"argument -s/--source: {metrics} {takes} no sources; leave it out")
    if needs_sources and args.source is args.m2 is args.jsonl is None:
        flags, needs = "-s/--source --m2 --jsonl", "needs" if is_one else "need"
        parser.error(f"one of the arguments {flags} is required: {metrics} {needs} sources")


def _check_names(parser: Parser, args: Namespace, n_systems: int) -> None:
    if len(args.names) != n_systems:
        parser.error(f"argument --names: got {len(args.names)} for {n_systems} systems; name each")


def _rename_systems(corpus: Corpus, names: Sequence[str]) -> Corpus:
    new = dict(zip(corpus.systems, names, strict=True))
    return replace(
        corpus,
        systems={new[name]: texts for name, texts in corpus.systems.items()},
        edits={new[name]: edits for name, edits in corpus.edits.items()},
    )


def _find_system(parser: Parser, args: Namespace, names: list[str], flag: str, name: str) -> int:
    """The number of a system, given by its name or its file."""
    files = args.systems if len(args.systems) == len(names) else names
    for known in (names, files, reports.short_names(names, args.systems)):
        if name in known:
            return known.index(name)
    parser.error(f"argument {flag}: must be one of {', '.join(names)}, not {name!r}")


def _score(
    parser: Parser, args: Namespace, corpus: Corpus, settings: list[Options], baseline: int
) -> Scored:
    warnings: list[str] = []

    def warn(warning: InputWarning) -> None:
        warnings.append(warning.text(as_flag))

    table_settings, beta_settings = _table_settings(args, settings), []
    if makes_report(args):
        beta_settings = settings_by_beta(settings)
    counting, matches = _progress("counting"), None
    try:
        if args.types is not None:
            statistics = count_each(corpus, settings[:1], warn=warn, progress=counting)
            matches = match_edits(corpus, settings[1], counting)
            statistics.append(make_statistics(matches, settings[1]))
        else:
            every = [*settings, *table_settings, *beta_settings]
            statistics = count_each(corpus, every, warn=warn, progress=counting)
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    for warning in warnings:
        parser.tell("warning", warning)
    n_metrics, n_tables = len(settings), len(table_settings)
    results, resampling = [], _progress("resampling")
    if args.types is None:
        results = [each.results(baseline, resampling) for each in statistics[:n_metrics]]
    return Scored(
        corpus,
        statistics[:n_metrics],
        results,
        baseline,
        warnings,
        table_statistics=statistics[n_metrics if n_tables else 0],
        beta_statistics=statistics[n_metrics + n_tables :],
        matches=matches,
    )


def _table_settings(args: Namespace, settings: list[Options]) -> list[Options]:
    """What tables of the orders need besides: GLEU marks the best of all references."""
    options = settings[0]
    is_best_of_gleu = (options.metric, options.selection) == ("gleu", "max")
    if args.verbose and options.level == "sentence" and is_best_of_gleu:
        return [options.replace(selection="sample")]  # keeps all references
    return []


def _list_sentences(
    parser: Parser, args: Namespace, scored: Scored, pair: list[int]
) -> sentences.Listing:
    n = args.worst or args.top or N_SENTENCES
    try:
        return sentences.find(scored.corpus, scored.statistics[0], pair, n)
    except ValueError as error:
        parser.error(str(error))


def _render(
    parser: Parser, args: Namespace, scored: Scored, format_: str, color: bool = False
) -> str:
    """The report in a format."""
    if scored.listing is not None:
        return _render_sentences(args, scored, format_, color)
    if args.explain and format_ == "text":
        names = list(scored.corpus.systems)
        n_sentences, systems = len(scored.corpus), range(len(names))
        places = [(sentence, system, "") for sentence in range(n_sentences) for system in systems]
        return _explain(scored, names, places, args.digits, color)
    if args.types is not None:
        return _render_types(parser, args, scored, format_)
    if format_ == "html":
        return _render_page(args, scored)
    if format_ == "json":
        return _render_json(scored)
    if format_ == "csv":
        return _render_csv(args, scored)
    return _render_scores(args, scored, format_)


def _render_json(scored: Scored) -> str:
    corpus, statistics = scored.corpus, scored.statistics
    names = list(corpus.systems)
    columns = join_columns(statistics, names, scored.results)
    baseline = names[scored.baseline] if statistics[0].options.paired else None
    settings = [each.options.settings() | {"baseline": baseline} for each in statistics]
    signatures = reports.signatures(statistics)
    return reports.to_json(columns, signatures, settings, len(corpus), scored.warnings)


def _render_csv(args: Namespace, scored: Scored) -> str:
    statistics = scored.statistics
    columns = join_columns(statistics, list(scored.corpus.systems), scored.results)
    columns = reports.flat(columns, statistics)
    for metric, signature in reports.signatures(statistics).items() if args.signature else ():
        name = "signature" if len(statistics) == 1 else f"{metric}_signature"
        columns[name] = [signature] * len(columns["system"])
    return reports.to_csv(columns)


def _render_scores(args: Namespace, scored: Scored, format_: str) -> str:
    """The authors' output, or tables in text, Markdown or LaTeX."""
    statistics, results, names = scored.statistics, scored.results, list(scored.corpus.systems)
    options = statistics[0].options
    is_table = format_ != "text" or options.n_resamples or len(statistics) > 1
    output = ""
    if format_ == "text" and args.verbose:
        if args.line_verbose:
            output = reports.order_lines(statistics[0], args.digits)
        else:
            output = reports.order_tables(scored.corpus, scored.table_statistics, args.digits)
    elif not is_table:
        output = reports.plain(names, results[0][options.metric], options, args.digits)
    if is_table:
        short_names = reports.short_names(names, args.systems)
        output += reports.table(statistics, short_names, results, format_, args.digits)
        if options.paired:
            baseline = short_names[scored.baseline]
            note = reports.about_marks(options, baseline, len(names), format_)
            output = reports.with_line(output, note, format_)
    return _with_signatures(args, output, statistics, format_)


def _with_signatures(
    args: Namespace, output: str, statistics: Sequence[Statistics], format_: str
) -> str:
    for each in statistics if args.signature else ():
        output = reports.with_line(output, each.signature, format_)
    return output


def _render_page(args: Namespace, scored: Scored) -> str:
    """The report in one file, as HTML."""
    short_names = reports.short_names(list(scored.corpus.systems), args.systems)
    corpus, progress = _rename_systems(scored.corpus, short_names), _progress("resampling")
    findings = [
        find(each, corpus, scored.baseline, results, scored.beta_statistics, progress)
        for each, results in zip(scored.statistics, scored.results, strict=True)
    ]
    return page(findings, scored.warnings, args.digits)


def _render_sentences(args: Namespace, scored: Scored, format_: str, color: bool) -> str:
    """The report of `--between` or `--worst` in a format."""
    corpus, listing, digits = scored.corpus, scored.listing, args.digits
    if format_ == "json":
        return sentences.to_json(listing, corpus, scored.warnings)
    if format_ == "csv":
        return sentences.to_csv(listing, args.signature)
    names = reports.short_names(list(corpus.systems), args.systems)
    places = sentences.places(listing, corpus, names, digits)
    if args.explain:
        noted = [
            (place.sentence, system, f": {place.effect}")
            for place in places
            for system in place.systems
        ]
        body = _explain(scored, names, noted, digits, color)
    else:
        body = sentences.to_text(places, corpus, scored.statistics[0], names, digits)
    parts = [sentences.heading(listing, names, digits), body or "no such sentences\n"]
    signature = [f"{listing.statistics.signature}\n"] if args.signature else []
    return "\n".join([*parts, *signature])


def _explain(
    scored: Scored,
    names: Sequence[str],
    places: Sequence[tuple[int, int, str]],
    digits: int,
    color: bool,
) -> str:
    """The n-grams by region of some sentences and systems, each with a note."""
    corpus, systems = scored.corpus, list(scored.corpus.systems.values())
    options = scored.statistics[0].options.replace(detailed=True)
    parts = []
    for sentence, system, note in _progress("explaining")(places, len(places)):
        explained = explanation.of_sentence(
            corpus.sources[sentence],
            systems[system][sentence],
            corpus.references[sentence],
            options,
            warn=None,  # the whole corpus has been warned about already
        )
        text = explained.to_text(color, lambda value: percent(value, digits))
        name = explanation.visible(names[system])
        parts.append(f"sentence {sentence + 1}, {name}{note}\n{text}\n")
    return "\n".join(parts)


def _render_types(parser: Parser, args: Namespace, scored: Scored, format_: str) -> str:
    """The report of `--types` in a format."""
    corpus, statistics = scored.corpus, scored.statistics
    names = list(corpus.systems)
    try:
        types = type_columns(names, scored.matches, statistics[1].options, args.types)
    except ValueError as error:
        parser.error(f"argument --types: {error}")
    if format_ == "csv":  # the groups of sentences have other columns
        return reports.to_csv(types)
    tables = error_types.tables(corpus, statistics[0], types)
    if format_ == "json":
        return error_types.to_json(tables, statistics, len(corpus), scored.warnings)
    short_names = reports.short_names(names, args.systems)
    output = error_types.to_text(tables, statistics, short_names, format_, args.digits)
    return _with_signatures(args, output, statistics, format_)


def shows_colors() -> bool:
    """Whether the output goes to a terminal whose user has not asked for plain text."""
    if sys.platform == "win32" and "WT_SESSION" not in os.environ:
        return False  # consoles older than Windows Terminal print the codes
    return os.isatty(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _progress(what: str) -> Callable[[Iterable, int], Iterable]:
    """A bar on a terminal, for work that takes more than a second."""
    if not sys.stderr.isatty():
        return no_progress
    from tqdm import tqdm  # slow, and for terminals only

    return lambda parts, n_parts: tqdm(parts, what, n_parts, leave=False, delay=1)
