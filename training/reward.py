"""A reward function for TRL's trainers, which it does not import."""

import re
from collections.abc import Sequence
from typing import Any

from ..corpus.columns import COLUMNS, find_column
from ..counting import count
from ..input_warnings import WarnOnce
from ..inputs import Corpus, check_columns
from ..metrics import make_metric
from ..options import Options, is_sequence, option_names, short_repr
from .answers import completion_text


class Reward:
    """A reward function, as TRL's trainers call it."""

    def __init__(self, metric: str = "green", **options: Any) -> None:
        if metric == "green":
            options = {"effective_order": True, "selection": "mean", **options}
        self._options = Options.make_for_sentence(metric, options, detailed=False)
        self._needs_sources = make_metric(self._options).needs_sources
        self.__name__ = metric  # TRL logs it
        self._warn = WarnOnce(silent=["empty"])  # not at every step; empty completions get 0

    def __call__(self, completions: Sequence, **columns: Any) -> list[float | None]:
        for name, value in columns.items():
            is_option = name == "metric" or name in option_names(self._options.metric)
            if is_option and not is_sequence(value):  # else, a column that happens to have the name
                option = f"{name}={short_repr(value)}"
                raise TypeError(
                    f"{option} is an option, not a column; give options first: "
                    f"reward({option})(completions, …)"
                )
        named_columns = [("completions", completions)]
        for name in ("sources", "references") if self._needs_sources else ("references",):
            named_columns.append((name, columns[find_column(columns, *COLUMNS[name])]))
        completions, *others = check_columns(named_columns)
        texts = [completion_text(f"completions[{i}]", each) for i, each in enumerate(completions)]
        rows = enumerate(zip(texts, *others, strict=True))
        rated = {i: row for i, row in rows if not any(value is None for value in row)}
        rewards: list[float | None] = [None] * len(texts)
        if rated:
            for i, value in zip(rated, self._score(rated), strict=True):
                rewards[i] = value if texts[i].strip() else 0.0
        return rewards

    def _score(self, rows: dict[int, tuple]) -> list[float]:
        """Score rows of a completion, its source, if the metric needs it, and its references."""
        completions, *sources, references = map(list, zip(*rows.values(), strict=True))
        systems = {"completions": completions}
        corpus = Corpus.check(sources[0] if sources else None, systems, references)
        try:
            (statistics,) = count(corpus, [self._options], warn=self._warn, is_whole_corpus=False)
        except (TypeError, ValueError) as error:
            place = re.match(r"(\w+)\[(\d+)\]", str(error))
            if place is None:
                raise
            position, problem = [*rows][int(place[2])], str(error)[place.end() :]
            raise type(error)(f"{place[1]}[{position}]{problem}") from None
        return statistics.score()[self._options.metric]


_DEFAULT = Reward()  # one for all calls, so that it warns once


def reward(
    completions: Sequence[str] | Sequence[Sequence[dict]] | None = None,
    **columns_or_options: Any,
) -> list[float | None] | Reward:
    """Score each completion as a sentence of its own: a reward function for TRL's trainers.

    Called with completions, this is the reward function; without, it returns one with other
    options.

    Args:
        completions: Texts, or conversations, whose last message counts.
        columns_or_options: With completions, the dataset's columns: source (or sources; not for
            BLEU, ROUGE-N and F1) and references (or reference), one text or a list of texts each;
            other columns are ignored. Without completions, the metric and the options of `score`
            that apply to a single sentence. For GREEN, `effective_order` defaults to True here
            and `selection` to "mean".

    Returns:
        One score per completion, 0 if it is empty, or None where the source or the references are
        None: TRL leaves such a row to other rewards. Without completions, a reward function.

    Examples:
        >>> from green_gec import reward
        >>> reward(
        ...     completions=["He goes home .", "He go home ."],
        ...     source=["He go home .", "He go home ."],
        ...     references=[["He goes home ."], ["He goes home .", "He went home ."]],
        ... )
        [1.0, 0.0]
        >>> function = reward(tokenizer="char", beta=1)  # for GRPOTrainer(reward_funcs=function)
        >>> function(["He goes home ."], source=["He go home ."], references=["He goes home ."])
        [1.0]
    """
    if completions is None:
        return Reward(**columns_or_options)
    return _DEFAULT(completions, **columns_or_options)
