"""Figures as people read them: in percent, rounded, with what tests and intervals are called."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal

from .. import metrics
from ..edits import metrics as edit_metrics
from ..options import Options, format_number

# Differences with smaller p-values, after Holm's correction, are called significant.
SIGNIFICANCE_LEVEL = 0.05
_TESTS = {
    "ar": "approximate randomisation, two-sided",
    "bs": "paired bootstrap as in sacreBLEU, in effect one-sided",
}
_MANY_DIGITS = Context(prec=1000)


def rounded(value: float, digits: int) -> str:
    """Round half up, on the decimal digits that Python shows, as the authors' tool does."""
    if math.isinf(value):
        return "inf"
    unit = Decimal(1).scaleb(-digits)
    return str(Decimal(repr(value)).quantize(unit, ROUND_HALF_UP, _MANY_DIGITS))


def percent(value: float, digits: int, metric: str = "") -> str:
    """A figure in percent; those of ERRANT have the digits that `errant_compare` prints."""
    if metric == "errant":  # a fraction, rounded as Python rounds it
        return format(Decimal(f"{value:.{digits + 2}f}").scaleb(2, _MANY_DIGITS), "f")
    return rounded(100 * value, digits)


def signed_percent(value: float, digits: int) -> str:
    """With a plus or a minus, as typesetters write it."""
    text = percent(value, digits)
    return f"+{text}" if value > 0 else text.replace("-", "\u2212")


def span(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"


def column_titles(options: Options) -> dict[str, str]:
    """What people call the columns of a table whose names do not say it."""
    all_metrics = metrics.METRICS | edit_metrics.METRICS
    titles = {name: each.title.format(n=options.order) for name, each in all_metrics.items()}
    return titles | {
        "low": f"{confidence_percent(options)} interval",
        "p_value": "p-value",
        "holm": "Holm",
    }


def confidence_percent(options: Options) -> str:
    """The confidence level in percent."""
    return f"{format_number(round(100 * float(options.confidence_level or 0), 6))}%"


def about_test(options: Options, n_systems: int) -> str:
    """Which test p-values come from."""
    holm = f"; Holm's correction, {n_systems - 1} comparisons" if n_systems > 2 else ""
    return f"{_TESTS[options.paired]}, {options.n_resamples:,} resamples{holm}"
