"""The hook in a real `Trainer`, with a tiny random encoder–decoder."""

import re
import shutil
import warnings

import evaluate
import numpy as np
import pytest
from datasets import Dataset
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, SYSTEMS, documented_code

from green_gec import options, score

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

SOURCES = EXAMPLE_SOURCES[:24]
FIRST, SECOND = map(list, zip(*EXAMPLE_REFERENCES[:24], strict=True))


@pytest.fixture
def model(tokenizer):
    torch.manual_seed(0)
    config = transformers.T5Config(
        vocab_size=len(tokenizer),
        d_model=32,
        d_ff=64,
        d_kv=8,
        num_layers=1,
        num_heads=2,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
    )
    model = transformers.T5ForConditionalGeneration(config)
    model.generation_config.max_length = 24
    return model


@pytest.fixture
def dataset(tokenizer):
    ids = tokenizer(SOURCES)["input_ids"]
    return Dataset.from_dict({"input_ids": ids, "labels": tokenizer(FIRST)["input_ids"]})


@pytest.fixture
def train(tokenizer, model, dataset, tmp_path):
    """Make a trainer, by default one that generates."""

    def make(hook, kind="Seq2SeqTrainer", callbacks=(), **arguments):
        settings = {
            "include_for_metrics": ["inputs"],
            "per_device_eval_batch_size": 7,
            "per_device_train_batch_size": 8,
            "learning_rate": 0.01,
            "report_to": "none",
            "use_cpu": True,
            "disable_tqdm": True,
        }
        if kind == "Seq2SeqTrainer":
            settings["predict_with_generate"] = True
        settings |= arguments
        trainer = getattr(transformers, kind)(
            model,
            getattr(transformers, f"{kind.removesuffix('er')}ingArguments")(tmp_path, **settings),
            train_dataset=dataset,
            eval_dataset=dataset,
            data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model),
            processing_class=tokenizer,
            compute_metrics=hook,
            callbacks=list(callbacks),
        )
        return trainer

    return make


def decode(tokenizer, ids):
    ids = np.where(ids < 0, tokenizer.pad_token_id, ids)
    return tokenizer.batch_decode(ids, skip_special_tokens=True)


def logged(metrics, prefix="eval_"):
    names = ("green", "precision", "recall")
    return {name: metrics[prefix + name] for name in names}


def test_training_with_early_stopping(metric, tokenizer, train):
    trainer = train(
        metric.trainer_hook(tokenizer),
        callbacks=[transformers.EarlyStoppingCallback(early_stopping_patience=2)],
        eval_strategy="steps",
        save_strategy="steps",
        eval_steps=2,
        save_steps=2,
        max_steps=60,
        metric_for_best_model="green",
        load_best_model_at_end=True,
    )
    trainer.train()
    history = [entry for entry in trainer.state.log_history if "eval_green" in entry]
    values = [entry["eval_green"] for entry in history]
    assert len(set(values)) > 1  # it learns something
    assert trainer.state.best_metric == max(values)
    # It stopped because the best value was two evaluations ago.
    assert trainer.state.global_step < 60
    assert len(values) - 1 - values.index(max(values)) == 2

    predicted = trainer.predict(trainer.eval_dataset, metric_key_prefix="eval")
    corrections = decode(tokenizer, predicted.predictions)
    assert decode(tokenizer, predicted.label_ids) == FIRST
    assert logged(predicted.metrics) == score(SOURCES, corrections, FIRST)
    assert predicted.metrics["eval_green"] == max(values)
    assert all(type(value) is float for value in logged(predicted.metrics).values())


def test_the_documented_trainer(clone, tokenizer, model, dataset, tmp_path, monkeypatch):
    shutil.copytree(clone, tmp_path / "green")
    monkeypatch.chdir(tmp_path)
    names = {"train_set": dataset, "eval_set": dataset, "model": model, "tokenizer": tokenizer}
    exec(documented_code("trainer_hook("), names)
    state = names["trainer"].state
    values = [entry["eval_green"] for entry in state.log_history if "eval_green" in entry]
    assert len(values) == 3  # epochs
    assert state.best_metric == max(values) > 0
    assert (tmp_path / "out").is_dir()


@pytest.mark.parametrize("options", [{}, {"level": "mean", "tokenizer": "char", "beta": 0.5}])
def test_batch_by_batch(metric, tokenizer, train, options):
    whole = train(metric.trainer_hook(tokenizer, SECOND, **options)).evaluate()
    hook = metric.trainer_hook(tokenizer, references=[[text] for text in SECOND], **options)
    trainer = train(hook, batch_eval_metrics=True)
    assert logged(trainer.evaluate()) == logged(whole)
    assert logged(trainer.evaluate()) == logged(whole)  # nothing is left of the first time
    corrections = decode(tokenizer, train(None).predict(trainer.eval_dataset).predictions)
    expected = score(SOURCES, corrections, list(zip(FIRST, SECOND, strict=True)), **options)
    assert logged(whole) == expected


def test_what_is_kept_of_batches_is_statistics(metric, tokenizer, train):
    hook = metric.trainer_hook(tokenizer)
    sizes = []

    class Watch(transformers.TrainerCallback):
        def on_prediction_step(self, *_, **__):
            sizes.append(hook._statistics.rows.size)

    train(hook, callbacks=[Watch()], batch_eval_metrics=True).evaluate()
    assert sizes == [0, 12, 12, 12]  # three counts for each of four orders


def test_without_generation(metric, tokenizer, train):
    """Logits, of two kinds of trainers; the model's other outputs are in a tuple with them."""
    for kind in ("Seq2SeqTrainer", "Trainer"):
        settings = {"predict_with_generate": False} if kind == "Seq2SeqTrainer" else {}
        trainer = train(metric.trainer_hook(tokenizer), kind, **settings)
        trainer.train()
        predicted = trainer.predict(trainer.eval_dataset, metric_key_prefix="eval")
        assert isinstance(predicted.predictions, tuple)
        ids = np.where(predicted.label_ids == -100, -100, predicted.predictions[0].argmax(-1))
        expected = score(SOURCES, decode(tokenizer, ids), FIRST)
        assert logged(predicted.metrics) == expected
        for settings_ in ({"batch_eval_metrics": True}, {"eval_do_concat_batches": False}):
            again = train(metric.trainer_hook(tokenizer), kind, **settings, **settings_)
            again.model = trainer.model
            assert logged(again.evaluate()) == expected


def prediction(tokenizer, predictions, labels=FIRST, inputs=SOURCES, width=40):
    """What a trainer passes for texts: padded with -100 or with the padding token."""

    def ids(texts, pad):
        rows = tokenizer(texts)["input_ids"]
        return np.array([row + [pad] * (width - len(row)) for row in rows])

    return transformers.EvalPrediction(
        ids(predictions, tokenizer.pad_token_id), ids(labels, -100), ids(inputs, -100)
    )


def of_width(texts, tokenizer, width, noise=None):
    """Logits of predicted texts, which go on with padding or with noise, and labels."""
    given = prediction(tokenizer, texts, width=width)
    if noise is not None:
        given.predictions[given.label_ids == -100] = noise
    given.predictions = np.eye(len(tokenizer), dtype=np.float32)[given.predictions]
    return given


def test_logits_that_run_past_the_label(metric, tokenizer):
    """Tokens after the label are noise."""
    others = FIRST[1:] + FIRST[:1]
    given = of_width(others, tokenizer, 40)
    hook = metric.trainer_hook(tokenizer)
    ids = np.where(given.label_ids == -100, -100, given.predictions.argmax(-1))
    expected = score(SOURCES, decode(tokenizer, ids), FIRST)
    assert hook(given) == expected
    given.predictions = ((given.predictions, None), None)
    assert hook(given) == expected
    for noise in (".", "</s>", "<unk>", "<pad>"):
        noisy = of_width(FIRST, tokenizer, 40, tokenizer.convert_tokens_to_ids(noise))
        assert hook(noisy)["green"] == 1.0
    # Labels of another length say nothing about it.
    expected = score(SOURCES, others, FIRST)
    given = of_width(others, tokenizer, 40)
    given.label_ids = np.pad(given.label_ids, ((0, 0), (0, 3)), constant_values=-100)
    assert hook(given) == expected


@pytest.mark.parametrize("pad", ["<pad>", "<unk>", "</s>"])
def test_logits_of_batches_of_different_lengths(metric, tokenizer, pad):
    """They are filled up with -100, and the first token, here <unk>, seems to be the best."""
    bare = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer.backend_tokenizer, eos_token="</s>", pad_token=pad
    )
    given = of_width(FIRST, tokenizer, 40, tokenizer.convert_tokens_to_ids("."))
    given.predictions[:, -1, tokenizer.eos_token_id] = 2  # the noise ends, which changes nothing
    hook = metric.trainer_hook(bare)
    alone = hook(given)
    given.predictions = np.pad(given.predictions, ((0, 0), (0, 9), (0, 0)), constant_values=-100)
    given.label_ids = np.pad(given.label_ids, ((0, 0), (0, 9)), constant_values=-100)
    assert hook(given) == alone
    assert alone["green"] == 1.0


def test_tensors(metric, tokenizer):
    """Batch by batch, a Trainer passes tensors, of whatever precision."""
    expected = score(SOURCES, SECOND, FIRST)
    given = of_width(SECOND, tokenizer, 40)
    for dtype in (torch.float32, torch.bfloat16):
        tensors = transformers.EvalPrediction(
            torch.tensor(given.predictions, dtype=dtype, requires_grad=True),
            torch.tensor(given.label_ids),
            transformers.BatchEncoding({"input_ids": torch.tensor(given.inputs)}),
        )
        assert metric.trainer_hook(tokenizer)(tensors) == expected


def test_evaluations_without_anything(metric, tokenizer):
    hook = metric.trainer_hook(tokenizer)
    given = prediction(tokenizer, SECOND)
    none = transformers.EvalPrediction(*(ids[:0] for ids in given))
    with pytest.raises(ValueError, match="there are no sentences to score"):
        hook(none)
    assert hook(none, compute_result=False) == {}
    assert hook(given) == score(SOURCES, SECOND, FIRST)
    without = transformers.EvalPrediction(given.predictions, None, given.inputs)
    with pytest.raises(ValueError, match="the Trainer passed no labels"):
        hook(without)
    other = transformers.EvalPrediction(given.predictions, given.label_ids, {"pixels": None})
    with pytest.raises(ValueError, match="passed no inputs"):
        hook(other)


def test_a_tokenizer_without_padding(metric, tokenizer):
    given = prediction(tokenizer, SECOND)
    given.predictions[given.predictions == tokenizer.pad_token_id] = -100
    bare = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer.backend_tokenizer, unk_token="<unk>", eos_token="</s>"
    )
    assert bare.pad_token_id is None
    assert metric.trainer_hook(bare)(given) == score(SOURCES, SECOND, FIRST)


def test_options_of_the_hook(clone, metric, tokenizer):
    given = prediction(tokenizer, SECOND)
    expected = score(SOURCES, SECOND, FIRST, tokenizer="char", n_resamples=20, seed=7)
    found = metric.trainer_hook(tokenizer, tokenizer="char", n_resamples=20)(given)
    low, high = expected.pop("confidence_interval")
    assert found == {**expected, "green_low": low, "green_high": high}
    assert metric.trainer_hook(tokenizer=tokenizer)(given) == score(SOURCES, SECOND, FIRST)
    # Sources where the model's inputs have more in them.
    prefixed = prediction(tokenizer, SECOND, inputs=[f". . . {text}" for text in SOURCES])
    hook = metric.trainer_hook(tokenizer, sources=SOURCES)
    assert hook(prefixed) == score(SOURCES, SECOND, FIRST)
    # Other scores, of which some need no inputs.
    for name in ("gleu", "bleu"):
        other = evaluate.load(str(clone), name)
        given.inputs = given.inputs if name == "gleu" else None
        expected = score(SOURCES if name == "gleu" else None, SECOND, FIRST, name)
        assert other.trainer_hook(tokenizer)(given) == expected


def test_options_of_the_loaded_metric_are_defaults(clone, tokenizer):
    given = prediction(tokenizer, SECOND)
    loaded = evaluate.load(str(clone), tokenizer="char", beta=1, seed=7)
    expected = score(SOURCES, SECOND, FIRST, tokenizer="char", beta=1)
    assert loaded.trainer_hook(tokenizer)(given) == expected
    assert loaded.trainer_hook(tokenizer=tokenizer)(given) == expected
    words = loaded.trainer_hook(tokenizer, tokenizer="word", max_order=2)(given)
    assert words == score(SOURCES, SECOND, FIRST, beta=1, max_order=2)


def test_the_trainers_argument_is_named(metric, tokenizer, train):
    hook = metric.trainer_hook(tokenizer)
    for batch_by_batch in (False, True):
        trainer = train(hook, include_for_metrics=[], batch_eval_metrics=batch_by_batch)
        with pytest.raises(ValueError, match=re.escape('set include_for_metrics=["inputs"]')):
            trainer.evaluate()
    expected = score(SOURCES, SECOND, FIRST)
    assert hook(prediction(tokenizer, SECOND)) == expected


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"references": FIRST[1:]}, ValueError, "got 23 references, but the evaluation set has 24"),
        ({"sources": [*SOURCES, ""]}, ValueError, "got 25 sources, but .* has 24 sentences; give"),
    ],
)
def test_lists_that_do_not_fit(metric, tokenizer, options, error, message):
    hook = metric.trainer_hook(tokenizer, **options)
    with pytest.raises(error, match=message):
        hook(prediction(tokenizer, FIRST))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"references": [*FIRST, 3]}, r"references\[24\] must be a string or a list of strings"),
        ({"references": [*FIRST, ["a", 3]]}, r"references\[24\]\[1\] must be a string, not 3"),
        ({"references": "abc"}, "references must be a list"),
        ({"sources": ["a", None]}, r"sources\[1\] must be a string, not None"),
    ],
)
def test_lists_of_something_else(metric, tokenizer, options, message):
    """Are refused before the training begins."""
    with pytest.raises(TypeError, match=message):
        metric.trainer_hook(tokenizer, **options)


def test_sentences_without_further_references(metric, tokenizer):
    some = [SECOND[i] if i % 2 else [] for i in range(len(SECOND))]
    found = metric.trainer_hook(tokenizer, references=some)(prediction(tokenizer, SECOND))
    references = [[text] + [other] * bool(other) for text, other in zip(FIRST, some, strict=True)]
    assert found == score(SOURCES, SECOND, references)


def test_more_sentences_than_references_batch_by_batch(metric, tokenizer):
    hook = metric.trainer_hook(tokenizer, references=SECOND[:30])
    given = prediction(tokenizer, SECOND)
    assert hook(given, compute_result=False) == {}
    with pytest.raises(ValueError, match="has 48 sentences or more"):
        hook(given, compute_result=False)
    assert hook(given) == score(SOURCES, SECOND, list(zip(FIRST, SECOND, strict=True)))


def test_a_broken_off_evaluation_is_forgotten(metric, tokenizer):
    hook = metric.trainer_hook(tokenizer)
    hook(prediction(tokenizer, SOURCES), compute_result=False)
    hook.reset()
    assert hook(prediction(tokenizer, SECOND)) == score(SOURCES, SECOND, FIRST)


def test_inputs_of_one_process_only(metric, tokenizer):
    given = prediction(tokenizer, SECOND)
    given.inputs = {"input_ids": given.inputs[:12]}
    with pytest.raises(ValueError, match=r"passed 24 predictions, but 12 inputs, .* sources="):
        metric.trainer_hook(tokenizer)(given)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"level": "sentence"}, ValueError, "level must be 'corpus' or 'mean'"),
        ({"beta": [1, 2]}, ValueError, "beta must be one number here"),
        ({"detailed": True}, ValueError, "detailed must be False"),
        ({"blue": 1}, TypeError, "green has no option 'blue'"),
        ({"max_order": 0}, ValueError, "max_order must be a whole number"),
    ],
)
def test_options_that_are_no_single_number(metric, tokenizer, options, error, message):
    with pytest.raises(error, match=message):
        metric.trainer_hook(tokenizer, **options)


def test_a_hook_needs_a_tokenizer(metric):
    for given in ((), ("word",)):
        with pytest.raises(TypeError, match="needs the model's tokenizer"):
            metric.trainer_hook(*given)


class Decoder:
    """Token ids are positions in a list of texts."""

    def __init__(self, texts):
        self.texts = texts

    def batch_decode(self, rows, skip_special_tokens):
        return [self.texts[row[0]] for row in rows]


@pytest.fixture
def unspaced():
    """Predictions whose punctuation is attached, as a Trainer passes them; their texts."""
    predictions = [re.sub(r" (?=[.,])", "", text) for text in SYSTEMS["careful"]]
    references = [first for first, _ in EXAMPLE_REFERENCES]
    texts = [*predictions, *references, *EXAMPLE_SOURCES]
    ids = np.arange(len(texts)).reshape(3, -1, 1)
    return transformers.EvalPrediction(ids[0], ids[1], inputs=ids[2]), texts


@pytest.mark.parametrize("name", options.TOKENIZERS)
def test_every_tokenizer(metric, unspaced, name):
    prediction, texts = unspaced
    n = len(EXAMPLE_SOURCES)
    expected = score(texts[2 * n :], texts[:n], texts[n : 2 * n], tokenizer=name)
    assert metric.trainer_hook(Decoder(texts), tokenizer=name)(prediction) == expected


def test_a_hook_warns_of_each_kind_once(metric, unspaced):
    prediction, texts = unspaced
    hook = metric.trainer_hook(Decoder(texts))
    with pytest.warns(UserWarning, match="attached to a word") as caught:
        hook(prediction)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hook(prediction)
