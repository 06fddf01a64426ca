"""The Space as programs use it: both endpoints, its limits, many clients at once; its card."""

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from shared import EXAMPLE_REFERENCES as REFERENCES
from shared import EXAMPLE_SOURCES as SOURCES
from shared import EXAMPLES, ROOT, SYSTEMS, WITHOUT_SOURCES, documented_code

from green_gec import compare, explain, score

gradio = pytest.importorskip("gradio")
gradio_client = pytest.importorskip("gradio_client")
from green_gec.significance import no_progress  # noqa: E402
from green_gec.space import controls, limits  # noqa: E402
from green_gec.space.kept import Kept  # noqa: E402

SENTENCE = ("He go home .", "He goes home .", ["He went home .", "He goes to home ."])


@pytest.fixture(scope="module")
def client(served):
    return gradio_client.Client(served.url, verbose=False)


def upload(name, text=None, folder=None):
    """An example, or a new file."""
    if text is None:
        return gradio_client.handle_file(str(EXAMPLES / name))
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return gradio_client.handle_file(str(path))


def files(*systems):
    return None, [upload("references.m2")], [upload(f"{name}.txt") for name in systems]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"tokenizer": "char"},
        {"max_order": 2, "beta": 0.5},
        {"max_order": 7, "effective_order": True},
        {"tokenizer": "char", "max_order": 3, "beta": 1, "effective_order": True},
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


def test_whitespace_around_a_sentence_is_nothing(client):
    source, correction, references = SENTENCE
    spaced = client.predict(
        f" {source}", f"{correction} ", f"\n{references[0]} \n \n", "char", api_name="/explain"
    )
    expected = score([source], [correction], [references[0]], tokenizer="char")
    assert spaced["green"] == pytest.approx(expected["green"], abs=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"references": " \n "}, "there is no reference"),
        ({"references": []}, "there is no reference"),
        ({"references": ["a", 3]}, "a reference must be a string, not 3"),
        ({"references": {"a": "b"}}, "must be a list of texts"),
        ({"references": ["a"] * 21}, "at most 20 references, not 21"),
        ({"source": "a" * 5001}, "at most 5,000 characters, not 5,001"),
        ({"correction": None}, "correction must be a string, not None"),
        ({"tokenizer": "words"}, "must be 'word' or 'char' or '13a' or 'intl'.*, not 'words'"),
        ({"max_order": 11}, "max_order must be a whole number from 1 to 10, not 11"),
        ({"max_order": -1}, "max_order must be a whole number from 1 to 10, not -1"),
        ({"max_order": "4"}, "max_order must be"),
        ({"max_order": []}, "max_order must be"),
        ({"beta": 0}, "beta must be a positive number"),
        ({"beta": 10**400}, "beta is too large"),
        ({"beta": [1, 2]}, "beta must be one number"),
        ({"effective_order": "yes"}, "effective_order must be"),
    ],
)
def test_errors_of_explain_are_messages(client, given, message):
    arguments = {"source": "a", "correction": "b", "references": ["c"], **given}
    with pytest.raises(gradio_client.exceptions.AppError, match=message) as caught:
        client.predict(**arguments, api_name="/explain")
    assert "Traceback" not in str(caught.value)
    assert client.predict("a b c d", *["a b c d"] * 2, api_name="/explain")["green"] == 1


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "rouge", "f1"])
@pytest.mark.parametrize("tokenizer", ["word", "char"])
def test_score_gives_the_figures_of_score(client, metric, tokenizer):
    found = client.predict(
        *files("careful", "bold"), metric, tokenizer, paired="ar", api_name="/score"
    )
    sources = None if metric in WITHOUT_SOURCES else SOURCES
    systems = {f"{name}.txt": SYSTEMS[name] for name in ("careful", "bold")}
    options = {"metric": metric, "tokenizer": tokenizer, "paired": "ar", "detailed": True}
    table = compare(systems, sources, REFERENCES, **options)
    for row, expected in zip(found["results"], table.to_dict("records"), strict=True):
        for name, value in expected.items():
            if value != value:  # nothing is said of the baseline itself
                assert row[name] is None
            elif not isinstance(value, str):
                assert row[name] == pytest.approx(value, abs=1e-12)
    assert found["signature"].startswith(f"{metric}|nrefs:2|tok:{tokenizer}|")
    assert found["n_sentences"] == 60


def test_score_takes_text_files_and_options(client):
    texts = [upload(f"reference{n}.txt") for n in (0, 1)]
    found = client.predict(
        upload("source.txt"), texts, [upload("bold.txt")], max_order=2, beta=0.5, api_name="/score"
    )
    expected = score(SOURCES, SYSTEMS["bold"], REFERENCES, max_order=2, beta=0.5)
    assert found["results"][0]["green"] == pytest.approx(expected["green"], abs=1e-12)


def test_twenty_systems_and_a_baseline(client, tmp_path):
    """More systems than CoNLL-2014 had; the same table as `compare`'s."""
    systems = {}
    for number in range(20):
        texts = [SYSTEMS[name][number:] + SOURCES[:number] for name in ("bold", "careful")]
        systems[f"{number}.txt"] = texts[number % 2]
    uploads = [upload(name, "\n".join(texts), tmp_path) for name, texts in systems.items()]
    found = client.predict(
        None, [upload("references.m2")], uploads, baseline="7.txt", api_name="/score"
    )
    assert found["options"]["baseline"] == "7.txt"
    expected = compare(systems, SOURCES, REFERENCES, baseline="7.txt", paired="ar")
    for row, values in zip(found["results"], expected.to_dict("records"), strict=True):
        assert row["system"] == values.pop("system")
        assert (row["p_value"] is None) == (row["system"] == "7.txt")
        for name, value in values.items():
            assert value != value or row[name] == pytest.approx(value, abs=1e-12)


def test_json_lines_with_everything(client, tmp_path):
    rows = zip(SOURCES, REFERENCES, SYSTEMS["bold"], SYSTEMS["careful"], strict=True)
    lines = [
        json.dumps({"source": s, "references": r, "predictions": {"bold": b, "careful": c}})
        for s, r, b, c in rows
    ]
    given = upload("corpus.jsonl", "\n".join(lines), tmp_path)
    found = client.predict(None, [given], [], api_name="/score")
    systems = {name: SYSTEMS[name] for name in ("bold", "careful")}
    expected = compare(systems, SOURCES, REFERENCES, paired="ar").to_dict("records")
    for row, values in zip(found["results"], expected, strict=True):
        assert row["system"] == values["system"]
        assert row["green"] == pytest.approx(values["green"], abs=1e-12)


def test_files_of_one_name_keep_apart(client, tmp_path):
    (tmp_path / "other").mkdir()
    twice = [upload("bold.txt"), upload("bold.txt", "x\n" * 60, tmp_path / "other")]
    found = client.predict(None, [upload("references.m2")], twice, api_name="/score")
    assert [row["system"] for row in found["results"]] == ["bold.txt", "bold.txt (2)"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": []}, "there is no system"),
        ({"references": []}, "there are no references"),
        ({"references": ["references.m2"] * 2}, "at most 1 M2 file among the references, not 2"),
        ({"source": None}, "there is no source"),
        ({"systems": ["bold.txt"] * 21}, "at most 20 systems, not 21"),
        (
            {"systems": [("short.txt", "a\nb\n")]},
            "^short.txt has 2 sentences, but source.txt has 60",
        ),
        ({"systems": [("picture.png", b"\x89PNG\xff")]}, "^picture.png:1: not UTF-8"),
        (
            {"systems": [("zipped.gz", b"\x1f\x8b\x08")]},
            "^zipped.gz is compressed; unpack it first",
        ),
        ({"references": [("bad.m2", "A 1 2|||x\n")]}, r"^bad.m2:1: an edit before the first"),
        ({"systems": [("long.txt", "a" * 5001 + "\n" * 60)]}, "at most 5,000 characters"),
        ({"source": ("empty.txt", "")}, "^empty.txt has no sentences"),
        ({"beta": -1}, "beta must be a positive number"),
        ({"baseline": "AMU"}, r"baseline must be one of the systems, \['bold.txt'\], not 'AMU'"),
    ],
)
def test_errors_of_score_are_messages(client, tmp_path, change, message):
    given = {"source": "source.txt", "references": ["reference0.txt"], "systems": ["bold.txt"]}
    given |= change

    options = {name: given.pop(name) for name in ("beta", "baseline") if name in given}

    def uploaded(value):
        if isinstance(value, list):
            return [uploaded(entry) for entry in value]
        if isinstance(value, tuple):
            return upload(*value, tmp_path)
        return upload(value) if isinstance(value, str) else value

    with pytest.raises(gradio_client.exceptions.AppError, match=message) as caught:
        client.predict(**{k: uploaded(v) for k, v in given.items()}, **options, api_name="/score")
    assert "Traceback" not in str(caught.value)
    assert "/" not in str(caught.value)  # nothing of where the server keeps its files


def test_too_many_sentences(client, tmp_path):
    given = upload("many.txt", "a b c d\n" * 10_001, tmp_path)
    with pytest.raises(gradio_client.exceptions.AppError, match="at most 10,000 sentences"):
        client.predict(given, [given], [given], api_name="/score")


def test_too_large_a_file(client, tmp_path):
    large = upload("large.txt", "a" * 5_300_000, tmp_path)
    with pytest.raises(Exception, match=r"413|too large|exceed") as caught:
        client.predict(large, [upload("reference0.txt")], [upload("bold.txt")], api_name="/score")
    assert "Traceback" not in str(caught.value)


def test_only_uploads_are_read(served):
    """A request that names a file of the server gets nothing of it."""
    path = {"path": str(ROOT / "examples" / "source.txt"), "meta": {"_type": "gradio.FileData"}}
    data = json.dumps(
        {"data": [path, [path], [path], "green", "word", 0, 2, "bs", False, False, None]}
    )
    url = f"{served.url}/gradio_api/call/score"
    request = urllib.request.Request(url, data.encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        event = json.load(answer)["event_id"]
    with urllib.request.urlopen(f"{url}/{event}") as answer:
        told = answer.read().decode()
    assert "event: error" in told
    assert "results" not in told


def test_ten_clients_at_once(served):
    """200 answers, all right; then once again, and nothing of them is kept."""
    expected = [
        score([source], [text], [references], level="sentence")["green"][0]
        for source, text, references in zip(SOURCES, SYSTEMS["bold"], REFERENCES, strict=True)
    ]
    of_files = {name: score(SOURCES, texts, REFERENCES) for name, texts in SYSTEMS.items()}

    def ask(number):
        client = gradio_client.Client(served.url, verbose=False)
        for request in range(20):
            if request % 5 == 4:
                name = [*SYSTEMS][(number + request) % 3]
                row = client.predict(*files(name), api_name="/score")["results"][0]
                assert row["green"] == pytest.approx(of_files[name]["green"], abs=1e-12)
                continue
            index = (7 * number + request) % 60
            texts = (SOURCES[index], SYSTEMS["bold"][index], REFERENCES[index])
            found = client.predict(*texts, api_name="/explain")
            assert found["green"] == pytest.approx(expected[index], abs=1e-12)
        return True

    used = []
    for _ in range(2):
        with ThreadPoolExecutor(10) as pool:
            assert all(pool.map(ask, range(10)))
        used.append(memory(served.process.pid))
    if None not in used:
        # MB. Ups and downs of the allocator, and what Gradio keeps of each request and client, come
        # to some 30; to keep what was drawn or uploaded would be several times as much.
        assert used[1] - used[0] < 80, used


def memory(pid):
    """What a process holds, in MB, where the system says it."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    return int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1]) / 1024


def components(client):
    return "".join(str(c["props"].get("value", "")) for c in client.config["components"])


def test_the_card_has_no_front_matter(client):
    assert "# Metric card" in components(client)
    assert "colorFrom" not in components(client)


def test_the_card_has_its_images_and_no_dead_links(client):
    text = components(client)
    images = re.findall(r"!\[.*?\]\((.*?)\)", text)
    assert images
    for image in images:
        with urllib.request.urlopen(f"{client.src}{image}") as answer:
            assert answer.read().startswith(b"\x89PNG")
    links = re.findall(r"(?<!!)\[[^\]]*\]\(([^)]*)\)", text)
    assert all(link.startswith(("https://", "#")) for link in links), links


def test_in_a_space_the_card_links_to_its_files(monkeypatch):
    monkeypatch.setenv("SPACE_ID", "someone/green")
    files = "(https://huggingface.co/spaces/someone/green/blob/main/"
    for name in ("CONTRIBUTING.md", "examples/tour.ipynb", "docs/choosing.md"):
        assert f"{files}{name})" in controls.card()


def test_images_of_a_clone_with_a_space_in_its_path(tmp_path):
    folder = tmp_path / "a clone"
    left_out = [".git", ".venv", "tests", "experiments", "benchmarks"]
    shutil.copytree(ROOT, folder, ignore=lambda *_: left_out)
    code = (
        "import runpy, sys; runpy.run_path(sys.argv[1]); "
        "from green_gec.space.controls import card; sys.stdout.buffer.write(card().encode())"
    )
    command = [sys.executable, "-c", code, folder / "app.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    images = re.findall(r"!\[.*?\]\((.*?)\)", ran.stdout.decode())
    assert images
    assert all(image.startswith("gradio_api/file=") and "a%20clone" in image for image in images)


def test_nothing_is_told_or_kept(client):
    assert client.config["analytics_enabled"] is False
    every, kept = controls.demo.delete_cache
    assert every <= 60
    assert kept == limits.KEPT == 3600


def test_sentences_that_are_no_longer_kept():
    assert "score the files again" in controls.show_pair(None, "a", "b", 0)
    assert "score the files again" in controls.choose_pair(None, "a", "b")[1]


def test_the_picture_has_no_longer_ngrams_than_the_score():
    given = ("a b c d e", "a b c d e", "a b c d e", "word", 3, 2, False)
    assert "Venn diagram of the 3-grams" in controls.show_sentence(*given, 9)[1]


def test_whitespace_that_counts_is_a_note_on_the_page(tmp_path):
    spaced = tmp_path / "spaced.txt"
    spaced.write_text("".join(f"{line} \n" for line in SYSTEMS["bold"]), "utf-8")
    files = (None, [str(EXAMPLES / "references.m2")], [str(spaced)])
    for strip, n_notes in (False, 1), (True, 0):
        given = (*files, "green", "char", 0, 2.0, "bs", strip, False, None)
        table, *_ = controls.show_systems(*given)
        assert table.count("<b>Warning:</b> 60 texts begin or end with white") == n_notes


def test_the_page_and_programs_share_what_is_counted(monkeypatch):
    used = []

    def run(function, kept, *given, show, **named):
        used.append(Path(kept).exists())
        return function(kept, *given, progress=no_progress, **named)

    monkeypatch.setattr(controls, "run", run)
    monkeypatch.setattr(controls, "kept", Kept())
    given = (None, [str(EXAMPLES / "references.m2")], [str(EXAMPLES / "bold.txt")])
    given += ("green", "word", 0, 2, "ar", False, False, None)
    controls.show_systems(*given)
    answer = controls.score(*given)
    assert answer["results"][0]["green"] == score(SOURCES, SYSTEMS["bold"], REFERENCES)["green"]
    assert "Download HTML" in controls.show_report(*given)
    controls.show_systems(*given[:-4], "bs", False, False, "bold.txt")
    assert used == [False, True, True, True]


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


def test_the_front_matter_names_the_version_that_was_tested():
    front = (ROOT / "README.md").read_text("utf-8").split("---")[1]
    (version,) = re.findall(r"^sdk_version: (.*)$", front, flags=re.M)
    assert version == gradio.__version__
