"""A tokenizer of the words of the examples, and tiny random models."""

import torch
import transformers
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES
from tokenizers import Tokenizer, models, pre_tokenizers, processors

TEXTS = [*EXAMPLE_SOURCES, *(text for texts in EXAMPLE_REFERENCES for text in texts)]


def word_tokenizer(texts=TEXTS, end=True):
    """Words, an end and a padding, which is not the first token; `end` marks the end of texts."""
    words = sorted({word for text in texts for word in text.split()})
    names = ["<unk>", "</s>", "<pad>", *words]
    model = models.WordLevel({name: i for i, name in enumerate(names)}, unk_token="<unk>")
    built = Tokenizer(model)
    built.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if end:
        built.post_processor = processors.TemplateProcessing(
            single="$A </s>", special_tokens=[("</s>", 1)]
        )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=built, unk_token="<unk>", eos_token="</s>", pad_token="<pad>"
    )


def decoder(tokenizer, n_positions=128):
    """A GPT-2 with one layer."""
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=16,
        n_layer=1,
        n_head=2,
        n_positions=n_positions,
        bos_token_id=tokenizer.eos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return transformers.GPT2LMHeadModel(config)


def save_chat_model(folder):
    """A decoder and its tokenizer with a chat template, as `from_pretrained` loads them."""
    tokenizer = word_tokenizer(end=False)
    # The words of the template are the examples', so that it changes what the model reads.
    turn = "{{ message['role'] }} : {{ message['content'] }} "
    tokenizer.chat_template = f"My sister {{% for message in messages %}}{turn}{{% endfor %}} :"
    tokenizer.save_pretrained(folder)
    decoder(tokenizer, n_positions=512).save_pretrained(folder)
