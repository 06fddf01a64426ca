"""`green explain`: the n-grams of each sentence by region."""

from argparse import Namespace
from itertools import product

from ..options import Options
from . import arguments
from .output import write
from .parser import Parser

METRICS = ("green", "gleu")  # those with sources, which the regions need


def make_parser(prog: str) -> Parser:
    parser = Parser(
        prog,
        f"-s FILE -r FILE... -c FILE... [options]\n"
        f"       {prog} --text SOURCE CORRECTION REFERENCE... [options]",
        "Show which n-grams of each sentence were kept, deleted or inserted, rightly or\nwrongly.",
    )
    parser.add_argument(
        "--text", metavar="TEXT", nargs="+", help="a source, its correction and its references"
    )
    arguments.add_files(parser)
    arguments.add_options(parser, METRICS)
    arguments.add_output(parser)
    return parser


def run(args: Namespace) -> int:
    arguments.check_one(args, "metric", "beta")
    metric, *_ = args.metric or METRICS
    options = Options.make(metric, arguments.user_options(args), level="sentence")
    if args.text is not None and len(args.text) < 3:
        raise ValueError("argument --text: needs a source, a correction and at least one reference")
    if args.text is not None and (arguments.input_files(args) or args.names):
        raise ValueError("argument --text: not allowed with files")
    from ..inputs import Corpus  # slow
    from . import scoring
    from .listing import explanation_text

    if args.text is None:
        corpus = scoring.read_corpus(args, [options])
    else:
        source, correction, *references = args.text
        corpus = Corpus([source], {"correction": [correction]}, [references])
    scored = scoring.score(args, corpus, [options])
    places = [*product(range(len(corpus)), range(len(corpus.systems)))]
    parts = []
    for sentence, system in scoring.make_progress("explaining")(places, len(places)):
        heading = "" if args.text else f"sentence {sentence + 1}, {scored.names[system]}\n"
        text = explanation_text(scored, sentence, system, args.digits, scoring.shows_colors())
        parts.append(f"{heading}{text}\n")
    return write("\n".join(parts))
