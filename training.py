"""Scores during training: a `Trainer` hook, and a reward for reinforcement learning."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from . import api, arrow, inputs
from .options import Options, shown
from .scores import scoring

# Fills up labels, and predictions of different lengths.
_NOTHING = -100


class TrainerHook:
    """The `compute_metrics` of a `Trainer`.

    Decodes inputs, predictions and labels, which are the sources, the corrections and the first
    reference of each sentence. With `batch_eval_metrics=True` the Trainer calls it batch by batch,
    and it keeps the statistics of each batch.
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
                f"{shown(tokenizer)}"
            )
        if options.detailed:
            raise ValueError("a Trainer logs single numbers, so detailed must be False")
        self._tokenizer, self._options = tokenizer, options
        self._warn = api.WarnOnce()  # not at every evaluation
        self._sources = self._references = None
        if sources is not None:
            scoring(options).check_sources(sources)
            (self._sources,) = inputs.columns([("sources", sources)])
            inputs.texts("sources", self._sources, 0, len(self._sources))
        if references is not None:
            (references,) = inputs.columns([("references", references)])
            self._references = [
                inputs.reference_list(f"references[{i}]", some) for i, some in enumerate(references)
            ]
            for i, some in enumerate(self._references):
                inputs.texts(f"references[{i}]", some, 0, len(some))
        self.reset()

    def reset(self) -> None:
        """Forget all batches so far. Call it after an evaluation that was interrupted."""
        self._statistics = api.Statistics(self._options)
        self._n_seen = 0

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        """Score an `EvalPrediction` together with those since the last result.

        Without `compute_result`, only count it. After an error, all of them are forgotten.
        """
        try:
            for batch in _batches(prediction):
                self._count(*batch)
            if not compute_result:
                return {}
            self._check_number(whole=True)
            found = self._statistics.score()
        except BaseException:
            self.reset()
            raise
        self.reset()
        if "confidence_interval" in found:
            low, high = found.pop("confidence_interval")
            found |= {f"{self._options.metric}_low": low, f"{self._options.metric}_high": high}
        return found

    def _count(self, predictions: Any, labels: Any, given: Any) -> None:
        """Add the statistics of a batch."""
        if labels is None:
            raise ValueError("the Trainer passed no labels, which are the references")
        labels = _numpy(_first(labels))
        ids = self._predicted(_first(predictions), labels)
        if not len(ids):
            return
        seen = slice(self._n_seen, self._n_seen + len(ids))
        self._n_seen = seen.stop
        self._check_number()
        sources = None
        if self._sources is not None:
            sources = self._sources[seen]
        elif scoring(self._options).needs_sources:
            sources = self._decode(self._inputs(given, len(ids)))
        references = [[text] for text in self._decode(labels)]
        if self._references is not None:
            for listed, others in zip(references, self._references[seen], strict=True):
                listed.extend(others)
        systems = [("predictions", self._decode(ids))]
        (statistics,) = api.count(
            *(sources, systems, references, [self._options]), warn=self._warn, whole=False
        )
        self._statistics += statistics

    def _predicted(self, predictions: Any, labels: np.ndarray) -> np.ndarray:
        """Token ids (sentence, position), from generated ids or from logits (…, token)."""
        if predictions.ndim == 2:
            return _numpy(predictions)
        ids = _numpy(predictions.argmax(-1))
        if ids.shape != labels.shape:
            return ids
        # Without generation, the model predicts each token from the right ones before it. Beyond
        # the label there are none, so its predictions there are noise, unless they are padding:
        # then the model was trained on padded texts. (Filled-up logits of padding are -100, too.)
        beyond = labels == _NOTHING
        pad, eos = (getattr(self._tokenizer, f"{name}_token_id", None) for name in ("pad", "eos"))
        padded = np.zeros(len(ids), dtype=bool)
        if pad is not None and pad != eos:
            filled = _numpy(predictions[..., pad]) == _NOTHING
            padded = (beyond & (ids == pad) & ~filled).any(axis=1)
        return np.where(beyond & ~padded[:, None], _NOTHING, ids)

    def _inputs(self, given: Any, n_sentences: int) -> np.ndarray:
        """The ids of the model's inputs."""
        if isinstance(given, Mapping):  # with batch_eval_metrics, all inputs of the model
            given = given.get(getattr(self._tokenizer, "model_input_names", ["input_ids"])[0])
        given = _first(given)
        if given is None:
            raise ValueError(
                f"{self._options.metric} compares with the source, and the Trainer passed no "
                'inputs; set include_for_metrics=["inputs"] in its training arguments, or give '
                "trainer_hook the texts: sources=[…]"
            )
        if len(given) != n_sentences:  # unlike predictions, they were not gathered
            raise ValueError(
                f"the Trainer passed {n_sentences} predictions, but {len(given)} inputs, as it "
                "does with batch_eval_metrics=True in several processes; leave that out, or give "
                "trainer_hook the texts: sources=[…]"
            )
        return _numpy(given)

    def _decode(self, ids: np.ndarray) -> list[str]:
        rows = [row[row >= 0].tolist() for row in ids]  # no tokenizer knows -100
        return self._tokenizer.batch_decode(rows, skip_special_tokens=True)

    def _check_number(self, whole: bool = False) -> None:
        """Check that there is one entry per sentence seen and, at the end, no more."""
        n = self._n_seen
        for name, given in (("references", self._references), ("sources", self._sources)):
            if given is not None and (len(given) < n or (whole and len(given) > n)):
                raise ValueError(
                    f"trainer_hook got {len(given):,} {name}, but the evaluation set has "
                    f"{n:,} sentences{'' if whole else ' or more'}; give one entry per sentence, "
                    "in the order of the evaluation set"
                )


def _batches(prediction: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Predictions, labels and inputs; with eval_do_concat_batches=False, of each batch."""
    found = prediction.predictions, prediction.label_ids, getattr(prediction, "inputs", None)
    if not isinstance(found[0], list):
        return iter([found])
    given = found[2] if found[2] is not None else [None] * len(found[0])
    return zip(*found[:2], given, strict=True)


def _first(values: Any) -> Any:
    """The first of several outputs of a model, its logits."""
    return _first(values[0]) if isinstance(values, (tuple, list)) else values


def _numpy(values: Any) -> np.ndarray:
    """An array, or a tensor on any device, as an array."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        values = values.float() if values.is_floating_point() else values  # NumPy has no bfloat16
        return values.numpy()
    return np.asarray(values)


def reward(
    completions: Sequence[str] | Sequence[Sequence[dict]] | None = None,
    **columns_or_options: Any,
) -> "list[float | None] | Reward":
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
    return _default_reward()(completions, **columns_or_options)


@cache
def _default_reward() -> "Reward":
    """One for all calls, so that it warns once."""
    return Reward()


class Reward:
    """A reward function, as TRL's trainers call it."""

    def __init__(self, metric: str = Options.metric, **options: Any) -> None:
        if metric == "green":
            options = {"effective_order": True, "selection": "mean", **options}
        fixed = {"level": "sentence", "detailed": False}
        self._options = Options.of(metric, options, "sentence", **fixed)
        self._needs_sources = scoring(self._options).needs_sources
        self.__name__ = metric  # TRL logs it
        self._warn = api.WarnOnce("empty")  # not at every step; empty completions get 0

    def __call__(self, completions: Sequence, **columns: Any) -> list[float | None]:
        given = {"completions": completions}
        for name in ("sources", "references") if self._needs_sources else ("references",):
            hint = "; rename one: dataset.rename_column(…)"
            given[name] = columns[inputs.find_column(columns, *inputs.COLUMNS[name], hint=hint)]
        found = dict(zip(given, inputs.columns(list(given.items())), strict=True))
        texts = [_text(f"completions[{i}]", each) for i, each in enumerate(found["completions"])]
        unrated = [any(value is None for value in row) for row in zip(*found.values(), strict=True)]
        if all(unrated):
            return [None] * len(texts)

        def filled(name: str) -> list:
            # Unrated rows get a text, so that positions in messages are right.
            given = texts if name == "completions" else found[name]
            return ["" if skip else value for value, skip in zip(given, unrated, strict=True)]

        n_rows, rated = len(texts), np.flatnonzero(np.logical_not(unrated))
        arrays = {
            name: inputs.references(filled(name), 0, n_rows)
            if name == "references"
            else inputs.texts(name, filled(name), 0, n_rows)
            for name in found
        }
        of_rated = {name: arrow.take(array, rated) for name, array in arrays.items()}
        systems = [("completions", of_rated["completions"])]
        (statistics,) = api.count(
            *(of_rated.get("sources"), systems, of_rated["references"], [self._options]),
            warn=self._warn,
            whole=False,
        )
        rewards: list[float | None] = [None] * n_rows
        for row, value in zip(rated, statistics.score()[self._options.metric], strict=True):
            rewards[row] = value if texts[row].strip() else 0.0
        return rewards


def _text(where: str, completion: Any) -> str:
    """The text of a completion; of a conversation, the text of its last message."""
    if isinstance(completion, str):
        return completion
    try:
        content = completion[-1]["content"]
        if isinstance(content, str):
            return content
        return "".join(part["text"] for part in content or [] if part["type"] == "text")
    except (TypeError, LookupError):
        raise TypeError(
            f"{where} must be a text or a conversation, a list of messages with content, not "
            f"{shown(completion)}"
        ) from None
