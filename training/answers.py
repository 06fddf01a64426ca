"""The corrected sentence in a language model's completion. Knows marks, but no language."""

import re
from collections.abc import Sequence
from typing import Any

from ..options import short_repr

_TAG = re.compile("</?(?:think|answer)>", re.I)
_LABEL = r"(?:[^\s`]*[ \t\r]*\n)?"  # "text" in "```text"
# Not <unk>, which stands for a word of the answer.
_SPECIAL = (
    r"(?:</?s>|<(?:pad|bos|eos|start_of_turn|end_of_turn)>|<[|\uff5c][^<>|\uff5c\s]+[|\uff5c]>)"
)
_SPECIAL_AROUND = re.compile(rf"\A(?:[ \t]*{_SPECIAL})+|(?:{_SPECIAL}[ \t]*)+\Z", re.I)
# The beginning of a chat's turn, with the role.
_HEADER = re.compile(rf"\A\s*{_SPECIAL}(?:assistant|model|final)(?=\n|{_SPECIAL})", re.I)
_QUOTES = ('""', "''", "``", "“”", "„“", "„”", "‘’", "«»", "»«", "‹›", "「」", "『』")  # noqa: RUF001
_EMPHASIS = (("**", "**"), ("__", "__"), ("*", "*"), ("_", "_"))
_APOSTROPHE = re.compile(r"(?<=[a-z])['\u2019](?=[a-z])", re.I)


def extract_answer(completion: str | Sequence[dict], source: str | None = None) -> str:
    """Take the corrected sentence out of a language model's completion.

    Drops reasoning (up to `</think>`, or from a `<think>` that does not end), takes what is between
    the last `<answer>` and `</answer>`, even if one of them is missing, then the only code block,
    if there is one, and joins lines. From the ends of the result it removes special tokens, such as
    `</s>` and `<|im_end|>`, and bold, italics or quotes around the whole, unless the source has
    such marks, too. It does not guess at phrases such as "Sure! Here is …": ask for marks in the
    prompt, or write a function for your model.

    Args:
        completion: A text, or a conversation, whose last message counts.
        source: The sentence to be corrected: if it is in quotes, its correction stays in quotes.

    Returns:
        The answer, on one line; empty if the model did not come to it.

    Examples:
        >>> from green_gec import extract_answer
        >>> extract_answer("<think>go or goes?</think>\\n\\n**He goes home .**<|im_end|>")
        'He goes home .'
        >>> extract_answer('Sure! <answer>"He goes home ."</answer>')
        'He goes home .'
        >>> extract_answer('"He goes home ."', source='"He go home ."')
        '"He goes home ."'
    """
    text, source = completion_text("completion", completion), (source or "").strip()
    if not _TAG.search(source):
        text = _tagged(text)
    if "```" not in source:
        text = _code_block(text)
    has_special = re.search(_SPECIAL, source, re.I)
    text = text if has_special else _HEADER.sub("", text)
    # Only ends of lines: other whitespace, such as an ideographic space, is the model's answer.
    lines = (line.strip(" \t\r") for line in text.split("\n"))
    text, before = " ".join(line for line in lines if line), None
    while text != before:
        before = text
        text = text if has_special else _SPECIAL_AROUND.sub("", text)
        text = _unwrap(text, source).strip(" \t\r")
    return text


def completion_text(name: str, completion: Any) -> str:
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
            f"{name} must be a text or a conversation, a list of messages with content, not "
            f"{short_repr(completion)}"
        ) from None


def _tagged(text: str) -> str:
    """The text without reasoning, and what is between the tags of the answer."""
    text = _TAG.sub(lambda tag: tag[0].lower(), text)
    text = text.rpartition("</think>")[2].partition("<think>")[0]
    before, is_closed, rest = text.rpartition("</answer>")
    # Some models close with an opening tag.
    answer = before if is_closed else rest.rstrip(" \t\r\n").removesuffix("<answer>")
    return answer.rpartition("<answer>")[2].partition("</answer>")[0]


def _code_block(text: str) -> str:
    """The only code block of a text, if there is one, even if it lacks its first or last fence."""
    blocks = re.findall(f"```{_LABEL}(.*?)```", text, re.S)
    if text.count("```") == 1:
        text = re.sub(r"\n[ \t]*```\s*\Z", "", text)
        blocks = re.findall(rf"^[ \t]*```{_LABEL}(.*)", text, re.S | re.M)
    return blocks[0] if len(blocks) == 1 else text


def _unwrap(text: str, source: str) -> str:
    """Remove bold, italics or quotes around the whole, unless the source has such at an end."""
    for first, last in (*_EMPHASIS, *_QUOTES):
        marks = tuple("".join(_QUOTES)) if first + last in _QUOTES else first
        inner = text[len(first) : -len(last)]
        is_around = bool(inner) and text == first + inner + last
        # In "Yes" and "no", the first mark does not belong to the last one.
        others = _APOSTROPHE.sub("", inner)
        is_pair = is_around and first not in others and last not in others
        if is_pair and not source.startswith(marks) and not source.endswith(marks):
            return inner
    return text
