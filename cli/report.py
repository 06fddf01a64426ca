"""`green report`: everything about the systems' scores on a page of HTML."""

from argparse import Namespace
from functools import partial

from ..options import METRICS, N_RESAMPLES, Options
from . import arguments
from .output import check_file, is_special, save, write
from .parser import Once, Parser


def make_parser(prog: str) -> Parser:
    parser = Parser(
        prog,
        "-o report.html -s FILE -r FILE... -c FILE... [options]",
        "Compare systems on a page of HTML, in one file: scores with intervals, who beats\n"
        "whom, pictures, and the sentences that matter.",
    )
    parser.add_argument("-o", "--output", metavar="FILE", action=Once, help="the page to write")
    arguments.add_level(parser)
    arguments.add_files(parser)
    arguments.add_options(parser, METRICS)
    arguments.add_resamples(parser)
    arguments.add_output(parser)
    return parser


def run(args: Namespace) -> int:
    if args.output is None:
        raise ValueError("argument -o: name the page to write, like -o report.html")
    arguments.check_one(args, "beta")
    options = {"paired": "ar", "n_resamples": N_RESAMPLES} | arguments.user_options(args)
    settings = Options.make_each(args.metric or METRICS[:1], options)
    check_file("-o", args.output, arguments.input_files(args))
    from ..reporting.report import make_report  # slow
    from . import scoring

    corpus = scoring.read_corpus(args, settings)
    page = make_report(
        scoring.rename_systems(corpus, scoring.short_names(corpus.systems, args.systems)),
        settings,
        scoring.find_system(args, corpus, "--baseline", args.baseline),
        warn=partial(scoring.warn, args),
        progress=scoring.make_progress("resampling"),
        digits=args.digits,
        files=_files_by_role(args),
    )
    save(args.output, page)
    return 0 if is_special(args.output) else write(f"wrote {args.output}\n")


def _files_by_role(args: Namespace) -> dict[str, list[str]]:
    """The files as the user gave them, by what they hold."""
    from ..corpus.files import show_name  # slow

    gold = {f"gold edits of {name}": [path] for name, path in arguments.gold_files(args).items()}
    systems = [path if name == path else f"{name}={path}" for name, path in args.systems]
    files = {"source": [args.source], "references": args.references, "gold edits": [args.m2]}
    files |= {**gold, "JSON Lines": [args.jsonl], "systems": systems}
    return {role: [*map(show_name, paths)] for role, paths in files.items() if any(paths)}
