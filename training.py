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

from . import api, arrow, inputs
from .options import Options, shown, whole
from .scores import scoring

# Fills up labels, and predictions of different lengths.
_NOTHING = -100
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
                f"{shown(tokenizer)}"
            )
        _check_loggable(options)
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
            found = _numbers(self._statistics)
        except BaseException:
            self.reset()
            raise
        self.reset()
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


def _check_loggable(options: Options) -> None:
    if options.detailed:
        raise ValueError("a Trainer logs single numbers, so detailed must be False")


def _numbers(statistics: api.Statistics) -> dict[str, float]:
    """The score as single numbers; of an interval, both ends."""
    found, metric = statistics.score(), statistics.options.metric
    if "confidence_interval" in found:
        low, high = found.pop("confidence_interval")
        found |= {f"{metric}_low": low, f"{metric}_high": high}
    return found


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
            whole(1)("max_sentences", max_sentences)
        if batch_size is not None:
            whole(1)("batch_size", batch_size)
        whole(0)("n_shown", n_shown)
        for name, function in (("prompt", prompt), ("answer", answer)):
            if not callable(function):
                raise TypeError(f"{name} must be a function, not {shown(function)}")
        if not f"{prefix}_".startswith("eval_"):
            raise ValueError(f"prefix must be 'eval' or begin with 'eval_', not {shown(prefix)}")
        self._trainer, self._tokenizer = trainer, _tokenizer_of(trainer)
        self._options, self._answer, self._prefix = options, answer, prefix
        self._generation_kwargs = _checked(generation_kwargs)
        self._batch_size, self._n_shown = batch_size, n_shown
        self._warn = api.WarnOnce()  # not at every evaluation
        columns = inputs.columns([("sources", sources), ("references", references)])
        columns = [column[:max_sentences] for column in columns]
        self._sources, self._references = inputs.strings("sources", columns[0]), columns[1]
        self._count(self._sources, warn=None)  # refuses texts that cannot be scored
        self._prompts = [
            _encode(trainer, self._tokenizer, f"sources[{i}]", _call("prompt", prompt, source))
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
        given, due = self._trainer.eval_dataset, ["eval_runtime"]
        if isinstance(given, dict):
            due.append(f"eval_{next(iter(given))}_runtime")
        if metrics is None or not any(name in metrics for name in due):
            return
        if f"{self._prefix}_{self._options.metric}" in metrics:
            raise ValueError(
                f"there is an {self._prefix}_{self._options.metric} already; give one of the "
                "callbacks another prefix, for example prefix='eval_other'"
            )
        self._correct()
        numbers = _numbers(self._count(self.answers))
        if not any(answer.strip() for answer in self.answers):
            self._warn(
                inputs.InputWarning(
                    "silent",
                    f"{len(self.answers):,} of {len(self.answers):,} answers are empty, of "
                    f"completions like {shown(self.completions[0])}, which scores more than 0 "
                    "because deletions may be right",
                    "check the functions prompt and answer",
                )
            )
        found = {f"{self._prefix}_{name}": value for name, value in numbers.items()}
        metrics.update(found)  # where the Trainer looks for the best model
        self._trainer.log(found)
        if self._trainer.is_world_process_zero():
            self._show(state.global_step)

    def _count(self, answers: Sequence[str], **how: Any) -> api.Statistics:
        sources = self._sources if scoring(self._options).needs_sources else None
        systems = [("answers", answers)]
        (statistics,) = api.count(
            *(sources, systems, self._references, [self._options]), **{"warn": self._warn, **how}
        )
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
        found = gather_object(self._generate(mine))[:n_prompts]
        self.completions = [text for text, _ in found]
        self.answers = [_call("answer", self._answer, text) for text in self.completions]
        unfinished = [text for text, has_ended in found if not has_ended]
        if unfinished:
            self._warn(
                inputs.InputWarning(
                    "unfinished",
                    f"{len(unfinished):,} of {n_prompts:,} completions did not end with an EOS "
                    f"token, like {shown(unfinished[0])}, and may be cut off",
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
        found: list[tuple[str, bool]] = [("", True)] * len(prompts)
        hidden = args.disable_tqdm or not self._trainer.is_local_process_zero()
        with (
            _evaluating(model),
            torch.random.fork_rng(range(torch.cuda.device_count())),
            tqdm(total=len(prompts), desc="Generating", leave=False, disable=hidden) as bar,
        ):
            torch.manual_seed(args.seed)
            while some := list(islice(order, batch_size)):
                completions = self._complete(model, [prompts[i] for i in some])
                for i, completion in zip(some, completions, strict=True):
                    found[i] = completion
                bar.update(len(some))
        return found

    def _complete(self, model: Any, prompts: Sequence[Sequence[int]]) -> Iterator[tuple[str, bool]]:
        """Generate for a batch."""
        import torch

        # Padded on the left: a decoder continues after the last token.
        pad, width = self._tokenizer.pad_token_id, max(map(len, prompts))
        pad = (self._tokenizer.eos_token_id or 0) if pad is None else pad
        ids = torch.tensor([[pad] * (width - len(prompt)) + [*prompt] for prompt in prompts])
        mask = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts])
        given = {"input_ids": ids.to(model.device), "attention_mask": mask.to(model.device)}
        how = self._settings(pad, _n_positions(model) - width)
        made = model.generate(**given, **how)
        if not torch.is_tensor(made) or len(made) != len(prompts):
            raise ValueError(
                "one completion per sentence is scored; generate without num_return_sequences and "
                "return_dict_in_generate"
            )
        ends = {pad, self._tokenizer.eos_token_id, *_listed(how.get("eos_token_id"))}
        for config in (model.generation_config, how.get("generation_config")):
            ends.update(_listed(getattr(config, "eos_token_id", None)))
            ends.add(getattr(config, "pad_token_id", None))
        rows = made[:, width:].tolist()
        # Without what some tokenizers call cleaning up: it attaches punctuation to words.
        texts = self._tokenizer.batch_decode(
            rows, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return zip(texts, (row[-1] in ends for row in rows), strict=True)

    def _settings(self, pad: int, room: float) -> dict[str, Any]:
        """The arguments of `generate`, given the token for padding and how many tokens fit."""
        given = self._generation_kwargs
        if given.get("generation_config") is not None:
            config = copy.deepcopy(given["generation_config"])
            config.pad_token_id = pad if config.pad_token_id is None else config.pad_token_id
            return {**given, "generation_config": config}
        how = {"do_sample": False, "num_beams": 1, "use_cache": True, "pad_token_id": pad, **given}
        if "max_length" in given:
            return {"max_new_tokens": None, **how}
        return {**how, "max_new_tokens": min(given.get("max_new_tokens", _MAX_NEW_TOKENS), room)}

    def _show(self, step: int) -> None:
        from tqdm.auto import tqdm

        for i in range(min(self._n_shown, len(self._sources))):
            texts = {"source": self._sources[i], "completion": self.completions[i]}
            texts["answer"] = self.answers[i]
            for reference in inputs.reference_list(f"references[{i}]", self._references[i]):
                texts[f"reference {len(texts) - 2}"] = reference
            lines = [f"  {name:11}  {str(text)!r}" for name, text in texts.items()]
            tqdm.write("\n".join([f"step {step}, sentence {i + 1}", *lines]))


def callback_class() -> type[Generation]:
    """`Generation` as a `TrainerCallback`; a new class, as a Trainer expects one of each."""
    from transformers import TrainerCallback

    return type("GenerationCallback", (Generation, TrainerCallback), {})


def _tokenizer_of(trainer: Any) -> Any:
    """The tokenizer of a Trainer whose model continues a prompt."""
    from transformers import PreTrainedTokenizerBase

    if not hasattr(trainer, "callback_handler"):
        raise TypeError(f"generation_callback needs the Trainer, not {shown(trainer)}")
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


def _checked(generation_kwargs: Mapping[str, Any] | None) -> Mapping[str, Any]:
    given = {} if generation_kwargs is None else generation_kwargs
    if not isinstance(given, Mapping):
        raise TypeError(f"generation_kwargs must be a dictionary, not {shown(given)}")
    config = given.get("generation_config")
    if config is not None and not hasattr(config, "eos_token_id"):
        raise TypeError(f"generation_config must be a GenerationConfig, not {shown(config)}")
    return given


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
            f"prompt returned {shown(prompt)} for {where}; it must return a text, or a "
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


def _listed(ids: Any) -> list:
    return np.atleast_1d(ids).tolist()


def _call(name: str, function: Callable[[str], Any], text: str) -> Any:
    try:
        return function(text)
    except Exception as error:
        raise ValueError(f"the function {name} failed on {shown(text)}: {error!r}") from error


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
            f"{shown(completion)}"
        ) from None
