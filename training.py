"""Scores while a model learns: the hook of a `Trainer`, and a reward for reinforcement learning."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import api, inputs
from .options import Options, sentence_options

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
        self._tokenizer, self._options = tokenizer, options
        self._sources = self._references = None
        if sources is not None:
            options.check_sources(sources)
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
        """Forget all batches so far: needed when an evaluation was broken off from outside."""
        self._counted: list[api.Counted] = []
        self._n_seen = 0

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        """Score an `EvalPrediction` together with those since the last result.

        Without `compute_result`, only count it. If anything goes wrong, all of them are forgotten.
        """
        try:
            for batch in _batches(prediction):
                self._counted += self._count(*batch)
            if not compute_result:
                return {}
            self._check_number(whole=True)
            if not self._counted:
                raise ValueError("there are no sentences to score")
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

    def _count(self, predictions: Any, labels: Any, given: Any) -> list[api.Counted]:
        if labels is None:
            raise ValueError("the Trainer passed no labels, which are the references")
        labels = _numpy(_first(labels))
        ids = self._predicted(_first(predictions), labels)
        if not len(ids):
            return []
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
            for listed, others in zip(references, self._references[seen], strict=True):
                listed.extend(others)
        systems = [("predictions", self._decode(ids))]
        return [api.count(sources, systems, references, self._options)]

    def _predicted(self, predictions: Any, labels: np.ndarray) -> np.ndarray:
        """Token ids (sentence, position), of generated ids or of logits (…, token)."""
        if predictions.ndim == 2:
            return _numpy(predictions)
        ids = _numpy(predictions.argmax(-1))
        if ids.shape != labels.shape:
            return ids
        # Without generation, the model predicts each token from the right ones before it. Beyond
        # the label there are none, and what it says there is noise; unless it says padding, as only
        # texts do that were padded. (Where logits are filled up, that of padding is -100, too.)
        beyond = labels == _NOTHING
        pad, eos = (getattr(self._tokenizer, f"{name}_token_id", None) for name in ("pad", "eos"))
        padded = np.zeros(len(ids), dtype=bool)
        if pad is not None and pad != eos:
            filled = _numpy(predictions[..., pad]) == _NOTHING
            padded = (beyond & (ids == pad) & ~filled).any(axis=1)
        return np.where(beyond & ~padded[:, None], _NOTHING, ids)

    def _inputs(self, given: Any, n_sentences: int) -> np.ndarray:
        """The ids that the model got."""
        if isinstance(given, Mapping):  # with batch_eval_metrics, all that the model got
            given = given.get(getattr(self._tokenizer, "model_input_names", ["input_ids"])[0])
        given = _first(given)
        if given is None:
            raise ValueError(
                f"{self._options.metric} compares with the source, and the Trainer passed no "
                'inputs; set include_for_metrics=["inputs"] in its training arguments, or give '
                "trainer_hook the texts: sources=[…]"
            )
        if len(given) != n_sentences:  # then the Trainer does not gather them, unlike predictions
            raise ValueError(
                f"the Trainer passed {n_sentences} predictions, but {len(given)} inputs, as it "
                "does with batch_eval_metrics=True in several processes; leave that out, or give "
                "trainer_hook the texts: sources=[…]"
            )
        return _numpy(given)

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
        return Reward(**columns_or_options)
    return Reward()(completions, **columns_or_options)


class Reward:
    """A reward function, as TRL's trainers call it."""

    def __init__(self, metric: str = Options.metric, **options: Any) -> None:
        if metric == "green":
            options = {"effective_order": True, **options}
        self._options = sentence_options("a reward", metric, options)
        self.__name__ = metric  # TRL logs it

    def __call__(self, completions: Sequence, **columns: Any) -> list[float | None]:
        references = _column(columns, "references", "reference")
        given = {"completions": completions, "references": references}
        if self._options.scoring.needs_sources:
            given["sources"] = _column(columns, "source", "sources")
        found = dict(zip(given, inputs.columns(list(given.items())), strict=True))
        texts = [_text(f"completions[{i}]", each) for i, each in enumerate(found["completions"])]
        unrated = [any(value is None for value in row) for row in zip(*found.values(), strict=True)]
        if all(unrated):
            return [None] * len(texts)

        def column(name: str) -> list:
            # Unrated rows get a text, so that messages have the right positions.
            return ["" if skip else value for value, skip in zip(found[name], unrated, strict=True)]

        sources = column("sources") if "sources" in found else None
        systems = [("completions", texts)]
        counted = api.count(sources, systems, column("references"), self._options)
        values = api.of_one_system(counted, self._options)[self._options.metric]
        return [None if skip else value for value, skip in zip(values, unrated, strict=True)]


def _column(columns: Mapping[str, Any], *names: str) -> Any:
    for name in names:
        if name in columns:
            return columns[name]
    raise ValueError(
        f"the dataset has no column {names[0]!r}; a reward needs it (rename one: "
        f"dataset.rename_column(…, {names[0]!r}))"
    )


def _text(where: str, completion: Any) -> str:
    """The text of a completion: of a conversation, that of its last message."""
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
            f"{completion!r:.60}"
        ) from None
