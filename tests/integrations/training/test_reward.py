"""GREEN as a reward in a real `GRPOTrainer` with a tiny random model."""

import numpy as np
import pytest
from datasets import Dataset
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, documented_code

from green_gec import reward, score

SOURCES = EXAMPLE_SOURCES[:24]
FIRST = [first for first, _ in EXAMPLE_REFERENCES[:24]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("conversational", [False, True])
def test_reinforcement_learning(tokenizer, decoder, tmp_path, conversational):
    trl = pytest.importorskip("trl")
    prompts = SOURCES
    if conversational:
        tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
        prompts = [[{"role": "user", "content": text}] for text in SOURCES]
    seen = []

    def watched(completions, **columns):
        found = reward(completions, **columns)
        seen.extend(zip(completions, columns["source"], columns["references"], found, strict=True))
        return found

    trainer = trl.GRPOTrainer(
        decoder,
        reward_funcs=[reward(beta=1), watched],
        args=trl.GRPOConfig(
            tmp_path,
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=8,
            max_steps=2,
            logging_steps=1,
            report_to="none",
            use_cpu=True,
            bf16=False,
            disable_tqdm=True,
        ),
        train_dataset=Dataset.from_dict(
            {"prompt": prompts, "source": SOURCES, "references": [[text] for text in FIRST]}
        ),
        processing_class=tokenizer,
    )
    trainer.train()
    assert len(seen) == 8
    completions, sources, references, rewards = zip(*seen, strict=True)
    texts = [c[-1]["content"] if conversational else c for c in completions]
    options = {"level": "sentence", "effective_order": True}
    assert list(rewards) == score(sources, texts, references, **options)["green"]
    log = [entry for entry in trainer.state.log_history if "rewards/green/mean" in entry]
    means = [entry["rewards/watched/mean"] for entry in log]
    assert means == pytest.approx([np.mean(rewards[:4]), np.mean(rewards[4:])], rel=1e-5)
    of_beta_1 = score(sources, texts, references, beta=1, **options)["green"]
    means = [entry["rewards/green/mean"] for entry in log]
    assert means == pytest.approx([np.mean(of_beta_1[:4]), np.mean(of_beta_1[4:])], rel=1e-5)


@pytest.mark.filterwarnings("ignore")
def test_the_documented_rewards(tokenizer, decoder, tmp_path, monkeypatch):
    trl = pytest.importorskip("trl")
    monkeypatch.chdir(tmp_path)
    tokenizer.save_pretrained("policy")
    decoder.save_pretrained("policy")
    columns = {"prompt": SOURCES, "source": SOURCES, "references": FIRST}
    arguments = trl.GRPOConfig(use_cpu=True, bf16=False, report_to="none", max_steps=1)
    names = {"model": "policy", "dataset": Dataset.from_dict(columns), "arguments": arguments}
    exec(documented_code("GRPOTrainer("), names)
    assert names["trainer"].reward_func_names == ["reward"]
