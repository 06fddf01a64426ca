"""Scores while a model learns: the hook of a `Trainer`, and a reward for reinforcement learning."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import api, inputs
from .options import Options, check_names

# What labels, and predictions of different lengths, are filled up with.
_NOTHING = -100


class TrainerHook:
    """Scores what a `Trainer` predicts: its `compute_metrics`.

    It decodes inputs, predictions and labels; these are the sources, the corrections and the first
    reference of each sentence. With `batch_eval_metrics=True` it is called batch by batch, and what
    it keeps of a batch is its statistics.
    """

    def __init__(
        self,
        tokenizer: Any,
        options: Options,
        references: Sequence[str | Sequence[str]] | None,
        sources: Sequence[str] | None,
    ) -> None:
        if not hasattr(tokenizer, "batch_decode"):
            raise TypeError(
                "trainer_hook needs the model's tokenizer, which decodes its token ids, not "
                f"{tokenizer!r:.60}"
            )
        if options.detailed:
            raise ValueError("a Trainer logs single numbers, so detailed must be False")
        if sources is not None:
            options.check_sources(sources)
        self._tokenizer, self._options = tokenizer, options
        self._references = None if references is None else list(references)
        self._sources = None if sources is None else list(sources)
        self.reset()

    def reset(self) -> None:
        """Forget all batches so far: needed when an evaluation was broken off from outside."""
        self._counted: list[api.Counted] = []
        self._n_seen = 0

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        """Score an `EvalPrediction` together with those since the last result.

        Without `compute_result`, only count it. If anything goes wrong, all of them are forgotten.
        """
        try:
            for batch in _batches(prediction):
                self._counted.append(self._count(*batch))
            if not compute_result:
                return {}
            self._check_number(whole=True)
            counted = api.add_up(self._counted, self._options)
            found = api.of_one_system(counted, self._options)
        except BaseException:
            self.reset()
            raise
        self.reset()
        if "confidence_interval" in found:
            low, high = found.pop("confidence_interval")
            found |= {f"{self._options.metric}_low": low, f"{self._options.metric}_high": high}
        return found

    def _count(self, predictions: Any, labels: Any, given: Any) -> api.Counted:
        labels = _numpy(_first(labels))
        ids = self._predicted(_first(predictions), labels)
        seen = slice(self._n_seen, self._n_seen + len(ids))
        self._n_seen = seen.stop
        self._check_number()
        sources = None
        if self._sources is not None:
            sources = self._sources[seen]
        elif self._options.scoring.needs_sources:
            sources = self._decode(self._inputs(given, len(ids)))
        references = [[text] for text in self._decode(labels)]
        if self._references is not None:
            for index, listed in enumerate(references, seen.start):
                others = inputs.reference_list(f"references[{index}]", self._references[index])
                listed.extend(others)
        systems = [("predictions", self._decode(ids))]
        return api.count(sources, systems, references, self._options)

    def _predicted(self, predictions: Any, labels: np.ndarray) -> np.ndarray:
        """Token ids (sentence, position), of generated ids or of logits (…, token)."""
        if predictions.ndim == 2:
            return _numpy(predictions)
        ids = _numpy(predictions.argmax(-1))
        if ids.shape != labels.shape:
            return ids
        # Without generation, the model predicts each token from the right ones before it. Beyond
        # the label there are none, and what it says there is noise, unless it just goes on for a
        # while and then ends.
        ends = [getattr(self._tokenizer, f"{name}_token_id", None) for name in ("eos", "pad")]
        ended = np.isin(ids, [end for end in ends if end is not None])
        stays_ended = (ended == np.maximum.accumulate(ended, axis=1)).all(axis=1) & ended[:, -1]
        return np.where((labels == _NOTHING) & ~stays_ended[:, None], _NOTHING, ids)

    def _inputs(self, given: Any, n_sentences: int) -> np.ndarray:
        """The ids that the model got."""
        if given is None:
            raise ValueError(
                f"{self._options.metric} compares with the source, and the Trainer passed no "
                'inputs; set include_for_metrics=["inputs"] in its training arguments, or give '
                "trainer_hook the texts: sources=[…]"
            )
        if isinstance(given, Mapping):  # with batch_eval_metrics, all that the model got
            given = given[getattr(self._tokenizer, "model_input_names", ["input_ids"])[0]]
        if len(given) != n_sentences:  # then the Trainer does not gather them, unlike predictions
            raise ValueError(
                f"the Trainer passed {n_sentences} predictions, but {len(given)} inputs, as it "
                "does with batch_eval_metrics=True in several processes; leave that out, or give "
                "trainer_hook the texts: sources=[…]"
            )
        return _numpy(_first(given))

    def _decode(self, ids: np.ndarray) -> list[str]:
        rows = [row[row >= 0].tolist() for row in ids]  # without -100, which no tokenizer knows
        return self._tokenizer.batch_decode(rows, skip_special_tokens=True)

    def _check_number(self, whole: bool = False) -> None:
        """Check that there is an entry for each sentence seen, and, at the end, no other."""
        n = self._n_seen
        for name, given in (("references", self._references), ("sources", self._sources)):
            if given is not None and (len(given) < n or (whole and len(given) > n)):
                raise ValueError(
                    f"trainer_hook got {len(given):,} {name}, but the evaluation set has "
                    f"{n:,} sentences{'' if whole else ' or more'}; give an entry for each of "
                    "them, in their order"
                )


def _batches(prediction: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Predictions, labels and inputs: once, or, with eval_do_concat_batches=False, many times."""
    found = prediction.predictions, prediction.label_ids, getattr(prediction, "inputs", None)
    if not isinstance(found[0], list):
        return iter([found])
    given = found[2] if found[2] is not None else [None] * len(found[0])
    return zip(*found[:2], given, strict=True)


def _first(values: Any) -> Any:
    """Of several outputs of a model the first, its logits."""
    return _first(values[0]) if isinstance(values, (tuple, list)) else values


def _numpy(values: Any) -> np.ndarray:
    """An array, or a tensor on whatever device, as an array."""
    return values.detach().cpu().numpy() if hasattr(values, "detach") else np.asarray(values)


# A reward function as TRL's trainers call it: with completions, and the dataset's columns by name.
Reward = Callable[..., list[float | None]]


def reward(
    completions: Sequence[str] | Sequence[Sequence[dict]] | None = None,
    **columns_or_options: Any,
) -> list[float | None] | Reward:
    """Score each completion as a sentence of its own: a reward function for TRL's trainers.

    With completions, it is the reward function; without, it makes one with other options.

    Args:
        completions: Texts, or conversations, of which the last message counts.
        columns_or_options: With completions, the dataset's columns: source (or sources; not for
            BLEU, ROUGE-N and F1) and references (or reference), a text or a list of texts each;
            others are left alone. Without completions, the metric and options of `score` that
            concern a sentence; `effective_order` is on unless told otherwise.

    Returns:
        For each completion its score, or None where the source or the references are None: TRL
        leaves such a row to other rewards. Without completions, a reward function.

    Example:
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
        return _reward(**columns_or_options)
    return _reward()(completions, **columns_or_options)


def _reward(metric: str = Options.metric, **options: Any) -> Reward:
    if metric == "green":
        options = {"effective_order": True, **options}
    check_names(metric, options)
    for name in ("level", "n_resamples", "confidence_level", "iterations", "detailed"):
        if name in options:
            raise ValueError(f"a reward is the score of a sentence, for which there is no {name}")
    checked = Options(metric, **options)
    if np.ndim(checked.beta):
        raise ValueError(f"beta must be a single number here, not {checked.beta!r}")

    def function(completions: Sequence, **columns: Any) -> list[float | None]:
        given = {"completions": [_text(completion) for completion in completions]}
        given["references"] = _column(columns, "references", "reference")
        if checked.scoring.needs_sources:
            given["sources"] = _column(columns, "source", "sources")
        given = dict(zip(given, inputs.columns(list(given.items())), strict=True))
        rewards: list[float | None] = [None] * len(completions)
        rated = [i for i, row in enumerate(zip(*given.values(), strict=True)) if None not in row]
        if rated:
            texts = {name: [column[i] for i in rated] for name, column in given.items()}
            values = api.score(
                texts.get("sources"),
                texts["completions"],
                texts["references"],
                metric,
                level="sentence",
                **options,
            )[metric]
            for i, value in zip(rated, values, strict=True):
                rewards[i] = value
        return rewards

    function.__name__ = metric  # TRL logs it
    return function


def _column(columns: Mapping[str, Any], *names: str) -> Any:
    for name in names:
        if name in columns:
            return columns[name]
    raise ValueError(
        f"the dataset has no column {names[0]!r}; a reward needs it (rename one: "
        f"dataset.rename_column(…, {names[0]!r}))"
    )


def _text(completion: Any) -> str:
    """The text of a completion: of a conversation, that of its last message."""
    if isinstance(completion, str):
        return completion
    content = completion[-1]["content"]
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content or [] if part.get("type") == "text")
