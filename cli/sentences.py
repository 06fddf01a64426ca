"""`green sentences`: the sentences that cost a system most, or make the difference between two."""

from argparse import Namespace

from ..options import METRICS, N_SENTENCES, Options
from . import arguments, explain
from .parser import Parser, whole_number

_FORMATS = ("text", "json", "csv")


def make_parser(prog: str) -> Parser:
    parser = Parser(
        prog,
        "-s FILE -r FILE... -c FILE... [options]",
        "List the sentences that matter: by what the score of the corpus would gain if a\n"
        "reference were in their place, or would change if two systems swapped them.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--worst",
        nargs="?",
        **whole_number(1),
        const=N_SENTENCES,
        help="most costly sentences per system (default: 10)",
    )
    which.add_argument(
        "--between", metavar="SYSTEM", nargs=2, help="those that make two systems differ"
    )
    parser.add_argument("--top", **whole_number(1), help="with --between: how many (default: 10)")
    parser.add_argument(
        "--explain", action="store_true", help="show their n-grams by region (green and gleu)"
    )
    arguments.add_level(parser)
    arguments.add_files(parser)
    arguments.add_options(parser, METRICS)
    arguments.add_output(parser, _FORMATS)
    return parser


def run(args: Namespace) -> int:
    arguments.check_one(args, "metric", "beta")
    metric, *_ = args.metric or METRICS
    options = Options.make(metric, arguments.user_options(args))
    if args.top and not args.between:
        raise ValueError("argument --top: needs --between; --worst takes the number itself")
    if args.explain and metric not in explain.METRICS:
        raise ValueError(f"argument --explain: shows n-grams of green and gleu, not {metric}")
    if args.explain and args.format != "text":
        raise ValueError(f"argument --explain: is for --format text, not {args.format}")
    arguments.check_save(args, _FORMATS)
    from . import scoring  # slow
    from .listing import list_sentences, render

    corpus = scoring.read_corpus(args, [options])
    pair = [scoring.find_system(args, corpus, "--between", name) for name in args.between or ()]
    if pair and pair[0] == pair[1]:
        raise ValueError(f"argument --between: compares two systems, not {args.between[0]} alone")
    scored = scoring.score(args, corpus, [options.replace(level="sentence")])
    n = args.worst or args.top or N_SENTENCES
    listing = list_sentences(scored, options.level, pair, n)
    return scoring.finish(args, lambda format_, color: render(listing, args, format_, color))
