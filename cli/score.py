"""`green`, `mgreen` and `sgreen`, also `green score`: a table of scores."""

from argparse import Namespace

from ..options import EDIT_METRICS, METRICS, N_RESAMPLES, OWN_OPTIONS, Options
from . import arguments
from .parser import Parser

_ABOUT = {
    "corpus": "Score grammatical error corrections with GREEN or another score.",
    "mean": "Score grammatical error corrections: the mean of the sentences' scores.",
    "sentence": "Score each grammatical error correction: one line per sentence.",
}
_COMMANDS = """\
commands (green COMMAND --help tells more):
  green                   a table of scores; also green score
  green report            a page with intervals, tests, pictures and sentences
  green sentences         those that cost a system most, or make a difference
  green types             recall by error type
  green explain           which n-grams made a sentence's score
  green register          let evaluate.load("green") load this package
  green unregister        undo it
  mgreen, sgreen          the mean of sentence scores; each sentence's score

"""
_EXAMPLES = """\
examples:
  {prog} -s source.txt -r reference0.txt reference1.txt -c system.txt
  {prog} --m2 references.m2 -c old.txt new.txt -m green gleu m2 --format latex
"""


def make_parser(prog: str, level: str) -> Parser:
    usage = "-s FILE -r FILE... -c FILE... [options]"
    epilog = _COMMANDS * (level == "corpus") + _EXAMPLES.format(prog=prog)
    parser = Parser(prog, usage, _ABOUT[level], epilog)
    parser.set_defaults(baseline=None, fail_under=None)  # sgreen lacks these arguments
    if level == "corpus":
        arguments.add_level(parser)
    else:
        parser.set_defaults(level=level)
    arguments.add_files(parser, ("-o", "--out", "--outs", "--outputs"))
    arguments.add_options(parser, METRICS)
    if level != "sentence":
        arguments.add_resamples(parser)
    output = arguments.add_output(parser, arguments.TABLE_FORMATS)
    if level != "sentence":
        output.add_argument(
            "--fail-under",
            metavar="X",
            type=float,
            help="exit status 1 if a system's first score is lower; in percent",
        )
    output.add_argument(
        "-v", "--verbose", action="store_true", help="a table with the counts of each order"
    )
    output.add_argument(
        *("-l", "--line-verbose"),
        action="store_true",
        help="green: with -v, only the totals, on one line",
    )
    return parser


def run(args: Namespace) -> int:
    settings = _make_settings(args)
    _check(args, settings)
    from . import scoring, tables  # slow

    scored = scoring.score(args, scoring.read_corpus(args, settings), settings)
    status = scoring.finish(args, lambda format_, _: tables.render(scored, args, format_))
    return status or scoring.check_scores(args, scored)


def _make_settings(args: Namespace) -> list[Options]:
    """The options of each metric; intervals and tests only if the user asks for them."""
    options = {"confidence_level": None} | arguments.user_options(args)  # no interval by default
    if options["confidence_level"] or options.get("paired"):
        options = {"n_resamples": N_RESAMPLES} | options
    else:
        for name, flag in {"n_resamples": "--resamples", "seed": "--seed"}.items():
            if name in options:
                raise ValueError(f"argument {flag}: needs --confidence or --paired")
    detailed = args.verbose or "json" in (args.format, arguments.file_format(args))
    return Options.make_each(args.metric or METRICS[:1], options, detailed=detailed)


def _check(args: Namespace, settings: list[Options]) -> None:
    """Refuse arguments that do not go together."""
    options = settings[0]
    if args.verbose and args.format != "text":
        raise ValueError(f"argument -v: its tables are for --format text, not {args.format}")
    if args.verbose and (len(settings) > 1 or options.metric in EDIT_METRICS):
        raise ValueError(
            f"argument -v: shows the n-grams of one score, not {' '.join(args.metric)}"
        )
    if args.line_verbose and "beta" not in OWN_OPTIONS[options.metric]:
        raise ValueError(f"argument -l: {options.metric} has no beta")
    if args.baseline is not None and not options.paired:
        raise ValueError("argument --baseline: needs --paired")
    if args.fail_under and not args.fail_under >= 1:
        raise ValueError(f"argument --fail-under: is in percent, like 80, not {args.fail_under:g}")
    arguments.check_save(args, arguments.TABLE_FORMATS)
