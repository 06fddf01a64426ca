"""GREEN, the n-gram F-score for grammatical error correction, as a Hugging Face evaluate module."""

import datasets
import evaluate

# evaluate.load copies the siblings that these lines name, and no others: name every module of the
# root. A comment at the end of such a line would be taken for an address.
from .api import score
from .arrow_arrays import TEXT
from .counting import Statistics
from .explanation import Explanation, explain
from .input_warnings import InputWarning
from .inputs import Corpus
from .metrics import METRICS, make_metric
from .multiset import SIZES
from .options import LATE_OPTIONS, Options
from .significance import Resampler
from .tokenization import get_tokenizer
from .trainer_hook import TrainerHook
from .venn import draw
from .venn_regions import REGIONS

# The keywords of evaluate.load that are evaluate's own; others are options of the score.
_EVALUATE_KEYWORDS = (
    *("config_name", "keep_in_memory", "cache_dir", "num_process", "process_id", "seed"),
    *("experiment_id", "hash", "max_concurrent_cache_files", "timeout"),
)
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
and the references. An n-gram that was rightly kept, deleted or inserted is a true positive, one
that was wrongly deleted or inserted is a false positive, and one that should have been deleted or
inserted, but was not, is a false negative. Precision and recall are geometric means over the n-gram
orders, and GREEN is their F-score. It needs no alignment, no tagger and no model, and works for any
language.

Other n-gram scores are configurations: evaluate.load("green", "gleu"), "bleu", "rouge" (ROUGE-N,
the recall of order N) and "f1" (the harmonic mean of BLEU and ROUGE-N).
"""

_KWARGS_DESCRIPTION = """
Scores corrections against references, given the sources.

Args:
    sources (list of str): The original sentences, one per item; not for "bleu", "rouge" and "f1".
    predictions (list of str): The corrected sentences.
    references (list of str, or list of lists of str): The reference corrections; for each sentence
        one text or any number of texts.
    tokenizer (str or callable): What n-grams are made of: "word" splits at whitespace, "char" takes
        code points, "13a" and "intl" separate punctuation from words as sacreBLEU does; "zh",
        "ja-mecab" and "ko-mecab" are sacreBLEU's and need it. A function from a text to its tokens
        works, too. Defaults to "word".
    max_order (int): N, the length of the longest n-grams; 4 by default, or 6 for characters.
    beta (float or list of float): GREEN: the weight of recall over precision, a positive number or
        infinity; 2 by default. Several values give several results.
    level (str): "corpus" adds up the counts of all sentences, "sentence" gives one value per
        sentence, and "mean" is the mean of those. Defaults to "corpus".
    effective_order (bool): GREEN: leave out the orders for which all texts are too short; without
        it, a sentence of fewer than N tokens scores 0, as published. False by default.
    formula (str): GLEU: the penalty, "official", as the original implementation computes it (the
        default), or "paper", as the paper defines it.
    selection (str): How a sentence's references are combined: "max" takes the best one (GREEN's
        default), "mean" averages over them (GREEN at the levels "mean" and "sentence"), and
        "sample" draws them at random, always in the same way, and averages (GLEU's default).
    iterations (int): GLEU: how many times references are drawn; 500 by default.
    strip (bool): First remove the whitespace around every text. Defaults to False.
    detailed (bool): Add the parts of the score at every order, the chosen references (level
        "sentence", where one is chosen) and a signature that pins every setting. Defaults to False.
    n_resamples (int): Number of bootstrap resamples of the sentences for a confidence interval; 0,
        the default, for none.
    confidence_level (float): Confidence level of the interval. Defaults to 0.95.

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
class Green(evaluate.Metric):
    def __init__(self, *args, **kwargs):
        options = {name: kwargs.pop(name) for name in [*kwargs] if name not in _EVALUATE_KEYWORDS}
        super().__init__(*args, **kwargs)
        self._options = options
        self._merge_options({})

    @property
    def _metric(self) -> str:
        return "green" if self.config_name == "default" else self.config_name

    def _info(self) -> evaluate.MetricInfo:
        if self._metric not in METRICS:
            raise ValueError(
                f"there is no configuration {self.config_name!r}; choose {' or '.join(METRICS)}"
            )
        text = datasets.Value("string")
        inputs = {"sources": text, "predictions": text, "references": datasets.Sequence(text)}
        if not make_metric(Options(metric=self._metric)).needs_sources:
            del inputs["sources"]
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(inputs),
            codebase_urls=["https://github.com/shotakoyama/green"],
            reference_urls=["https://aclanthology.org/2024.inlg-main.25"],
        )

    def compute(self, *, predictions=None, references=None, sources=None, **options):
        """Score the given sentences together with those added before, and forget them all."""
        options = self._merge_options(options)
        if predictions is references is sources is None:
            if not len(self) and self.num_process == 1:
                raise ValueError("there are no sentences to score; give some, or add them before")
        elif len(self) or self.num_process > 1:
            self.add_batch(predictions=predictions, references=references, sources=sources)
        else:
            # evaluate would take longer to store the texts than they take to score.
            return self._compute(predictions, references, sources, **options)
        return super().compute(**options)

    def add_batch(self, *, predictions=None, references=None, sources=None):
        """Add sentences to those that `compute` will score."""
        make_metric(Options(metric=self._metric)).check_sources(sources)
        # evaluate stores references as lists, even single ones.
        corpus = Corpus.check(sources, {"predictions": predictions}, references).to_lists()
        texts = {"predictions": corpus.systems["predictions"], "references": corpus.references}
        super().add_batch(**texts if sources is None else {**texts, "sources": corpus.sources})

    def add(
        self, *, prediction=None, reference=None, sources=None, predictions=None, references=None
    ):
        """Add one sentence to those that `compute` will score.

        evaluate.combine calls prediction and reference by their plurals.
        """
        self.add_batch(
            predictions=[predictions if prediction is None else prediction],
            references=[references if reference is None else reference],
            sources=None if sources is None else [sources],
        )

    def _merge_options(self, options) -> dict:
        """Add the options that the metric was loaded with to those of a call, and check them."""
        merged = {**self._options, **options}
        Options.make(self._metric, merged, without=["seed", "paired"])
        return merged

    def _compute(
        self,
        predictions,
        references,
        sources=None,
        tokenizer="word",
        max_order=None,
        beta=None,
        level="corpus",
        effective_order=None,
        formula=None,
        selection=None,
        iterations=None,
        strip=False,
        detailed=False,
        n_resamples=0,
        confidence_level=0.95,
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
        """Explain a sentence's score: which n-grams were kept, deleted or inserted, rightly or not.

        `references` are one text or several; `options` are those of `compute` that apply to a
        single sentence. Independent of `add` and `compute`.
        """
        without = (*LATE_OPTIONS, "detailed")
        loaded = {name: value for name, value in self._options.items() if name not in without}
        return explain(source, prediction, references, self._metric, **{**loaded, **options})

    def trainer_hook(
        self, tokenizer=None, /, references=None, sources=None, **options
    ) -> TrainerHook:
        """The `compute_metrics` of a `Trainer` or `Seq2SeqTrainer` for an encoder–decoder.

        `tokenizer` is the model's. The Trainer must pass the model's inputs on, by its argument
        `include_for_metrics=["inputs"]`; or give the original sentences as `sources`, for instance
        if the model gets a prompt as well. `references` are further references, for each sentence
        of the evaluation set one text or several. `options` are those of `compute`, GREEN's own
        `tokenizer` among them. Works with `batch_eval_metrics=True` as well.
        """
        if tokenizer is None:  # given by name, which is also that of an option
            tokenizer = options.pop("tokenizer", None)
        options = {**self._options, **options}
        checked = Options.make_for_parts(self._metric, options, seed=int(self.seed))
        return TrainerHook(tokenizer, checked, references, sources)
