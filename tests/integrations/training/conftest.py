"""A tiny random language model and its tokenizer."""

import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES


@pytest.fixture(autouse=True)
def one_thread():
    """More would spend their time waiting for each other: the models are tiny."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def tokenizer():
    pytest.importorskip("transformers")
    from tiny_models import word_tokenizer

    return word_tokenizer(
        EXAMPLE_SOURCES[:24] + [t for texts in EXAMPLE_REFERENCES[:24] for t in texts]
    )


@pytest.fixture
def decoder(tokenizer):
    pytest.importorskip("torch")
    from tiny_models import decoder

    return decoder(tokenizer)
