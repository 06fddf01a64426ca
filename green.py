"""GREEN, the n-gram F-score for grammatical error correction, as a Hugging Face evaluate module."""

import datasets
import evaluate

# evaluate.load copies the siblings that these lines name, and no others: name all that `score`
# needs. A comment on such a line would be taken for an address.
from .api import score
from .arrow import TEXT
from .batches import check
from .explain import Explanation, explain
from .inputs import tables
from .multiset import SIZES
from .options import Options
from .scores import SCORES
from .significance import resample
from .storage import Storage
from .training import TrainerHook
from .venn import draw

_CITATION = """\
@inproceedings{koyama-etal-2024-n-gram,
    title = "n-gram {F}-score for Evaluating Grammatical Error Correction",
    author = "Koyama, Shota and Nagata, Ryo and Takamura, Hiroya and Okazaki, Naoaki",
    booktitle = "Proceedings of the 17th International Natural Language Generation Conference",
    year = "2024",
    address = "Tokyo, Japan",
    publisher = "Association for Computational Linguistics",
    pages = "303--313",
    url = "https://aclanthology.org/2024.inlg-main.25",
}
"""

_DESCRIPTION = """\
GREEN scores a grammatical error correction by comparing the n-grams of the source, the correction
and the references. Each n-gram that was rightly kept, deleted or inserted is a true positive; what
was wrongly deleted or inserted is a false positive, and what should have been deleted or inserted,
but was not, a false negative. Precision and recall are geometric means over the n-gram orders, and
GREEN is their F-score. It needs no alignment, no tagger and no model, and works for any language.

Other scores of the same n-grams are configurations: evaluate.load("green", "gleu"), "bleu", "rouge"
(ROUGE-N, the recall of order N) and "f1" (the harmonic mean of BLEU and ROUGE-N).
"""

_KWARGS_DESCRIPTION = """
Scores corrections against references, given the sources.

Args:
    sources (list of str): The texts before correction, one a sentence; not for "bleu", "rouge" and
        "f1".
    predictions (list of str): The corrected texts.
    references (list of str, or list of lists of str): What they should be; for each sentence one
        text or any number of texts.
    tokenizer (str or callable): "word" (split at whitespace; the default), "char" (code points), or
        a function that takes a text and returns its tokens.
    max_order (int): The longest n-grams. Defaults to 4, or to 6 for "char".
    beta (float or list of float): For "green", how much more recall counts than precision: a
        positive number, infinity included. A list of them gives lists of results. Defaults to 2.
    level (str): "corpus" (the default) adds up the counts of all sentences; "sentence" gives a list
        with a value for each sentence; "mean" is the mean of those values.
    effective_order (bool): For "green", leave out the orders for which all texts are too short.
        Without it, a sentence of fewer than `max_order` tokens scores 0 at sentence level, as
        published.
    formula (str): For "gleu", the penalty: "official" (the default), as the original implementation
        computes it, or "paper", as the paper defines it.
    selection (str): For "gleu", of several references: "sample" (the default) draws them at random,
        always in the same way, and averages; "max" takes each sentence's best.
    iterations (int): For "gleu", how often "sample" draws. Defaults to 500.
    strip (bool): First remove the whitespace around every text.
    detailed (bool): Add the parts of the score at every order (for "green" precisions, recalls and
        the seven counts), the chosen references (level "sentence") and a signature that pins all
        settings.
    n_resamples (int): Add a confidence interval from so many bootstrap resamples of the sentences,
        seeded by the `seed` given to `evaluate.load`. Defaults to 0, no interval.
    confidence_level (float): How likely the interval is to hold the score. Defaults to 0.95.

Returns:
    green (float): The F-score, between 0 and 1; higher is better.
    precision (float): Its precision.
    recall (float): Its recall.
    Or gleu, bleu, rouge or f1 (float), by the configuration's name; f1 with bleu and rouge.

Examples:
    >>> import evaluate
    >>> green = evaluate.load("green")
    >>> sources = ["She go to school every days .", "I has two cat ."]
    >>> predictions = ["She goes to school every days .", "I have two cats ."]
    >>> references = [["She goes to school every day ."], ["I have two cats .", "I have a cat ."]]
    >>> results = green.compute(sources=sources, predictions=predictions, references=references)
    >>> {name: round(value, 4) for name, value in results.items()}
    {'green': 0.7979, 'precision': 1.0, 'recall': 0.7595}

    Several values of beta and one value for each sentence:

    >>> results = green.compute(sources=sources, predictions=predictions, references=references,
    ...                         beta=[0.5, 2.0], level="sentence")
    >>> [[round(value, 4) for value in values] for values in results["green"]]
    [[0.8824, 1.0], [0.6522, 1.0]]

    Another score:

    >>> gleu = evaluate.load("green", "gleu")
    >>> results = gleu.compute(sources=sources, predictions=predictions, references=references)
    >>> print(round(results["gleu"], 4))
    0.2697
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Green(Storage, evaluate.Metric):
    @property
    def _metric(self) -> str:
        return "green" if self.config_name == "default" else self.config_name

    def _info(self) -> evaluate.MetricInfo:
        if self._metric not in SCORES:
            raise ValueError(
                f"there is no configuration {self.config_name!r}; choose {' or '.join(SCORES)}"
            )
        text = datasets.Value("string")
        inputs = {"sources": text, "predictions": text}
        if not SCORES[self._metric]().needs_sources:
            del inputs["sources"]
        info = evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[
                datasets.Features({**inputs, "references": datasets.Sequence(text)}),
                datasets.Features({**inputs, "references": text}),
            ],
            codebase_urls=["https://github.com/shotakoyama/green"],
            reference_urls=["https://aclanthology.org/2024.inlg-main.25"],
        )
        info.format = "arrow"  # not an argument: MetricInfo takes formats for numbers only
        return info

    def _compute(
        self,
        predictions,
        references,
        sources=None,
        tokenizer=Options.tokenizer,
        max_order=Options.max_order,
        beta=Options.beta,
        level=Options.level,
        effective_order=Options.effective_order,
        formula=Options.formula,
        selection=Options.selection,
        iterations=Options.iterations,
        strip=Options.strip,
        detailed=Options.detailed,
        n_resamples=Options.n_resamples,
        confidence_level=Options.confidence_level,
    ):
        return score(
            sources,
            predictions,
            references,
            self._metric,
            tokenizer=tokenizer,
            max_order=max_order,
            beta=beta,
            level=level,
            effective_order=effective_order,
            formula=formula,
            selection=selection,
            iterations=iterations,
            strip=strip,
            detailed=detailed,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=int(self.seed),
        )

    def explain(self, source, prediction, references, **options) -> Explanation:
        """Say of every n-gram of one sentence what became of it.

        `references` are one text or several, `options` those of `compute` that concern a sentence:
        tokenizer, max_order, beta (one number), effective_order, strip; for "gleu" formula and
        selection. Needs no `compute` and changes nothing.
        """
        return explain(source, prediction, references, self._metric, **options)

    def trainer_hook(
        self, tokenizer=None, /, references=None, sources=None, **options
    ) -> TrainerHook:
        """Make a `compute_metrics` for a `Trainer` or `Seq2SeqTrainer` of an encoder–decoder.

        `tokenizer` is the model's. The Trainer must pass on what the model got, by its argument
        `include_for_metrics=["inputs"]`; or `sources` are the texts before correction, where the
        model gets more than these. `references` are further references, for each sentence of the
        evaluation set one text or several. `options` are those of `compute`; `tokenizer`, `level`
        and so on. Works with `batch_eval_metrics=True` as well.
        """
        if tokenizer is None:  # given by name, which is also that of an option
            tokenizer = options.pop("tokenizer", None)
        checked = check(self._metric, {"seed": int(self.seed), **options})
        return TrainerHook(tokenizer, checked, references, sources)
