"""Every option, declared once: name, default, check, documentation, flag, place in the signature.

Everything that lists options reads them here. The command line does so for `--help`, so this module
imports nothing slow, not even dataclasses or typing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from numbers import Integral, Real
from types import MappingProxyType, SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ParamSpec, TypeVar

    Check = Callable[[str, Any], None]
    P = ParamSpec("P")
    R = TypeVar("R")

__version__ = "0.2.0"

METRICS = ["green", "gleu", "bleu", "rouge", "f1"]
# Scores of edits. They need gold edits besides texts, so they are no configurations of evaluate.
EDIT_METRICS = ["m2", "errant"]
# The weight of recall over precision, as each score was published.
BETAS = {"green": 2.0, "m2": 0.5, "errant": 0.5}
TOKENIZERS = ("word", "char", "13a", "intl", "zh", "ja-mecab", "ko-mecab")
# How a score treats a sentence's references, the default first.
SELECTIONS = {"green": ("max", "mean"), "gleu": ("sample", "max")}
# Sentences that reports of those that matter list, unless the user sets another number.
N_SENTENCES = 10
# When an option takes effect, and up to which of these stages there are options: for a sentence
# alone, for a corpus, for the pieces of a corpus (whose statistics must add up), for a comparison.
STAGES = ("count", "result", "compare")
SCOPES = {"sentence": "count", "corpus": "result", "pieces": "result", "systems": "compare"}


class Option(SimpleNamespace):
    """The declaration of an option."""

    default: Any
    check: Check  # called with the name and the value
    help: str
    kind: str  # its type, as documentation writes it
    label: str = ""  # its name in the Space, if it is there
    read: Callable[[str], Any] = str  # turns an argument of the command line into a value
    choices: Sequence[str] = ()
    scores: Sequence[str] | None = None  # those that have it; None for all
    stage: str = "count"
    place: tuple[int, str] | None = None  # in the signature: its rank and its key
    signed: Callable[[Options], Any] | None = None  # its value there; None leaves it out
    flags: tuple[str, ...] = ()  # on the command line; its help shows the first two
    argument: Mapping[str, Any] = MappingProxyType({})  # further settings of argparse

    def is_of(self, metric: str) -> bool:
        return self.scores is None or metric in self.scores

    def only(self, metrics: Sequence[str]) -> list[str]:
        """Those of the scores that have it, unless all have."""
        found = [metric for metric in metrics if self.is_of(metric)]
        return [] if len(found) == len(metrics) else found


def shown(value: Any, most: int = 60) -> str:
    """A value in a message, cut if it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python writes out no huge numbers
        return f"a huge {type(value).__name__}"
    return text if len(text) <= most else f"{text[: most - 3]}..."


def one_of(choices: Sequence[str], otherwise: str = "") -> Check:
    def check(name: str, value: Any) -> None:
        if not isinstance(value, str) or value not in choices:
            known = " or ".join(map(repr, choices)) + otherwise
            raise ValueError(f"{name} must be {known}, not {shown(value)}")

    return check


def whole(least: int, most: int | None = None) -> Check:
    span = f"of at least {least}" if most is None else f"from {least} to {most:,}"

    def check(name: str, value: Any) -> None:
        fits = isinstance(value, Integral) and not isinstance(value, bool)
        if not fits or value < least or (most is not None and value > most):
            kind = ValueError if isinstance(value, Real) else TypeError
            raise kind(f"{name} must be a whole number {span}, not {shown(value)}")

    return check


def _is_bool(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")  # Python's and NumPy's


def yes_or_no(name: str, value: Any) -> None:
    if not _is_bool(value):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")


def number(words: str, fits: Callable[[Any], bool]) -> Check:
    def check(name: str, value: Any) -> None:
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number or not fits(value):
            kind = ValueError if is_number else TypeError
            raise kind(f"{name} must be a {words}, not {shown(value)}")
        try:
            float(value)
        except OverflowError:
            raise ValueError(f"{name} is too large; infinity is float('inf')") from None

    return check


def or_list(check: Check) -> Check:
    def check_all(name: str, value: Any) -> None:
        if not is_list(value):
            return check(name, value)
        if not len(value):
            raise ValueError(f"{name} is an empty list; give at least one value")
        for index, entry in enumerate(value):
            check(f"{name}[{index}]", entry)

    return check_all


def is_list(value: Any) -> bool:
    if isinstance(value, Sequence):
        return not isinstance(value, (str, bytes))
    return getattr(value, "ndim", 0) > 0


def or_none(check: Check) -> Check:
    return lambda name, value: None if value is None else check(name, value)


def tokenizer(name: str, value: Any) -> None:
    if not callable(value):
        one_of(TOKENIZERS, " or a function from a text to its tokens")(name, value)


def _choice(*choices: str, **declared: Any) -> dict[str, Any]:
    return {"check": one_of(choices), "choices": choices, "kind": "str", **declared}


def _yes_or_no(**declared: Any) -> dict[str, Any]:
    return {"check": yes_or_no, "kind": "bool", "argument": {"action": "store_true"}, **declared}


def _declare(default: Any, **declared: Any) -> Any:
    return Option(default=default, **declared)


class Options:
    """All settings of a score, checked. What users give goes through `of`.

    The class declares them; then `Options.beta` is the default of beta.
    """

    metric: str = _declare(
        "green",
        check=lambda name, value: one_of([*METRICS, *EDIT_METRICS])(name, value),
        choices=(*METRICS, *EDIT_METRICS),
        kind="str",
        help='the score; "rouge" is ROUGE-N, the recall of order N, and "f1" the harmonic mean of '
        "BLEU and ROUGE-N",
        flags=("-m", "--metric"),
        argument={
            "nargs": "+",
            "metavar": "SCORE",
            "help": f"one of {', '.join((*METRICS, *EDIT_METRICS))}, or several for one table; "
            "rouge is ROUGE-N, the recall of order N, and f1 the harmonic mean of BLEU and "
            "ROUGE-N; m2 and errant score edits and need an M2 file",
        },
    )
    tokenizer: str | Callable[[str], Sequence[str]] = _declare(
        "word",
        check=tokenizer,
        choices=TOKENIZERS,
        kind="str or callable",
        label="Tokens",
        help='what n-grams are made of: "word" splits at whitespace, "char" takes code points, '
        '"13a" and "intl" separate punctuation from words as sacreBLEU does; "zh", "ja-mecab" and '
        '"ko-mecab" are sacreBLEU\'s and need it; in Python, a function from a text to its tokens '
        "works, too",
        scores=METRICS,
        place=(1, "tok"),
        signed=lambda options: options.tokenizer_name,
        flags=("-t", "--tokenize", "--token", "--tokenization"),
        argument={
            "help": "what n-grams are made of: words, split at whitespace; characters; or words "
            "and punctuation, separated as sacreBLEU does (13a, intl; zh, ja-mecab and ko-mecab "
            "need sacreBLEU)"
        },
    )
    max_order: int | None = _declare(
        None,
        check=or_none(whole(1, 100)),
        kind="int",
        read=int,
        label="Longest n-grams (N)",
        help="N, the length of the longest n-grams (default: 4, or 6 for characters)",
        scores=METRICS,
        place=(2, "order"),
        signed=lambda options: options.order,
        flags=("-n",),
        argument={"metavar": "N"},
    )
    beta: float | Sequence[float] = _declare(
        BETAS["green"],  # recall counts double (Section 4.1)
        check=or_list(number("positive number", lambda value: value > 0)),
        kind="float or list of float",
        read=float,
        label="β: weight of recall against precision (GREEN)",
        help="the weight of recall over precision, a positive number or infinity; several values "
        "give several results",
        scores=tuple(BETAS),
        place=(3, "beta"),
        signed=lambda options: ",".join(map(format_number, options.betas)),
        flags=("-b", "--beta", "--be", "--bet"),  # --between must not end these two
        argument={
            "nargs": "+",
            "action": "extend",
            "metavar": "B",
            "help": "the weight of recall over precision, a positive number or inf; several give "
            f"several results (default: {BETAS['green']:g}; {BETAS['m2']:g} for m2 and errant)",
        },
    )
    level: str = _declare(
        "corpus",
        **_choice("corpus", "mean", "sentence"),
        help='"corpus" adds up the counts of all sentences, "sentence" gives one value per '
        'sentence, and "mean" is the mean of those',
        stage="result",
        place=(9, "level"),
    )
    effective_order: bool = _declare(
        False,
        **_yes_or_no(),
        label="Leave out orders that are too long for the texts (GREEN)",
        help="leave out the orders for which all texts are too short; without it, a sentence of "
        "fewer than N tokens scores 0, as published",
        scores=("green",),
        place=(10, "eff"),
        flags=("--effective-order",),
    )
    formula: str = _declare(
        "official",
        **_choice("official", "paper"),
        help='which penalty to use: "official", as the original implementation computes it, or '
        '"paper", as the paper defines it',
        scores=("gleu",),
        place=(6, "formula"),
        flags=("--formula",),
    )
    selection: str | None = _declare(
        None,
        check=lambda name, value: None,  # the choices depend on the score: see `_check_selection`
        choices=("max", "mean", "sample"),
        kind="str",
        help="how a sentence's references are combined: \"max\" takes the best one (GREEN's "
        'default), "mean" averages over them (GREEN at the levels "mean" and "sentence"), and '
        '"sample" draws them at random, always in the same way, and averages (GLEU\'s default)',
        scores=("green", "gleu"),
        place=(7, "select"),
        # GREEN's default, the paper's, goes without saying.
        signed=lambda options: (
            None if (options.metric, options.selection) == ("green", "max") else options.selection
        ),
        flags=("--selection",),
    )
    iterations: int = _declare(
        500,  # as in the original implementation
        check=whole(1, 100_000),
        kind="int",
        read=int,
        help="how many times references are drawn",
        scores=("gleu",),
        stage="result",
        place=(8, "iter"),
        signed=lambda options: (
            options.iterations
            if options.selection == "sample" and options.level == "corpus"
            else None
        ),
        flags=("-i", "--iterations", "--iter"),
        argument={"metavar": "N"},
    )
    max_unchanged_words: int = _declare(
        2,  # as in the official scorer
        check=whole(0, 100),
        kind="int",
        read=int,
        help="how many words an edit may keep",
        scores=("m2",),
        place=(4, "kept"),
        flags=("--max-unchanged-words",),
        argument={"metavar": "N"},
    )
    ignore_case: bool = _declare(
        False,
        **_yes_or_no(),
        help="ignore case: an edit that changes nothing else does not count",
        scores=("m2",),
        place=(5, "nocase"),
        flags=("--ignore-case",),
    )
    strip: bool = _declare(
        False,
        **_yes_or_no(),
        label="Remove whitespace around sentences",
        help="first remove the whitespace around every text",
        scores=METRICS,
        place=(11, "strip"),
        flags=("--strip",),
    )
    detailed: bool = _declare(
        False,
        **_yes_or_no(),
        help="add the parts of the score at every order, the chosen references (level "
        '"sentence", where one is chosen) and a signature that pins every setting',
    )
    n_resamples: int = _declare(
        0,
        check=whole(0, 10_000_000),
        kind="int",
        read=int,
        help="number of bootstrap resamples of the sentences for a confidence interval; 0 for none",
        stage="result",
        place=(12, "bs"),
        signed=lambda options: options.n_resamples if options.bootstraps else None,
        flags=("--resamples",),
        argument={
            "metavar": "N",
            "help": "number of resamples of the sentences (default: 1000)",
        },
    )
    confidence_level: float | None = _declare(
        0.95,
        check=or_none(number("number between 0 and 1", lambda value: 0 < value < 1)),
        kind="float",
        read=float,
        help="confidence level of the interval",
        stage="result",
        place=(14, "conf"),
        signed=lambda options: options.confidence_level if options.n_resamples else None,
        flags=("--confidence",),
        argument={
            "nargs": "?",
            "const": 0.95,
            "metavar": "LEVEL",
            "help": "add a bootstrap confidence interval of this level (default: 0.95)",
        },
    )
    seed: int = _declare(
        12345,
        check=whole(0),
        kind="int",
        read=int,
        help="seed of the resamples",
        stage="result",
        place=(15, "seed"),
        signed=lambda options: options.seed if options.n_resamples else None,
        flags=("--seed",),
        argument={"metavar": "N"},
    )
    paired: str | None = _declare(
        None,
        check=or_none(one_of(("ar", "bs"), " or None")),
        choices=("ar", "bs"),
        kind="str",
        help="paired test of the differences from the baseline: approximate randomisation (ar) or "
        "bootstrap (bs)",
        stage="compare",
        place=(13, "ar"),
        signed=lambda options: options.n_resamples or None if options.paired == "ar" else None,
        flags=("--paired",),
        argument={
            "nargs": "?",
            "const": "ar",
            "help": "add each system's difference from the baseline and its p-value, by "
            "approximate randomisation (ar, the default) or sacreBLEU's paired bootstrap (bs)",
        },
    )

    @classmethod
    def of(
        cls, metric: str, given: Mapping[str, Any], scope: str = "corpus", **fixed: Any
    ) -> Options:
        """Check the options that a user gave and refuse those that the score does not have.

        `scope` says what they are for (see `SCOPES`); `fixed` options are not the user's to set.
        """
        if scope != "systems" and metric in EDIT_METRICS:
            raise ValueError(
                f"{metric} scores edits, not texts alone: use compare, with gold edits, or the "
                "command line"
            )
        check = OPTIONS["metric"].check if scope == "systems" else one_of(METRICS)
        check("metric", metric)
        known = [name for name in names_of(metric, scope) if name not in fixed]
        for name in given:
            if name not in known:
                kind = ValueError if name in OPTIONS else TypeError
                elsewhere = name in OPTIONS and OPTIONS[name].is_of(metric)
                where = " for a single sentence" if scope == "sentence" and elsewhere else ""
                raise kind(
                    f"{metric} has no option {name!r}{where}; its options are {', '.join(known)}"
                )
        options = cls(metric, **given, **fixed)
        if scope in ("pieces", "sentence") and is_list(options.beta):
            raise ValueError(f"beta must be one number here, not {shown(options.beta)}")
        if scope == "pieces" and options.level == "sentence":
            raise ValueError(
                "statistics add up to those of a corpus, so level must be 'corpus' or 'mean', not "
                "'sentence'; score_batch gives the sentences' scores"
            )
        return options

    @classmethod
    def of_each(
        cls, metrics: Sequence[str], given: Mapping[str, Any], scope: str, **fixed: Any
    ) -> list[Options]:
        """The options of several scores: each takes those that it has, and one must take each."""
        if len(metrics) == 1:
            return [cls.of(metrics[0], given, scope, **fixed)]
        for metric in metrics:
            OPTIONS["metric"].check("metric", metric)
        own: dict[str, dict[str, Any]] = {metric: {} for metric in metrics}
        for name, value in given.items():
            takers = [metric for metric in metrics if _takes(metric, name, value)]
            for metric in takers or metrics[:1]:  # which refuses it, if none takes it
                own[metric][name] = value
        made = [cls.of(metric, own[metric], scope, **fixed) for metric in own]
        if any(is_list(options.beta) for options in made):
            raise ValueError("several scores take one beta")
        return made

    def __init__(self, metric: str = "green", **settings: Any) -> None:
        values = {name: option.default for name, option in OPTIONS.items()}
        values |= {"metric": metric, "beta": BETAS.get(metric, Options.beta), **settings}
        for name, value in values.items():
            OPTIONS[name].check(name, value)
        if values["selection"] is None and metric in SELECTIONS:
            values["selection"], *_ = SELECTIONS[metric]
        vars(self).update(values)
        self._check_selection()
        if self.n_resamples and self.level == "sentence":
            raise ValueError(
                "n_resamples resamples sentences, so it needs level='corpus' or level='mean', "
                "not level='sentence'"
            )
        if self.n_resamples and self.confidence_level is None and self.paired is None:
            raise ValueError("n_resamples needs a confidence_level or, for systems, a paired test")

    def _check_selection(self) -> None:
        if self.metric not in SELECTIONS:
            return
        one_of(SELECTIONS[self.metric], f" for {self.metric}")("selection", self.selection)
        if self.selection == "mean" and self.level == "corpus":
            raise ValueError(
                "selection='mean' averages the scores of a sentence, so it needs level='mean' or "
                "level='sentence', not level='corpus'"
            )

    @property
    def betas(self) -> list[float]:
        """All values of beta."""
        return [float(value) for value in (self.beta if is_list(self.beta) else [self.beta])]

    @property
    def order(self) -> int:
        """The length of the longest n-grams, by default the paper's."""
        if self.max_order is None:
            # The paper's (Koyama et al. 2024, Section 4.1), as in chrF, and in GLEU and BLEU.
            return 6 if self.tokenizer == "char" else 4
        return int(self.max_order)

    @property
    def tokenizer_name(self) -> str:
        if callable(self.tokenizer):
            return getattr(self.tokenizer, "__qualname__", type(self.tokenizer).__qualname__)
        return self.tokenizer

    @property
    def bootstraps(self) -> bool:
        return bool(self.n_resamples and (self.confidence_level or self.paired == "bs"))

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def replace(self, **changes: Any) -> Options:
        return Options(**{**vars(self), **changes})

    def settings(self, scope: str = "systems") -> dict[str, Any]:
        """Every setting that affects the score, with defaults resolved."""
        names = ["metric", *names_of(self.metric, scope)]
        resolved = {name: getattr(self, name) for name in names if name != "detailed"}
        meant = {"tokenizer": self.tokenizer_name, "max_order": self.order, "beta": self.betas}
        return resolved | {name: meant[name] for name in meant if name in resolved}

    def signature(self, n_references: Sequence[int]) -> str:
        """Every choice that the figures depend on, in the manner of sacreBLEU."""
        fewest, most = min(n_references), max(n_references)
        parts = [self.metric, f"nrefs:{fewest if fewest == most else f'{fewest}-{most}'}"]
        placed = [name for name in names_of(self.metric) if OPTIONS[name].place]
        for name in sorted(placed, key=lambda name: OPTIONS[name].place):
            option = OPTIONS[name]
            value = option.signed(self) if option.signed else getattr(self, name)
            if value is not None:
                parts.append(f"{option.place[1]}:{_format(value)}")
        return "|".join([*parts, f"version:{__version__}"])


OPTIONS = {name: value for name, value in vars(Options).items() if isinstance(value, Option)}
for _name, _option in OPTIONS.items():
    setattr(Options, _name, _option.default)


def names_of(metric: str, scope: str = "systems") -> list[str]:
    """The options that a score has, in some scope; not the choice of the score itself."""
    stages = STAGES[: STAGES.index(SCOPES[scope]) + 1]
    return [
        name
        for name, option in OPTIONS.items()
        if name != "metric" and option.is_of(metric) and option.stage in stages
    ]


def _takes(metric: str, name: str, value: Any) -> bool:
    """Whether a score has an option and, if its choices are the score's own, the value."""
    has = name in OPTIONS and OPTIONS[name].is_of(metric)
    return has and (name != "selection" or value in SELECTIONS[metric])


def format_number(value: float) -> str:
    """All digits, without an exponent."""
    from decimal import Decimal

    text = format(Decimal(repr(float(value))), "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("Infinity", "inf")


def _format(value: Any) -> str:
    if isinstance(value, str):
        return value
    if _is_bool(value):
        return "yes" if value else "no"
    return str(value) if isinstance(value, Integral) else format_number(value)


UNSET = object()


def takes_options(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that lists options, with their defaults, among its parameters.

    The signature shows the defaults, but options that the caller leaves out arrive as `UNSET`, so
    that a score can refuse an option that it does not have whatever its value: see `given`. Also
    fills in `{options}` in the docstring.
    """
    from inspect import signature

    bind, parameters = signature(function).bind, signature(function).parameters
    names = [name for name in parameters if name in OPTIONS]
    unset = {name: UNSET for name in names if name != "metric"}
    if function.__doc__:
        described = describe(names, " " * 8).lstrip()
        function.__doc__ = function.__doc__.replace("{options}", described)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        unknown = [name for name in kwargs if name not in parameters]
        if unknown:
            for name in unknown:
                if f"{name}s" in parameters:
                    raise TypeError(f"there is no argument {name!r}; did you mean '{name}s'?")
            listed = {**dict(zip(parameters, args, strict=False)), **kwargs}
            Options.of(listed.get("metric", Options.metric), dict.fromkeys(unknown))  # refuses them
        if len(args) > len(parameters) - len(unset):
            bind(*args, **kwargs)  # refuses options that are given by position
        return function(*args, **{**unset, **kwargs})

    return call


def given(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The options among a function's `locals()` that its caller gave."""
    names = [name for name in OPTIONS if name in parameters and name != "metric"]
    return {name: parameters[name] for name in names if parameters[name] is not UNSET}


def describe(names: Sequence[str], indent: str) -> str:
    """Document options as the "Args" of a docstring do."""
    from textwrap import fill

    paragraphs = []
    for name in names:
        option, default = OPTIONS[name], getattr(Options, name)
        text = f"{option.help[0].upper()}{option.help[1:]}."
        for_scores = " and ".join(map(str.upper, option.only(METRICS)))
        text = f"{text} {for_scores} only." if for_scores else text
        said = default is None or "default" in option.help
        text += "" if said else f" Defaults to {default!r}.".replace("'", '"')
        text = f"{indent}{name} ({option.kind}): {text}"
        paragraphs.append(
            fill(text, 100, subsequent_indent=indent + " " * 4, break_on_hyphens=False)
        )
    return "\n".join(paragraphs)
