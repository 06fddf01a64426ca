"""Lets the language model of a `Trainer` correct sentences, and logs their score.

`Generator` knows no score, and `GenerationCallback` no tokens. Imports transformers and torch:
import it on first use.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from accelerate.utils import gather_object
from tqdm.auto import tqdm
from transformers import PreTrainedTokenizerBase, TrainerCallback

from ..counting import Statistics, count
from ..input_warnings import InputWarning, WarnOnce
from ..inputs import Corpus
from ..metrics import make_metric
from ..options import Options, short_repr
from ..trainer_hook import loggable_scores
from .answers import extract_answer

# The arguments of `generate`, unless the user sets others.
_GREEDY = {"do_sample": False, "num_beams": 1, "use_cache": True, "max_new_tokens": 256}


class Generator:
    """Continues prompts with the model of a Trainer."""

    def __init__(
        self, trainer: Any, kwargs: Mapping[str, Any] | None, batch_size: int | None
    ) -> None:
        if getattr(trainer.model.config, "is_encoder_decoder", False):
            raise ValueError(
                "generation_callback is for language models; for an encoder–decoder, use a "
                "Seq2SeqTrainer with compute_metrics=metric.trainer_hook(tokenizer)"
            )
        tokenizer = trainer.processing_class
        if tokenizer is None:
            raise ValueError("the Trainer needs a tokenizer: processing_class=tokenizer")
        if not isinstance(tokenizer, PreTrainedTokenizerBase):  # a processor of texts and pictures
            tokenizer = getattr(tokenizer, "tokenizer", tokenizer)
        self.trainer, self._tokenizer = trainer, tokenizer
        self._batch_size = batch_size or trainer.args.per_device_eval_batch_size
        kwargs = dict(kwargs or {})
        config = kwargs.get("generation_config")
        pads = (tokenizer.pad_token_id, tokenizer.eos_token_id, 0)
        pad = next(token_id for token_id in pads if token_id is not None)
        self._kwargs = {**({} if config else _GREEDY), "pad_token_id": pad, **kwargs}
        if "max_length" in kwargs:
            self._kwargs["max_new_tokens"] = None
        configs = [tokenizer, trainer.model.generation_config, *([config] if config else [])]
        ends = [self._kwargs["pad_token_id"], kwargs.get("eos_token_id")]
        self._ends = np.hstack([*ends, *(each.eos_token_id for each in configs)]).tolist()

    def encode(self, index: int, prompt: Any) -> list[int]:
        """The token ids of the prompt for a sentence, a text or a conversation."""
        tokenizer, n_positions = self._tokenizer, self._n_positions
        if isinstance(prompt, str):
            # A prompt from a chat template has its special tokens.
            begins = bool(tokenizer.bos_token) and prompt.startswith(tokenizer.bos_token)
            ids = tokenizer(prompt, add_special_tokens=not begins)["input_ids"]
            # Some tokenizers end every text, and after an end a model writes anything.
            is_ended = bool(ids) and ids[-1] == tokenizer.eos_token_id
            ids = ids[:-1] if is_ended and not prompt.endswith(tokenizer.eos_token) else ids
        elif isinstance(prompt, Sequence):
            processor = None if tokenizer.chat_template else self.trainer.processing_class
            template = getattr(processor, "chat_template", None)
            ids = tokenizer.apply_chat_template(
                list(prompt), chat_template=template, add_generation_prompt=True, return_dict=True
            )["input_ids"]
        else:
            raise TypeError(
                f"prompt returned {short_repr(prompt)} for sources[{index}]; it must return a "
                "text, or a conversation, a list of messages"
            )
        if not 0 < len(ids) < n_positions:
            raise ValueError(
                f"the prompt for sources[{index}] has {len(ids):,} tokens; a model needs one or "
                f"more, and this one has {n_positions:,} positions for prompt and answer"
            )
        return ids

    @property
    def _n_positions(self) -> float:
        """How many tokens the model can read; infinity if it does not say."""
        config = self.trainer.model.config.get_text_config()
        n_positions = getattr(config, "max_position_embeddings", None) or 0
        return n_positions if n_positions > 0 else math.inf

    def generate(self, prompts: Sequence[list[int]]) -> list[tuple[str, bool]]:
        """Each prompt's completion, and whether it ended; every process takes a share.

        The model is in evaluation mode, because the Trainer has just evaluated it.
        """
        trainer, size, accelerator = self.trainer, self._batch_size, self.trainer.accelerator
        n_each = -(-len(prompts) // accelerator.num_processes)
        start = n_each * accelerator.process_index
        # Equal shares: processes with parts of a model have to call it equally often.
        share = [*prompts[start:], *prompts[-1:] * n_each][:n_each]
        # Prompts of similar lengths need little padding.
        order = sorted(range(n_each), key=lambda i: -len(share[i]))
        batches = [order[i : i + size] for i in range(0, n_each, size)]
        is_silent = trainer.args.disable_tqdm or not trainer.is_local_process_zero()
        completions: dict[int, tuple[str, bool]] = {}
        with torch.random.fork_rng(range(torch.cuda.device_count())):
            torch.manual_seed(trainer.args.seed)
            for batch in tqdm(batches, desc="Generating", leave=False, disable=is_silent):
                completed = self._complete([share[i] for i in batch])
                completions.update(zip(batch, completed, strict=True))
        return gather_object([completions[i] for i in range(n_each)])[: len(prompts)]

    def _complete(self, prompts: Sequence[list[int]]) -> list[tuple[str, bool]]:
        """Generate for a batch, padded on the left: a decoder continues after the last token."""
        kwargs, n_prompt = self._kwargs, max(map(len, prompts))
        pads = [[kwargs["pad_token_id"]] * (n_prompt - len(prompt)) for prompt in prompts]
        ids = torch.tensor([pad + prompt for pad, prompt in zip(pads, prompts, strict=True)])
        mask = (torch.arange(n_prompt) >= torch.tensor([[len(pad)] for pad in pads])).long()
        if kwargs.get("max_new_tokens") is not None:
            n_new = min(kwargs["max_new_tokens"], self._n_positions - n_prompt)
            kwargs = {**kwargs, "max_new_tokens": n_new}
        model = self.trainer.accelerator.unwrap_model(self.trainer.model)
        generated = model.generate(
            input_ids=ids.to(model.device), attention_mask=mask.to(model.device), **kwargs
        )
        if not torch.is_tensor(generated) or len(generated) != len(prompts):
            raise ValueError(
                "one completion per sentence is scored; generate without num_return_sequences and "
                "return_dict_in_generate"
            )
        rows = generated[:, n_prompt:].tolist()
        # Without what some tokenizers call cleaning up: it attaches punctuation to words.
        texts = self._tokenizer.batch_decode(
            rows, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return [(text, row[-1] in self._ends) for text, row in zip(texts, rows, strict=True)]


@dataclass(eq=False, repr=False)
class GenerationCallback(TrainerCallback):
    """Corrects sentences at every evaluation of a `Trainer`, and logs the score."""

    generator: Generator
    options: Options
    sources: list[str]
    references: list[list[str]]
    prompt: Callable[[str], str | Sequence[dict]]
    answer: Callable[[str], str]
    n_shown: int
    prefix: str

    def __post_init__(self) -> None:
        self.completions: list[str] = []
        self.answers: list[str] = []
        self._warn = WarnOnce()  # not at every evaluation
        self._count(self.sources, warn=None)  # refuses texts that cannot be scored
        prompts = map(self.prompt, self.sources)
        self._prompts = [self.generator.encode(i, prompt) for i, prompt in enumerate(prompts)]

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Move to the front: callbacks such as early stopping look for the score."""
        handler = self.generator.trainer.callback_handler
        handler.callbacks = [self, *(each for each in handler.callbacks if each is not self)]

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: dict[str, float], **_: Any
    ) -> None:
        """Generate, score and log; once if there are several evaluation sets."""
        trainer, due = self.generator.trainer, ["eval_runtime"]
        if isinstance(trainer.eval_dataset, dict):
            due.append(f"eval_{next(iter(trainer.eval_dataset))}_runtime")
        if not any(name in metrics for name in due):
            return
        name = f"{self.prefix}_{self.options.metric}"
        if name in metrics:
            raise ValueError(
                f"there is an {name} already; give one of the callbacks another prefix, for "
                "example prefix='eval_other'"
            )
        self._correct()
        numbers = loggable_scores(self._count(self.answers, self._warn))
        scores = {f"{self.prefix}_{name}": value for name, value in numbers.items()}
        metrics.update(scores)  # where the Trainer looks for the best model
        trainer.log(scores)
        if trainer.is_world_process_zero():
            self._print_examples(state.global_step)

    def _count(self, answers: Sequence[str], warn: WarnOnce | None) -> Statistics:
        sources = self.sources if make_metric(self.options).needs_sources else None
        corpus = Corpus.check(sources, {"answers": answers}, self.references)
        (statistics,) = count(corpus, [self.options], warn=warn)
        return statistics

    def _correct(self) -> None:
        """Generate for all sentences; warn of completions without an end or an answer."""
        generated = self.generator.generate(self._prompts)
        self.completions, self.answers = [text for text, _ in generated], []
        for completion, source in zip(self.completions, self.sources, strict=True):
            arguments = (completion, source) if self.answer is extract_answer else (completion,)
            self.answers.append(self.answer(*arguments))
        unfinished = [text for text, has_ended in generated if not has_ended]
        if unfinished:
            problem = (
                f"{len(unfinished):,} of {len(generated):,} completions did not end with an EOS "
                f"token, like {short_repr(unfinished[0])}, and may be cut off"
            )
            remedy = (
                'allow more tokens, for example generation_kwargs={{"max_new_tokens": 512}}, if '
                "the model has positions for them, or train it to end its answers"
            )
            self._warn(InputWarning("unfinished", problem, remedy))
        if not any(self.answers):
            problem = (
                f"all {len(generated):,} answers are empty, of completions like "
                f"{short_repr(self.completions[0])}, and score more than 0 if deletions are right"
            )
            self._warn(InputWarning("silent", problem, "check the functions prompt and answer"))

    def _print_examples(self, step: int) -> None:
        for i in range(min(self.n_shown, len(self.sources))):
            texts = {"source": self.sources[i], "completion": self.completions[i]}
            texts["answer"] = self.answers[i]
            texts |= {f"reference {n}": text for n, text in enumerate(self.references[i], 1)}
            lines = [f"  {name:11}  {text!r}" for name, text in texts.items()]
            tqdm.write("\n".join([f"step {step}, sentence {i + 1}", *lines]))
