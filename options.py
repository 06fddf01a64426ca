"""What users can set, checked once, and the signature that pins it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import Field, asdict, dataclass, fields
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np

from . import multiset, scores, significance

__version__ = "0.1.0"

LEVELS = ("corpus", "mean", "sentence")
# Options that make no difference to a single sentence.
_OF_CORPORA = ("level", "iterations", "detailed", "n_resamples", "confidence_level", "seed")
TOKENIZERS = {"word": multiset.word_ids, "char": multiset.char_ids}


@dataclass(frozen=True)
class Options:
    """The options of `score` and `compare`; making one checks them all."""

    metric: str = "green"
    tokenizer: str | Callable[[str], Sequence[str]] = "word"
    max_order: int | None = None
    beta: float | Sequence[float] = scores.Green.beta
    level: str = "corpus"
    effective_order: bool = scores.Green.effective_order
    formula: str = scores.Gleu.formula
    selection: str = scores.Gleu.selection
    iterations: int = scores.Gleu.iterations
    strip: bool = False
    detailed: bool = False
    n_resamples: int = 0
    confidence_level: float | None = 0.95
    seed: int = 12345
    paired: str | None = None

    def __post_init__(self) -> None:
        known = options_of(self.metric)
        others = [field for field in fields(self) if field.name not in known]
        check_names(self.metric, [field.name for field in others if self._is_set(field)])
        if not callable(self.tokenizer):
            _one_of(
                "tokenizer", self.tokenizer, TOKENIZERS, "or a function from a text to its tokens"
            )
        if self.max_order is not None:
            _whole("max_order", self.max_order, least=1)
        _one_of("level", self.level, LEVELS)
        for name in ("effective_order", "strip", "detailed"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise TypeError(f"{name} must be True or False, not {getattr(self, name)!r}")
        _one_of("gleu's formula", self.formula, scores.Gleu.formulas)
        _one_of("gleu's selection", self.selection, scores.Gleu.selections)
        _whole("gleu's iterations", self.iterations, least=1)
        _whole("n_resamples", self.n_resamples, least=0)
        if self.n_resamples and self.level == "sentence":
            raise ValueError(
                "n_resamples resamples sentences, so it needs level='corpus' or level='mean', "
                "not level='sentence'"
            )
        if self.confidence_level is not None:
            _number("confidence_level", self.confidence_level)
            if not 0 < self.confidence_level < 1:
                raise ValueError(
                    f"confidence_level must lie between 0 and 1, not be {self.confidence_level!r}"
                )
        _whole("seed", self.seed, least=0)
        if self.paired is not None:
            _one_of("paired", self.paired, significance.TESTS, "or None")
        elif self.confidence_level is None and self.n_resamples:
            raise ValueError("n_resamples without confidence_level or paired tests nothing")
        if not len(self.betas):
            raise ValueError("beta is an empty list; give at least one number")

    def _is_set(self, field: Field) -> bool:
        value = getattr(self, field.name)
        return type(value) is not type(field.default) or value != field.default

    @property
    def betas(self) -> np.ndarray:
        """All values of beta, shape (beta,)."""
        several = np.ndim(self.beta) > 0 and not isinstance(self.beta, str)
        values = list(self.beta) if several else [self.beta]
        for index, value in enumerate(values):
            name = f"beta[{index}]" if several else "beta"
            _number(name, value)
            if not value > 0:
                raise ValueError(f"{name} must be positive, not {value!r}")
        try:
            return np.array(values, dtype=np.float64)
        except OverflowError:
            raise ValueError("beta is too large; infinity is float('inf')") from None

    @property
    def order(self) -> int:
        """The longest n-grams, by default the paper's."""
        if self.max_order is None:
            return scores.ORDERS["char" if self.tokenizer == "char" else "word"]
        return int(self.max_order)

    @property
    def tokenize(self) -> multiset.Tokenize:
        if callable(self.tokenizer):
            return multiset.callable_ids(self.tokenizer)
        return TOKENIZERS[self.tokenizer]

    @property
    def tokenizer_name(self) -> str:
        if callable(self.tokenizer):
            return getattr(self.tokenizer, "__qualname__", type(self.tokenizer).__qualname__)
        return self.tokenizer

    @cached_property
    def scoring(self) -> scores.Score:
        """The score, as it is set."""
        kind = scores.SCORES[self.metric]
        return kind(**{field.name: getattr(self, field.name) for field in fields(kind)})

    def check_sources(self, sources: Any) -> None:
        """Check that there are sources if the score needs them, and else none."""
        if sources is None and self.scoring.needs_sources:
            raise ValueError(f"sources are missing; {self.metric} needs them")
        if sources is not None and not self.scoring.needs_sources:
            raise ValueError(f"{self.metric} takes no sources; leave them out")

    def check_one_beta(self) -> None:
        if np.ndim(self.beta):
            raise ValueError(f"beta must be one number here, not {self.beta!r}")

    def settings(self) -> dict[str, Any]:
        """All that decides the figures, with what it means when nothing is said."""
        meant = asdict(self) | {"max_order": self.order, "beta": self.betas.tolist()}
        return {name: meant[name] for name in options_of(self.metric) if name != "detailed"}

    def signature(self, n_references: np.ndarray) -> str:
        """Every choice that the figures depend on, in the manner of sacreBLEU."""
        fewest, most = n_references.min(), n_references.max()
        draws = self.selection == "sample" and self.level == "corpus"
        bootstraps = self.n_resamples and (self.confidence_level or self.paired == "bs")
        # The option, what it is called here, and its value.
        parts = [
            (None, "nrefs", fewest if fewest == most else f"{fewest}-{most}"),
            ("tokenizer", "tok", self.tokenizer_name),
            ("max_order", "order", self.order),
            ("beta", "beta", ",".join(format_number(beta) for beta in self.betas)),
            ("formula", "formula", self.formula),
            ("selection", "select", self.selection),
            ("iterations", "iter", self.iterations if draws else None),
            ("level", "level", self.level),
            ("effective_order", "eff", "yes" if self.effective_order else "no"),
            ("strip", "strip", "yes" if self.strip else "no"),
            ("n_resamples", "bs", self.n_resamples if bootstraps else None),
            ("paired", "ar", (self.n_resamples or None) if self.paired == "ar" else None),
            ("confidence_level", "conf", self.confidence_level if self.n_resamples else None),
            ("seed", "seed", self.seed if self.n_resamples else None),
            (None, "version", __version__),
        ]
        known = (None, *options_of(self.metric))
        shown = [(name, value) for option, name, value in parts if option in known]
        return "|".join([self.metric, *(f"{n}:{value}" for n, value in shown if value is not None)])


def options_of(metric: str) -> list[str]:
    """The names of the options that a score knows: those that all know, and its own."""
    _one_of("metric", metric, scores.SCORES)
    own = {field.name for kind in scores.SCORES.values() for field in fields(kind)}
    own -= {field.name for field in fields(scores.SCORES[metric])}
    return [field.name for field in fields(Options) if field.name not in own]


def check_names(metric: str, names: Iterable[str]) -> None:
    """Check that a score knows all options of these names."""
    known = [name for name in options_of(metric) if name not in ("metric", "seed", "paired")]
    for name in names:
        if name not in known:
            kind = ValueError if name in Options.__dataclass_fields__ else TypeError
            raise kind(f"{metric} has no option {name!r}; its options are {', '.join(known)}")


def sentence_options(what: str, metric: str, options: dict[str, Any], **fixed: Any) -> Options:
    """The options of something that concerns a single sentence."""
    check_names(metric, options)
    for name in _OF_CORPORA:
        if name in options:
            raise ValueError(f"{what} has no option {name!r}, because it is about one sentence")
    checked = Options(metric, level="sentence", **fixed, **options)
    checked.check_one_beta()
    return checked


def format_number(value: float) -> str:
    return np.format_float_positional(value, trim="-")


def _one_of(name: str, value: Any, known: Iterable[str], otherwise: str = "") -> None:
    if not isinstance(value, str) or value not in known:
        choices = " or ".join(map(repr, known)) + (f" {otherwise}" if otherwise else "")
        raise ValueError(f"{name} must be {choices}, not {value!r}")


def _whole(name: str, value: Any, least: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        kind = ValueError if isinstance(value, Real) else TypeError
        raise kind(f"{name} must be a whole number of at least {least}, not {value!r}")


def _number(name: str, value: Any) -> None:
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, not {value!r}")
