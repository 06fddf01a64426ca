"""The Space as programs use it: its endpoints, its card, a copy of its files."""

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from shared import EXAMPLE_REFERENCES as REFERENCES
from shared import EXAMPLE_SOURCES as SOURCES
from shared import EXAMPLES, ROOT, SYSTEMS, WITHOUT_SOURCES, documented_code

from green_gec import compare, explain, score

gradio = pytest.importorskip("gradio")
gradio_client = pytest.importorskip("gradio_client")
from green_gec.space import controls, scoring  # noqa: E402

SENTENCE = ("He go home .", "He goes home .", ["He went home .", "He goes to home ."])


@pytest.fixture(scope="module")
def client(served):
    return gradio_client.Client(served.url, verbose=False)


def upload(path):
    return gradio_client.handle_file(str(path))


def files(*systems):
    return (
        None,
        [upload(EXAMPLES / "references.m2")],
        [upload(EXAMPLES / f"{n}.txt") for n in systems],
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"tokenizer": "char"},
        {"max_order": 2, "beta": 0.5},
        {"tokenizer": "13a", "max_order": 7, "beta": 1, "effective_order": True},
    ],
)
@pytest.mark.parametrize("form", [list, "\n".join])
def test_explain_gives_the_figures_of_score(client, options, form):
    source, correction, references = SENTENCE
    found = client.predict(source, correction, form(references), **options, api_name="/explain")
    expected = score([source], [correction], [references], **options, level="sentence")
    for name, (value,) in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12)
    ours = explain(*SENTENCE, **options)
    assert found["chosen_reference"] == ours.chosen_reference
    assert found["reference_scores"] == pytest.approx(ours.reference_scores, abs=1e-12)
    assert found["ngrams"] == ours.to_dicts()


def test_a_long_sentence_lists_some_ngrams(client):
    text = " ".join(map(str, range(450)))
    found = client.predict(text, text, [text], max_order=5, api_name="/explain")
    assert len(found["ngrams"]) == scoring.MOST_NGRAMS
    assert found["warnings"] == ["only 1,000 of 2,240 n-grams are listed"]


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "rouge", "f1"])
@pytest.mark.parametrize("tokenizer", ["word", "char"])
def test_score_gives_the_figures_of_compare(client, metric, tokenizer):
    given = (metric, tokenizer, 0, 2, "ar", False, False, "bold.txt")
    found = client.predict(*files("careful", "bold", "broken"), *given, api_name="/score")
    sources = None if metric in WITHOUT_SOURCES else SOURCES
    systems = {f"{name}.txt": SYSTEMS[name] for name in ("careful", "bold", "broken")}
    options = {"metric": metric, "tokenizer": tokenizer, "baseline": "bold.txt", "detailed": True}
    options |= {"selection": "max"} if metric == "gleu" else {}
    table = compare(systems, sources, REFERENCES, **options)
    for row, expected in zip(found["results"], table.to_dict("records"), strict=True):
        for name, value in expected.items():
            if value != value:  # nothing is said of the baseline itself
                assert row[name] is None
            elif not isinstance(value, str):
                assert row[name] == pytest.approx(value, abs=1e-12)
    assert found["signature"].startswith(f"{metric}|nrefs:2|tok:{tokenizer}|")
    assert found["n_sentences"] == 60
    assert found["options"]["baseline"] == "bold.txt"


def test_parameters_their_order_and_defaults(client):
    expected = {
        "/explain": {
            **dict.fromkeys(("source", "correction", "references"), "required"),
            **{"tokenizer": "word", "max_order": None, "beta": 2.0, "effective_order": False},
        },
        "/score": {
            **dict.fromkeys(("source", "references", "systems"), "required"),
            **{"metric": "green", "tokenizer": "word", "max_order": 0, "beta": 2.0, "paired": "ar"},
            **{"strip": False, "effective_order": False, "baseline": None},
        },
    }
    endpoints = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    assert endpoints.keys() == expected.keys()
    for name, endpoint in endpoints.items():
        assert len(endpoint["description"]) > 50
        found = {
            parameter["parameter_name"]: parameter["parameter_default"]
            if parameter["parameter_has_default"]
            else "required"
            for parameter in endpoint["parameters"]
        }
        assert [*found] == [*expected[name]]
        given = {key: value for key, value in found.items() if key not in ("references", "systems")}
        assert given.items() <= (expected[name] | {"source": given["source"]}).items()


def test_the_documented_calls(client, monkeypatch):
    answers = []
    predict = client.predict
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(client, "predict", lambda *a, **k: answers.append(predict(*a, **k)))
    monkeypatch.setattr(gradio_client, "Client", lambda address: client)
    exec(documented_code("from gradio_client import"), {})
    explained, scored = answers
    assert {"green", "reference_scores", "ngrams"} <= explained.keys()
    assert [row["system"] for row in scored["results"]] == ["careful.txt", "bold.txt"]


@pytest.mark.parametrize(
    ("endpoint", "given", "message"),
    [
        ("/explain", {"references": []}, "there is no reference"),
        ("/explain", {"tokenizer": "words"}, "tokenizer must be 'word' or"),
        ("/explain", {"max_order": "4"}, "max_order must be a whole number"),
        ("/explain", {"beta": 10**400}, "beta is too large"),
        ("/explain", {"effective_order": "yes"}, "effective_order must be"),
        ("/score", {"systems": []}, "no systems"),
        ("/score", {"systems": None}, "no systems"),
        ("/score", {"beta": -1}, "beta must be a positive number"),
        ("/score", {"baseline": "AMU"}, r"baseline must be one of the systems, \['bold.txt'\]"),
        (
            "/score",
            {"source": EXAMPLES / "README.md"},
            "has 60 sentences, but README.md has 2",
        ),
    ],
)
def test_errors_are_messages(client, endpoint, given, message):
    texts = {"source": "a", "correction": "b", "references": ["c"]}
    uploads = dict(zip(("source", "references", "systems"), files("bold"), strict=True))
    given = {name: upload(value) if name == "source" else value for name, value in given.items()}
    arguments = (texts if endpoint == "/explain" else uploads) | given
    with pytest.raises(gradio_client.exceptions.AppError, match=message) as caught:
        client.predict(**arguments, api_name=endpoint)
    assert "Traceback" not in str(caught.value)
    assert "/" not in str(caught.value)  # nothing of where the server keeps its files
    assert client.predict("a b c d", *["a b c d"] * 2, api_name="/explain")["green"] == 1


@pytest.mark.parametrize("path", [str(EXAMPLES / "source.txt"), "http://127.0.0.1:1/source.txt"])
def test_only_uploads_are_read(served, path):
    """Neither files of the server nor addresses, which Gradio would download."""
    file = {"path": path, "meta": {"_type": "gradio.FileData"}}
    for name, data in {
        "score": [file, [file], [file], "green", "word", 0, 2, "bs", False, False, None],
        "explain": [file, "b", ["c"], "word", 4, 2, False],
    }.items():
        url = f"{served.url}/gradio_api/call/{name}"
        body = json.dumps({"data": data}).encode()
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            event = json.load(answer)["event_id"]
        with urllib.request.urlopen(f"{url}/{event}") as answer:
            told = answer.read().decode()
        assert "event: error" in told
        assert "must be an upload" in told or "not uploaded by a user" in told


def test_ten_clients_at_once(served):
    """200 answers, all right."""
    triples = [*zip(SOURCES, SYSTEMS["bold"], REFERENCES, strict=True)]
    expected = [score(*([text] for text in triple))["green"] for triple in triples]
    scores = {name: score(SOURCES, texts, REFERENCES)["green"] for name, texts in SYSTEMS.items()}

    def ask(number):
        client = gradio_client.Client(served.url, verbose=False)
        for request in range(20):
            if request % 5 == 4:
                name = [*SYSTEMS][(number + request) % 3]
                row = client.predict(*files(name), api_name="/score")["results"][0]
                assert row["green"] == pytest.approx(scores[name], abs=1e-12)
                continue
            index = (7 * number + request) % 60
            found = client.predict(*triples[index], api_name="/explain")
            assert found["green"] == pytest.approx(expected[index], abs=1e-12)
        return True

    with ThreadPoolExecutor(10) as pool:
        assert all(pool.map(ask, range(10)))


def test_the_page_shows_what_is_asked_for(tmp_path):
    given = (None, [str(EXAMPLES / "references.m2")], [str(EXAMPLES / f"{n}.txt") for n in SYSTEMS])
    options = ("gleu", "char", 0, 2, "bs", True, False)
    shown, _, baseline, system, *_ = controls.show_systems(*given, *options, "gone", "gone")
    assert "highest GLEU" in shown
    assert "paired bootstrap" in shown
    names = [f"{name}.txt" for name in SYSTEMS]
    assert baseline.value == names[0]
    assert system.value in names[1:]
    shown, *_, sentences, _ = controls.show_systems(*given, *options, names[1], names[1])
    assert '--n: 1"' in sentences
    assert "Download HTML" in controls.show_report(*given, *options, names[1])
    assert "upload it again" in controls.show_report(None, ["/gone"], ["/gone"], *options, "a")


def test_the_picture_has_no_longer_ngrams_than_the_score():
    given = ("a b c d e", "a b c d e", "a b c d e", "word", 3, 2, False)
    assert "Venn diagram of the 3-grams" in controls.show_sentence(*given, 9)[1]


def test_the_card_has_no_front_matter_no_picture_of_the_page_and_no_dead_links(client):
    card = controls.card()
    assert any(card.strip() == c["props"].get("value") for c in client.config["components"])
    assert card.startswith("\n## Metric card")
    images = re.findall(r"!\[.*?\]\((.*?)\)", card)
    assert images
    for image in images:
        assert "screenshots" not in image
        with urllib.request.urlopen(f"{client.src}{image}") as answer:
            assert answer.read().startswith(b"\x89PNG")
    links = re.findall(r"(?<!!)\[[^\]]*\]\(([^)]*)\)", card)
    assert all(link.startswith(("https://", "#")) for link in links), links


SERVE = """
import json, runpy, sys
runpy.run_path(sys.argv[1])
from green_gec.space import controls, scoring
from green_gec import score
assert scoring.explain("a b", "a c", "a c", "word", 2, 2.0, False)[0].result["green"] == 1
folders = {m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] == "green_gec"}
print(json.dumps([sorted(folders), controls.card()]))
"""


def test_a_copy_in_a_space(tmp_path):
    """It uses its own files, wherever it is, and links to those of the Space."""
    folder = tmp_path / "a copy"
    left_out = shutil.ignore_patterns(
        ".*", "tests", "benchmarks", "build", "*.egg-info", "__pycache__"
    )
    shutil.copytree(ROOT, folder, ignore=left_out)
    command = [sys.executable, "-c", SERVE, folder / "app.py"]
    env = {"SPACE_ID": "someone/green", "PATH": ""}
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=True, text=True)
    modules, card = json.loads(ran.stdout)
    assert all(module.startswith(str(folder)) for module in modules)
    assert "gradio_api/file=" in card
    assert "a%20copy" in card
    for name in ("CONTRIBUTING.md", "examples/tour.ipynb", "docs/choosing.md"):
        assert f"(https://huggingface.co/spaces/someone/green/blob/main/{name})" in card


def test_the_front_matter_names_the_version_that_was_tested():
    front = (ROOT / "README.md").read_text("utf-8").split("---")[1]
    (version,) = re.findall(r"^sdk_version: (.*)$", front, flags=re.M)
    assert version == gradio.__version__
