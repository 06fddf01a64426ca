"""What GREEN pays for answers that people did not have in mind, on CoNLL-2014.

python -m experiments.payouts --data DIR

Prints the tables of docs/reward.md and docs/choosing.md in Markdown: the reward of doing nothing,
deleting, chatter and untokenised text, and the effect of tokenizers on untokenised text.
"""

import re
import sys
import warnings
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from tabulate import tabulate

from green_gec import InputWarning, reward, score
from green_gec.reporting.figures import percent

from . import corpora
from .files import Missing

SYSTEM = "AMU"
TOKENIZERS = ("word", "13a", "intl", "char")


def untokenised(text: str) -> str:
    """A sentence as people and language models write it: punctuation follows its word."""
    text = re.sub(r" ([.,;:!?)\]%]|n't|'(?:s|re|ve|ll|d|m)\b)", r"\1", text)
    return re.sub(r"([(\[]) ", r"\1", text)


def first_half(text: str) -> str:
    words = text.split()
    return " ".join(words[: (len(words) + 1) // 2])


# Completions, made of the source and of a system's correction.
ANSWERS: dict[str, Callable[[str, str], str]] = {
    "the correction": lambda source, corrected: corrected,
    "nothing done: the source": lambda source, corrected: source,
    "the source without its last word": lambda source, corrected: source.rpartition(" ")[0],
    "the first half of the source": lambda source, corrected: first_half(source),
    "the single word “the”": lambda source, corrected: "the",
    "nothing at all": lambda source, corrected: "",
    "the source twice": lambda source, corrected: f"{source} {source}",
    "“Sure! Here is the corrected sentence:” + the correction": lambda source, corrected: (
        f"Sure! Here is the corrected sentence: {corrected}"
    ),
    "the correction + “I corrected the grammar.”": lambda source, corrected: (
        f"{corrected} I corrected the grammar."
    ),
    "the correction, untokenised": lambda source, corrected: untokenised(corrected),
}


def payouts(conll: corpora.Corpus) -> str:
    """The mean reward of each kind of completion, and how often it beats doing nothing."""
    columns = {"source": conll.sources, "references": conll.references}
    of_nothing = reward(conll.sources, **columns)
    rows = []
    for name, answer in ANSWERS.items():
        texts = [*map(answer, conll.sources, conll.systems[SYSTEM])]
        words, separated = (reward(tokenizer=kind)(texts, **columns) for kind in ("word", "13a"))
        better = sum(one > other for one, other in zip(words, of_nothing, strict=True))
        shares = (sum(words) / len(words), better / len(words), sum(separated) / len(separated))
        rows.append([name, *(percent(share, 1) for share in shares)])
    headers = ["completion", "mean reward", "beats doing nothing", 'mean reward, `"13a"`']
    return tabulate(rows, headers, tablefmt="pipe", disable_numparse=True)


def tokenizers(conll: corpora.Corpus) -> str:
    """Corpus GREEN of the system, tokenised or not, and of the source, with each tokenizer."""
    corrected = conll.systems[SYSTEM]
    systems = {
        f"{SYSTEM}, tokenised": corrected,
        f"{SYSTEM}, untokenised": [*map(untokenised, corrected)],
        "the unchanged source": conll.sources,
    }
    rows = [
        [
            name,
            *(
                percent(score(conll.sources, texts, conll.references, tokenizer=kind)["green"], 2)
                for kind in TOKENIZERS
            ),
        ]
        for name, texts in systems.items()
    ]
    headers = ["", *(f'`"{kind}"`' for kind in TOKENIZERS)]
    return tabulate(rows, headers, tablefmt="pipe", disable_numparse=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m experiments.payouts", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    try:
        conll = corpora.read_conll14(parser.parse_args(arguments).data)
    except (Missing, OSError, ValueError) as error:
        parser.error(str(error))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # what they warn of is what is measured
        print(payouts(conll), tokenizers(conll), sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
