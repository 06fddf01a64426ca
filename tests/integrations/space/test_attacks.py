"""The Space under requests that want to hurt it: real server, real HTTP, on this computer.

During each attack, a small request is answered within seconds; afterwards, the server holds little
more memory than before.
"""

import contextlib
import gzip
import io
import json
import random
import re
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("gradio")
httpx = pytest.importorskip("httpx")
from green_gec.space import scoring  # noqa: E402

SMALL = ["He go home .", "He goes home .", ["He went home ."], "word", 4, 2, False]
OPTIONS = ["green", "word", 0, 2, "ar", False, False, None]
SECONDS, MEGABYTES = 5, 150
needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")


def connect(served):
    return httpx.Client(base_url=f"{served.url}/gradio_api", timeout=60)


def upload(client, **files):
    """Send files; what a request says about them."""
    answer = client.post("/upload", files=[("files", (name, data)) for name, data in files.items()])
    about = {"meta": {"_type": "gradio.FileData"}}
    return [{"path": path, **about} for path in answer.json()]


def post(client, name, data):
    """Send a request and leave."""
    return client.post(f"/call/{name}", json={"data": data})


def ask(client, name, data):
    """Send a request and wait for the answer: whether it is complete, and what it says."""
    event = post(client, name, data).json()["event_id"]
    told = client.get(f"/call/{name}/{event}").text
    kind, said = re.findall(r"event: (complete|error)\ndata: (.*)", told)[-1]
    return kind == "complete", json.loads(said)


def join(client, name, data):
    """Send a request as the page does, and leave."""
    dependencies = client.get(str(client.base_url).replace("/gradio_api/", "/config")).json()
    (number,) = [d["id"] for d in dependencies["dependencies"] if d["api_name"] == name]
    body = {"data": data, "fn_index": number, "session_hash": f"{random.random()}"}
    return client.post("/queue/join", json=body)


@pytest.fixture
def attack(served):
    """A client whose requests are watched."""
    pid = served.process.pid

    def memory():
        status = Path(f"/proc/{pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    slowest, end = [], threading.Event()

    def ask_small():
        with connect(served) as client:
            while not end.is_set():
                began = time.monotonic()
                assert ask(client, "explain", SMALL)[0]
                slowest.append(time.monotonic() - began)
                end.wait(0.2)

    with connect(served) as client, ThreadPoolExecutor(1) as pool:
        assert ask(client, "explain", SMALL)[0]
        before = memory()
        asking = pool.submit(ask_small)
        try:
            yield client
        finally:
            time.sleep(0.5)
            end.set()
            asking.result()
        assert max(slowest) < SECONDS
        deadline = time.monotonic() + 20
        while memory() > before + MEGABYTES:
            assert time.monotonic() < deadline, (before, memory())
            time.sleep(0.5)


@pytest.fixture(scope="module")
def maximal(served):
    """A request that takes all that the limits allow."""
    draw = random.Random(0)
    words = [f"w{number}" for number in range(500)]
    lines = [draw.choices(words, k=22) for _ in range(scoring.MOST_SENTENCES)]

    def change(word):
        return word if draw.random() < 0.8 else draw.choice(words)

    n_files = 1 + scoring.MOST_REFERENCES + scoring.MOST_SYSTEMS
    texts = ["\n".join(" ".join(map(change, line)) for line in lines) for _ in range(n_files)]
    with connect(served) as client:
        files = upload(client, **{f"{number}.txt": text for number, text in enumerate(texts)})
    n = 1 + scoring.MOST_REFERENCES
    order = scoring.MOST_ORDER
    return [files[0], files[1:n], files[n:], "green", "char", order, 2, "ar", False, False, None]


@needs_proc
def test_four_maximal_requests_abandoned(attack, maximal):
    for _ in range(4):
        assert post(attack, "score", maximal).status_code == 200
    assert join(attack, "show_systems", [*maximal, None]).status_code == 200
    assert join(attack, "show_report", maximal).status_code == 200
    small = upload(attack, **{f"{name}.txt": b"He goes home .\n" for name in "abc"})
    ok, said = ask(attack, "score", [small[0], [small[1]], [small[2]], *OPTIONS])
    assert ok, said
    assert ask(attack, "score", maximal)[0]


def send(client, path, body, n=20):
    """Send a body several times; all status codes."""
    codes = set()
    for _ in range(n):
        with contextlib.suppress(httpx.TransportError):  # it was refused before all was sent
            headers = {"Content-Type": "application/json"}
            codes.add(client.post(path, content=body, headers=headers).status_code)
    return codes


def body_of(part, start=b'["a", "b", [', end=b'"c"], "word", 4, 2, false]'):
    """A maximal body of repeated parts, as a list of references."""
    start, end = b'{"data": ' + start, end + b"}"
    n = (scoring.MOST_BYTES - len(start) - len(end)) // len(part)
    return start + part * n + end


@needs_proc
@pytest.mark.parametrize(
    "body",
    [
        body_of(b'"c", '),
        body_of(b"[], "),
        body_of(b'{"": {}}, '),
        body_of(b"[" * 900 + b"]" * 900 + b", "),
        body_of(b"x", b'["', b'", "b", ["c"], "word", 4, 2, false]'),
        b"[" * scoring.MOST_BYTES,
        b'{"data": ' + b"[" * 40_000 + b"]" * 40_000 + b"}",
        b'{"data": 1}',
        b"\xff\x00",
    ],
    ids=["texts", "lists", "objects", "nested", "long", "open", "deep", "number", "bytes"],
)
def test_bodies_whose_answers_are_never_read(attack, body):
    assert len(body) <= scoring.MOST_BYTES
    codes = send(attack, "/call/explain", body)
    assert codes
    assert all(code < 500 or code == 503 for code in codes)


@needs_proc
@pytest.mark.parametrize("path", ["/call/explain", "/call/upload", "/queue/join", "/upload/", "/x"])
def test_larger_bodies_are_refused(attack, path):
    assert send(attack, path, b"[" * 19_000_000, n=3) <= {413}
    assert send(attack, path, b"[" * (scoring.MOST_BYTES + 1), n=3) == {413}


@needs_proc
def test_bodies_that_do_not_say_their_length(attack):
    parts = (b"[" * 1_000 for _ in range(3))
    assert send(attack, "/call/explain", parts, n=1) == {413}


@needs_proc
def test_large_answers_that_are_never_read(attack):
    draw = random.Random(0)
    texts = [" ".join(draw.choices("abcdefgh", k=990)) for _ in range(7)]
    for _ in range(20):
        given = [*texts[:2], texts[2:], "char", scoring.MOST_ORDER, 2, False]
        assert post(attack, "explain", given).status_code == 200
        time.sleep(0.1)


@needs_proc
def test_uploads_of_too_much(attack):
    data = b"a b c d\n" * (scoring.MOST_MEGABYTES * 125_000)
    with contextlib.suppress(httpx.TransportError):
        files = [("files", (f"{number}.txt", data)) for number in range(4)]
        assert attack.post("/upload", files=files).status_code == 413
    two = upload(attack, **{"a.txt": data, "b.txt": data})
    ok, said = ask(attack, "score", [two[0], [two[1]], [two[1]], *OPTIONS])
    assert not ok
    assert "at most 4,000,000 bytes" in said["error"]


def zipped(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "x")
    return file.getvalue()


@needs_proc
@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("bomb.gz", gzip.compress(b"a b c d\n" * 20_000_000), "bomb.gz is compressed; unpack it"),
        ("x.zip", zipped("../../evil.txt"), "x.zip: a zip archive or a spreadsheet"),
        ("x.txt", "He go".encode("utf-16"), "x.txt: this looks like UTF-16"),
        ("x.txt", "caf\xe9".encode("latin-1"), "x.txt:1: not UTF-8"),
        ("../../x.txt", b"\x00\xff", "x.txt:1: not UTF-8"),
        ("<img src=x onerror=1>.m2", b"<script>", "onerror=1.m2:1: a line of M2 begins"),
        ("x.jsonl", b'{"a":' * 300_000, "x.jsonl:1: not JSON"),
        ("x.m2", b"S a\n\n" * 390_000, "at most 40,000 lines in a file"),
        ("x.csv", b"source,a" + b",ref" * 1_500 + b"\n", "each column needs a title of its own"),
        ("x.csv", b"source,reference," + b"a," * 900_000, "each column needs a title of its own"),
        (
            "x.m2",
            b"S "
            + b"a " * 200_000
            + b"\n"
            + b"A 0 1|||R|||b|||R|||-|||1\nA 0 2|||R|||b|||R|||-|||1\n" * 15_000,
            "at most 4,000 characters in a line",
        ),
    ],
)
def test_wrong_files(attack, name, data, message):
    (file,) = upload(attack, **{name: data})
    systems = [] if name == "x.csv" else [file]
    ok, said = ask(attack, "score", [None, [file], systems, *OPTIONS])
    assert not ok
    assert message in said["error"], said


@needs_proc
def test_200_requests_of_10_clients(attack, served):
    def ask_often(_):
        with connect(served) as client:
            return all(ask(client, "explain", SMALL)[0] for _ in range(20))

    with ThreadPoolExecutor(10) as pool:
        assert all(pool.map(ask_often, range(10)))
