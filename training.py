"""Scores during training: a `Trainer` hook, a callback that generates, a reward for RL."""

import copy
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from .counting import Statistics, count
from .input_warnings import InputWarning, WarnOnce
from .inputs import (
    COLUMNS,
    Corpus,
    check_columns,
    check_references,
    check_texts,
    find_column,
    reference_list,
)
from .metrics import make_metric
from .options import Options, check_int, short_repr

# Fills up labels, and predictions of different lengths.
IGNORED_LABEL = -100
# New tokens per sentence, unless the user sets another number.
_MAX_NEW_TOKENS = 256


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
        _check_loggable(options)
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
            self._check_number(is_complete=True)
            scores = _numbers(self._statistics)
        except BaseException:
            self.reset()
            raise
        self.reset()
        return scores

    def _count(self, predictions: Any, labels: Any, inputs: Any) -> None:
        """Add the statistics of a batch."""
        if labels is None:
            raise ValueError("the Trainer passed no labels, which are the references")
        labels = _numpy(_logits(labels))
        ids = self._predicted(_logits(predictions), labels)
        if not len(ids):
            return
        seen = slice(self._n_seen, self._n_seen + len(ids))
        self._n_seen = seen.stop
        self._check_number()
        sources = None
        if self._sources is not None:
            sources = self._sources[seen]
        elif self._metric.needs_sources:
            sources = self._decode(self._source_ids(inputs, len(ids)))
        references = [[text] for text in self._decode(labels)]
        if self._references is not None:
            for texts, others in zip(references, self._references[seen], strict=True):
                texts.extend(others)
        corpus = Corpus.check(sources, {"predictions": self._decode(ids)}, references)
        (statistics,) = count(corpus, [self._options], warn=self._warn, is_whole_corpus=False)
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
        beyond = labels == IGNORED_LABEL
        pad, eos = (getattr(self._tokenizer, f"{name}_token_id", None) for name in ("pad", "eos"))
        padded = np.zeros(len(ids), dtype=bool)
        if pad is not None and pad != eos:
            filled = _numpy(predictions[..., pad]) == IGNORED_LABEL
            padded = (beyond & (ids == pad) & ~filled).any(axis=1)
        return np.where(beyond & ~padded[:, None], IGNORED_LABEL, ids)

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
        return _numpy(ids)

    def _decode(self, ids: np.ndarray) -> list[str]:
        rows = [row[row >= 0].tolist() for row in ids]  # no tokenizer knows -100
        return self._tokenizer.batch_decode(rows, skip_special_tokens=True)

    def _check_number(self, is_complete: bool = False) -> None:
        """Check that there is one entry per sentence seen and, at the end, no more."""
        n = self._n_seen
        for name, column in (("references", self._references), ("sources", self._sources)):
            if column is not None and (len(column) < n or (is_complete and len(column) > n)):
                raise ValueError(
                    f"trainer_hook got {len(column):,} {name}, but the evaluation set has "
                    f"{n:,} sentences{'' if is_complete else ' or more'}; give one entry per "
                    "sentence, in the order of the evaluation set"
                )


def _check_further_references(references: Any) -> list[list[str]]:
    """References besides the labels, as lists, of which some may be empty."""
    (references,) = check_columns([("references", references)])
    names = [f"references[{index}]" for index in range(len(references))]
    lists = [reference_list(name, each) for name, each in zip(names, references, strict=True)]
    return [check_texts(name, texts).to_pylist() for name, texts in zip(names, lists, strict=True)]


def _check_loggable(options: Options) -> None:
    if options.detailed:
        raise ValueError("a Trainer logs single numbers, so detailed must be False")


def _numbers(statistics: Statistics) -> dict[str, float]:
    """The score as single numbers; of an interval, both ends."""
    scores, metric = statistics.score(), statistics.options.metric
    if "confidence_interval" in scores:
        low, high = scores.pop("confidence_interval")
        scores |= {f"{metric}_low": low, f"{metric}_high": high}
    return scores


def _batches(prediction: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Predictions, labels and inputs; with eval_do_concat_batches=False, of each batch."""
    predictions, labels = prediction.predictions, prediction.label_ids
    inputs = getattr(prediction, "inputs", None)
    if not isinstance(predictions, list):
        return iter([(predictions, labels, inputs)])
    inputs = inputs if inputs is not None else [None] * len(predictions)
    return zip(predictions, labels, inputs, strict=True)


def _logits(values: Any) -> Any:
    """The first of several outputs of a model, its logits."""
    return _logits(values[0]) if isinstance(values, (tuple, list)) else values


def _numpy(values: Any) -> np.ndarray:
    """An array, or a tensor on any device, as an array."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        values = values.float() if values.is_floating_point() else values  # NumPy has no bfloat16
        return values.numpy()
    return np.asarray(values)


class Generation:
    """Corrects sentences at every evaluation of a `Trainer`, and logs the score.

    Mixin; list it before `transformers.TrainerCallback`, which takes long to import.
    """

    def __init__(
        self,
        trainer: Any,
        sources: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        prompt: Callable[[str], str | Sequence[dict]],
        options: Options,
        answer: Callable[[str], str],
        generation_kwargs: Mapping[str, Any] | None,
        batch_size: int | None,
        max_sentences: int | None,
        n_shown: int,
        prefix: str,
    ) -> None:
        _check_loggable(options)
        if max_sentences is not None:
            check_int("max_sentences", max_sentences, 1)
        if batch_size is not None:
            check_int("batch_size", batch_size, 1)
        check_int("n_shown", n_shown, 0)
        for name, function in (("prompt", prompt), ("answer", answer)):
            if not callable(function):
                raise TypeError(f"{name} must be a function, not {short_repr(function)}")
        if not f"{prefix}_".startswith("eval_"):
            described = short_repr(prefix)
            raise ValueError(f"prefix must be 'eval' or begin with 'eval_', not {described}")
        self._trainer, self._tokenizer = trainer, _tokenizer_of(trainer)
        self._options, self._answer, self._prefix = options, answer, prefix
        self._generation_kwargs = _check_generation_kwargs(generation_kwargs)
        self._batch_size, self._n_shown = batch_size, n_shown
        self._warn = WarnOnce()  # not at every evaluation
        sources, references = check_columns([("sources", sources), ("references", references)])
        self._sources = check_texts("sources", sources[:max_sentences]).to_pylist()
        self._references = check_references(references[:max_sentences])
        self._count(self._sources, warn=None)  # refuses texts that cannot be scored
        self._prompts = [
            _encode(trainer, self._tokenizer, f"sources[{i}]", _apply("prompt", prompt, source))
            for i, source in enumerate(self._sources)
        ]
        self.completions: list[str] = []
        self.answers: list[str] = []

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Move to the front: callbacks such as early stopping look for the score."""
        handler = self._trainer.callback_handler
        handler.callbacks = [self, *(each for each in handler.callbacks if each is not self)]

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: dict | None = None, **_: Any
    ) -> None:
        """Generate, score and log; once if there are several evaluation sets."""
        dataset, due = self._trainer.eval_dataset, ["eval_runtime"]
        if isinstance(dataset, dict):
            due.append(f"eval_{next(iter(dataset))}_runtime")
        if metrics is None or not any(name in metrics for name in due):
            return
        if f"{self._prefix}_{self._options.metric}" in metrics:
            raise ValueError(
                f"there is an {self._prefix}_{self._options.metric} already; give one of the "
                "callbacks another prefix, for example prefix='eval_other'"
            )
        self._correct()
        numbers = _numbers(self._count(self.answers, self._warn))
        if not any(answer.strip() for answer in self.answers):
            self._warn(
                InputWarning(
                    "silent",
                    f"{len(self.answers):,} of {len(self.answers):,} answers are empty, of "
                    f"completions like {short_repr(self.completions[0])}, which scores more than 0 "
                    "because deletions may be right",
                    "check the functions prompt and answer",
                )
            )
        scores = {f"{self._prefix}_{name}": value for name, value in numbers.items()}
        metrics.update(scores)  # where the Trainer looks for the best model
        self._trainer.log(scores)
        if self._trainer.is_world_process_zero():
            self._show(state.global_step)

    def _count(self, answers: Sequence[str], warn: WarnOnce | None) -> Statistics:
        sources = self._sources if make_metric(self._options).needs_sources else None
        corpus = Corpus.check(sources, {"answers": answers}, self._references)
        (statistics,) = count(corpus, [self._options], warn=warn)
        return statistics

    def _correct(self) -> None:
        """Generate for all sentences; each process takes its share."""
        from accelerate.utils import gather_object

        accelerator, n_prompts = self._trainer.accelerator, len(self._prompts)
        n_each = -(-n_prompts // accelerator.num_processes)
        start = n_each * accelerator.process_index
        # Equal shares: processes with parts of a model have to call it equally often.
        mine = self._prompts[start : start + n_each]
        mine += self._prompts[-1:] * (n_each - len(mine))
        generated = gather_object(self._generate(mine))[:n_prompts]
        self.completions = [text for text, _ in generated]
        self.answers = [_apply("answer", self._answer, text) for text in self.completions]
        unfinished = [text for text, has_ended in generated if not has_ended]
        if unfinished:
            self._warn(
                InputWarning(
                    "unfinished",
                    f"{len(unfinished):,} of {n_prompts:,} completions did not end with an EOS "
                    f"token, like {short_repr(unfinished[0])}, and may be cut off",
                    'allow more tokens, for example generation_kwargs={{"max_new_tokens": 512}}, '
                    "if the model has positions for them, or train it to end its answers",
                )
            )

    def _generate(self, prompts: Sequence[Sequence[int]]) -> list[tuple[str, bool]]:
        """Each prompt's completion, and whether it ended."""
        import torch
        from tqdm.auto import tqdm

        args = self._trainer.args
        model = self._trainer.accelerator.unwrap_model(self._trainer.model)
        batch_size = self._batch_size or args.per_device_eval_batch_size
        # Prompts of similar lengths need little padding.
        order = iter(sorted(range(len(prompts)), key=lambda i: -len(prompts[i])))
        generated: list[tuple[str, bool]] = [("", True)] * len(prompts)
        hidden = args.disable_tqdm or not self._trainer.is_local_process_zero()
        with (
            _evaluating(model),
            torch.random.fork_rng(range(torch.cuda.device_count())),
            tqdm(total=len(prompts), desc="Generating", leave=False, disable=hidden) as bar,
        ):
            torch.manual_seed(args.seed)
            while batch := list(islice(order, batch_size)):
                completions = self._complete(model, [prompts[i] for i in batch])
                for i, completion in zip(batch, completions, strict=True):
                    generated[i] = completion
                bar.update(len(batch))
        return generated

    def _complete(self, model: Any, prompts: Sequence[Sequence[int]]) -> Iterator[tuple[str, bool]]:
        """Generate for a batch."""
        import torch

        # Padded on the left: a decoder continues after the last token.
        pad, width = self._tokenizer.pad_token_id, max(map(len, prompts))
        pad = (self._tokenizer.eos_token_id or 0) if pad is None else pad
        ids = torch.tensor([[pad] * (width - len(prompt)) + [*prompt] for prompt in prompts])
        mask = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts])
        settings = self._settings(pad, _n_positions(model) - width)
        generated = model.generate(
            input_ids=ids.to(model.device), attention_mask=mask.to(model.device), **settings
        )
        if not torch.is_tensor(generated) or len(generated) != len(prompts):
            raise ValueError(
                "one completion per sentence is scored; generate without num_return_sequences and "
                "return_dict_in_generate"
            )
        ends = {pad, self._tokenizer.eos_token_id, *_as_list(settings.get("eos_token_id"))}
        for config in (model.generation_config, settings.get("generation_config")):
            ends.update(_as_list(getattr(config, "eos_token_id", None)))
            ends.add(getattr(config, "pad_token_id", None))
        rows = generated[:, width:].tolist()
        # Without what some tokenizers call cleaning up: it attaches punctuation to words.
        texts = self._tokenizer.batch_decode(
            rows, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return zip(texts, (row[-1] in ends for row in rows), strict=True)

    def _settings(self, pad: int, room: float) -> dict[str, Any]:
        """The arguments of `generate`, given the token for padding and how many tokens fit."""
        kwargs = self._generation_kwargs
        if kwargs.get("generation_config") is not None:
            config = copy.deepcopy(kwargs["generation_config"])
            config.pad_token_id = pad if config.pad_token_id is None else config.pad_token_id
            return {**kwargs, "generation_config": config}
        greedy = {"do_sample": False, "num_beams": 1, "use_cache": True, "pad_token_id": pad}
        if "max_length" in kwargs:
            return {"max_new_tokens": None, **greedy, **kwargs}
        n_new = min(kwargs.get("max_new_tokens", _MAX_NEW_TOKENS), room)
        return {**greedy, **kwargs, "max_new_tokens": n_new}

    def _show(self, step: int) -> None:
        from tqdm.auto import tqdm

        for i in range(min(self._n_shown, len(self._sources))):
            texts = {"source": self._sources[i], "completion": self.completions[i]}
            texts["answer"] = self.answers[i]
            for number, reference in enumerate(self._references[i], 1):
                texts[f"reference {number}"] = reference
            lines = [f"  {name:11}  {text!r}" for name, text in texts.items()]
            tqdm.write("\n".join([f"step {step}, sentence {i + 1}", *lines]))


def callback_class() -> type[Generation]:
    """`Generation` as a `TrainerCallback`; a new class, as a Trainer expects one of each."""
    from transformers import TrainerCallback

    return type("GenerationCallback", (Generation, TrainerCallback), {})


def _tokenizer_of(trainer: Any) -> Any:
    """The tokenizer of a Trainer whose model continues a prompt."""
    from transformers import PreTrainedTokenizerBase

    if not hasattr(trainer, "callback_handler"):
        raise TypeError(f"generation_callback needs the Trainer, not {short_repr(trainer)}")
    if getattr(trainer.model.config, "is_encoder_decoder", False):
        raise ValueError(
            "generation_callback is for language models; for an encoder–decoder, use a "
            "Seq2SeqTrainer with compute_metrics=metric.trainer_hook(tokenizer)"
        )
    if not hasattr(trainer.model, "generate"):
        kind = type(trainer.model).__name__
        raise TypeError(f"generation_callback needs a model that generates, and {kind} does not")
    processor = trainer.processing_class
    if processor is None:
        raise ValueError("the Trainer has no tokenizer; give it one: processing_class=tokenizer")
    if isinstance(processor, PreTrainedTokenizerBase):
        return processor
    return getattr(processor, "tokenizer", processor)  # of a processor of texts and pictures


def _check_generation_kwargs(kwargs: Mapping[str, Any] | None) -> Mapping[str, Any]:
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(kwargs, Mapping):
        raise TypeError(f"generation_kwargs must be a dictionary, not {short_repr(kwargs)}")
    config = kwargs.get("generation_config")
    if config is not None and not hasattr(config, "eos_token_id"):
        raise TypeError(f"generation_config must be a GenerationConfig, not {short_repr(config)}")
    return kwargs


def _encode(trainer: Any, tokenizer: Any, where: str, prompt: Any) -> list[int]:
    """The token ids of a prompt, a text or a conversation."""
    if isinstance(prompt, str):
        # A prompt from a chat template has its special tokens.
        begun = bool(tokenizer.bos_token) and prompt.startswith(tokenizer.bos_token)
        ids = tokenizer(prompt, add_special_tokens=not begun)["input_ids"]
        # Some tokenizers end every text, and after an end a model writes anything.
        if ids and ids[-1] == tokenizer.eos_token_id and not prompt.endswith(tokenizer.eos_token):
            ids = ids[:-1]
    elif isinstance(prompt, Sequence):
        other = None if tokenizer.chat_template else trainer.processing_class
        ids = tokenizer.apply_chat_template(
            list(prompt),
            chat_template=getattr(other, "chat_template", None),
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
        )["input_ids"]
    else:
        raise TypeError(
            f"prompt returned {short_repr(prompt)} for {where}; it must return a text, or a "
            "conversation, a list of messages"
        )
    if not ids:
        raise ValueError(f"the prompt for {where} has no tokens; there is nothing to continue")
    if len(ids) >= _n_positions(trainer.model):
        raise ValueError(
            f"the prompt for {where} has {len(ids):,} tokens, and the model has "
            f"{_n_positions(trainer.model):,} positions for prompt and answer"
        )
    return ids


def _n_positions(model: Any) -> float:
    """How many tokens a model can read; infinity if it does not say."""
    n = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    return n if n and n > 0 else math.inf


def _as_list(ids: Any) -> list:
    return np.atleast_1d(ids).tolist()


def _apply(name: str, function: Callable[[str], Any], text: str) -> Any:
    try:
        return function(text)
    except Exception as error:
        raise ValueError(f"the function {name} failed on {short_repr(text)}: {error!r}") from error


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Switch dropout and gradient checkpointing off; then put every module back as it was."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, mode in modes:
            module.training = mode


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

    def __init__(self, metric: str = "green", **options: Any) -> None:
        if metric == "green":
            options = {"effective_order": True, "selection": "mean", **options}
        self._options = Options.make_for_sentence(metric, options, detailed=False)
        self._needs_sources = make_metric(self._options).needs_sources
        self.__name__ = metric  # TRL logs it
        self._warn = WarnOnce("empty")  # not at every step; empty completions get 0

    def __call__(self, completions: Sequence, **columns: Any) -> list[float | None]:
        named = [("completions", completions)]
        for name in ("sources", "references") if self._needs_sources else ("references",):
            hint = "; rename one: dataset.rename_column(…)"
            column = find_column(columns, *COLUMNS[name], hint=hint)
            named.append((name, columns[column]))
        completions, *others = check_columns(named)
        texts = [_text(f"completions[{i}]", each) for i, each in enumerate(completions)]
        rows = list(zip(texts, *others, strict=True))
        rated = [i for i, row in enumerate(rows) if not any(value is None for value in row)]
        rewards: list[float | None] = [None] * len(rows)
        if not rated:
            return rewards
        # Checked with the other rows, which are filled up, so that positions in errors are right.
        filled = [("",) * len(named)] * len(rows)
        for i in rated:
            filled[i] = rows[i]
        _make_corpus(filled).to_lists()
        corpus = _make_corpus([rows[i] for i in rated])
        (statistics,) = count(corpus, [self._options], warn=self._warn, is_whole_corpus=False)
        for i, value in zip(rated, statistics.score()[self._options.metric], strict=True):
            rewards[i] = value if texts[i].strip() else 0.0
        return rewards


def _make_corpus(rows: Sequence[tuple]) -> Corpus:
    """The corpus of rows with a completion, a source, if the score needs it, and references."""
    completions, *sources, references = map(list, zip(*rows, strict=True))
    return Corpus.check(sources[0] if sources else None, {"completions": completions}, references)


def extract_answer(completion: str | Sequence[dict]) -> str:
    """Take the corrected sentence out of a language model's completion.

    Drops reasoning (up to `</think>`, or from a `<think>` that does not end), takes what is between
    the last `<answer>` and `</answer>`, even if one of them is missing, and then the only code
    block, if there is one, and joins lines.
    It does not guess at phrases such as "Sure! Here is …": ask for marks in the prompt, or write a
    function for your model.

    Args:
        completion: A text, or a conversation, whose last message counts.

    Returns:
        The answer, on one line; empty if the model did not come to it.

    Examples:
        >>> from green_gec import extract_answer
        >>> extract_answer("<think>go or goes?</think>\\n\\nHe goes home .")
        'He goes home .'
        >>> extract_answer("Sure! <answer>He goes home .</answer>")
        'He goes home .'
    """
    text = _text("completion", completion).rpartition("</think>")[2].partition("<think>")[0]
    before, is_closed, rest = text.rpartition("</answer>")
    text = (before if is_closed else rest).rpartition("<answer>")[2].partition("</answer>")[0]
    blocks = re.findall(r"```(?:[^\s`]*[ \t\r]*\n)?(.*?)```", text, flags=re.S)
    if len(blocks) == 1:
        (text,) = blocks
    # Only ends of lines: other whitespace, such as an ideographic space, is the model's answer.
    lines = (line.strip(" \t\r") for line in text.split("\n"))
    return " ".join(line for line in lines if line)


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
            f"{short_repr(completion)}"
        ) from None
