"""The Space, served and asked over HTTP as a visitor's browser would."""

import re
import urllib.parse
import urllib.request

import pytest
from conftest import ROOT

gradio_client = pytest.importorskip("gradio_client")


@pytest.fixture(scope="module")
def client():
    import runpy

    demo = runpy.run_path(str(ROOT / "app.py"))["demo"]
    _, url, _ = demo.launch(prevent_thread_lock=True, quiet=True, share=False, inbrowser=False)
    yield gradio_client.Client(url, verbose=False)
    demo.close()


def ask(client, references="He goes home .\nHe went home .", max_order=4, source="He go home ."):
    return client.predict(
        source, "He goes home .", references, "word", max_order, 2, True, api_name="/score"
    )


def test_a_sentence(client):
    result, orders = ask(client)
    assert result == {"green": 1.0, "precision": 1.0, "recall": 1.0}
    assert orders["headers"][:2] == ["n", "precisions"]
    assert len(orders["data"]) == 4


def test_errors_are_messages(client):
    with pytest.raises(Exception, match="at least one reference"):
        ask(client, references=" \n ")
    with pytest.raises(Exception, match="at most 5,000 characters"):
        ask(client, source="a" * 6_000)
    assert ask(client)[0]["green"] == 1.0


def test_the_card_has_no_front_matter(client):
    texts = [str(c["props"].get("value", "")) for c in client.config["components"]]
    assert any(text.lstrip().startswith("# Metric card") for text in texts)
    assert not any("colorFrom" in text for text in texts)


def test_the_card_has_its_images(client):
    texts = "".join(str(c["props"].get("value", "")) for c in client.config["components"])
    images = re.findall(r"!\[.*?\]\((.*?)\)", texts)
    assert len(images) == 2
    for image in images:
        with urllib.request.urlopen(
            f"{client.src}{urllib.parse.quote(image, safe='/=')}"
        ) as answer:
            assert answer.read().startswith(b"\x89PNG")
