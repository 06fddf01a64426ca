"""For language models in training: a callback that generates, answers in completions, a reward.

Imports transformers and torch when they are needed. The hook for encoder–decoders is
`trainer_hook.py`, in the root, because a metric loaded from the Hub has it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..inputs import check_columns, check_references, check_texts
from ..options import Options, check_int, short_repr
from ..trainer_hook import check_loggable
from .answers import extract_answer

if TYPE_CHECKING:
    from .generation import GenerationCallback


def generation_callback(
    trainer: Any,
    sources: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    prompt: Callable[[str], str | Sequence[dict]],
    metric: str = "green",
    *,
    answer: Callable[[str], str] = extract_answer,
    generation_kwargs: Mapping[str, Any] | None = None,
    batch_size: int | None = None,
    max_sentences: int | None = None,
    n_shown: int = 0,
    prefix: str = "eval",
    **options: Any,
) -> "GenerationCallback":
    """Make a callback for a `Trainer` or TRL's `SFTTrainer` that trains a language model.

    At every evaluation, the model corrects the sentences. The score is logged as `eval_green`,
    `eval_precision` and `eval_recall`, where `metric_for_best_model` and early stopping find it.

    Args:
        trainer: The Trainer, to which you then add the callback.
        sources: The original sentences, one per item.
        references: The reference corrections, for each sentence one text or several.
        prompt: A function from a source to a text or a conversation (a list of messages).
        metric: The score, as for `score`.
        answer: A function from a completion to the corrected sentence. The default also gets the
            source.
        generation_kwargs: Arguments of the model's `generate`; by default it takes the most likely
            token each time, and at most 256.
        batch_size: Prompts per batch; by default that of the evaluation.
        max_sentences: Take the first sentences only.
        n_shown: Examples to print at every evaluation.
        prefix: Replaces "eval" in the names, for a second callback; begins with "eval_".
        options: Options of `score`.

    Returns:
        The callback; its `completions` and `answers` are those of the last evaluation.
    """
    from .generation import GenerationCallback, Generator  # which need optional dependencies

    checked = Options.make_for_parts(metric, options)
    check_loggable(checked)
    for name, number in (("batch_size", batch_size), ("max_sentences", max_sentences)):
        if number is not None:
            check_int(name, number, 1)
    check_int("n_shown", n_shown, 0)
    for name, function in (("prompt", prompt), ("answer", answer)):
        if not callable(function):
            raise TypeError(f"{name} must be a function, not {short_repr(function)}")
    if not f"{prefix}_".startswith("eval_"):
        raise ValueError(f"prefix must be 'eval' or begin with 'eval_', not {short_repr(prefix)}")
    sources, references = check_columns([("sources", sources), ("references", references)])
    sources = check_texts("sources", sources[:max_sentences]).to_pylist()
    references = check_references(references[:max_sentences])
    generator = Generator(trainer, generation_kwargs, batch_size)
    return GenerationCallback(
        generator, checked, sources, references, prompt, answer, n_shown, prefix
    )
