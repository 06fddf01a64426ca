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
    arguments.add_options(parser, METRICS, several=True)
    arguments.add_resamples(parser)
    arguments.add_output(parser)
    return parser


def run(args: Namespace) -> int:
    if args.output is None:
        raise ValueError("argument -o: name the page to write, like -o report.html")
    arguments.check_one(args, "beta")
    options = {"paired": "ar", "n_resamples": N_RESAMPLES} | arguments.user_options(args)
    settings = Options.make_each(args.metric or METRICS[:1], options)
    files = arguments.input_files(args)
    check_file("-o", args.output, files)
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
        files=files,
    )
    save(args.output, page)
    return 0 if is_special(args.output) else write(f"wrote {args.output}\n")
