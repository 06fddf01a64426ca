"""Options: each has one default, and every door takes, documents and refuses them alike."""

import inspect
import pickle
import re
import subprocess
import sys
from dataclasses import fields
from fractions import Fraction
from typing import get_args

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
from green_gec.api import N_RESAMPLES
from green_gec.cli import report
from green_gec.cli.score import make_parser
from green_gec.edits.metrics import METRICS as EDIT_CLASSES
from green_gec.green import _KWARGS_DESCRIPTION, Green
from green_gec.metrics import METRICS as NGRAM_CLASSES
from green_gec.options import (
    EDIT_METRICS,
    LATE_OPTIONS,
    METRICS,
    NGRAM_METRICS,
    OWN_OPTIONS,
    SELECTIONS,
    TOKENIZERS,
    Formula,
    Level,
    Options,
    PairedTest,
    Selection,
    option_names,
)

DEFAULTS = {field.name: field.default for field in fields(Options)}
# The public interface: what `compute` takes, and what each option means if it is left out.
COMPUTE = {
    "tokenizer": "word",
    "max_order": None,  # 4, or 6 for characters
    "beta": None,  # None: the metric's own, see `OWN_OPTIONS`
    "level": "corpus",
    "effective_order": None,
    "formula": None,
    "selection": None,
    "iterations": None,
    "strip": False,
    "detailed": False,
    "n_resamples": 0,
    "confidence_level": 0.95,
}
SCORE = {"metric": "green", **COMPUTE, "seed": 12345}


def default(metric, name):
    """What an option means for a metric."""
    return OWN_OPTIONS[metric].get(name, DEFAULTS[name])


# Where options are listed


def test_there_are_no_other_options():
    of_edits = {"max_unchanged_words": None, "ignore_case": None}
    assert {**SCORE, "paired": None, **of_edits} == DEFAULTS
    assert (*NGRAM_METRICS, *EDIT_METRICS) == METRICS
    assert tuple(OWN_OPTIONS) == METRICS
    assert tuple(NGRAM_CLASSES) == NGRAM_METRICS
    assert tuple(EDIT_CLASSES) == EDIT_METRICS


@pytest.mark.parametrize(("function", "listed"), [(score, SCORE), (Green._compute, COMPUTE)])
def test_functions_list_every_option_with_its_default(function, listed):
    texts = ("self", "sources", "predictions", "references")
    parameters = [
        each for each in inspect.signature(function).parameters.values() if each.name not in texts
    ]
    assert [(each.name, each.default) for each in parameters] == list(listed.items())
    declared = {name for metric in NGRAM_METRICS for name in option_names(metric)}
    # A test needs several systems; the metric and the seed are given to evaluate.load.
    not_listed = {"paired"} if function is score else {"paired", "seed"}
    assert {each.name for each in parameters} - {"metric"} == declared - not_listed


def test_score_names_every_choice():
    """For type checkers and editors."""
    annotations = inspect.get_annotations(score, eval_str=True)
    for name, choices in (
        ("metric", NGRAM_METRICS),
        ("tokenizer", TOKENIZERS),
        ("level", get_args(Level)),
        ("formula", get_args(Formula)),
        ("selection", get_args(Selection)),
    ):
        alternatives = [annotations[name], *get_args(annotations[name])]
        assert choices in [get_args(each) for each in alternatives]
    known = {name for choices in SELECTIONS.values() for name in choices}
    assert known == set(get_args(Selection))


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
def test_the_fields_of_a_metric_are_its_own_options(metric, expected):
    assert list(OWN_OPTIONS[metric]) == expected
    shared = set.intersection(*(set(option_names(other)) for other in METRICS))
    if metric in NGRAM_METRICS:
        shared |= {"tokenizer", "max_order", "strip"}
    assert [name for name in option_names(metric) if name not in shared] == expected
    kind = {**NGRAM_CLASSES, **EDIT_CLASSES}[metric]
    assert [each.name for each in fields(kind) if each.name != "order"] == expected


CHOICES = {
    "metric": METRICS,
    "tokenizer": TOKENIZERS,
    "level": ("corpus", "mean"),
    "formula": get_args(Formula),
    "selection": get_args(Selection),
    "paired": get_args(PairedTest),
}
# What the help says; it explains the other options' defaults in words.
DEFAULTS_IN_HELP = {
    "metric": Options.metric,
    "tokenizer": Options.tokenizer,
    "max_order": "4, or 6 for characters",
    "beta": "2; 0.5 for m2 and errant",
    "level": Options.level,
    "formula": OWN_OPTIONS["gleu"]["formula"],
    "iterations": OWN_OPTIONS["gleu"]["iterations"],
    "max_unchanged_words": OWN_OPTIONS["m2"]["max_unchanged_words"],
    "n_resamples": N_RESAMPLES,
    "confidence_level": Options.confidence_level,
    "seed": Options.seed,
}


@pytest.mark.parametrize("command", ["green", "mgreen", "sgreen", "green report"])
def test_the_command_line_has_every_option(command):
    """With the same default: where the user gives none, None stands for it."""
    levels = {"green": "corpus", "mgreen": "mean", "sgreen": "sentence"}
    is_table = command in levels
    parser = make_parser(command, levels[command]) if is_table else report.make_parser(command)
    actions = {}
    for action in parser._actions:
        actions.setdefault(action.dest, action)  # the first one; others are synonyms
    missing = {"detailed"}  # -v and the formats show details
    missing |= {"level"} if command in ("mgreen", "sgreen") else set()  # it is the command's name
    if command == "sgreen":
        missing |= {"n_resamples", "confidence_level", "seed", "paired"}
    assert DEFAULTS.keys() - actions.keys() == missing
    for name in DEFAULTS.keys() - missing:
        action = actions[name]
        assert action.default is None
        assert action.help
        if name in CHOICES:
            assert tuple(action.choices) == CHOICES[name]
        if name in DEFAULTS_IN_HELP:
            assert f"(default: {DEFAULTS_IN_HELP[name]})" in action.help
        if name == "confidence_level":
            assert action.const == Options.confidence_level


def documented(text):
    """What a docstring says about each argument."""
    assert max(map(len, text.splitlines())) <= 100
    arguments, _, _ = text.partition("Returns:")
    _, *entries = re.split(r"^ +(\w+) \([^)]*\): ", arguments, flags=re.M)
    return dict(zip(entries[::2], entries[1::2], strict=True))


@pytest.mark.parametrize(
    ("text", "listed"), [(score.__doc__, SCORE), (_KWARGS_DESCRIPTION, COMPUTE)]
)
def test_the_documentation_has_every_option(text, listed):
    assert list(documented(text)) == [*TEXTS, *listed]


@pytest.mark.parametrize(
    ("text", "names"), [(_KWARGS_DESCRIPTION, [*COMPUTE]), (score.__doc__, ["beta", "iterations"])]
)
def test_the_documentation_has_the_defaults_that_no_signature_shows(text, names):
    for name in names:
        for value in {default(metric, name) for metric in NGRAM_METRICS} - {None}:
            shown = f'"{value}"' if isinstance(value, str) else str(value).removesuffix(".0")
            assert shown in documented(text)[name]


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


def test_none_is_the_metrics_own_default():
    for metric, own in OWN_OPTIONS.items():
        for name, default in own.items():
            assert getattr(Options(metric=metric), name) == default
            assert Options(metric=metric, **{name: None}) == Options(metric=metric)
            assert Options.make(metric, {name: None}) == Options(metric=metric)
    own = dict.fromkeys(OWN_OPTIONS["green"])
    assert score(*CORPUS, **own, max_order=None, formula=None) == score(*CORPUS)


def test_several_betas_are_floats_that_can_be_compared():
    for betas in ([1, 2], (1.0, 2.0), np.array([1, 2]), [Fraction(1), np.float32(2)]):
        options = Options(beta=betas)
        assert options == Options(beta=(1.0, 2.0))
        assert options.betas == [1.0, 2.0]
        assert {type(beta) for beta in options.beta} == {float}
    assert Options(beta=1).betas == [1.0]
    assert Options(metric="bleu").betas == []


@pytest.mark.parametrize("metric", METRICS)
def test_options_that_were_sent_elsewhere_can_be_replaced(metric):
    options = pickle.loads(pickle.dumps(Options(metric=metric)))
    assert options.replace(seed=7) == Options(metric=metric, seed=7)


def test_importing_options_takes_only_the_standard_library():
    code = "import sys, green_gec.options; print({'numpy', 'pyarrow'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


@pytest.mark.parametrize("max_order", [101, 2**63, 10**400])
def test_orders_that_no_text_has(max_order):
    for metric in NGRAM_METRICS:
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


def test_settings_are_those_that_a_metric_has():
    assert Options().settings()["selection"] == "max"
    assert Options(metric="gleu").settings()["selection"] == "sample"
    assert "selection" not in Options(metric="bleu").settings()
    for metric in (*NGRAM_METRICS, *EDIT_METRICS):
        settings = Options(metric=metric).settings()
        assert settings.keys() == {"metric", *option_names(metric)} - {"detailed"}


# What is refused


@pytest.mark.parametrize(("given", "error", "message"), BAD_OPTIONS)
def test_bad_options(given, error, message):
    with pytest.raises(error, match=message):
        score(*CORPUS, **given)


@pytest.mark.parametrize(
    ("metric", "given", "message"),
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
        ("m2", {"tokenizer": "char"}, "m2 has no option 'tokenizer'"),
        ("errant", {"strip": True}, "errant has no option 'strip'"),
    ],
)
def test_bad_options_of_other_metrics(metric, given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        score(**inputs(metric, TEXTS), metric=metric, **given)


def test_arguments_that_score_does_not_have():
    sources, predictions, references = CORPUS
    with pytest.raises(TypeError, match="'reference'"):
        score(sources, predictions, reference=references)
    with pytest.raises(TypeError, match="positional arguments"):
        score(*CORPUS, "green", "char")


def test_metrics_of_edits_need_more_than_texts():
    for door in ("score", "explain", "reward", "Statistics", "from_arrow", "score_batch"):
        with pytest.raises(ValueError, match=r"^m2 scores edits, not texts alone: use compare"):
            DOORS[door][1]("m2", None, {})


def test_several_metrics_each_take_the_options_that_they_have():
    given = {"beta": 1.0, "tokenizer": "char", "ignore_case": True, "selection": "sample"}
    green, gleu, m2 = Options.make_each(["green", "gleu", "m2"], given)
    assert (green.beta, green.tokenizer, green.selection) == (1.0, "char", "max")
    assert (gleu.tokenizer, gleu.selection) == ("char", "sample")
    assert (m2.beta, m2.ignore_case) == (1.0, True)
    betas = [each.beta for each in Options.make_each(["green", "m2", "errant"], {})]
    assert betas == [2.0, 0.5, 0.5]
    for wrong, message in (
        ({"formula": "paper"}, "^green has no option 'formula'"),
        ({"beta": [1, 2]}, "^several metrics take one beta"),
        ({"selection": "mean"}, "selection='mean' averages"),
    ):
        with pytest.raises(ValueError, match=message):
            Options.make_each(["green", "m2"], wrong)


@pytest.mark.parametrize(
    "metric", ["blue", "GREEN", None, ["green"], b"green", np.array(["green"]), np.array("green")]
)
def test_there_is_no_such_metric(metric):
    message = r"^metric must be 'green' or 'gleu' or .*, not "
    for call in (
        lambda: score(*CORPUS, metric=metric),
        lambda: Options.make(metric, {}),
        lambda: Options.make_each([metric], {}),
        lambda: Statistics.of(*CORPUS, metric=metric),
        lambda: compare({"A": PREDICTIONS}, SOURCES, SOURCES, metric=metric),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def batch(metric):
    names = {"sources": "source", "predictions": "prediction", "references": "references"}
    return pa.table({names[name]: texts for name, texts in inputs(metric, TEXTS).items()})


# Every way to a score, with the options that it does not take.
OF_A_SENTENCE = (*LATE_OPTIONS, "detailed")
DOORS = {
    "score": (["paired"], lambda m, _, o: score(**inputs(m, TEXTS), metric=m, **o)),
    "load": (["paired", "seed"], lambda m, loaded, o: type(loaded)(config_name=m, **o)),
    "compute": (
        ["paired", "seed"],
        lambda m, loaded, o: loaded.compute(**inputs(m, TEXTS), **o),
    ),
    "compare": ([], lambda m, _, o: compare({"A": PREDICTIONS}, SOURCES, metric=m, **o)),
    "explain": (OF_A_SENTENCE, lambda m, _, o: explain("a", "a", "a", m, **o)),
    "metric.explain": (OF_A_SENTENCE, lambda m, loaded, o: loaded.explain("a", "a", "a", **o)),
    "reward": (OF_A_SENTENCE, lambda m, _, o: reward(metric=m, **o)),
    "Statistics": (["paired"], lambda m, _, o: Statistics.of(**inputs(m, TEXTS), metric=m, **o)),
    "from_arrow": (["paired"], lambda m, _, o: Statistics.from_arrow(batch(m), m, **o)),
    "score_batch": (["paired"], lambda m, _, o: score_batch(batch(m), m, **o)),
    "trainer_hook": (
        ["paired", "seed"],
        lambda m, loaded, o: loaded.trainer_hook(object(), **o),
    ),
}
PIECES = ["Statistics", "from_arrow", "score_batch", "trainer_hook"]


@pytest.fixture(scope="module")
def loaded(clone):
    return {metric: evaluate.load(str(clone), metric) for metric in NGRAM_METRICS}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("metric", NGRAM_METRICS)
def test_an_option_of_another_metric_is_refused_through_every_door(door, metric, loaded):
    """Whatever its value, even that which it would have anyway."""
    without, enter = DOORS[door]
    foreign = [name for name in COMPUTE if name not in option_names(metric) or name in without]
    assert foreign
    for name in foreign:
        message = f"^{metric} has no option '{name}'.*; its options are tokenizer, max_order, "
        values = [own[name] for own in OWN_OPTIONS.values() if name in own] or [DEFAULTS[name]]
        for value in (*values, "nonsense"):
            with pytest.raises(ValueError, match=message):
                enter(metric, loaded[metric], {name: value})
        if door != "score":  # where it cannot be seen whether it was given
            with pytest.raises(ValueError, match=message):
                enter(metric, loaded[metric], {name: None})


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("metric", NGRAM_METRICS)
def test_an_unknown_option_is_refused_through_every_door(door, metric, loaded):
    _, enter = DOORS[door]
    message = f"^{metric} has no option 'betta'.*; its options are tokenizer, max_order, "
    with pytest.raises(TypeError, match="'betta'" if door == "score" else message):
        enter(metric, loaded[metric], {"betta": 1.0})


def test_a_misspelt_option_is_recognised(metric):
    for wrong, right in (("betta", "beta"), ("tokeniser", "tokenizer"), ("source", "sources")):
        message = rf"^green has no option '{wrong}' \(did you mean '{right}'\?\); its options are"
        with pytest.raises(TypeError, match=message):
            metric.compute(**TEXTS, **{wrong: 1})
        with pytest.raises(TypeError, match=message):
            compare({"A": PREDICTIONS}, *CORPUS[::2], **{wrong: 1})
    with pytest.raises(TypeError, match=r"^green has no option 'xyz'; its options are"):
        metric.compute(**TEXTS, xyz=1)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("make", "without", "fixed"),
    [
        (Options.make, [], {}),
        (Options.make_for_parts, ["paired"], {}),
        (
            lambda metric, given: Options.make_for_sentence(metric, given, detailed=True),
            OF_A_SENTENCE,
            {"level": "sentence", "detailed": True},
        ),
    ],
    ids=["systems", "parts", "sentence"],
)
def test_options_for_systems_parts_and_a_sentence(metric, make, without, fixed):
    """What a metric has is taken; what it lacks is refused, even with its default."""
    for name in DEFAULTS.keys() - {"metric"}:
        given = {name: default(metric, name)}
        if name in option_names(metric) and name not in without:
            assert make(metric, given) == Options(metric=metric, **fixed)
        else:
            with pytest.raises(ValueError, match=f"^{metric} has no option '{name}'"):
                make(metric, given)


def test_options_that_are_not_the_users_to_set():
    with pytest.raises(ValueError, match=r"^green has no option 'level'; its options are tok"):
        Options.make_for_sentence("green", {"level": "corpus"}, detailed=False)
    for make in (Options.make, Options.make_for_parts):
        with pytest.raises(ValueError, match=r"^green has no option 'seed'; its options are"):
            make("green", {"seed": 1}, seed=7)
        assert make("green", {}, seed=7).seed == 7


@pytest.mark.parametrize("door", PIECES)
def test_pieces_take_one_beta_and_no_single_sentences(door, loaded):
    _, enter = DOORS[door]
    with pytest.raises(ValueError, match=r"^beta must be one number here, not .1.*2"):
        enter("green", loaded["green"], {"beta": [1, 2]})
    with pytest.raises(ValueError, match="so level must be 'corpus' or 'mean', not 'sentence'"):
        enter("green", loaded["green"], {"level": "sentence"})


OTHER_VALUES = {
    "tokenizer": "char",
    "max_order": 3,
    "beta": 0.7,
    "level": "mean",
    "effective_order": True,
    "formula": "paper",
    "iterations": 7,
    "max_unchanged_words": 1,
    "ignore_case": True,
    "strip": True,
    "n_resamples": 10,
    "confidence_level": 0.8,
    "seed": 7,
    "paired": "ar",
}


@pytest.mark.parametrize("metric", METRICS)
def test_every_option_has_a_check_and_a_part_of_the_signature(metric):
    """But for `detailed`, which changes no figure."""
    resampled = {"n_resamples": 20}
    for name in set(option_names(metric)) - {"detailed", "selection"}:
        with pytest.raises((TypeError, ValueError), match=name):
            Options(metric=metric, **{name: object()})
        before = Options(metric=metric, **resampled)
        after = Options(metric=metric, **{**resampled, name: OTHER_VALUES[name]})
        assert before.signature([1]) != after.signature([1])
    for selection in SELECTIONS.get(metric, ())[1:]:
        options = Options(metric=metric, level="mean", selection=selection)
        assert options.signature([1]) != options.replace(selection=None).signature([1])
