"""The Space under visitors who ask for too much, leave, or call it wrongly: real server, real HTTP.

Nobody can hold it for long, and what they made it hold is let go.
"""

import base64
import contextlib
import dataclasses
import json
import os
import pickle
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from shared import EXAMPLES, ROOT

pytest.importorskip("gradio")
httpx = pytest.importorskip("httpx")
gradio_client = pytest.importorskip("gradio_client")
from green_gec.inputs import Corpus  # noqa: E402
from green_gec.options import Options  # noqa: E402
from green_gec.significance import no_progress  # noqa: E402
from green_gec.space import answers, controls, limits, pages, visitors, work  # noqa: E402
from green_gec.space.kept import Kept  # noqa: E402

SMALL = ("He go home .", "He goes home .", ["He went home ."])
OPTIONS = ["green", "word", 0, 2, "ar", False, False, None]  # of /score, after the files


@pytest.fixture(scope="module")
def http(served):
    with httpx.Client(base_url=f"{served.url}/gradio_api", timeout=60) as client:
        yield client


def upload(http, *paths):
    """Send files; what a request says about them."""
    files = [("files", (path.name, path.read_bytes())) for path in paths]
    answer = http.post("/upload", files=files)
    about = {"meta": {"_type": "gradio.FileData"}}
    return [{"path": path, **about} for path in answer.json()]


def post(http, name, data):
    """Send a request and leave; its number."""
    return http.post(f"/call/{name}", json={"data": data}).json()["event_id"]


def ask(http, name, data):
    """Send a request and wait for the answer: whether it is an error, and what it says."""
    told = http.get(f"/call/{name}/{post(http, name, data)}").text
    event, said = re.findall(r"event: (complete|error)\ndata: (.*)", told)[-1]
    return event == "error", json.loads(said)


def processes(pid):
    """A process and all that it started, with their memory in MB, shared parts divided."""
    parents, used = {}, {}
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):  # it has just ended
            parents[int(status.parent.name)] = int(
                re.findall(r"PPid:\s+(\d+)", status.read_text())[0]
            )
    tree = [pid]
    for parent in tree:
        tree += [child for child, its in parents.items() if its == parent]
    for each in tree:
        with contextlib.suppress(OSError):
            shares = Path(f"/proc/{each}/smaps_rollup").read_text()
            used[each] = int(re.findall(r"^Pss:\s+(\d+)", shares, flags=re.M)[0]) / 1024
    return used


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def write_corpus(folder, n_sentences, n_words, n_files):
    """Files of the same sentences with some words changed at random."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(500)]
    lines = [draw.choices(words, k=n_words) for _ in range(n_sentences)]
    paths = []
    for number in range(n_files):
        changed = (
            " ".join(word if draw.random() < 0.8 else draw.choice(words) for word in line)
            for line in lines
        )
        paths.append(folder / f"{number}.txt")
        paths[-1].write_text("\n".join(changed), "utf-8")
    return paths


@pytest.fixture(scope="module")
def heavy(http, tmp_path_factory):
    """A GLEU request that takes the whole budget: it gets fewer resamples."""
    folder = tmp_path_factory.mktemp("heavy")
    source, *others = upload(http, *write_corpus(folder, 6_000, 20, 14))
    return [source, others[:6], others[6:], "gleu", *OPTIONS[1:]]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_four_heavy_requests_that_nobody_waits_for(served, http, heavy):
    before = processes(served.process.pid)
    events = [post(http, "score", heavy) for _ in range(4)]
    for event in events[:2]:  # the others are never asked for
        with http.stream("GET", f"/call/score/{event}", timeout=2):
            wait_for(lambda: len(processes(served.process.pid)) > len(before), 10)
    wait_for(lambda: sum(processes(served.process.pid).values()) > sum(before.values()) + 200, 10)
    began = time.monotonic()
    assert ask(http, "explain", [*SMALL, "word", 4, 2, False])[0] is False
    files = upload(http, *(EXAMPLES / name for name in ("source.txt", "bold.txt")))
    failed, said = ask(http, "score", [files[0], [files[1]], [files[1]], *OPTIONS])
    assert not failed, said
    assert time.monotonic() - began < 10
    wait_for(lambda: len(processes(served.process.pid)) <= len(before), 20)
    assert sum(processes(served.process.pid).values()) < sum(before.values()) + 200


def test_requests_that_wait_and_nobody_asks_for(served, http, heavy):
    """They take no time when it is their turn."""
    for _ in range(60):
        post(http, "score", heavy)
    files = upload(http, *(EXAMPLES / name for name in ("source.txt", "bold.txt")))
    began = time.monotonic()
    failed, said = ask(http, "score", [files[0], [files[1]], [files[1]], *OPTIONS])
    assert not failed, said
    assert time.monotonic() - began < 15


def test_large_requests_are_not_read(served, http):
    large = {"data": ["c" * limits.MOST_SENT]}
    answer = http.post("/call/explain", json=large)
    assert answer.status_code == 413
    assert answer.json() == {"error": "a request may have 20 MB; send fewer or shorter texts"}
    parts = (b" " * 1000 for _ in range(3))
    assert http.post("/call/explain", content=parts).status_code == 411
    text = {"files": ("a.txt", b"a" * (limits.MOST_UPLOADED + 1))}
    assert http.post("/upload", files=text).status_code == 413


def test_a_budget_for_each_request(http, heavy):
    """With less time, there are fewer resamples; with much less, what to leave out is said."""
    failed, (said, *_) = ask(http, "score", heavy)
    assert not failed
    n_resamples = said["options"]["n_resamples"]
    assert limits.LEAST_RESAMPLES < n_resamples < 1000
    assert said["warnings"] == [
        f"{n_resamples} resamples make the intervals and tests, not 1,000, which would take too "
        "long here for this upload"
    ]


def corpus_of(n_sentences, n_references, n_systems, text="a b c d e f g h"):
    texts = [text] * n_sentences
    systems = {str(number): texts for number in range(n_systems + 1)}
    return Corpus(texts, systems, [[text] * n_references] * n_sentences)


def test_the_documented_limits():
    page = (ROOT / "docs" / "space.md").read_text("utf-8")
    for documented in (
        f"{limits.MOST_CHARACTERS:,} characters",
        f"{limits.MOST_MEGABYTES} MB each; {limits.MOST_SENTENCES:,} sentences, "
        f"{limits.MOST_SYSTEMS} systems, {limits.MOST_REFERENCES} references",
        f"{limits.MOST_ROWS:,} rows; of each text, {limits.MOST_CUT} characters are listed; a CSV "
        f"of more than {limits.MOST_CSV // 10**6} MB has no texts",
        f"{limits.MOST_ORDER} tokens long; {limits.MOST_NGRAMS:,} listed for a sentence, "
        f"{limits.MOST_DRAWN:,} in a picture",
        f"{limits.BUDGET:.0f} seconds estimated, {limits.DEADLINE:.0f} seconds in fact, "
        f"{limits.MOST_MEMORY >> 30} GB of memory",
        f"an hour; {limits.MOST_KEPT // 10**6} MB for all visitors",
        f"if there is none for {limits.LEAST_RESAMPLES},",
        f"within {limits.UNHEARD:.0f} seconds",
    ):
        assert documented in page


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "rouge", "f1"])
def test_usual_corpora_have_all_or_most_resamples(metric):
    """A test set of CoNLL-2014's size: 1,312 sentences with two references."""
    options = Options(metric=metric, n_resamples=1000)
    assert limits.resamples_within_budget(corpus_of(1312, 2, 3), options) == 1000
    n_resamples = limits.resamples_within_budget(corpus_of(1312, 2, 12), options)
    assert n_resamples >= (400 if metric == "gleu" else 1000)  # GLEU draws references


def test_reports_within_the_budget():
    options = Options(n_resamples=1000, paired="ar")
    limits.check_report(corpus_of(1312, 2, 20), options)
    with pytest.raises(limits.TooLong, match=r"about \d+ seconds.*: green report -o report.html …"):
        limits.check_report(corpus_of(10_000, 2, 20), options)


def test_what_has_no_time_is_left_out_of_the_page(counted, monkeypatch, tmp_path):
    path = tmp_path / "counted"
    path.write_bytes(pickle.dumps(counted))
    given = (str(path), "ar", None, no_progress)
    assert "Who beats whom" in answers.systems(*given)[0]
    monkeypatch.setattr(limits, "BUDGET", 0.0)
    shown, *_ = answers.systems(*given)
    assert "Who beats whom" not in shown
    assert "Some tables are left out: who beats whom, the ranks, the scores" in shown


@pytest.mark.parametrize(("tokenizer", "n_sentences"), [("zh", 2_000), ("ja-mecab", 5_000)])
def test_tokenizers_that_do_not_split_at_spaces_take_their_time(tokenizer, n_sentences):
    """A few thousand sentences of 100 characters by 20 systems are possible, not 10,000."""
    options = Options(tokenizer=tokenizer, n_resamples=1000)
    assert limits.resamples_within_budget(corpus_of(n_sentences, 1, 20, "字" * 100), options)
    with pytest.raises(ValueError, match=r"about \d+ seconds.* 10,000 sentences"):
        limits.resamples_within_budget(corpus_of(10_000, 1, 20, "字" * 100), options)


def test_what_to_leave_out():
    options = Options(metric="gleu", n_resamples=1000, max_order=10)
    with pytest.raises(ValueError, match=r"about [0-9,]+ seconds.* 10,000 sentences.* 10 systems"):
        limits.resamples_within_budget(corpus_of(10_000, 20, 10), options)


@pytest.mark.parametrize(
    ("function", "given"), [(time.sleep, (60,)), (pow, (7, 10**8)), (sum, (range(10**11),))]
)
def test_the_deadline_stops_any_work(monkeypatch, function, given):
    """Also within one call of C code, which does not look whether it should stop."""
    work.run(abs, 1)
    monkeypatch.setattr(limits, "DEADLINE", 0.5)
    began = time.monotonic()
    with pytest.raises(ValueError, match="takes longer than 30 seconds"):
        work.run(function, *given)
    assert time.monotonic() - began < 5


def test_memory_is_bounded():
    with pytest.raises(ValueError, match="takes too much memory"):
        work.run(bytes, limits.MOST_MEMORY)


def test_a_worker_that_dies_is_a_sentence():
    with pytest.raises(ValueError, match="this failed here"):
        work.run(os._exit, 1)


def test_systems_that_cannot_fork(tmp_path):
    """As on Windows: no fork, no links, no limits. New processes run the script, too."""
    script = tmp_path / "script.py"
    script.write_text(
        """
import multiprocessing, os, sys
multiprocessing.get_all_start_methods = lambda: ["spawn"]
del os.symlink
sys.modules["resource"] = None
from green_gec.space import visitors, work
if __name__ == "__main__":
    print(work._context.get_start_method(), work.run(sum, [1, 2]))
    try:
        work.run(int, "x")
    except ValueError as error:
        print(error)
""",
        "utf-8",
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True)
    message = "invalid literal for int() with base 10: 'x'"
    assert (ran.stdout.splitlines(), ran.stderr) == (["spawn 3", message], "")


def test_a_lower_limit_of_memory_is_no_error():
    """Only root may raise it, and not everywhere."""
    pytest.importorskip("resource")
    code = (
        "import resource; from green_gec.space import limits, work; "
        "lower = limits.MOST_MEMORY // 2; "
        "resource.setrlimit(resource.RLIMIT_DATA, (lower, lower)); work._bound_memory(); "
        "print(resource.getrlimit(resource.RLIMIT_DATA)[0] <= limits.MOST_MEMORY)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_corpora_are_bounded_in_bytes_and_time():
    kept = Kept(most=10_000, seconds=0.5)

    def keep(key, data):
        with kept.file(key) as path:
            Path(path).write_bytes(data)
            kept.add(key, path)

    def held(keys):
        kept.purge()
        paths = [kept._held.get(key) for key in keys]
        files = {path for path in paths if path is not None}
        assert files == {str(path) for path in Path(kept._folder).rglob("*") if path.is_file()}
        return [path and Path(path).stat().st_size for path in paths]

    for key in "abc":
        keep(key, b"1" * 5_000)
    assert held("abc") == [None, 5_000, 5_000]
    keep("b", b"1" * 5_500)  # the newest now
    assert held("bc") == [5_500, None]
    keep("d", b"1")  # on a disk, it takes 4,096 bytes
    assert held("bd") == [5_500, 1]
    keep("e", b"1" * 10_001)  # too large alone
    assert held("bde") == [None] * 3
    with kept.file("f") as path:  # whose work failed
        Path(path).write_bytes(b"1")
    assert held("f") == [None]
    keep("f", b"1")
    time.sleep(0.6)
    assert held("f") == [None]


def test_uploads_count_too_and_those_in_use_stay():
    kept = Kept(most=10_000)

    def upload(name):
        path = Path(kept.uploads, name, "a.txt")
        path.parent.mkdir()
        path.write_bytes(b"1" * 4_500)
        time.sleep(0.02)  # the clock of a disk may be coarse
        return path

    first, second = upload("a"), upload("b")
    with kept.file("key", [str(first)]) as path:
        third = upload("c")
        kept.purge()
        assert first.exists()
        assert not second.parent.exists()
        assert third.exists()
        Path(path).write_bytes(b"1")
        kept.purge()
        assert Path(path).exists()
        assert not third.exists()
        kept.add("key", path)
    kept.purge(room=5_000)
    assert not first.exists()
    assert kept._held["key"] == path


def test_a_copy_is_as_old_as_its_place_here():
    """Gradio copies examples with the time of the original."""
    kept = Kept()
    path = Path(kept.uploads, "a.txt")
    path.write_text("a")
    os.utime(path, (0, 0))
    kept.purge()
    assert path.exists()


def test_a_corpus_stays_while_a_request_works_with_it():
    kept = Kept(most=10_000)
    with kept.file("key") as old:
        Path(old).write_text("old")
        kept.add("key", old)
    with kept.file("key") as path:
        assert path == old
        with kept.file("other") as new:
            Path(new).write_text("new")
            kept.add("key", new)
        kept.purge(room=10_000)
        assert Path(old).read_text() == "old"
    assert not Path(old).exists()


def test_uploads_of_all_visitors_are_bounded(http):
    """Also the parts of uploads that failed; a request that needs an old one says so."""
    text = b"a b c d e f g h i\n" * (4_900_000 // 18)

    def send(name, data):
        return http.post("/upload", files={"files": (name, data)})

    def size():
        return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

    (first,) = send("0.txt", text).json()
    folder = Path(first).parents[1]
    with ThreadPoolExecutor(4) as pool:
        [*pool.map(lambda n: send(f"{n}.txt", text + b"%d" % n), range(1, 105))]
    for _ in range(5):
        assert send("large.txt", text + text).status_code == 413
    (last,) = send("last.txt", text + b"last").json()
    wait_for(lambda: size() <= limits.MOST_KEPT, 5)
    assert size() > limits.MOST_KEPT - 50_000_000
    assert not Path(first).parent.exists()
    assert Path(last).exists()
    file = {"path": first, "meta": {"_type": "gradio.FileData"}}
    failed, said = ask(http, "score", [file, [file], [file], *OPTIONS])
    assert failed
    assert "0.txt is no longer here; upload it again" in said["error"]


def test_a_corpus_that_had_to_go_is_a_sentence(monkeypatch):
    monkeypatch.setattr(controls, "kept", Kept(most=1))
    files = (None, [str(EXAMPLES / "references.m2")], [str(EXAMPLES / "bold.txt")])
    *_, key, _, first, second, _, _ = controls.show_systems(*files, *OPTIONS)
    assert key is not None
    pair = first.value, second.value
    assert "other visitors needed the room; score the files" in controls.choose_pair(key, *pair)[1]
    assert "other visitors needed the room; score the files" in controls.show_pair(key, *pair, 0)


@pytest.mark.parametrize("form", [list, "\n".join])
def test_very_many_references(http, form):
    began = time.monotonic()
    failed, said = ask(http, "explain", [*SMALL[:2], form(["c"] * 200_000), "word", 4, 2, False])
    assert failed
    assert said["error"] == "there can be at most 20 references, not 200,000"
    assert time.monotonic() - began < 5


def test_very_many_annotators(count, tmp_path):
    path = tmp_path / "many.m2"
    edits = "".join(f"A 0 1|||R|||x|||R|||N|||{number}\n" for number in range(150_000))
    path.write_text(f"S a b c\n{edits}")
    with pytest.raises(ValueError, match="at most 20 references of a sentence, not 21"):
        count(references=[path])


def test_answers_are_bounded(http):
    draw = random.Random(0)
    long = ["".join(draw.choices("abcdefghij ", k=5_000)) for _ in range(3)]
    told = http.get(f"/call/explain/{post(http, 'explain', [*long, 'char', 10, 2, False])}").text
    assert len(told) < 3_000_000
    _, (said, *_) = ask(http, "explain", [*long, "char", 10, 2, False])
    assert len(said["ngrams"]) == limits.MOST_NGRAMS
    assert "n-grams are too many to list; these are the first 5,000" in said["warnings"][-1]
    given = dict(zip(("source", "correction", "references"), long, strict=True))
    given |= {"tokenizer": "char", "max_order": 10}
    shown = answers.sentence(given, 10)
    assert "too many to draw" in shown[1]
    found, _ = visitors.explain(**given)
    assert len("".join(shown) + pages.pair({"one": found, "other": found})) < 3_000_000


@pytest.mark.parametrize("letter", ["a", "&", "字", "\x01"])
def test_answers_about_tables_are_bounded(letter):
    row = [letter * 4_990] * 3
    shown = answers.rows(visitors.COLUMNS, [row] * 1_000)
    assert len(shown.encode()) < 6_000_000
    assert "long texts are cut after 300 characters" in shown
    assert "The CSV has the scores without the texts, with which it would exceed 2 MB." in shown
    (data,) = re.findall('csv;base64,([^"]+)', shown)
    assert len(base64.b64decode(data).splitlines()) == 1_001


def test_malformed_calls_get_a_sentence(http):
    (file,) = upload(http, EXAMPLES / "source.txt")
    files = [file, [file], [file]]
    wrong = {"path": 3, "meta": file["meta"]}
    calls = [
        ("score", [], "it takes 11 arguments, source, references, systems, .*, not 0"),
        ("score", files, "it takes 11 arguments, .*, not 3"),
        ("score", ["text", *files[1:], *OPTIONS], "a file must be an upload"),
        ("score", [file, file, [file], *OPTIONS], "must be lists of uploads"),
        ("score", [file, [file], [wrong], *OPTIONS], "a file must be an upload"),
        ("score", [*files, "best", *OPTIONS[1:]], "best is not in the list of choices"),
        ("score", [*files, {}, *OPTIONS[1:]], "is not in the list of choices"),
        ("score", [*files, None, *OPTIONS[1:]], "metric must be 'green' or"),
        ("score", [*files, "green", "word", "many", 2, *OPTIONS[4:]], "many is not in"),
        ("score", [*files, "green", "word", 0, [1], *OPTIONS[4:]], "beta must be one number"),
        ("score", [*files, "green", "word", 0, 2, "t", *OPTIONS[5:]], "t is not in the list"),
        (
            "score",
            [*files, "green", "word", 0, 2, "ar", "no", *OPTIONS[6:]],
            "strip must be True or",
        ),
        ("score", [*files, *OPTIONS[:-1], "best"], "baseline must be one of the systems"),
        ("explain", [], "it takes 7 arguments, source, correction, references, .*, not 0"),
        ("explain", [1, 2, 3, 4, 5, 6, 7], "the references must be a list of texts"),
        ("explain", [*SMALL, "word", {}, 2, False], "max_order must be"),
        ("explain", [*SMALL[:2], json.loads("[" * 600 + "]" * 600), "word", 4, 2, False], "nested"),
    ]
    for name, data, message in calls:
        failed, said = ask(http, name, data)
        assert failed, data
        assert re.search(message, said["error"]), said
    for path, body, message in [
        ("/call/score", {}, 'send JSON like {"data": [...]}, with a list of arguments (body.data'),
        ("/call/score", {"data": "x"}, "body.data: Input should be a valid list"),
        ("/call/score", b"data=x", 'this call does not fit: send JSON like {"data": [...]}'),
        ("/call/score", b"", 'send JSON like {"data": [...]}'),
        ("/queue/join", b"{", 'send JSON like {"data": [...]}'),
        ("/call/nothing", {"data": []}, "there is no such endpoint"),
        ("/queue/join", {"data": [], "session_hash": "x", "fn_index": 999}, "no such endpoint"),
        ("/run/score", {"data": []}, "does not accept direct HTTP POST requests"),
    ]:
        sent = {"content" if isinstance(body, bytes) else "json": body}
        answer = http.post(path, **sent, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500
        (said,) = answer.json().values()
        assert message in said


def test_labels_of_choices_carry_no_markup(counted, tmp_path):
    evil = "<img src=x onerror=alert(1)> &lt;b&gt; __i18n__{}"
    sources = [evil] * len(counted.texts.sources)
    texts = dataclasses.replace(counted.texts, sources=sources)
    changed = dataclasses.replace(counted, texts=texts)
    path = tmp_path / "kept"
    path.write_bytes(pickle.dumps(changed))
    choices = answers.choices(path, "bold.txt", "careful.txt")
    choices += answers.choices(path, "bold.txt", answers.WORST)
    assert len(choices) == 20
    for label in (*(label for label, _ in choices), pages.label(evil)):
        assert not re.search("[<>&]|__i18n__", label)
        assert "img src=x" in label
