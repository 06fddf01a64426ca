"""GREEN, the n-gram F-score for grammatical error correction, as a Hugging Face evaluate module."""

import datasets
import evaluate

# evaluate.load copies the siblings that these lines name, and no others: name every module of the
# root. A comment at the end of such a line would be taken for an address.
from .api import score
from .arrow import TEXT
from .explanation import Explanation, explain
from .inputs import InputWarning, tables
from .multiset import SIZES
from .options import OPTIONS, Options, describe, given, takes_options
from .scores import SCORES, scoring
from .significance import resample
from .storage import Storage
from .training import Generation, TrainerHook, callback_class, extract_answer
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
{options}

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
_NAMES = [
    name
    for name, option in OPTIONS.items()
    if name not in ("metric", "paired", "seed") and any(map(option.is_of, SCORES))
]
_KWARGS_DESCRIPTION = _KWARGS_DESCRIPTION.replace("{options}", describe(_NAMES, " " * 4))


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
        if not scoring(Options(self._metric)).needs_sources:
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

    @takes_options
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
        options = {**given(locals()), "seed": int(self.seed)}
        return score(sources, predictions, references, self._metric, **options)

    def explain(self, source, prediction, references, **options) -> Explanation:
        """Explain a sentence's score: which n-grams were kept, deleted or inserted, rightly or not.

        `references` are one text or several; `options` are those of `compute` that apply to a
        single sentence. Independent of `add` and `compute`.
        """
        return explain(source, prediction, references, self._metric, **options)

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
        checked = Options.of(self._metric, options, "pieces", seed=int(self.seed))
        return TrainerHook(tokenizer, checked, references, sources)

    def generation_callback(
        self,
        trainer,
        /,
        sources,
        references,
        prompt,
        *,
        answer=extract_answer,
        generation_kwargs=None,
        batch_size=None,
        max_sentences=None,
        n_shown=0,
        prefix="eval",
        **options,
    ) -> Generation:
        """A callback for a `Trainer` or TRL's `SFTTrainer` that trains a language model.

        At every evaluation the model corrects the sentences, and the score is logged as
        `eval_green`, `eval_precision` and `eval_recall`, where `metric_for_best_model` and early
        stopping find it; `prefix` replaces "eval", for a second callback. `prompt` is a function
        from a source to the model's prompt, a text or a conversation (a list of messages, to which
        the chat template is applied); `answer` is one from a completion to the corrected sentence.
        `generation_kwargs` are arguments of the model's `generate`; by default it takes the most
        likely token each time, and at most 256. `batch_size` is that of the evaluation by default,
        `max_sentences` takes the first ones only, and `n_shown` is the number of examples to print.
        `options` are those of `compute`.
        """
        checked = Options.of(self._metric, options, "pieces", seed=int(self.seed))
        how = {"answer": answer, "generation_kwargs": generation_kwargs, "batch_size": batch_size}
        how |= {"max_sentences": max_sentences, "n_shown": n_shown, "prefix": prefix}
        return callback_class()(trainer, sources, references, prompt, checked, **how)
