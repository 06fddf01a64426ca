"""`green types`: recall by error type, and GREEN where there is something to correct."""

from argparse import Namespace

from ..options import EDIT_METRICS, N_RESAMPLES, Options
from . import arguments
from .parser import Parser, whole_number


def make_parser(prog: str) -> Parser:
    parser = Parser(
        prog,
        "--m2 FILE -c FILE... [options]",
        "Count the gold edits that systems found, by error type, and score with GREEN the\n"
        "sentences that need edits and those that need none.",
    )
    parser.add_argument(
        "--tier",
        **whole_number(1, 3),
        default=3,
        help="of ERRANT's types, the operation (1), the main type (2) or both (3, the default)",
    )
    arguments.add_files(parser)
    arguments.add_options(parser, EDIT_METRICS)
    arguments.add_resamples(parser, paired=False)
    arguments.add_output(parser, arguments.TABLE_FORMATS)
    return parser


def run(args: Namespace) -> int:
    arguments.check_one(args, "metric", "beta")
    metric, *_ = args.metric or arguments.gold_files(args) or EDIT_METRICS
    options = {"n_resamples": N_RESAMPLES} | arguments.user_options(args)
    green, edits = Options.make_each(["green", metric], options)
    edits = edits.replace(n_resamples=0)  # Wilson's intervals need no resamples
    arguments.check_save(args, arguments.TABLE_FORMATS)
    from . import scoring, type_tables  # slow

    corpus = scoring.read_corpus(args, [green, edits])
    types = type_tables.count_types(args, corpus, green, edits)
    return scoring.finish(args, lambda format_, _: type_tables.render(types, args, format_))
