"""Parsed arguments to a scored corpus: what the commands do before they write their output."""

import ntpath
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from ..api import count_each, need_sources
from ..corpus import Corpus, read
from ..counting import Statistics
from ..explanation import visible
from ..input_warnings import InputWarning
from ..metrics import Values
from ..options import EDIT_METRICS, Options
from ..reporting.figures import percent
from ..significance import no_progress
from .arguments import as_flag, file_format, gold_files
from .output import save, tell, write

_ENDING = re.compile(r"\.[A-Za-z]\w*(\.gz)?$|\.gz$")


@dataclass(frozen=True)
class Scored:
    """A corpus with the statistics and results of each metric."""

    corpus: Corpus
    names: list[str]  # of the systems, as tables show them
    statistics: list[Statistics]
    results: list[Values]  # arrays (beta, system, …)
    warnings: list[str]
    baseline: int  # the number of a system


def read_corpus(args: Namespace, settings: Sequence[Options]) -> Corpus:
    """Read the files; sources that no metric needs are left out, unless the user gave them."""
    needs_sources, metrics = need_sources(settings), [options.metric for options in settings]
    if not (args.references or args.m2 or args.gold or args.jsonl):
        raise ValueError("there are no references; give them with -r, --m2, --gold or --jsonl")
    if not (args.systems or args.jsonl):
        raise ValueError("there are no systems to score; give their files with -c")
    systems, gold = _system_files(args), gold_files(args) or None
    corpus = read(args.source, args.references, systems, args.m2, args.jsonl, needs_sources, gold)
    if needs_sources and corpus.sources is None:
        needs = f"{' and '.join(metrics)} need{'s' * (len(metrics) == 1)} them"
        raise ValueError(f"there are no sources, and {needs}; give -s, --m2, --gold or --jsonl")
    for metric in metrics:
        if metric in EDIT_METRICS and metric not in corpus.gold:
            raise ValueError(
                f"{metric} needs gold edits; give an M2 file: --m2 or --gold {metric}=FILE"
            )
    if args.names:  # also those of JSON Lines
        if len({*args.names}) != len(corpus.systems) or not all(args.names):
            raise ValueError(
                f"argument --names: {len(corpus.systems)} systems need as many different names"
            )
        corpus = rename_systems(corpus, args.names)
    return corpus if needs_sources or args.source else replace(corpus, sources=None)


def _system_files(args: Namespace) -> dict[str, str]:
    """The systems' files by name: that of name=FILE, else the file's own."""
    files: dict[str, str] = {}
    for number, (name, path) in enumerate(args.systems):
        if args.names:
            if name != path:
                raise ValueError("argument --names: not allowed with name=FILE")
            name = f"{number}"  # until the corpus is renamed
        if name in files:
            raise ValueError(
                f"argument -c: there are two systems {name}; give each a name of its own, name=FILE"
            )
        files[name] = path
    return files


def rename_systems(corpus: Corpus, names: Sequence[str]) -> Corpus:
    new = dict(zip(corpus.systems, names, strict=True))
    return replace(
        corpus,
        systems={new[name]: texts for name, texts in corpus.systems.items()},
        edits={new[name]: edits for name, edits in corpus.edits.items()},
    )


def short_names(names: Collection[str], files: Sequence[tuple[str, str]]) -> list[str]:
    """The systems' names in tables: without folders and endings if they stay different.

    `files` are names and files; a file that has no other name is its name.
    """
    base = ntpath.basename  # which knows the folders of all operating systems
    for shorten in (lambda path: _ENDING.sub("", base(path)), base, str):
        shorter = [visible(shorten(name) if (name, name) in files else name) for name in names]
        if len(set(shorter)) == len(names) and all(shorter):
            return shorter
    return list(names)


def find_system(args: Namespace, corpus: Corpus, flag: str, name: str | None) -> int:
    """The number of the system with a name, short name or file; by default the first."""
    if name is None:
        return 0
    names = list(corpus.systems)
    from_jsonl = names[: len(names) - len(args.systems)]
    files = [*from_jsonl, *(path for _, path in args.systems)]
    for known in (names, short_names(corpus.systems, args.systems), files):
        if name in known:
            return known.index(name)
    raise ValueError(f"argument {flag}: must be one of {', '.join(names)}, not {name!r}")


def score(args: Namespace, corpus: Corpus, settings: Sequence[Options]) -> Scored:
    names, baseline, warnings = short_names(corpus.systems, args.systems), 0, []
    if settings[0].paired:
        baseline = find_system(args, corpus, "--baseline", args.baseline)
        if len(names) == 1:
            (only,) = corpus.systems
            raise ValueError(
                f"argument --paired: compares systems, but {only} is the only one; give two"
            )
    statistics = count_each(
        corpus,
        settings,
        warn=lambda warning: warnings.append(warn(args, warning)),
        progress=make_progress("counting"),
    )
    results = [each.results(baseline, make_progress("resampling")) for each in statistics]
    return Scored(corpus, names, statistics, results, warnings, baseline)


def warn(args: Namespace, warning: InputWarning) -> str:
    """Show a warning and return its text; with --strict, it is an error."""
    text = warning.text(as_flag)
    if args.strict:
        raise ValueError(text)
    tell(args.prog, "warning", text)
    return text


def finish(args: Namespace, render: Callable[[str, bool], str]) -> int:
    """Save and print what `render` makes, given a format and whether to use colours."""
    output = render(args.format, shows_colors())
    if args.save is not None:
        save(args.save, render(file_format(args), False))
    return write(output)


def check_scores(args: Namespace, scored: Scored) -> int:
    """The exit status of --fail-under, for scores as they are printed."""
    if args.fail_under is None:
        return 0
    metric, status = scored.statistics[0].options.metric, 0
    for name, value in zip(scored.names, scored.results[0][metric][0].tolist(), strict=True):
        text = percent(value, args.digits, metric)
        if float(text) < args.fail_under:
            tell(args.prog, "error", f"{name} has {text}, less than {args.fail_under:g}")
            status = 1
    return status


def shows_colors() -> bool:
    """Whether the output goes to a terminal whose user has not asked for plain text."""
    if sys.platform == "win32" and "WT_SESSION" not in os.environ:
        return False  # consoles older than Windows Terminal print the codes
    return os.isatty(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def make_progress(what: str) -> Callable[[Iterable, int], Iterable]:
    """A bar on a terminal, for work that takes more than a second."""
    if not sys.stderr.isatty():
        return no_progress
    from tqdm import tqdm  # slow, and for terminals only

    return lambda parts, n_parts: tqdm(parts, what, n_parts, leave=False, delay=1)
