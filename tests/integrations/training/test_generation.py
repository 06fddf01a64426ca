"""The callback that generates, in real trainers of transformers and TRL, with tiny models."""

import copy
import math
from functools import partial

import numpy as np
import pytest
from datasets import Dataset
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, documented_code

from green_gec import generation_callback, score

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

# Random models write odd texts.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*did not end:UserWarning", "ignore:.*pin_memory"),
]

SOURCES, REFERENCES = EXAMPLE_SOURCES[:24], EXAMPLE_REFERENCES[:24]
FIRST = [references[0] for references in REFERENCES]
SETTINGS = {
    "per_device_eval_batch_size": 7,
    "per_device_train_batch_size": 8,
    "learning_rate": 0.02,
    "report_to": "none",
    "use_cpu": True,
    "bf16": False,
    "disable_tqdm": True,
}


def prompt(source):
    return f"{source} :"


@pytest.fixture
def sft(tokenizer, decoder, tmp_path):
    """Make an `SFTTrainer` of prompts and completions."""
    trl = pytest.importorskip("trl")

    def make(callbacks=(), **arguments):
        completions = [f" {text} </s>" for text in FIRST]
        columns = {"prompt": list(map(prompt, SOURCES)), "completion": completions}
        return trl.SFTTrainer(
            decoder,
            trl.SFTConfig(str(tmp_path), **{**SETTINGS, **arguments}),
            train_dataset=Dataset.from_dict(columns),
            eval_dataset=Dataset.from_dict(columns),
            processing_class=tokenizer,
            callbacks=list(callbacks),
        )

    return make


@pytest.fixture
def plain(tokenizer, decoder, tmp_path):
    """Make a `Trainer` of whole texts."""

    def make(callbacks=(), eval_dataset=None, model=decoder, **arguments):
        texts = [f"{prompt(s)} {r}" for s, r in zip(SOURCES, FIRST, strict=True)]
        dataset = Dataset.from_dict({"input_ids": tokenizer(texts)["input_ids"]})
        return transformers.Trainer(
            model,
            transformers.TrainingArguments(str(tmp_path), **{**SETTINGS, **arguments}),
            train_dataset=dataset,
            eval_dataset=eval_dataset or dataset,
            data_collator=transformers.DataCollatorForLanguageModeling(tokenizer, mlm=False),
            processing_class=tokenizer,
            callbacks=list(callbacks),
        )

    return make


def corrections(model, tokenizer, texts, max_new_tokens=20):
    """What the model goes on with, token by token, one sentence at a time."""
    model.eval()
    found = []
    for text in texts:
        ids = [tokenizer.convert_tokens_to_ids(word) for word in text.split()]
        n_given = len(ids)
        while len(ids) < n_given + max_new_tokens:
            with torch.no_grad():
                ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
            if ids[-1] == tokenizer.eos_token_id:
                break
        found.append(tokenizer.decode(ids[n_given:], skip_special_tokens=True))
    return found


def history(trainer, name="eval_green"):
    return [entry[name] for entry in trainer.state.log_history if name in entry]


KWARGS = {"generation_kwargs": {"max_new_tokens": 20}}


def test_supervised_fine_tuning(sft, tokenizer):
    """The value is logged, the best model kept, and training stopped by it."""
    trainer = sft(
        # Before ours, as in the Trainer's arguments.
        callbacks=[transformers.EarlyStoppingCallback(early_stopping_patience=2)],
        eval_strategy="steps",
        save_strategy="steps",
        eval_steps=4,
        save_steps=4,
        max_steps=80,
        metric_for_best_model="green",
        load_best_model_at_end=True,
    )
    callback = generation_callback(trainer, SOURCES, REFERENCES, prompt, **KWARGS)
    trainer.add_callback(callback)
    trainer.train()
    values = history(trainer)
    assert len(set(values)) > 2  # it learns something
    assert len(values) == len(history(trainer, "eval_loss"))
    assert trainer.state.best_metric == max(values)
    assert trainer.state.global_step < 80
    assert len(values) - 1 - values.index(max(values)) == 2

    evaluated = trainer.evaluate()  # the best model, which was loaded
    made = corrections(trainer.model, tokenizer, map(prompt, SOURCES))
    assert callback.answers == made
    expected = score(SOURCES, made, REFERENCES)
    assert {name: evaluated[f"eval_{name}"] for name in expected} == expected
    assert evaluated["eval_green"] == max(values)
    assert all(type(evaluated[f"eval_{name}"]) is float for name in expected)


def test_a_plain_trainer(plain, tokenizer):
    trainer = plain(max_steps=12, eval_strategy="steps", eval_steps=6)
    callback = generation_callback(
        trainer, SOURCES, REFERENCES, prompt, **KWARGS, tokenizer="char", n_resamples=20, seed=7
    )
    trainer.add_callback(callback)
    trainer.train()
    made = corrections(trainer.model, tokenizer, map(prompt, SOURCES))
    assert callback.completions == made
    expected = score(SOURCES, made, REFERENCES, tokenizer="char", n_resamples=20, seed=7)
    low, high = expected.pop("confidence_interval")
    expected |= {"green_low": low, "green_high": high}
    assert {name: history(trainer, f"eval_{name}")[-1] for name in expected} == expected


@pytest.mark.parametrize("batch_size", [1, 5, 100])
def test_batches_are_padded_on_the_left(plain, tokenizer, batch_size):
    trainer = plain(max_steps=25)
    trainer.train()
    callback = generation_callback(
        trainer, SOURCES, REFERENCES, prompt, batch_size=batch_size, **KWARGS
    )
    trainer.add_callback(callback)
    tokenizer.padding_side = "right"
    trainer.evaluate()
    made = corrections(trainer.model, tokenizer, map(prompt, SOURCES))
    assert callback.answers == made
    assert len(set(made)) > 2
    assert tokenizer.padding_side == "right"


def test_prompts_that_a_tokenizer_ends(plain, tokenizer):
    """This one ends every text, after which a model has nothing to add."""
    assert tokenizer(prompt("I")).input_ids[-1] == tokenizer.eos_token_id
    trainer = plain()
    callback = generation_callback(trainer, SOURCES[:2], FIRST[:2], prompt)
    ids = tokenizer.convert_tokens_to_ids(prompt(SOURCES[0]).split())
    assert callback._prompts[0] == ids
    ended = generation_callback(trainer, SOURCES[:1], FIRST[:1], lambda text: f"{text} </s>")
    assert ended._prompts == [[*ids[:-1], tokenizer.eos_token_id, tokenizer.eos_token_id]]


TEMPLATE = (
    "{% for m in messages %}{{ m['content'] }} {% endfor %}"
    "{% if add_generation_prompt %}:{% endif %}"
)


def test_conversations(plain, tokenizer):
    trainer = plain(max_steps=20)
    trainer.train()
    tokenizer.chat_template = TEMPLATE
    callback = generation_callback(
        trainer, SOURCES, REFERENCES, lambda text: [{"role": "user", "content": text}], **KWARGS
    )
    trainer.add_callback(callback)
    found = trainer.evaluate()
    made = corrections(trainer.model, tokenizer, map(prompt, SOURCES))
    assert found["eval_green"] == score(SOURCES, made, REFERENCES)["green"]


def test_a_processor_with_a_chat_template_of_its_own(plain, tokenizer):
    class Processor(transformers.ProcessorMixin):
        attributes = ("tokenizer",)
        tokenizer_class = "PreTrainedTokenizerFast"

        def __init__(self, tokenizer, chat_template=None):
            super().__init__(tokenizer, chat_template=chat_template)

    trainer = plain()
    expected = generation_callback(trainer, SOURCES, FIRST, prompt)._prompts
    trainer.processing_class = Processor(tokenizer, chat_template=TEMPLATE)
    callback = generation_callback(
        trainer, SOURCES, FIRST, lambda text: [{"role": "user", "content": text}]
    )
    assert callback._prompts == expected


def test_prompts_that_begin_with_a_special_token(plain, tokenizer):
    """As those that a chat template made: a second one would confuse the model."""
    from tokenizers import processors

    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<unk> $A", special_tokens=[("<unk>", 0)]
    )
    tokenizer.bos_token = "<unk>"
    assert tokenizer("<unk> the").input_ids[:2] == [0, 0]
    given = {"sources": SOURCES[:1], "references": FIRST[:1]}
    once, added = (
        generation_callback(plain(), **given, prompt=lambda text, begin=begin: begin + text)
        for begin in ("<unk> ", "")
    )
    assert once._prompts == added._prompts
    assert once._prompts[0][0] == 0
    assert once._prompts[0][1] != 0


@pytest.mark.parametrize("kind", ["columns", "arrow"])
def test_texts_of_datasets(plain, kind, capsys):
    dataset = Dataset.from_dict({"source": SOURCES, "references": REFERENCES})
    columns = [dataset["source"], dataset["references"]]
    if kind == "arrow":
        columns = [dataset.data.column(name) for name in ("source", "references")]
    trainer = plain()
    callback = generation_callback(trainer, *columns, prompt, max_sentences=3, n_shown=1, **KWARGS)
    trainer.add_callback(callback)
    found = trainer.evaluate()
    assert found["eval_green"] == score(SOURCES[:3], callback.answers, REFERENCES[:3])["green"]
    assert f"reference 2  {REFERENCES[0][1]!r}" in capsys.readouterr().out


def test_several_callbacks(plain):
    """Another score, and another set of sentences under a name of its own."""
    trainer = plain(
        max_steps=2,
        eval_strategy="steps",
        eval_steps=2,
        save_steps=2,
        metric_for_best_model="half_green",
        load_best_model_at_end=True,
    )
    given = {"prompt": prompt, **KWARGS}
    for others in ({}, {"metric": "gleu"}, {"max_sentences": 12, "prefix": "eval_half"}):
        callback = generation_callback(trainer, SOURCES, FIRST, **given, **others)
        trainer.add_callback(callback)
    trainer.train()
    values = [history(trainer, f"eval_{name}") for name in ("green", "gleu", "half_green")]
    assert list(map(len, values)) == [1, 1, 1]
    assert trainer.state.best_metric == values[2][0]
    assert values[2][0] == score(SOURCES[:12], callback.answers, FIRST[:12])["green"]
    trainer.add_callback(generation_callback(trainer, SOURCES, FIRST, **given))
    with pytest.raises(ValueError, match="there is an eval_green already; give one of"):
        trainer.evaluate()


def test_what_a_tokenizer_would_clean_up(plain, tokenizer):
    """Tokenised texts stay tokenised, as the references are."""
    trainer = plain(max_steps=25)
    trainer.train()
    callback = generation_callback(trainer, SOURCES, REFERENCES, prompt, **KWARGS)
    trainer.add_callback(callback)
    trainer.evaluate()
    expected = callback.answers
    assert any(" ." in text for text in expected)
    tokenizer.clean_up_tokenization_spaces = True
    trainer.evaluate()
    assert callback.answers == expected


def test_answers_and_sentences_can_be_chosen(plain, capsys):
    trainer = plain(max_steps=20)
    trainer.train()
    callback = generation_callback(
        trainer,
        SOURCES,
        REFERENCES,
        prompt,
        answer=lambda text: text.partition(" ")[0],
        max_sentences=5,
        n_shown=2,
        **KWARGS,
    )
    trainer.add_callback(callback)
    found = trainer.evaluate()
    assert len(callback.answers) == 5
    assert callback.answers == [text.split(" ")[0] for text in callback.completions]
    assert found["eval_green"] == score(SOURCES[:5], callback.answers, REFERENCES[:5])["green"]
    shown = capsys.readouterr().out
    assert f"step 20, sentence 1\n  source       {SOURCES[0]!r}\n" in shown
    assert f"  completion   {callback.completions[1]!r}\n" in shown
    assert f"  answer       {callback.answers[1]!r}\n" in shown
    assert f"  reference 2  {REFERENCES[1][1]!r}\n" in shown
    assert "sentence 3" not in shown


def always(decoder, token):
    """Make a model write one token whatever it reads."""
    with torch.no_grad():
        decoder.lm_head.weight = torch.nn.Parameter(torch.zeros_like(decoder.lm_head.weight))
        decoder.transformer.ln_f.weight.zero_()
        decoder.transformer.ln_f.bias.fill_(1)
        decoder.lm_head.weight[token] = 1


def test_empty_completions(plain, tokenizer, decoder):
    """A model that ends at once corrects by deleting everything."""
    always(decoder, tokenizer.eos_token_id)
    trainer = plain()
    callback = generation_callback(trainer, SOURCES, REFERENCES, prompt)
    trainer.add_callback(callback)
    with pytest.warns(UserWarning, match="all 24 answers are empty, of completions like ''"):
        found = trainer.evaluate()
    assert callback.answers == [""] * 24
    assert found["eval_green"] == score(SOURCES, [""] * 24, REFERENCES)["green"]


def test_completions_that_do_not_end(plain, tokenizer, decoder):
    always(decoder, tokenizer.convert_tokens_to_ids("the"))
    trainer = plain()
    callback = generation_callback(trainer, SOURCES, REFERENCES, prompt, **KWARGS)
    trainer.add_callback(callback)
    message = r"24 of 24 completions did not end .*, like 'the the .*\"max_new_tokens\": 512"
    with pytest.warns(UserWarning, match=message):
        trainer.evaluate()
    assert callback.answers == [" ".join(["the"] * 20)] * 24


def test_a_limit_by_default(plain, tokenizer, decoder):
    always(decoder, tokenizer.convert_tokens_to_ids("the"))
    decoder.config.n_positions = 1024
    decoder.transformer.wpe = torch.nn.Embedding(1024, decoder.config.n_embd)
    trainer = plain()
    callback = generation_callback(trainer, SOURCES[:1], FIRST[:1], prompt)
    trainer.add_callback(callback)
    trainer.evaluate()
    assert len(callback.answers[0].split()) == 256
    trainer.model.config.n_positions = len(callback._prompts[0]) + 5  # as many as fit
    trainer.evaluate()
    assert len(callback.answers[0].split()) == 5
    trainer.model.config.n_positions = -1  # as XLNet says that it has no limit
    assert generation_callback(trainer, SOURCES[:1], FIRST[:1], prompt)
    trainer.model.config.n_positions = 1024
    config = transformers.GenerationConfig(max_new_tokens=3)
    for kwargs in ({"generation_config": config}, {"max_length": len(callback._prompts[0]) + 3}):
        other = generation_callback(
            trainer, SOURCES[:1], FIRST[:1], prompt, generation_kwargs=kwargs
        )
        other.on_evaluate(trainer.args, trainer.state, None, {"eval_runtime": 0})
        assert other.answers == ["the the the"]


@pytest.mark.parametrize(
    "arguments",
    [{"bf16": True}, {"bf16": True, "gradient_checkpointing": True}, {"bf16_full_eval": True}],
)
def test_precision_and_checkpointing_stay_as_they_are(plain, arguments):
    trainer = plain(max_steps=4, eval_strategy="steps", eval_steps=2, logging_steps=1, **arguments)
    callback = generation_callback(trainer, SOURCES, REFERENCES, prompt, **KWARGS)
    trainer.add_callback(callback)
    states, widths = [], []

    class Watch(transformers.TrainerCallback):
        def on_step_begin(self, *_, model, **__):
            flags = [getattr(each, "gradient_checkpointing", None) for each in model.modules()]
            states.append((flags, model.forward, {each.dtype for each in model.parameters()}))

    class Widths(torch.nn.Module):
        def forward(self, ids):
            widths.append(ids.shape[1])
            return embed(ids)

    embed, trainer.model.transformer.wte = trainer.model.transformer.wte, Widths()
    trainer.add_callback(Watch())
    trainer.train()
    before, *later = states
    assert (True in before[0]) is arguments.get("gradient_checkpointing", False)
    assert later == [before] * 3
    assert 1 in widths  # generation kept its cache
    assert len(history(trainer)) == 2
    assert all(math.isfinite(value) for value in history(trainer, "loss") + history(trainer))


def test_one_completion_per_sentence(plain):
    several = {"num_return_sequences": 2, "do_sample": True}
    configs = [transformers.GenerationConfig(**several, max_new_tokens=5)]
    configs += [transformers.GenerationConfig(return_dict_in_generate=True, max_new_tokens=5)]
    trainer = plain()
    for kwargs in (several, *({"generation_config": config} for config in configs)):
        callback = generation_callback(trainer, SOURCES, FIRST, prompt, generation_kwargs=kwargs)
        with pytest.raises(ValueError, match="one completion per sentence is scored"):
            callback.on_evaluate(trainer.args, trainer.state, None, {"eval_runtime": 0})


def test_prompts_of_different_lengths_have_their_room(plain, tokenizer, decoder):
    """A long one does not cut the answers to others, nor does a user's limit go too far."""
    always(decoder, tokenizer.convert_tokens_to_ids("the"))
    trainer = plain()
    sources = [SOURCES[0], " ".join(["the"] * 120)]
    for limit, expected in ({}, 117), ({"max_new_tokens": 500}, 117), ({"max_new_tokens": 9}, 9):
        callback = generation_callback(
            trainer, sources, sources, prompt, batch_size=1, generation_kwargs=limit
        )
        trainer.add_callback(callback)
        trainer.evaluate()
        trainer.remove_callback(callback)
        assert [len(text.split()) for text in callback.answers] == [expected, 7]


def test_ends_of_any_kind(plain, tokenizer, decoder, recwarn):
    the = tokenizer.convert_tokens_to_ids("the")
    always(decoder, the)
    trainer = plain()
    config = transformers.GenerationConfig(eos_token_id=[the, 5], max_new_tokens=5)
    for kwargs in ({"eos_token_id": (the,)}, {"eos_token_id": the}, {"generation_config": config}):
        callback = generation_callback(trainer, SOURCES, FIRST, prompt, generation_kwargs=kwargs)
        callback.on_evaluate(trainer.args, trainer.state, None, {"eval_runtime": 0})
        assert callback.answers == ["the"] * 24
    assert not [each for each in recwarn if "did not end" in str(each.message)]


def test_the_model_is_in_evaluation_mode(plain):
    """Without dropout, of which the Trainer takes care: the callback comes after its evaluation."""
    trainer = plain(max_steps=2, eval_strategy="steps", eval_steps=1)
    trainer.add_callback(generation_callback(trainer, SOURCES[:2], FIRST[:2], prompt, **KWARGS))
    generate, modes = trainer.model.generate, []

    def watched(**kwargs):
        modes.extend(module.training for module in trainer.model.modules())
        return generate(**kwargs)

    trainer.model.generate = watched
    trainer.train()
    assert modes
    assert not any(modes)


def test_training_is_the_same_with_and_without(plain, decoder):
    """Even if the callback samples, which draws random numbers."""
    models, sampled = [copy.deepcopy(decoder), decoder], []
    for model, is_watched in zip(models, (False, True), strict=True):
        trainer = plain(model=model, max_steps=6, eval_strategy="steps", eval_steps=3)
        if is_watched:
            # As in models for chats; a config without a word about it takes it from there.
            model.generation_config.do_sample = True
            kwargs = {"generation_config": transformers.GenerationConfig(max_new_tokens=10)}
            callback = generation_callback(
                trainer, SOURCES, REFERENCES, prompt, generation_kwargs=kwargs
            )
            trainer.add_callback(callback)
        trainer.train()
    for _ in range(2):  # sampled in the same way every time
        trainer.evaluate()
        sampled.append(callback.answers)
    assert sampled[0] == sampled[1]
    assert sampled[0] != corrections(model, trainer.processing_class, map(prompt, SOURCES), 10)
    one, other = (model.state_dict() for model in models)
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_several_evaluation_sets_and_other_prefixes(plain):
    some = Dataset.from_dict({"input_ids": [[3, 4, 5]]})
    trainer = plain(
        eval_dataset={"one": some, "two": some},
        max_steps=2,
        eval_strategy="steps",
        eval_steps=1,
        save_steps=1,
        metric_for_best_model="green",
        load_best_model_at_end=True,
    )
    callback = generation_callback(trainer, SOURCES, REFERENCES, prompt, **KWARGS)
    trainer.add_callback(callback)
    trainer.train()
    assert len(history(trainer)) == 2  # once per evaluation, not once per set
    assert trainer.state.best_metric == max(history(trainer))
    assert "eval_green" in trainer.evaluate("two")
    n_logged = len(history(trainer))
    assert "test_green" not in trainer.evaluate(trainer.eval_dataset["one"], None, "test")
    assert len(history(trainer)) == n_logged


def test_other_callbacks_see_the_score(plain):
    """Those that report to elsewhere, by `on_log`; all others by `on_evaluate`."""
    seen = []

    class Watch(transformers.TrainerCallback):
        def on_log(self, args, state, control, logs, **_):
            seen.extend(logs.get(name) for name in ("eval_green",) if name in logs)

        def on_evaluate(self, args, state, control, metrics, **_):
            seen.append(metrics["eval_green"])

    trainer = plain(callbacks=[Watch()], max_steps=1, eval_strategy="steps", eval_steps=1)
    trainer.add_callback(generation_callback(trainer, SOURCES, REFERENCES, prompt, **KWARGS))
    trainer.train()
    assert seen == history(trainer) * 2
    assert len(seen) == 2


def test_a_progress_bar(plain, capsys):
    trainer = plain(disable_tqdm=False)
    trainer.add_callback(generation_callback(trainer, SOURCES, REFERENCES, prompt, **KWARGS))
    trainer.evaluate()
    assert "Generating" in capsys.readouterr().err


def test_scores_without_sources(plain):
    trainer = plain(max_steps=10)
    trainer.train()
    callback = generation_callback(trainer, SOURCES, REFERENCES, prompt, "bleu", **KWARGS)
    trainer.add_callback(callback)
    found = trainer.evaluate()
    assert found["eval_bleu"] == score(None, callback.answers, REFERENCES, "bleu")["bleu"]


TWO = """
import transformers
from datasets import Dataset
from green_gec import generation_callback
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES
from tiny_models import decoder, word_tokenizer

n = 9
texts = EXAMPLE_SOURCES[:n], EXAMPLE_REFERENCES[:n]
tokenizer = word_tokenizer()
rows = [f"{source} : {references[0]}" for source, references in zip(*texts)]
dataset = Dataset.from_dict({"input_ids": tokenizer(rows)["input_ids"]})
arguments = transformers.TrainingArguments(
    "out", learning_rate=0.02, report_to="none", use_cpu=True, disable_tqdm=True, max_steps=6,
    per_device_train_batch_size=4, eval_strategy="steps", eval_steps=3, save_strategy="no",
    log_level="error",
)
trainer = transformers.Trainer(
    decoder(tokenizer), arguments, train_dataset=dataset, eval_dataset=dataset,
    data_collator=transformers.DataCollatorForLanguageModeling(tokenizer, mlm=False),
    processing_class=tokenizer,
)
trainer.remove_callback(transformers.PrinterCallback)
callback = generation_callback(
    trainer, *texts, lambda text: text + " :", generation_kwargs={"max_new_tokens": 20},
)
trainer.add_callback(callback)
made = []
generate = trainer.model.generate
trainer.model.generate = lambda **given: made.append(len(given["input_ids"])) or generate(**given)
trainer.train()
print(callback.answers)
print([entry["eval_green"] for entry in trainer.state.log_history if "eval_green" in entry])
print(sum(made))
"""


def test_two_processes_share_the_work(torchrun):
    """Both have all answers and the same score, and each generated half of them."""
    one, other = torchrun(TWO)
    assert one[:2] == other[:2]
    answers, values, n_one = one
    assert values[-1] == score(SOURCES[:9], answers, REFERENCES[:9])["green"]
    assert len(values) == 2
    assert n_one == other[2] == 2 * 5


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"sources": SOURCES[1:]}, ValueError, "got 23 sources, 24 references"),
        ({"sources": [*SOURCES[1:], None]}, TypeError, r"sources\[23\] must be a string"),
        ({"references": [*FIRST[1:], 3]}, TypeError, r"references\[23\] must be a string or"),
        ({"references": [*FIRST[1:], []]}, ValueError, r"references\[23\] is empty"),
        ({"sources": [], "references": []}, ValueError, "no sentences"),
        ({"prompt": "Correct: {}"}, TypeError, "prompt must be a function"),
        ({"prompt": lambda text: None}, TypeError, r"prompt returned None for sources\[0\]"),
        ({"prompt": lambda text: ""}, ValueError, r"prompt for sources\[0\] has 0 tokens"),
        ({"prompt": lambda text: [{"role": "user", "content": text}]}, ValueError, "chat template"),
        ({"answer": None}, TypeError, "answer must be a function"),
        (
            {"generation_kwargs": {"generation_config": {"max_new_tokens": 5}}},
            AttributeError,
            "'dict' object has no attribute",
        ),
        ({"prefix": "half"}, ValueError, "prefix must be 'eval' or begin with 'eval_', not 'half'"),
        ({"prefix": None}, ValueError, "prefix must be 'eval' or begin with 'eval_', not None"),
        ({"generation_kwargs": [1]}, TypeError, "dictionary"),
        (
            {"prompt": lambda text: f"{text} " * 30},
            ValueError,
            r"prompt for sources\[0\] has 300 tokens; .* has 128 positions",
        ),
        ({"batch_size": 0}, ValueError, "batch_size must be a whole number of at least 1"),
        ({"max_sentences": 0}, ValueError, "max_sentences must be a whole number of at least 1"),
        ({"n_shown": -1}, ValueError, "n_shown must be a whole number of at least 0"),
        ({"detailed": True}, ValueError, "detailed must be False"),
        ({"blue": 1}, TypeError, "green has no option 'blue'"),
        ({"level": "sentence"}, ValueError, "level must be 'corpus' or 'mean'"),
    ],
)
def test_mistakes_are_found_before_the_training(plain, given, error, message):
    given = {"sources": SOURCES, "references": FIRST, "prompt": prompt, **given}
    with pytest.raises(error, match=message):
        generation_callback(plain(), **given)


def test_trainers_that_do_not_fit(plain):
    trainer = plain()
    trainer.model.config.is_encoder_decoder = True
    with pytest.raises(ValueError, match="use a Seq2SeqTrainer"):
        generation_callback(trainer, SOURCES, FIRST, prompt)
    trainer.model.config.is_encoder_decoder = False
    trainer.processing_class = None
    with pytest.raises(ValueError, match="processing_class=tokenizer"):
        generation_callback(trainer, SOURCES, FIRST, prompt)


def test_answers_that_are_no_texts(plain):
    trainer = plain()
    trainer.add_callback(
        generation_callback(trainer, SOURCES, FIRST, prompt, answer=lambda text: None, **KWARGS)
    )
    with pytest.raises(TypeError, match=r"answers\[0\] must be a string, not None"):
        trainer.evaluate()


@pytest.mark.parametrize("source", ["He go .", '"He go ."'])
def test_the_default_answer_knows_the_source(plain, tokenizer, decoder, source):
    """A sentence in quotes stays in quotes, and others lose those that the model writes."""
    tokenizer.add_tokens('"the"')
    decoder.resize_token_embeddings(len(tokenizer))
    always(decoder, tokenizer.convert_tokens_to_ids('"the"'))
    trainer = plain()
    callback = generation_callback(
        trainer, [source], ["He goes ."], prompt, generation_kwargs={"max_new_tokens": 1}
    )
    trainer.add_callback(callback)
    trainer.evaluate()
    assert callback.completions == ['"the"']
    assert callback.answers == ['"the"' if source.startswith('"') else "the"]


def test_the_documented_callback(tokenizer, decoder, tmp_path, monkeypatch):
    trl = pytest.importorskip("trl")
    monkeypatch.chdir(tmp_path)
    # TRL's own defaults are for graphics cards.
    monkeypatch.setattr(trl, "SFTConfig", partial(trl.SFTConfig, use_cpu=True, bf16=False))
    tokenizer.chat_template = TEMPLATE
    dataset = Dataset.from_dict(
        {
            "messages": [
                [{"role": "user", "content": source}, {"role": "assistant", "content": first}]
                for source, first in zip(SOURCES, FIRST, strict=True)
            ]
        }
    )
    names = {"train_set": dataset, "eval_set": dataset, "model": decoder, "tokenizer": tokenizer}
    names |= {"sources": SOURCES, "references": REFERENCES}
    exec(documented_code("generation_callback("), names)
    state = names["trainer"].state
    assert len(history(names["trainer"])) == 3  # epochs
    assert state.best_metric == max(history(names["trainer"]))
    assert np.isfinite(state.best_metric)
