"""Options: each is declared once, and every door takes, documents and refuses them alike."""

import inspect
import subprocess
import sys
from dataclasses import fields
from fractions import Fraction

import evaluate
import numpy as np
import pyarrow as pa
import pytest
from shared import (
    BAD_OPTIONS,
    CORPUS,
    PREDICTIONS,
    SOURCES,
    TEXTS,
    inputs,
)

from green_gec import Statistics, __version__, compare, explain, reward, score, score_batch
from green_gec.cli.arguments import make_parser
from green_gec.edits import scores as edits
from green_gec.green import _KWARGS_DESCRIPTION, Green
from green_gec.options import EDIT_METRICS, METRICS, OPTIONS, SCOPES, Options, names_of
from green_gec.scores import SCORES, kind_of

# The public interface: what `compute` takes, and what each option means if it is left out.
COMPUTE = {
    "tokenizer": "word",
    "max_order": None,
    "beta": 2.0,
    "level": "corpus",
    "effective_order": False,
    "formula": "official",
    "selection": None,  # the score's own
    "iterations": 500,
    "strip": False,
    "detailed": False,
    "n_resamples": 0,
    "confidence_level": 0.95,
}
DEFAULTS = {name: option.default for name, option in OPTIONS.items()}


# Where options are listed


def test_there_are_no_other_options():
    of_edits = {"max_unchanged_words": 2, "ignore_case": False}
    assert {"metric": "green", **COMPUTE, "paired": None, "seed": 12345, **of_edits} == DEFAULTS
    assert {name: getattr(Options, name) for name in OPTIONS} == DEFAULTS
    assert list(SCORES) == METRICS
    assert list(edits.SCORES) == EDIT_METRICS


@pytest.mark.parametrize(
    ("function", "listed"),
    [(score, {"metric": "green", **COMPUTE, "seed": 12345}), (Green._compute, COMPUTE)],
)
def test_functions_list_every_option_with_its_default(function, listed):
    parameters = inspect.signature(function).parameters.values()
    found = {each.name: each.default for each in parameters if each.name in OPTIONS}
    assert list(found.items()) == list(listed.items())
    declared = {name for metric in METRICS for name in names_of(metric, "corpus")} | {"metric"}
    assert found.keys() == declared - ({"metric", "seed"} - listed.keys())


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("green", ["beta", "effective_order", "selection"]),
        ("gleu", ["formula", "selection", "iterations"]),
        *((metric, []) for metric in ("bleu", "rouge", "f1")),
        ("m2", ["beta", "max_unchanged_words", "ignore_case"]),
        ("errant", ["beta"]),
    ],
)
def test_the_fields_of_a_score_are_its_own_options(metric, expected):
    assert [each.name for each in fields(kind_of(metric))] == expected
    peers = METRICS if metric in METRICS else EDIT_METRICS
    shared = set.intersection(*(set(names_of(peer)) for peer in (*peers, "gleu")))
    own = [name for name in names_of(metric) if name not in shared]
    assert own == expected


@pytest.mark.parametrize("level", ["corpus", "mean", "sentence"])
def test_the_command_line_has_every_option(level):
    actions = make_parser("green", level)._actions
    for name, option in OPTIONS.items():
        ours = [action for action in actions if action.dest == name]
        flags = {flag for action in ours for flag in action.option_strings}
        assert flags == {*option.flags, *(["--max"] if name == "selection" else [])}
        if option.flags:
            assert option.argument.get("help", option.help) in ours[0].help
    # The name of the command is the level; -v and the formats show details.
    assert [name for name, option in OPTIONS.items() if not option.flags] == ["level", "detailed"]


@pytest.mark.parametrize(
    ("text", "names"),
    [(score.__doc__, ["metric", *COMPUTE, "seed"]), (_KWARGS_DESCRIPTION, [*COMPUTE])],
)
def test_the_documentation_has_every_option(text, names):
    assert max(map(len, text.splitlines())) <= 100
    text = " ".join(text.split())
    assert "{options}" not in text
    for name in names:
        option = OPTIONS[name]
        entry = text.partition(f" {name} ({option.kind}): ")[2]
        only = option.only(METRICS)
        only = f" {' and '.join(only)} only." if only else ""
        described = f"{option.help}.{only}"
        assert entry[: len(described)].lower() == described.lower()
        if DEFAULTS[name] is not None:
            default = repr(DEFAULTS[name]).replace("'", '"')
            assert entry[len(described) :].startswith(f" Defaults to {default}.")


# What they mean


def test_defaults_are_the_papers():
    assert score(*CORPUS) == score(*CORPUS, tokenizer="word", max_order=4, beta=2.0)
    assert score(*CORPUS, tokenizer="char") == score(*CORPUS, tokenizer="char", max_order=6)


def test_numpys_numbers_are_numbers():
    options = {"beta": np.float32(2), "max_order": np.int64(4), "strip": np.bool_(False)}
    assert score(*CORPUS, **options) == score(*CORPUS)
    assert score(*CORPUS, beta=np.array([1, 2]))["green"][1] == score(*CORPUS)["green"]
    options = {"n_resamples": np.int16(9), "detailed": np.bool_(True)}
    for level, shown in ((np.float32(0.5), "0.5"), (Fraction(9, 10), "0.9")):
        signature = score(*CORPUS, **options, confidence_level=level)["signature"]
        assert f"|bs:9|conf:{shown}|seed:" in signature


def test_arguments_that_score_does_not_have():
    sources, predictions, references = CORPUS
    with pytest.raises(TypeError, match="no argument 'reference'; did you mean 'references'"):
        score(sources, predictions, reference=references)
    with pytest.raises(TypeError, match="too many positional arguments"):
        score(*CORPUS, "green", "char")


def test_importing_options_takes_only_the_standard_library():
    code = "import sys, green_gec.options; print({'numpy', 'pyarrow'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


@pytest.mark.parametrize("max_order", [101, 2**63, 10**400])
def test_orders_that_no_text_has(max_order):
    for metric in METRICS:
        with pytest.raises(ValueError, match=r"^max_order must be a whole number from 1 to 100"):
            score(**inputs(metric, TEXTS), metric=metric, max_order=max_order)


# Signatures


@pytest.mark.parametrize(
    ("metric", "options", "signature"),
    [
        ("green", {}, "green|nrefs:1-3|tok:word|order:4|beta:2|level:corpus|eff:no|strip:no|vers"),
        (
            "green",
            {"tokenizer": "char", "beta": [0.5, float("inf")], "level": "mean", "strip": True},
            "green|nrefs:1-3|tok:char|order:6|beta:0.5,inf|level:mean|eff:no|strip:yes|version:",
        ),
        ("green", {"effective_order": True}, "|level:corpus|eff:yes|strip:no|version:"),
        ("green", {"selection": "max"}, "|tok:word|order:4|beta:2|level:corpus|eff:no|strip:no|ve"),
        ("green", {"selection": "mean", "level": "mean"}, "|beta:2|select:mean|level:mean|eff:no|"),
        ("green", {"tokenizer": "13a"}, "green|nrefs:1-3|tok:13a|order:4|beta:2|level:corpus|"),
        ("gleu", {"tokenizer": "intl"}, "gleu|nrefs:1-3|tok:intl|order:4|formula:official|"),
        ("bleu", {"tokenizer": "zh"}, "bleu|nrefs:1-3|tok:zh|order:4|level:corpus|"),
        ("green", {"tokenizer": str.split, "max_order": 2}, "|tok:str.split|order:2|"),
        (
            "green",
            {"n_resamples": 10, "confidence_level": 0.9, "seed": 3},
            "|bs:10|conf:0.9|seed:3|",
        ),
        ("gleu", {}, "gleu|nrefs:1-3|tok:word|order:4|formula:official|select:sample|iter:500|"),
        ("gleu", {"selection": "max", "formula": "paper"}, "formula:paper|select:max|level:corpus"),
        ("gleu", {"level": "mean"}, "|select:sample|level:mean|strip:no|version:"),
        ("bleu", {}, "bleu|nrefs:1-3|tok:word|order:4|level:corpus|strip:no|version:"),
        ("rouge", {"max_order": 1}, "rouge|nrefs:1-3|tok:word|order:1|level:corpus|strip:no|vers"),
        ("f1", {"tokenizer": "char"}, "f1|nrefs:1-3|tok:char|order:6|level:corpus|strip:no|versi"),
        ("f1", {"n_resamples": 9}, "|strip:no|bs:9|conf:0.95|seed:12345|version:"),
    ],
)
def test_signatures(metric, options, signature):
    texts = inputs(metric, TEXTS)
    found = score(**texts, metric=metric, **options, detailed=True)["signature"]
    assert signature in found
    assert found.startswith(f"{metric}|")
    assert found.endswith(f"|version:{__version__}")


def test_the_default_of_selection_is_the_scores_own():
    for metric, default in (("green", "max"), ("gleu", "sample"), ("bleu", None)):
        assert Options(metric).selection == Options(metric, selection=None).selection == default
    assert Options("green").settings()["selection"] == "max"
    assert "selection" not in Options("bleu").settings()


# What is refused


@pytest.mark.parametrize(("options", "error", "message"), BAD_OPTIONS)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        score(*CORPUS, **options)


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("gleu", {"formula": "book"}, "formula must be 'official' or 'paper', not 'book'"),
        ("gleu", {"selection": "min"}, "selection must be 'sample' or 'max' for gleu, not 'min'"),
        ("gleu", {"selection": "mean"}, "selection must be 'sample' or 'max' for gleu, not 'mean'"),
        ("green", {"selection": "sample"}, "selection must be 'max' or 'mean' for green, not 'sam"),
        (
            "green",
            {"selection": "mean"},
            "selection='mean' averages the scores of a sentence, so it needs level='mean' or",
        ),
        ("bleu", {"selection": "max"}, "bleu has no option 'selection'; its options are tokenizer"),
        ("gleu", {"iterations": 0}, "iterations must be a whole number from 1 to 100,000, not 0"),
        ("gleu", {"iterations": 2.5}, "iterations must be a whole number from 1 to .*, not 2.5"),
        ("rouge", {"level": "sentence", "n_resamples": 9}, "n_resamples resamples sentences"),
    ],
)
def test_bad_options_of_other_scores(metric, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        score(**inputs(metric, TEXTS), metric=metric, **options)


def test_scores_of_edits_need_more_than_texts():
    for door, (scope, enter) in DOORS.items():
        if scope != "systems" and "metric." not in door and door not in ("compute", "trainer_hook"):
            with pytest.raises(ValueError, match=r"^m2 scores edits, not texts alone: use compare"):
                enter("m2", None, {})


def test_several_scores_each_take_the_options_that_they_have():
    given = {"beta": 1.0, "tokenizer": "char", "ignore_case": True, "selection": "sample"}
    green, gleu, m2 = Options.of_each(["green", "gleu", "m2"], given, "systems")
    assert (green.beta, green.tokenizer, green.selection) == (1.0, "char", "max")
    assert (gleu.tokenizer, gleu.selection) == ("char", "sample")
    assert (m2.beta, m2.ignore_case) == (1.0, True)
    assert [each.beta for each in Options.of_each(["green", "m2", "errant"], {}, "systems")] == [
        *(2.0, 0.5, 0.5)
    ]
    for wrong, message in (
        ({"formula": "paper"}, "^green has no option 'formula'"),
        ({"beta": [1, 2]}, "^several scores take one beta"),
        ({"selection": "mean"}, "selection='mean' averages"),
    ):
        with pytest.raises(ValueError, match=message):
            Options.of_each(["green", "m2"], wrong, "systems")


def test_there_is_no_such_score():
    for metric in ("blue", "GREEN", None, ["green"]):
        with pytest.raises(ValueError, match=r"^metric must be 'green' or 'gleu' or .*, not "):
            score(*CORPUS, metric=metric)


def batch(metric):
    names = {"sources": "source", "predictions": "prediction", "references": "references"}
    return pa.table({names[name]: texts for name, texts in inputs(metric, TEXTS).items()})


# Every way to a score, with the scope of the options that it takes.
DOORS = {
    "score": ("corpus", lambda m, _, o: score(**inputs(m, TEXTS), metric=m, **o)),
    "compute": ("corpus", lambda m, loaded, o: loaded.compute(**inputs(m, TEXTS), **o)),
    "compare": ("systems", lambda m, _, o: compare({"A": PREDICTIONS}, SOURCES, metric=m, **o)),
    "explain": ("sentence", lambda m, _, o: explain("a", "a", "a", m, **o)),
    "metric.explain": ("sentence", lambda m, loaded, o: loaded.explain("a", "a", "a", **o)),
    "reward": ("sentence", lambda m, _, o: reward(metric=m, **o)),
    "Statistics": ("pieces", lambda m, _, o: Statistics.of(**inputs(m, TEXTS), metric=m, **o)),
    "from_arrow": ("pieces", lambda m, _, o: Statistics.from_arrow(batch(m), m, **o)),
    "score_batch": ("pieces", lambda m, _, o: score_batch(batch(m), m, **o)),
    "trainer_hook": ("pieces", lambda m, loaded, o: loaded.trainer_hook(object(), **o)),
}


@pytest.fixture(scope="module")
def loaded(clone):
    return {metric: evaluate.load(str(clone), metric) for metric in METRICS}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("metric", METRICS)
def test_an_option_of_another_score_is_refused_through_every_door(door, metric, loaded):
    """Whatever its value, even that which it has anyway."""
    scope, enter = DOORS[door]
    foreign = [name for name in COMPUTE if name not in names_of(metric, scope)]
    assert foreign
    for name in foreign:
        elsewhere = scope == "sentence" and name in names_of(metric)
        alone = " for a single sentence" if elsewhere else ""
        message = f"^{metric} has no option '{name}'{alone}; its options are tokenizer, max_order, "
        for value in (DEFAULTS[name], "nonsense"):
            with pytest.raises(ValueError, match=message):
                enter(metric, loaded[metric], {name: value})


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("metric", METRICS)
def test_an_unknown_option_is_refused_through_every_door(door, metric, loaded):
    _, enter = DOORS[door]
    with pytest.raises(TypeError, match=f"^{metric} has no option 'betta'; its options are token"):
        enter(metric, loaded[metric], {"betta": 1.0})


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("metric", METRICS)
def test_options_for_a_sentence_a_corpus_its_pieces_and_systems(metric, scope):
    """What a scope has is taken; what it lacks is refused, even with its default."""
    later = {"sentence": ["iterations", "level", "n_resamples", "confidence_level", "seed"]}
    missing = [] if scope == "systems" else ["paired", *later.get(scope, [])]
    for name, option in OPTIONS.items():
        if name == "metric":
            continue
        given = {name: DEFAULTS[name]}
        if option.is_of(metric) and name not in missing:
            assert vars(Options.of(metric, given, scope)) == vars(Options(metric))
        else:
            with pytest.raises(ValueError, match=f"^{metric} has no option '{name}'"):
                Options.of(metric, given, scope)


def test_options_that_are_not_the_users_to_set():
    with pytest.raises(ValueError, match=r"^green has no option 'level' for a single sentence"):
        Options.of("green", {"level": "corpus"}, "sentence", level="sentence")
    with pytest.raises(ValueError, match=r"^green has no option 'seed'; its options are"):
        Options.of("green", {"seed": 1}, seed=7)
    assert Options.of("green", {}, seed=7).seed == 7


@pytest.mark.parametrize("door", [door for door, (scope, _) in DOORS.items() if scope == "pieces"])
def test_pieces_take_one_beta_and_no_single_sentences(door, loaded):
    _, enter = DOORS[door]
    with pytest.raises(ValueError, match=r"^beta must be one number here, not \[1, 2\]"):
        enter("green", loaded["green"], {"beta": [1, 2]})
    with pytest.raises(ValueError, match="so level must be 'corpus' or 'mean', not 'sentence'"):
        enter("green", loaded["green"], {"level": "sentence"})
