"""The `compute_metrics` of a `Trainer`: its token ids -> texts -> scores that it can log.

Knows what a Trainer passes, but imports neither transformers nor torch. `training` has the callback
and the reward, which a metric loaded from the Hub lacks.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .counting import Statistics, count
from .input_warnings import WarnOnce
from .inputs import Corpus, check_columns, check_texts, reference_list
from .metrics import make_metric
from .options import Options, short_repr

# Fills up labels, and predictions of different lengths.
IGNORED_LABEL = -100


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
                f"{short_repr(tokenizer)}"
            )
        check_loggable(options)
        self._tokenizer, self._options, self._metric = tokenizer, options, make_metric(options)
        self._warn = WarnOnce()  # not at every evaluation
        self._sources = self._references = None
        if sources is not None:
            self._metric.check_sources(sources)
            self._sources = check_texts("sources", sources).to_pylist()
        if references is not None:
            self._references = _check_further_references(references)
        self.reset()

    def reset(self) -> None:
        """Forget all batches so far. Call it after an evaluation that was interrupted."""
        self._statistics = Statistics.empty(self._options)
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
            self._check_lengths(is_complete=True)
            scores = loggable_scores(self._statistics)
        except BaseException:
            self.reset()
            raise
        self.reset()
        return scores

    def _count(self, predictions: Any, labels: Any, inputs: Any) -> None:
        if labels is None:
            raise ValueError("the Trainer passed no labels, which are the references")
        labels = _to_numpy(_logits(labels))
        ids = _predicted_ids(_logits(predictions), labels)
        if not len(ids):
            return
        batch = slice(self._n_seen, self._n_seen + len(ids))
        self._n_seen = batch.stop
        self._check_lengths(is_complete=False)
        sources = None
        if self._sources is not None:
            sources = self._sources[batch]
        elif self._metric.needs_sources:
            sources = self._decode(self._source_ids(inputs, len(ids)))
        references = [[text] for text in self._decode(labels)]
        if self._references is not None:
            further = self._references[batch]
            references = [[*own, *others] for own, others in zip(references, further, strict=True)]
        corpus = Corpus.check(sources, {"predictions": self._decode(ids)}, references)
        (statistics,) = count(corpus, [self._options], warn=self._warn, is_whole_corpus=False)
        self._statistics += statistics

    def _source_ids(self, inputs: Any, n_sentences: int) -> np.ndarray:
        """The token ids of the model's inputs."""
        if isinstance(inputs, Mapping):  # with batch_eval_metrics, all inputs of the model
            inputs = inputs.get(getattr(self._tokenizer, "model_input_names", ["input_ids"])[0])
        ids = _logits(inputs)
        if ids is None:
            raise ValueError(
                f"{self._options.metric} compares with the source, and the Trainer passed no "
                'inputs; set include_for_metrics=["inputs"] in its training arguments, or give '
                "trainer_hook the texts: sources=[…]"
            )
        if len(ids) != n_sentences:  # unlike predictions, they were not gathered
            raise ValueError(
                f"the Trainer passed {n_sentences} predictions, but {len(ids)} inputs, as it "
                "does with batch_eval_metrics=True in several processes; leave that out, or give "
                "trainer_hook the texts: sources=[…]"
            )
        return _to_numpy(ids)

    def _decode(self, ids: np.ndarray) -> list[str]:
        rows = [row[row >= 0].tolist() for row in ids]  # no tokenizer knows -100
        return self._tokenizer.batch_decode(rows, skip_special_tokens=True)

    def _check_lengths(self, is_complete: bool) -> None:
        """Check that there is one entry per sentence so far and, at the end, no more."""
        n = self._n_seen
        for name, column in (("references", self._references), ("sources", self._sources)):
            if column is not None and (len(column) < n or (is_complete and len(column) > n)):
                raise ValueError(
                    f"trainer_hook got {len(column):,} {name}, but the evaluation set has "
                    f"{n:,} sentences{'' if is_complete else ' or more'}; give one entry per "
                    "sentence, in the order of the evaluation set"
                )


def check_loggable(options: Options) -> None:
    if options.detailed:
        raise ValueError("a Trainer logs single numbers, so detailed must be False")


def loggable_scores(statistics: Statistics) -> dict[str, float]:
    """The score as single numbers; an interval becomes its two ends."""
    scores, metric = statistics.score(), statistics.options.metric
    if "confidence_interval" in scores:
        low, high = scores.pop("confidence_interval")
        scores |= {f"{metric}_low": low, f"{metric}_high": high}
    return scores


def _check_further_references(references: Any) -> list[list[str]]:
    """References besides the labels, as lists, which may be empty."""
    (column,) = check_columns([("references", references)])
    lists = [(f"references[{i}]", texts) for i, texts in enumerate(column)]
    return [check_texts(name, reference_list(name, texts)).to_pylist() for name, texts in lists]


def _batches(prediction: Any) -> Iterable[tuple[Any, Any, Any]]:
    """Predictions, labels and inputs; with eval_do_concat_batches=False, those of each batch."""
    predictions, labels = prediction.predictions, prediction.label_ids
    inputs = getattr(prediction, "inputs", None)
    if not isinstance(predictions, list):
        return [(predictions, labels, inputs)]
    return zip(predictions, labels, inputs or [None] * len(predictions), strict=True)


def _predicted_ids(predictions: Any, labels: np.ndarray) -> np.ndarray:
    """Token ids (sentence, position), from generated ids or from logits (…, token)."""
    if predictions.ndim == 2:
        return _to_numpy(predictions)
    ids = _to_numpy(predictions.argmax(-1))
    if ids.shape != labels.shape:
        return ids
    # Without generation, the model predicts each token from the right ones before it. Beyond the
    # label there are none, so its predictions there are noise.
    return np.where(labels == IGNORED_LABEL, IGNORED_LABEL, ids)


def _logits(values: Any) -> Any:
    """The first of several outputs of a model, its logits."""
    return _logits(values[0]) if isinstance(values, (tuple, list)) else values


def _to_numpy(values: Any) -> np.ndarray:
    """An array, or a tensor on any device, as an array."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)
