"""What several tests share: small corpora, strategies, the bundled examples, documented code."""

import contextlib
import doctest
import importlib.util
import json
import math
import os
import random
import re
import sys
import tracemalloc
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from green_gec.corpus import read_lines, read_m2
from green_gec.metrics import METRICS, make_metric
from green_gec.options import Options

ROOT = Path(__file__).parent.parent
GOLDENS = ROOT / "tests" / "goldens"
EXAMPLES = ROOT / "examples"
# What a metric loaded by evaluate consists of: the root's rule.
MODULES = sorted({path.stem for path in ROOT.glob("*.py")} - {"__init__", "__main__", "app"})

# There, properties are tested with many examples; with few where each setting has its own.
IN_CI = os.environ.get("CI") == "true"
FEW_EXAMPLES = settings(deadline=None, max_examples=25 if IN_CI else 10, derandomize=True)

# A small corpus. The sentences have different numbers of references; one is shorter than 4 words.
SOURCES = ["She go to school every days .", "I has two cat and one dogs .", "Hello there"]
PREDICTIONS = ["She goes to school every days .", "I have two cats and one dog .", "Hello there"]
REFERENCES = [
    ["She goes to school every day .", "She went to school each day ."],
    ["I have two cats and one dog ."],
    ["Hello there", "Hello , there", "Hi there"],
]
CORPUS = (SOURCES, PREDICTIONS, REFERENCES)
TEXTS = {"sources": SOURCES, "predictions": PREDICTIONS, "references": REFERENCES}

# What cannot be scored: what is given in place of the small corpus, the error and its message.
BAD_TEXTS = [
    ({"predictions": PREDICTIONS[:2]}, ValueError, r"3 sources, 2 predictions, 3 references"),
    ({"references": [REFERENCES[0], [], ["a"]]}, ValueError, r"references\[1\] is empty"),
    ({"sources": [], "predictions": [], "references": []}, ValueError, r"no sentences"),
    ({"predictions": ["a", None, "b"]}, TypeError, r"predictions\[1\] must be a string, not None"),
    ({"sources": ["a", "b", 5]}, TypeError, r"sources\[2\] must be a string, not 5 \(int\)"),
    ({"sources": ["a", ["b"], "c"]}, TypeError, r"sources\[1\].*\['b'\] \(list\)"),
    ({"sources": ["a", b"b", "c"]}, TypeError, r"sources\[1\].*bytes"),
    ({"sources": ["a", math.nan, "c"]}, TypeError, r"sources\[1\].*nan \(float\)"),
    ({"sources": "a sentence"}, TypeError, r"sources must be a list.*'a sentence' \(str\)"),
    ({"sources": 3}, TypeError, r"sources must be a list.*3 \(int\)"),
    ({"references": {"a": "b"}}, TypeError, r"references must be a list.*dict"),
    ({"references": [["a"], ["b", None], ["c"]]}, TypeError, r"references\[1\]\[1\].*None"),
    ({"references": [["a"], [["b"]], ["c"]]}, TypeError, r"references\[1\]\[0\].*list"),
    ({"references": ["a", None, "c"]}, TypeError, r"references\[1\].*None"),
    ({"references": ["a", 1, "c"]}, TypeError, r"references\[1\].*1 \(int\)"),
    ({"references": [["a"], "b", []]}, ValueError, r"references\[2\] is empty"),
    ({"predictions": ["a", "b\udc80", "c"]}, ValueError, r"predictions\[1\].*U\+DC80.*character 1"),
    ({"references": [["a"], ["b", "\ud800"], "c"]}, ValueError, r"references\[1\]\[1\].*U\+D800"),
    ({"predictions": pa.array(["a", None, "c"])}, TypeError, r"predictions\[1\].*null"),
    ({"predictions": pa.array([1, 2, 3])}, TypeError, r"predictions\[0\].*int64"),
    ({"references": pa.array([["a"], None, ["b"]])}, ValueError, r"references\[1\] is empty"),
    ({"references": pa.array([["a"], [None], ["b"]])}, TypeError, r"references\[1\]\[0\].*null"),
    ({"references": pa.array([{"a": "b"}] * 3)}, TypeError, r"references\[0\].*struct"),
    ({"references": [["a"], frozenset("b"), ["c"]]}, TypeError, r"references\[1\].*frozenset"),
    ({"sources": np.array("a")}, TypeError, r"sources must be a list"),
    (
        {"sources": pa.array([b"a", b"\xed\xa0\x80", b"c"]).view(pa.string())},
        ValueError,
        r"sources\[1\] is not valid UTF-8",
    ),
]

BAD_OPTIONS = [
    (
        {"tokenizer": "words"},
        ValueError,
        r"tokenizer must be 'word' or 'char' or '13a' or .* or 'ko-mecab' or a function",
    ),
    ({"tokenizer": None}, ValueError, r"tokenizer must be"),
    ({"level": "document"}, ValueError, r"'corpus' or 'mean' or 'sentence', not 'document'"),
    ({"beta": 0}, ValueError, r"beta must be a positive number, not 0"),
    ({"beta": -1.0}, ValueError, r"beta must be a positive number, not -1.0"),
    ({"beta": math.nan}, ValueError, r"beta must be a positive number, not nan"),
    ({"beta": 10**400}, ValueError, r"beta"),
    ({"beta": [1.0, 10**400]}, ValueError, r"beta\[1\]"),
    ({"beta": [1.0, 0.0]}, ValueError, r"beta\[1\] must be a positive number"),
    ({"beta": []}, ValueError, r"beta is an empty list"),
    ({"beta": "2"}, TypeError, r"beta must be a positive number, not '2'"),
    ({"beta": bytearray(b"12")}, TypeError, r"beta must be a positive number, not bytearray"),
    ({"beta": True}, TypeError, r"beta must be a positive number, not True"),
    ({"beta": [[1.0]]}, TypeError, r"beta\[0\] must be a positive number"),
    ({"max_order": 0}, ValueError, r"max_order must be a whole number from 1 to 100, not 0"),
    ({"max_order": 10**400}, ValueError, r"max_order must be a whole number from 1 to 100"),
    ({"max_order": 2.5}, ValueError, r"max_order must be a whole number"),
    ({"max_order": "4"}, TypeError, r"max_order must be a whole number"),
    ({"max_order": True}, ValueError, r"max_order must be a whole number"),
    ({"n_resamples": -1}, ValueError, r"n_resamples must be a whole number from 0 to 10,000,000"),
    ({"n_resamples": 10, "level": "sentence"}, ValueError, r"n_resamples.*level='sentence'"),
    ({"confidence_level": 0}, ValueError, r"confidence_level must be a number between 0 and 1"),
    ({"confidence_level": 1.0}, ValueError, r"confidence_level must be a number between 0 and 1"),
    ({"confidence_level": 95}, ValueError, r"confidence_level must be a number between 0 and 1"),
    (
        {"confidence_level": math.nan},
        ValueError,
        r"confidence_level must be a number between 0 and 1",
    ),
    ({"confidence_level": "95%"}, TypeError, r"confidence_level must be a number"),
    ({"strip": "no"}, TypeError, r"strip must be True or False, not 'no'"),
    ({"detailed": 1}, TypeError, r"detailed must be True or False"),
    ({"formula": "official"}, ValueError, r"green has no option 'formula'; its options are tok"),
]

BAD_TOKENIZERS = [
    (lambda text: 1 / 0, ValueError, r"tokenizer failed on '\w+ .*'.*ZeroDivisionError"),
    (lambda text: text, TypeError, r"tokenizer returned a str for '\w+ "),
    (lambda text: None, ValueError, r"tokenizer failed on '\w+ "),
    (lambda text: [1, 2], TypeError, r"tokenizer returned 1 \(int\) among the tokens of '\w+ "),
]

# The bundled examples.
EXAMPLE_SOURCES, EXAMPLE_REFERENCES = read_m2(EXAMPLES / "references.m2")
SYSTEMS = {name: read_lines(EXAMPLES / f"{name}.txt") for name in ("careful", "bold", "broken")}

# Command lines among the examples.
LEVELS = {"green": "corpus", "mgreen": "mean", "sgreen": "sentence"}
GIVEN = "-s source.txt -r reference0.txt reference1.txt"
BOTH = f"{GIVEN} -c careful.txt bold.txt"
BOTH_SYSTEMS = {f"{name}.txt": SYSTEMS[name] for name in ("careful", "bold")}

# Corpora for which public implementations' figures are known.
CASES = {case["name"]: case for case in json.loads((GOLDENS / "cases.json").read_text("utf-8"))}
WITHOUT_SOURCES = [name for name in METRICS if not make_metric(Options(metric=name)).needs_sources]


def half_up(value, digits=2):
    """A percentage, rounded as the authors' tool does."""
    return str(Decimal(str(100 * value)).quantize(Decimal(f"1e-{digits}"), ROUND_HALF_UP))


def close(value):
    return pytest.approx(value, rel=0, abs=1e-9)


def inputs(metric, texts):
    """The arguments that a score takes of a corpus."""
    return {
        name: texts[name] for name in TEXTS if name != "sources" or metric not in WITHOUT_SOURCES
    }


def random_corpus(n_sentences=60, seed=0):
    rng = random.Random(seed)

    def text():
        return " ".join(rng.choices("abcd", k=rng.randrange(8)))

    sources = [text() for _ in range(n_sentences)]
    predictions = [rng.choice([source, text()]) for source in sources]
    references = [[text() for _ in range(rng.randint(1, 3))] for _ in sources]
    return sources, predictions, references


# Few letters, so that n-grams repeat, ties occur and texts are alike; all kinds of whitespace.
WORDS = st.sampled_from(["a", "b", "ab", "é", "e\u0301", "🙂", "\0", "a\0", "longer-than-8", "本"])
BLANKS = st.sampled_from(
    [" ", " ", " ", "  ", "\t", "\n", "\x1c", "\x85", "\xa0", "\u3000", "\u2009"]
)
WORDY = st.lists(st.tuples(WORDS, BLANKS), max_size=9).map(
    lambda pairs: "".join(word + blank for word, blank in pairs)
)
ANY_TEXT = WORDY | st.text(alphabet="ab ", max_size=12) | st.text(max_size=8)
SENTENCES = st.tuples(ANY_TEXT, ANY_TEXT, st.lists(ANY_TEXT, min_size=1, max_size=4))


@st.composite
def corpora(draw):
    sentences = draw(st.lists(SENTENCES, min_size=1, max_size=5))
    # A source, a correction and references that have nothing in common would test little.
    sentences = [
        (source, draw(st.sampled_from([prediction, source, *references])), references)
        for source, prediction, references in sentences
    ]
    sources, predictions, references = map(list, zip(*sentences, strict=True))
    return {"sources": sources, "predictions": predictions, "references": references}


@contextlib.contextmanager
def at_most_megabytes(most):
    """Fails if the work within allocates more memory than this at any time."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most * 1e6


def documented_code(name):
    """The documentation's example that contains this, to be run with the objects it needs."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = [
        block
        for page in pages
        for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), flags=re.S)
    ]
    (code,) = (block for block in blocks if name in block and ">>>" not in block)
    return compile(code, f"documentation: {name}", "exec")


def run_doctests(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert len(test.examples) >= 2
    output = []
    failures = doctest.DocTestRunner().run(test, out=output.append).failed
    assert not failures, "".join(output)


def load_example(name):
    """The module of an example's file."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
