"""Checks of arguments that depend on each other, before anything slow is imported."""

from __future__ import annotations

import os

from ..options import EDIT_METRICS, OWN_OPTIONS, SELECTIONS, option_names
from .arguments import FLAGS
from .output import FORMATS, ending, is_special

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any


def check(parser: ArgumentParser, args: Namespace, level: str) -> None:
    """Refuse what does not go together; replace name=FILE by the file and collect the names."""
    _split_names(parser, args)
    _check_output(parser, args, level)
    _check_resamples(parser, args, level)
    if args.save is not None:
        _check_save(parser, args)
    if makes_report(args):
        _check_report(parser, args, level)
    if args.types is not None:
        _check_types(parser, args, level)
    args.metric = list(dict.fromkeys(args.metric))
    _check_metrics(parser, args, level)
    if not args.references and args.m2 is None and args.jsonl is None:
        names = "-r/--references --m2 --jsonl"
        parser.error(f"one of the arguments {names} is required: there are no references")
    if not args.systems and args.jsonl is None:
        names = "-c/--corrected --jsonl"
        parser.error(f"one of the arguments {names} is required: there are no systems to score")


def given_options(args: Namespace) -> dict[str, Any]:
    """The options that the user gave, apart from the metric."""
    values = {name: getattr(args, name) for name in FLAGS}
    return {name: value for name, value in values.items() if value is not None}


def as_flag(name: str, value: Any) -> str:
    """An option and its value, if it has one, as one writes them on the command line."""
    flag = FLAGS[name].partition("/")[0]
    return flag if value in (None, True) else f"{flag} {value}"


def format_of_file(args: Namespace) -> str | None:
    """The format that the ending of the saved file chooses, if there is one and it does."""
    return FORMATS.get(ending(args.save or ""))


def makes_report(args: Namespace) -> bool:
    """Whether the output or the saved file is HTML."""
    return "html" in (args.format, format_of_file(args))


def _split_names(parser: ArgumentParser, args: Namespace) -> None:
    names = {}
    for index, path in enumerate(args.systems):
        name, equals, rest = path.partition("=")
        if equals and name and rest and not os.path.exists(path):
            names[index], args.systems[index] = name, rest
    if names:
        if args.names is not None:
            parser.error("argument --names: not allowed with name=FILE")
        if args.jsonl is not None or len(names) < len(args.systems):
            parser.error("argument -c/--corrected: name either all systems or none")
        args.names = list(names.values())
    if args.names and (not all(args.names) or len(set(args.names)) < len(args.names)):
        parser.error("argument --names: each system needs a name of its own")


def _check_output(parser: ArgumentParser, args: Namespace, level: str) -> None:
    if args.verbose and args.format != "text":
        parser.error(f"argument -v: its tables are for --format text, not {args.format}")
    if args.explain:
        _check_explain(parser, args, level)
    if args.worst or args.between:
        _check_sentences(parser, args, level)
    elif args.top:
        parser.error("argument --top: needs --between")


def _check_explain(parser: ArgumentParser, args: Namespace, level: str) -> None:
    if level != "sentence":
        parser.error("argument --explain: explains single sentences; use sgreen")
    for flag, is_given in {
        "-v": args.verbose,
        "-l": args.line_verbose,
        "--format": args.format != "text",
        "--signature": args.signature,
    }.items():
        if is_given:
            parser.error(f"argument --explain: not allowed with {flag}")
    if args.beta and len(args.beta) > 1:
        parser.error("argument --explain: takes one beta")


def _check_sentences(parser: ArgumentParser, args: Namespace, level: str) -> None:
    """Check the arguments of the report of sentences that matter."""
    flag = "--worst" if args.worst else "--between"
    if level != "sentence":
        parser.error(f"argument {flag}: lists single sentences; use sgreen")
    if args.worst and args.top:
        parser.error("argument --top: needs --between; --worst takes the number itself")
    for other, is_given in {"-v": args.verbose, "-l": args.line_verbose}.items():
        if is_given:
            parser.error(f"argument {flag}: not allowed with {other}")
    for format_ in (args.format, format_of_file(args)):
        if format_ in ("markdown", "latex"):
            parser.error(f"argument {flag}: lists texts in text, json or csv, not {format_}")
    if len(set(args.metric)) > 1 or (args.beta and len(args.beta) > 1):
        parser.error(f"argument {flag}: takes one score with one beta")


def _check_resamples(parser: ArgumentParser, args: Namespace, level: str) -> None:
    for name in ("confidence_level", "paired"):
        if level == "sentence" and getattr(args, name) is not None:
            parser.error(f"argument {FLAGS[name]}: resamples sentences; use green or mgreen")
    if args.baseline is not None and not args.paired and not makes_report(args):
        parser.error("argument --baseline: needs --paired")
    asks = (args.confidence_level, args.paired, args.types)
    resamples = makes_report(args) or any(value is not None for value in asks)
    for name in ("n_resamples", "seed"):
        if getattr(args, name) is not None and not resamples:
            parser.error(f"argument {FLAGS[name]}: needs --confidence or --paired")
    if args.n_resamples == 0:
        parser.error("argument --resamples: must be at least 1, not '0'")


def _check_save(parser: ArgumentParser, args: Namespace) -> None:
    """Fail early: check that the output can be written before scoring."""
    path = args.save
    # Devices and pipes are written to, files are replaced.
    written = path if is_special(path) else os.path.dirname(os.path.realpath(path))
    if path in ("", "-") or os.path.isdir(path) or not os.access(written, os.W_OK):
        parser.error(f"argument --save: cannot write {path!r}")
    if not is_special(path) and ending(path) not in ("", ".txt", *FORMATS):
        known = f"{', '.join(FORMATS)} or .txt, or none"
        parser.error(f"argument --save: unknown ending {ending(path)!r}; use {known}")
    for other in (args.source, args.m2, args.jsonl, *args.references, *args.systems):
        if other and os.path.isfile(path) and os.path.realpath(path) == os.path.realpath(other):
            parser.error(f"argument --save: {path} is an input; choose another file")


def _check_report(parser: ArgumentParser, args: Namespace, level: str) -> None:
    flag = "--format html" if args.format == "html" else "--save"
    if level == "sentence":
        parser.error(f"argument {flag}: a report is of a corpus; use green or mgreen")
    if args.types is not None:
        parser.error(f"argument {flag}: a report has no error types; leave --types out")
    if args.beta and len(args.beta) > 1:
        parser.error(f"argument {flag}: a report takes one beta; it shows others anyway")


def _check_types(parser: ArgumentParser, args: Namespace, level: str) -> None:
    if level != "corpus":
        parser.error("argument --types: counts the edits of a corpus; use green")
    if args.metric not in (["green"], ["m2"], ["errant"]):
        parser.error("argument --types: edits are found by m2, the default, or errant")
    for flag, is_given in {
        "-l": args.line_verbose,
        "--paired": args.paired is not None,
        "-v": args.verbose,
    }.items():
        if is_given:
            parser.error(f"argument --types: not allowed with {flag}")
    # It comes with GREEN.
    args.metric = ["green", "errant" if args.metric == ["errant"] else "m2"]


def _check_metrics(parser: ArgumentParser, args: Namespace, level: str) -> None:
    """Check the arguments that some metrics have and others do not."""
    metrics = args.metric
    has, takes = ("has", "takes") if len(metrics) == 1 else ("have", "take")
    for name in given_options(args):
        if not any(name in option_names(metric) for metric in metrics):
            parser.error(f"argument {FLAGS[name]}: {' and '.join(metrics)} {has} no such option")
    if args.beta and len(args.beta) > 1 and len(metrics) > 1:
        parser.error("argument -b/--beta: several scores take one value")
    selections = [each for metric in metrics for each in SELECTIONS.get(metric, ())]
    if args.selection is not None and args.selection not in selections:
        known = " or ".join(dict.fromkeys(selections))
        parser.error(f"argument --selection: {' and '.join(metrics)} {takes} {known}")
    if args.selection == "mean" and level == "corpus":
        parser.error("argument --selection: mean needs the scores of sentences; use mgreen")
    for flag, is_given in {"-v": args.verbose, "--explain": args.explain}.items():
        if is_given and (len(metrics) > 1 or metrics[0] in EDIT_METRICS):
            parser.error(
                f"argument {flag}: shows the n-grams of one score, not {' '.join(metrics)}"
            )
    if args.line_verbose and "beta" not in OWN_OPTIONS[metrics[0]]:
        parser.error(f"argument -l/--line-verbose: {metrics[0]} has no such option")
