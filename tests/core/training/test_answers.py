"""The corrected sentence in what chat models write."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES

from green_gec import extract_answer


@pytest.mark.parametrize(
    ("completion", "answer"),
    [
        ("He goes home .", "He goes home ."),
        (" He goes\nhome .\n", "He goes home ."),
        ("", ""),
        ("<think>go ?</think>\n\nHe goes home .", "He goes home ."),
        ("go ?</think>He goes home .", "He goes home ."),  # the prompt began the reasoning
        ("<think>He go", ""),
        ("<think>a</think> <think>b", ""),
        ("I'd say <answer>He goes .</answer> or <answer>\nHe went .\n</answer>.", "He went ."),
        ("<think><answer>no</answer></think><answer>yes</answer>", "yes"),
        ("Here it is:\n```text\nHe goes home .\n```\nBye", "He goes home ."),
        ("```He goes home .```", "He goes home ."),
        ("<answer>\n```text\nHe goes home .\n```\n</answer>", "He goes home ."),
        ("```\na\n```\n```\nb\n```", "``` a ``` ``` b ```"),
        ("<answer>He goes home .", "He goes home ."),  # cut off
        ("He goes home .</answer>", "He goes home ."),  # the prompt began the answer
        ("<answer>He goes home .</answer> is in <answer> marks", "He goes home ."),
        ("\n 昨日、\u3000友達に  会った。 \r\n", "昨日、\u3000友達に  会った。"),
        ("I\u00a0am  here", "I\u00a0am  here"),
        ("<answer>" * 10_000, ""),
        ("<answer>He goes home .</answer></answer>", "He goes home ."),
        ("<answer>He goes home .<answer>\n", "He goes home ."),
        ("```text\r\nHe goes home .\r\n```", "He goes home ."),
        ("```c# \nHe goes home .\n```", "He goes home ."),
        ("Okay . <think>go or goes", "Okay ."),
        ("<answer>He goes .</answer> <think>go", "He goes ."),
        ("`He` goes", "`He` goes"),
        ([{"role": "assistant", "content": "He goes home ."}], "He goes home ."),
        # Tags in any case.
        ("<Answer>He goes .</ANSWER>", "He goes ."),
        ("<THINK>go ?</Think> He goes .", "He goes ."),
        # Special tokens at the ends; <unk> is a word.
        ("<s> He goes . </s>", "He goes ."),
        ("<pad><pad>He goes .</s><pad>\n<pad>", "He goes ."),
        ("He goes .<|im_end|>\n<|endoftext|>", "He goes ."),
        ("<bos>He goes .<end_of_turn>", "He goes ."),
        ("<|im_start|>assistant\nHe goes .<|im_end|>", "He goes ."),
        ("<|start_header_id|>assistant<|end_header_id|>\n\nHe goes .", "He goes ."),
        ("<|channel|>final<|message|>He goes .", "He goes ."),
        ("<s>Model trains are fun .</s>", "Model trains are fun ."),
        ("He goes .<\uff5cend\u2581of\u2581sentence\uff5c>", "He goes ."),
        ("<answer>He goes .</s></answer></s>", "He goes ."),
        ("<s>\u3000</s>", "\u3000"),
        ("<unk> goes <unk>", "<unk> goes <unk>"),
        ("He </s> goes", "He </s> goes"),
        ("<b>He</b> goes < 3 | 4 >", "<b>He</b> goes < 3 | 4 >"),
        ("</s>" * 10_000, ""),
        # A fence without its other one.
        ("Here it is:\n```text\nHe goes home .", "He goes home ."),
        ("```He goes home .", "He goes home ."),
        ("He goes home .\n```", "He goes home ."),
        ("```\nHe goes home .\n```<|im_end|>", "He goes home ."),
        ("I like ``` marks", "I like ``` marks"),
        # Bold and quotes around the whole.
        ("**He goes .**", "He goes ."),
        ("***He goes .***", "He goes ."),
        ("__He goes .__", "He goes ."),
        ("_He goes ._", "He goes ."),
        ("*He* goes *home*", "*He* goes *home*"),
        ('**"He goes ."**', "He goes ."),
        ('"He goes ."</s>', "He goes ."),
        ('<answer>" He goes . "</answer>', "He goes ."),
        ("\u201cHe goes .\u201d", "He goes ."),
        ("\u300c行く。\u300d", "行く。"),
        ("'He doesn't go .'", "He doesn't go ."),
        ('"Yes" and "no" are answers .', '"Yes" and "no" are answers .'),
        ('"Yes" and "no"', '"Yes" and "no"'),
        ("**He** goes **home**", "**He** goes **home**"),
        ("'A' or 'B'", "'A' or 'B'"),
        ("'你好'和'再见'", "'你好'和'再见'"),
        ('He said "go"', 'He said "go"'),
        ('"', '"'),
        ("**", "**"),
        # Chatter is for the prompt to prevent.
        ('Sure! Here it is: "He goes ."', 'Sure! Here it is: "He goes ."'),
    ],
)
def test_extract_answer(completion, answer):
    assert extract_answer(completion) == answer


@pytest.mark.parametrize(
    ("completion", "source", "answer"),
    [
        ('"He goes ."', '"He go ."', '"He goes ."'),
        ('"He goes ."', "He go .", "He goes ."),
        ("\u201cHe goes .\u201d", '" He go . "', "\u201cHe goes .\u201d"),
        ('" He goes . "', '" He go .', '" He goes . "'),  # a quotation of several sentences
        ('**"He goes ."**</s>', '"He go ."', '"He goes ."'),
        ("**He goes .**", "**He go .**", "**He goes .**"),
        ("<s> He goes . </s>", "<s> He go . </s>", "<s> He goes . </s>"),
        ("```x``` goes", "```x``` go", "```x``` goes"),
        ("Write <answer>x</answer> .", "Wrote <ANSWER>x</answer> .", "Write <answer>x</answer> ."),
        ("`He goes`", None, "He goes"),
    ],
)
def test_what_the_source_has_stays(completion, source, answer):
    assert extract_answer(completion, source) == answer


QUOTES = "\"'“”„‘’«»‹›「」『』"  # noqa: RUF001
PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=f"<`*_{QUOTES}"))
TAGS = ["<s>", "</s>", "<pad>", "<|x|>", "<think>", "</THINK>", "<answer>", "</Answer>"]
SPACES = [" ", "\n", "\r", "\u3000"]
ANY = st.lists(st.sampled_from([*"aé*", "**", "```", *SPACES, *QUOTES, *TAGS])).map("".join)
MARKS = ["{}", "**{}**", '"{}"', "'{}'", "\u201c{}\u201d", "«{}»", "「{}」", "`{}`", "```\n{}\n```"]
MARKS += ["```text\n{}", "{}\n```", "<s>{}</s>", "<pad><pad>{}<|im_end|>", "<Answer>{}</ANSWER>"]
MARKS += ["<think>go ?</think>\n{}", "__{}__"]


def join_lines(text):
    lines = [line.strip(" \t\r") for line in text.split("\n")]
    return " ".join(line for line in lines if line)


@given(PLAIN)
def test_a_text_without_marks_is_the_answer(text):
    assert extract_answer(text) == join_lines(text)


@given(ANY)
def test_nothing_is_lost_if_the_source_has_it(text):
    assert extract_answer(text, source=text) == join_lines(text)


@given(st.sampled_from(MARKS), st.sampled_from(MARKS[:3]), PLAIN.map(join_lines).filter(bool))
def test_marks_around_a_text_are_removed(outer, inner, text):
    assume(outer != inner or inner == "{}")  # nobody writes the same marks twice
    assert extract_answer(outer.format(inner.format(text)), source=text) == text


def test_real_sentences_are_answers():
    for text in [*EXAMPLE_SOURCES, *(text for texts in EXAMPLE_REFERENCES for text in texts)]:
        assert extract_answer(text) == text


def test_extract_answer_of_something_else():
    with pytest.raises(TypeError, match="completion must be a text or a conversation"):
        extract_answer(3)
