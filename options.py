"""The options of a score: names, defaults, checks, and the signature that pins them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, Literal, get_args

__version__ = "0.2.0"

MetricName = Literal["green", "gleu", "bleu", "rouge", "f1"]
EditMetricName = Literal["m2", "errant"]  # need gold edits besides texts
TokenizerName = Literal["word", "char", "13a", "intl", "zh", "ja-mecab", "ko-mecab"]
Level = Literal["corpus", "mean", "sentence"]
Formula = Literal["official", "paper"]
Selection = Literal["max", "mean", "sample"]
PairedTest = Literal["ar", "bs"]

NGRAM_METRICS: tuple[str, ...] = get_args(MetricName)
EDIT_METRICS: tuple[str, ...] = get_args(EditMetricName)
METRICS = (*NGRAM_METRICS, *EDIT_METRICS)
TOKENIZERS: tuple[str, ...] = get_args(TokenizerName)

# The options that some metrics have and others do not, with each metric's default.
OWN_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "green": {"beta": 2.0, "effective_order": False, "selection": "max"},
    "gleu": {"formula": "official", "selection": "sample", "iterations": 500},
    "bleu": {},
    "rouge": {},
    "f1": {},
    "m2": {"beta": 0.5, "max_unchanged_words": 2, "ignore_case": False},
    "errant": {"beta": 0.5},
}
_OWN_NAMES = tuple(dict.fromkeys(name for own in OWN_OPTIONS.values() for name in own))
NGRAM_OPTIONS = ("tokenizer", "max_order", "strip")
SELECTIONS = {"green": ("max", "mean"), "gleu": ("sample", "max")}
# The options that do not change what is counted: statistics can be read again with others.
LATE_OPTIONS = ("level", "iterations", "n_resamples", "confidence_level", "seed", "paired")
MAX_ORDER = 100
# What comparisons and lists of sentences take, unless the user sets another number.
N_RESAMPLES = 1000
N_SENTENCES = 10


@dataclass(frozen=True, kw_only=True)
class Options:
    """All settings of a score, checked. None stands for the metric's own default."""

    metric: MetricName | EditMetricName = "green"
    tokenizer: TokenizerName | Callable[[str], Sequence[str]] = "word"
    max_order: int | None = None  # 6 for characters, else 4
    beta: float | Sequence[float] | None = None
    level: Level = "corpus"
    effective_order: bool | None = None
    formula: Formula | None = None
    selection: Selection | None = None
    iterations: int | None = None
    max_unchanged_words: int | None = None
    ignore_case: bool | None = None
    strip: bool = False
    detailed: bool = False
    n_resamples: int = 0
    confidence_level: float | None = 0.95
    seed: int = 12345
    paired: PairedTest | None = None

    def __post_init__(self) -> None:
        check_choice("metric", self.metric, METRICS)
        self._fill_in_defaults()
        if not callable(self.tokenizer):
            function = " or a function from a text to its tokens"
            check_choice("tokenizer", self.tokenizer, TOKENIZERS, function)
        if self.max_order is not None:
            check_int("max_order", self.max_order, 1, MAX_ORDER)
        if self.beta is not None:
            self._check_beta()
        check_choice("level", self.level, get_args(Level))
        if self.formula is not None:
            check_choice("formula", self.formula, get_args(Formula))
        if self.selection is not None:
            known = SELECTIONS[self.metric]
            check_choice("selection", self.selection, known, f" for {self.metric}")
        if self.iterations is not None:
            check_int("iterations", self.iterations, 1, 100_000)
        if self.max_unchanged_words is not None:
            check_int("max_unchanged_words", self.max_unchanged_words, 0, 100)
        for name in ("effective_order", "ignore_case"):
            if getattr(self, name) is not None:
                check_bool(name, getattr(self, name))
        check_bool("strip", self.strip)
        check_bool("detailed", self.detailed)
        check_int("n_resamples", self.n_resamples, 0, 10_000_000)
        check_int("seed", self.seed, 0)
        if self.confidence_level is not None:
            check_number("confidence_level", self.confidence_level, below=1)
        if self.paired is not None:
            check_choice("paired", self.paired, get_args(PairedTest), " or None")
        self._check_together()

    def _fill_in_defaults(self) -> None:
        """Replace None by the metric's default; refuse options that the metric does not have."""
        known = option_names(self.metric)
        for field in dataclasses.fields(self)[1:]:  # but the metric
            value = getattr(self, field.name)
            if field.name not in known and (is_sequence(value) or value != field.default):
                raise _unknown_option(self.metric, field.name, ["paired"])
        for name, default in OWN_OPTIONS[self.metric].items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, default)

    def _check_beta(self) -> None:
        """Check beta; keep several values as a tuple, so that options can be compared."""
        if not is_sequence(self.beta):
            return check_number("beta", self.beta)
        if not len(self.beta):
            raise ValueError("beta is an empty list; give at least one value")
        for index, value in enumerate(self.beta):
            check_number(f"beta[{index}]", value)
        object.__setattr__(self, "beta", tuple(map(float, self.beta)))

    def _check_together(self) -> None:
        if self.selection == "mean" and self.level == "corpus":
            raise ValueError(
                "selection='mean' averages the scores of a sentence, so it needs level='mean' or "
                "level='sentence', not level='corpus'"
            )
        if self.n_resamples and self.level == "sentence":
            raise ValueError(
                "n_resamples resamples sentences, so it needs level='corpus' or level='mean', "
                "not level='sentence'"
            )
        if self.n_resamples and self.confidence_level is None and self.paired is None:
            raise ValueError("n_resamples needs a confidence_level or, for systems, a paired test")

    @classmethod
    def make(
        cls, metric: str, options: Mapping[str, Any], without: Iterable[str] = (), **fixed: Any
    ) -> Options:
        """Check a user's keyword arguments, which must not be in `without` nor be fixed."""
        check_choice("metric", metric, METRICS)
        without = (*without, *fixed)
        for name in options:
            if name in without or name not in option_names(metric):
                raise _unknown_option(metric, name, without)
        return cls(metric=metric, **options, **fixed)

    @classmethod
    def make_each(
        cls, metrics: Sequence[str], options: Mapping[str, Any], **fixed: Any
    ) -> list[Options]:
        """The options of several metrics: each takes those that it has, and one must take each."""
        for metric in metrics:
            check_choice("metric", metric, METRICS)
        own: dict[str, dict[str, Any]] = {metric: {} for metric in metrics}
        for name, value in options.items():
            takers = [metric for metric in metrics if _takes(metric, name, value)]
            for metric in takers or metrics[:1]:  # which refuses it, if none takes it
                own[metric][name] = value
        settings = [cls.make(metric, own[metric], **fixed) for metric in own]
        if len(settings) > 1 and any(is_sequence(each.beta) for each in settings):
            raise ValueError("several metrics take one beta")
        return settings

    @classmethod
    def make_for_parts(cls, metric: str, options: Mapping[str, Any], **fixed: Any) -> Options:
        """The options of a corpus that is counted in parts: its statistics must add up."""
        checked = cls.make(metric, options, without=["paired"], **fixed)
        checked.check_one_beta()
        if checked.level == "sentence":
            raise ValueError(
                "statistics add up to those of a corpus, so level must be 'corpus' or 'mean', not "
                "'sentence'; score_batch gives the sentences' scores"
            )
        return checked

    @classmethod
    def make_for_sentence(cls, metric: str, options: Mapping[str, Any], detailed: bool) -> Options:
        checked = cls.make(metric, options, LATE_OPTIONS, level="sentence", detailed=detailed)
        checked.check_one_beta()
        return checked

    def check_one_beta(self) -> None:
        if is_sequence(self.beta):
            raise ValueError(f"beta must be one number here, not {short_repr(self.beta)}")

    @property
    def betas(self) -> list[float]:
        """All values of beta; none for a metric without one."""
        if self.beta is None:
            return []
        return list(self.beta) if is_sequence(self.beta) else [float(self.beta)]

    @property
    def order(self) -> int:
        """N, the length of the longest n-grams; by default the paper's (Section 4.1)."""
        if self.max_order is None:
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

    def replace(self, **changes: Any) -> Options:
        return dataclasses.replace(self, **changes)

    def settings(self) -> dict[str, Any]:
        """Every setting that affects the score, with defaults resolved, as plain values."""
        values = {name: getattr(self, name) for name in ("metric", *option_names(self.metric))}
        del values["detailed"]
        plain = {"tokenizer": self.tokenizer_name, "max_order": self.order, "beta": self.betas}
        return values | {name: plain[name] for name in plain if name in values}

    def signature(self, n_references: Sequence[int]) -> str:
        """Every setting that the figures depend on, in the manner of sacreBLEU."""
        fewest, most = min(n_references), max(n_references)
        counts_ngrams, n_resamples = self.metric in NGRAM_METRICS, self.n_resamples or None
        has_interval = n_resamples and self.confidence_level
        draws_references = self.selection == "sample" and self.level == "corpus"
        parts = {
            "nrefs": fewest if fewest == most else f"{fewest}-{most}",
            "tok": self.tokenizer_name if counts_ngrams else None,
            "order": self.order if counts_ngrams else None,
            "beta": ",".join(map(format_number, self.betas)) or None,
            "kept": self.max_unchanged_words,
            "nocase": _yes_or_no(self.ignore_case),
            "formula": self.formula,
            # GREEN's default, the paper's, goes without saying.
            "select": None if (self.metric, self.selection) == ("green", "max") else self.selection,
            "iter": self.iterations if draws_references else None,
            "level": self.level,
            "eff": _yes_or_no(self.effective_order),
            "strip": _yes_or_no(self.strip) if counts_ngrams else None,
            "bs": n_resamples if self.bootstraps else None,
            "ar": n_resamples if self.paired == "ar" else None,
            "conf": format_number(self.confidence_level) if has_interval else None,
            "seed": self.seed if n_resamples else None,
            "version": __version__,
        }
        settings = [f"{key}:{value}" for key, value in parts.items() if value is not None]
        return "|".join([self.metric, *settings])


def option_names(metric: str) -> list[str]:
    """The options that a metric has, in the order of their declaration."""
    ngram_options = NGRAM_OPTIONS if metric in EDIT_METRICS else ()
    absent = {"metric", *_OWN_NAMES, *ngram_options} - OWN_OPTIONS[metric].keys()
    return [field.name for field in dataclasses.fields(Options) if field.name not in absent]


def _unknown_option(metric: str, name: str, without: Sequence[str]) -> Exception:
    """The error for an option that a metric does not have, the same wherever it is given."""
    known = [known for known in option_names(metric) if known not in without]
    options = f"its options are {', '.join(known)}"
    if any(name == field.name for field in dataclasses.fields(Options)):
        return ValueError(f"{metric} has no option {name!r}; {options}")
    similar = get_close_matches(name, [*known, "sources", "predictions", "references"], n=1)
    hint = f" (did you mean {similar[0]!r}?)" if similar else ""
    return TypeError(f"{metric} has no option {name!r}{hint}; {options}")


def _takes(metric: str, name: str, value: Any) -> bool:
    """Whether a metric has an option and, if its choices are the metric's own, the value."""
    if name == "selection" and isinstance(value, str):
        return value in SELECTIONS.get(metric, ())
    return name in option_names(metric)


def check_choice(name: str, value: Any, choices: Sequence[str], otherwise: str = "") -> None:
    if not isinstance(value, str) or value not in choices:
        known = " or ".join(map(repr, choices)) + otherwise
        raise ValueError(f"{name} must be {known}, not {short_repr(value)}")


def check_int(name: str, value: Any, least: int, most: int | None = None) -> None:
    is_int = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_int or value < least or (most is not None and value > most):
        span = f"of at least {least}" if most is None else f"from {least} to {most:,}"
        kind = ValueError if isinstance(value, Real) else TypeError
        raise kind(f"{name} must be a whole number {span}, not {short_repr(value)}")


def check_number(name: str, value: Any, below: float | None = None) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not value > 0 or (below is not None and not value < below):
        expected = "positive number" if below is None else f"number between 0 and {below}"
        kind = ValueError if is_number else TypeError
        raise kind(f"{name} must be a {expected}, not {short_repr(value)}")
    try:
        float(value)
    except OverflowError:
        raise ValueError(f"{name} is too large; infinity is float('inf')") from None


def check_bool(name: str, value: Any) -> None:
    if type(value).__name__ not in ("bool", "bool_"):  # Python's and NumPy's
        raise TypeError(f"{name} must be True or False, not {short_repr(value)}")


def is_sequence(value: Any) -> bool:
    """Whether a value is a list, a tuple or an array: not a string, nor bytes."""
    if isinstance(value, Sequence):
        return not isinstance(value, (str, bytes, bytearray, memoryview))
    return getattr(value, "ndim", 0) > 0


def short_repr(value: Any, most: int = 60) -> str:
    """The repr of a value for a message, cut if it is long."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def format_number(value: float) -> str:
    """All digits, without an exponent."""
    text = format(Decimal(repr(float(value))), "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("Infinity", "inf")


def _yes_or_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"
