"""The commands: the authors' output to the byte, every kind of file, and how they end."""

import contextlib
import gzip
import json
import os
import re
import shlex
import signal
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from shared import BOTH, EXAMPLES, GIVEN, GOLDENS, LEVELS, half_up
from shared import BOTH_SYSTEMS as SYSTEMS
from shared import EXAMPLE_REFERENCES as REFERENCES
from shared import EXAMPLE_SOURCES as SOURCES

import oracle
from green_gec import explain, report, score
from green_gec.corpus import read_lines, read_m2

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")


def start(line, **settings):
    """Start an installed command in a process of its own."""
    command, *arguments = shlex.split(line.replace("\\", "\\\\"))  # as in paths of Windows
    path = Path(sys.executable).parent / command
    return subprocess.Popen([path, *arguments], cwd=EXAMPLES, **settings)


@pytest.mark.parametrize(
    "path", sorted((GOLDENS / "cli").glob("*.cmd")), ids=lambda path: path.stem
)
def test_the_output_is_that_of_the_authors(data_dir, run, monkeypatch, path):
    monkeypatch.chdir(data_dir / "conll14")
    status, printed, _ = run(path.read_text("utf-8"))
    assert (status, printed) == (0, path.with_suffix(".txt").read_text("utf-8"))


@pytest.mark.parametrize("options", [{}, {"tokenizer": "char", "max_order": 2, "beta": 0.5}])
@pytest.mark.parametrize("command", LEVELS)
def test_plain_output_is_that_of_the_oracle(output, command, options):
    values = [
        oracle.green(SOURCES, texts, REFERENCES, level=LEVELS[command], **options)["green"]
        for texts in SYSTEMS.values()
    ]
    line = f"{command} {BOTH} -t {options.get('tokenizer', 'word')}"
    if "max_order" in options:
        line += " -n 2 -b 0.5"
    if command == "sgreen":
        expected = ["\t".join(map(half_up, row)) for row in zip(*values, strict=True)]
    else:
        header = (
            ["alpha\t0.80", "beta\t0.50"] if "beta" in options else ["alpha\t0.20", "beta\t2.00"]
        )
        rows = zip(SYSTEMS, values, strict=True)
        expected = [*header, *(f"{name}\t{half_up(value)}" for name, value in rows)]
    assert output(line).splitlines() == expected


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ("", {}),
        ("-t char", {"tokenizer": "char"}),
        ("-n 2", {"max_order": 2}),
        ("--n 2", {"max_order": 2}),  # no abbreviation of --names
        ("--max-order 2", {"max_order": 2}),
        ("--max", {"selection": "max"}),
        ("--formula paper", {"formula": "paper"}),
        ("-i 3", {"iterations": 3}),
    ],
)
@pytest.mark.parametrize("command", LEVELS)
def test_gleu(output, command, options, settings):
    settings = {**settings, "level": LEVELS[command]}
    values = [oracle.gleu(SOURCES, texts, REFERENCES, **settings) for texts in SYSTEMS.values()]
    if command == "sgreen":
        expected = ["\t".join(map(half_up, row)) for row in zip(*values, strict=True)]
    else:
        rows = zip(SYSTEMS, values, strict=True)
        expected = [f"{name}\t{half_up(value)}" for name, value in rows]
    assert output(f"{command} -m gleu {BOTH} {options}").splitlines() == expected


def test_the_level_of_green(output):
    assert output(f"green {BOTH} --level mean -b 0.5 2") == output(f"mgreen {BOTH} -b 0.5 2")


@pytest.mark.parametrize("options", ["", "-t char", "-b 0.5 2"])
def test_the_mean_over_references(output, options):
    settings = {"selection": "mean"}
    settings |= {"tokenizer": "char"} if "char" in options else {}
    settings |= {"beta": [0.5, 2]} if "-b" in options else {}
    for command in ("mgreen", "sgreen"):
        line = f"{command} {BOTH} {options} --selection mean"
        values = [
            score(SOURCES, texts, REFERENCES, level=LEVELS[command], **settings)["green"]
            for texts in SYSTEMS.values()
        ]
        found = json.loads(output(f"{line} --format json"))
        assert found["options"]["selection"] == "mean"
        assert "|select:mean|" in found["signature"]
        expected = [value for of_system in values for value in np.ravel(of_system)]
        assert [row["green"] for row in found["results"]] == expected
        if not options:
            last = output(line).splitlines()[-2:]
            if command == "mgreen":
                rows = zip(SYSTEMS, values, strict=True)
                assert last == [f"{name}\t{half_up(value)}" for name, value in rows]
            else:
                rows = [[half_up(of_system[i]) for of_system in values] for i in (-2, -1)]
                assert last == ["\t".join(row) for row in rows]


def test_the_tables_of_the_mean_over_references(output):
    """Each reference's table, or the means of all."""
    printed = output(f"sgreen {BOTH} --selection mean -v")
    assert printed.count("R-1-1") == printed.count("R-1-2") == 2
    for text in REFERENCES[0]:
        assert text in printed
    line = f"mgreen {GIVEN} -c bold.txt --selection mean -v -d 4"
    mean = output(line)
    values = score(
        SOURCES, SYSTEMS["bold.txt"], REFERENCES, level="mean", selection="mean", detailed=True
    )
    for name in ("precisions", "recalls"):
        for value in values[name]:
            assert half_up(value, 4) in mean
    last = output(f"{line} -l").rstrip("\n").split("\t")[2:]
    assert last == [half_up(values[name], 4) for name in ("precision", "recall", "green")]


@pytest.mark.parametrize("metric", ["bleu", "rouge", "f1"])
@pytest.mark.parametrize("command", LEVELS)
def test_scores_without_sources(output, command, metric):
    line = f"{command} -m {metric} -d 5 -c careful.txt bold.txt"
    expected = output(f"{line} -r reference0.txt reference1.txt")
    values = [
        getattr(oracle, metric)(texts, REFERENCES, level=LEVELS[command])
        for texts in SYSTEMS.values()
    ]
    values = zip(*values, strict=True) if command == "sgreen" else zip(SYSTEMS, values, strict=True)
    for printed, row in zip(expected.splitlines(), values, strict=True):
        row = [value if isinstance(value, str) else half_up(value, 5) for value in row]
        assert printed == "\t".join(row)
    assert output(f"{line} --m2 references.m2") == expected
    assert output(f"{line} -r references.m2") == expected


@pytest.mark.parametrize("option", ["strip", "effective_order"])
@pytest.mark.parametrize("command", ["green", "mgreen"])
def test_options_of_the_library(run, tmp_path, monkeypatch, command, option):
    texts, predictions = ["a b", " c d ", "g h i j k"], ["a c", " c d", "g h i j k"]
    (tmp_path / "texts").write_text("\n".join(texts), "utf-8")
    (tmp_path / "system").write_text("\n".join(predictions), "utf-8")
    # With n-grams this long, not even the whole corpus has some of each order.
    settings = {"tokenizer": "char", "max_order": 12 if option == "effective_order" else 2}
    settings["level"] = LEVELS[command]
    value = score(texts, predictions, texts, **settings, **{option: True})["green"]
    assert value != score(texts, predictions, texts, **settings)["green"]
    monkeypatch.chdir(tmp_path)
    line = f"{command} -s texts -r texts -c system -t char -n {settings['max_order']} -d 9"
    flag = "--" + option.replace("_", "-")
    assert run(f"{line} {flag}")[1].splitlines()[2].split("\t")[1] == half_up(value, 9)
    assert run(f"{line} {flag} -v -l")[1].split("\t")[-1] == half_up(value, 9) + "\n"


def test_whitespace_is_a_warning_on_one_line(run, tmp_path):
    path = tmp_path / "texts"
    path.write_text("a b\n", "utf-8")
    spaced = tmp_path / "spaced"
    spaced.write_text(" a c \n", "utf-8")
    status, printed, errors = run(f"green -s {path} -r {spaced} -c {spaced} -t char -n 2")
    assert status == 0
    assert printed.startswith("alpha")
    message = r"green: warning: 2 texts begin or end .*, like ' a c '; --strip removes it\n"
    assert re.fullmatch(message, errors)


def test_the_baseline(output):
    rows = output(f"green {BOTH} --paired --baseline bold.txt").splitlines()[2:4]
    assert [row.split()[-1] == "(baseline)" for row in rows] == [False, True]
    found = json.loads(output(f"green {BOTH} --paired --baseline bold.txt --format json"))
    assert found["options"]["baseline"] == "bold.txt"
    assert [row["p_value"] is None for row in found["results"]] == [False, True]


def test_a_system_may_be_given_twice_under_two_names(output, refused):
    lines = output(f"green {GIVEN} -c one=bold.txt two=bold.txt --paired").splitlines()
    assert lines[2].split()[-1] == "(baseline)"
    assert lines[3].split()[-2:] == ["0.00", "1.0000"]
    named = output(f"green {GIVEN} -c bold.txt bold.txt --names one two --paired")
    assert named.splitlines() == lines
    message = refused(f"green {GIVEN} -c bold.txt bold.txt --paired")
    assert "bold.txt" in message
    assert "name=FILE" in message


# What goes in.


def test_m2(output, tmp_path):
    assert output("green --m2 references.m2 -c careful.txt bold.txt") == output(f"green {BOTH}")
    line = "green -s source.txt -r references.m2 -c careful.txt bold.txt"
    assert output(line) == output(f"green {BOTH}")
    (tmp_path / "edits.txt").write_bytes((EXAMPLES / "references.m2").read_bytes())
    assert output(line.replace("references.m2", f"{tmp_path}/edits.txt")) == output(line)


@pytest.mark.parametrize("name", ["errant", "official"])
def test_m2_of_conll14(data_dir, output, monkeypatch, name):
    monkeypatch.chdir(data_dir / "conll14")
    expected = {"errant": "79.25", "official": half_up(score(*official(data_dir))["green"])}
    assert output(f"green --m2 {name}.m2 -c systems/AMU").split()[-1] == expected[name]


def official(data_dir):
    sources, references = read_m2(data_dir / "conll14" / "official.m2")
    return sources, read_lines(data_dir / "conll14" / "systems" / "AMU"), references


@pytest.mark.parametrize("form", ["object", "list"])
def test_jsonl(output, tmp_path, form):
    path = tmp_path / "x.jsonl"
    columns = zip(SOURCES, REFERENCES, *SYSTEMS.values(), strict=True)
    path.write_text(
        "".join(
            json.dumps(
                {
                    "source": source,
                    "references": references,
                    "predictions": dict(zip(SYSTEMS, texts, strict=True))
                    if form == "object"
                    else texts,
                }
            )
            + "\n"
            for source, references, *texts in columns
        ),
        "utf-8",
    )
    expected = output(f"green {BOTH}")
    if form == "list":
        expected = expected.replace("careful.txt", "predictions[0]")
        expected = expected.replace("bold.txt", "predictions[1]")
    assert output(f"green --jsonl {path}") == expected


def test_json_with_other_names(output, tmp_path):
    path = tmp_path / "x.jsonl"
    rows = zip(SOURCES, REFERENCES, SYSTEMS["bold.txt"], strict=True)
    lines = [json.dumps({"src": source, "tgt": some, "pred": text}) for source, some, text in rows]
    path.write_text("\n".join(lines), "utf-8")
    expected = output(f"green {GIVEN} -c bold.txt").replace("bold.txt", "pred")
    assert output(f"green --jsonl {path}") == expected


def test_json_without_sources(output, tmp_path):
    path = tmp_path / "x.jsonl"
    rows = zip(REFERENCES, SYSTEMS["bold.txt"], strict=True)
    lines = [json.dumps({"references": listed, "prediction": text}) for listed, text in rows]
    path.write_text("\n".join(lines), "utf-8")
    value = half_up(score(None, SYSTEMS["bold.txt"], REFERENCES, "bleu")["bleu"])
    assert output(f"green -m bleu --jsonl {path}") == f"prediction\t{value}\n"


def test_standard_input():
    text = (EXAMPLES / "bold.txt").read_bytes()
    for data in (text, gzip.compress(text), b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")):
        process = start(f"green {GIVEN} -c -", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        printed, _ = process.communicate(data)
        expected = half_up(score(SOURCES, SYSTEMS["bold.txt"], REFERENCES)["green"])
        assert printed.decode().splitlines()[2] == f"-\t{expected}"


def test_compressed_files(output, tmp_path):
    zipped = []
    for name in ("source.txt", "references.m2", "bold.txt"):
        zipped.append(tmp_path / f"{name}.gz")
        zipped[-1].write_bytes(gzip.compress((EXAMPLES / name).read_bytes()))
    source, references, system = zipped
    printed = output(f"green -s {source} -r {references} -c {system}")
    assert printed.split()[-1] == output(f"green {GIVEN} -c bold.txt").split()[-1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("green -s no.txt -r reference0.txt -c bold.txt", "no.txt: No such file or directory"),
        pytest.param("green -s . -r reference0.txt -c bold.txt", ".: Is a directory", marks=posix),
        pytest.param(
            *("green -s 'no\nfi  le' -r short -c short", r"no\nfi  le: No such file or directory"),
            marks=posix,
        ),
        pytest.param(
            *(f"green {GIVEN} -c /proc/self/mem", "/proc/self/mem: Input/output error"),
            marks=linux,
        ),
        (f"green {GIVEN} -c short", "short has 2 sentences, but source.txt has 60"),
        ("green -s source.txt -r short -c bold.txt", "short has 2 sentences, but source.txt has 6"),
        (f"green {GIVEN} -c latin", "latin:2: not UTF-8: byte 0xe9 at offset 6"),
        ("green --m2 malformed.m2 -c short", "malformed.m2:2: an edit must read 'A start end|||"),
        ("green --m2 outside.m2 -c short", "outside.m2:2: an edit from 0 to 2 in a sentence of 1"),
        ("green --jsonl bad.jsonl", "bad.jsonl:2: not JSON: "),
        (
            "green --jsonl array.json",
            "array.json:1: a JSON array; expected one object per line; convert it: python3 -c ",
        ),
        (
            "green -s edits.txt -r reference0.txt -c bold.txt",
            "edits.txt is an M2 file, not plain text; give it as m2 (--m2), not as source",
        ),
        (
            f"green {GIVEN} -c longer.txt",
            "longer.txt has 61 sentences, but source.txt has 60; remove the blank line at the",
        ),
        (f"green {GIVEN} -c utf16.txt", "utf16.txt: this looks like UTF-16, not UTF-8; convert"),
        ("green -r short -c short", "there are no sources, and green needs them; give -s, --m2,"),
        ("green -m gleu -r short -c short", "there are no sources, and gleu needs them"),
        (
            "green -m gleu --jsonl unsourced.jsonl",
            "unsourced.jsonl has no sources; its fields are references, prediction; expected",
        ),
        ("green -m bleu -r short -c bold.txt", "bold.txt has 60 sentences, but short has 2"),
    ],
)
def test_files_that_cannot_be_scored(refused, line, message):
    assert refused(line).startswith(message)


# Explanations.


def test_explain(output):
    printed = output(f"green explain {BOTH} -t char -n 2 -b 1 --strip")
    parts = []
    for index, source in enumerate(SOURCES):
        for name, corrected in SYSTEMS.items():
            options = {"tokenizer": "char", "max_order": 2, "beta": 1, "strip": True}
            explanation = explain(source, corrected[index], REFERENCES[index], **options)
            text = explanation.to_text(show=half_up)
            parts.append(f"sentence {index + 1}, {name.removesuffix('.txt')}\n{text}\n")
    assert printed == "\n".join(parts)


def test_explain_a_text(output, run):
    texts = "He go home .", "He goes home .", "He went home .", "He goes home ."
    printed = output(f"green explain --text {shlex.join(texts)} -n 2")
    source, correction, *references = texts
    explanation = explain(source, correction, references, max_order=2)
    assert printed == f"{explanation.to_text(show=half_up)}\n"
    status, _, errors = run(f"green explain --text {shlex.join(texts)} -n 5")
    assert status == 0
    assert errors.startswith("green explain: warning: 1 of 1 sentences have fewer than 5 tokens")


@posix
def test_names_of_files_do_nothing_to_a_terminal(output, tmp_path):
    path = tmp_path / "a\x1b[31mb\x07"
    path.write_bytes((EXAMPLES / "bold.txt").read_bytes())
    printed = output(f"green explain {GIVEN} -c {shlex.quote(str(path))} -n 1")
    assert "a\\x1b[31mb\\x07" in printed
    assert "\x1b" not in printed


def test_explanations_are_coloured_on_a_terminal_only(tmp_path):
    pty = pytest.importorskip("pty")
    saved = tmp_path / "saved.txt"
    line = f"green sentences {GIVEN} -c careful.txt --explain -n 1 --save {saved}"
    plain = start(line, stdout=subprocess.PIPE).communicate()[0]
    assert plain == saved.read_bytes()
    assert b"\x1b" not in plain
    for settings, colored in ({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False):
        controller, terminal = pty.openpty()
        env = {**os.environ, "TERM": "xterm", **settings}
        with start(line, stdout=terminal, env=env):
            os.close(terminal)
            shown = read_all(controller)
        assert (b"[UD]\x1b[0m" in shown) == colored
        unstyled = re.sub(rb"\x1b\[[\d;]*m", b"", shown).replace(b"\r\n", b"\n")
        assert unstyled == plain == saved.read_bytes()


# What is saved.


@pytest.mark.parametrize("ending", ["txt", "json", "csv", "md", "tex", "JSON"])
def test_save(output, tmp_path, ending):
    formats = {"txt": "text", "json": "json", "csv": "csv", "md": "markdown", "tex": "latex"}
    formats |= {"JSON": "json"}
    path = tmp_path / f"results.{ending}"
    path.write_text("old", "utf-8")
    printed = output(f"green {BOTH} --save {path}")
    assert printed == output(f"green {BOTH}")
    assert path.read_text("utf-8") == output(f"green {BOTH} --format {formats[ending]}")
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_report(output, tmp_path, level):
    path = tmp_path / "report.html"
    line = f"green report {BOTH} -o {path} --level {level} --baseline bold --resamples 50"
    assert output(line) == f"wrote {path}\n"
    page = path.read_text("utf-8")
    systems = {name.removesuffix(".txt"): lines for name, lines in SYSTEMS.items()}
    options = {"baseline": "bold", "n_resamples": 50, "level": level}
    # But for the files, which only the command knows.
    assert (
        page.partition('id="settings"')[0]
        == (report(systems, SOURCES, REFERENCES, **options).partition('id="settings"')[0])
    )
    assert "<dt>source</dt><dd>source.txt</dd>" in page
    assert "<dd>careful.txt<br>bold.txt" in page
    value = score(SOURCES, SYSTEMS["bold.txt"], REFERENCES, level=level)["green"]
    output(f"{line} -d 5")
    assert f"<b>{half_up(value, 5)}</b>" in path.read_text("utf-8")


def test_a_report_of_one_system_has_no_test(output, tmp_path):
    output(f"green report {GIVEN} -c bold.txt -o {tmp_path}/x.html --resamples 20")
    assert "p-value" not in (tmp_path / "x.html").read_text("utf-8")


def test_a_report_of_equal_systems(output, tmp_path):
    output(f"green report {GIVEN} -c A=bold.txt B=bold.txt -o {tmp_path}/x.html --resamples 20")
    page = (tmp_path / "x.html").read_text("utf-8")
    assert "share the highest GREEN, <b>88.90</b>" in page


def test_a_gold_file_per_score(data_dir, output, monkeypatch):
    monkeypatch.chdir(data_dir / "conll14")
    gold = "--gold m2=official.m2 errant=errant.m2"
    line = f"green {gold} -c errant/AMU.m2 -m green m2 errant"
    assert output(line).split()[-3:][1:] == ["35.01", "32.08"]


def test_save_in_the_format_asked_for(output, tmp_path):
    output(f"green {BOTH} --format json --save {tmp_path / 'results'}")
    assert json.loads((tmp_path / "results").read_text("utf-8"))["n_sentences"] == 60


def test_save_never_leaves_half_a_file(run, tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    path.write_text("old", "utf-8")
    monkeypatch.setattr(
        os, "fsync", lambda file: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    status, printed, errors = run(f"green {BOTH} --save {path}")
    assert (status, printed) == (2, "")
    assert errors == f"green: error: cannot write {path}: No space left\n"
    assert path.read_text("utf-8") == "old"
    assert os.listdir(tmp_path) == [path.name]


@posix
def test_save_to_a_device_or_a_pipe(output):
    output(f"green {BOTH} --save /dev/null")
    assert not Path("/dev/null").is_file()
    reader, writer = os.pipe()
    printed = output(f"green {BOTH} --save /dev/fd/{writer}")
    os.close(writer)
    with open(reader, encoding="utf-8") as file:
        assert file.read() == printed


@posix
def test_save_to_a_pipe_of_any_name(output, tmp_path):
    pipe = tmp_path / "pipe.pdf"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    printed = output(f"green {BOTH} --save {pipe}")
    with open(reader, encoding="utf-8") as file:
        assert file.read() == printed


@posix
def test_save_keeps_links_and_permissions(output, tmp_path):
    secret, link, new = tmp_path / "secret", tmp_path / "link", tmp_path / "new"
    secret.touch(0o600)
    link.symlink_to(secret)
    printed = output(f"green {BOTH} --save {link}")
    assert link.is_symlink()
    assert secret.read_text("utf-8") == printed
    assert secret.stat().st_mode & 0o777 == 0o600
    output(f"green {BOTH} --save {new}")
    (tmp_path / "ordinary").touch()
    assert new.stat().st_mode == (tmp_path / "ordinary").stat().st_mode


@linux
def test_names_that_are_not_utf8(tmp_path):
    path = os.fsencode(tmp_path / "b") + b"\xff"
    Path(os.fsdecode(path)).write_bytes((EXAMPLES / "bold.txt").read_bytes())
    green = Path(sys.executable).parent / "green"
    line = [green, *shlex.split(GIVEN), "-c", path, "--save", tmp_path / "saved"]
    ran = subprocess.run(line, cwd=EXAMPLES, capture_output=True, check=True)
    assert ran.stdout.splitlines()[2] == path + b"\t88.90"
    assert (tmp_path / "saved").read_bytes() == ran.stdout


# How commands end.


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_ends_quietly(unbuffered):
    """Also when the reader takes a part, and Python keeps no buffer of its own."""
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    pipe = subprocess.PIPE
    process = start(f"sgreen {BOTH} -v", stdout=pipe, stderr=pipe, env=env)
    assert process.stdout.read(5) == b"caref"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


@posix
def test_ctrl_c_ends_quietly():
    pipe = subprocess.PIPE
    process = start(
        f"green {GIVEN} -c -",
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        # Where the tests run in the background, the signal may be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == (b"", b"")
    assert process.returncode == 130


@linux
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_an_error(unbuffered):
    with open("/dev/full", "wb") as full:
        env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        process = start(f"green {BOTH}", stdout=full, stderr=subprocess.PIPE, env=env)
        errors = process.communicate()[1]
    assert errors == b"green: error: cannot write the output: No space left on device\n"
    assert process.returncode == 2


@posix
def test_closed_outputs():
    command = f"{shlex.quote(str(Path(sys.executable).parent / 'green'))} {BOTH}"
    for closed, status, printed, errors in [
        (">&-", 2, "", "green: error: cannot write the output: standard output is closed\n"),
        ("-r - <&-", 2, "", "green: error: standard input is closed\n"),
        ("2>&-", 0, "alpha\t0.20\n", ""),
    ]:
        ran = subprocess.run(
            f"{command} {closed}", shell=True, cwd=EXAMPLES, capture_output=True, text=True
        )
        assert (ran.returncode, ran.stderr) == (status, errors)
        assert ran.stdout.startswith(printed)


def test_nothing_slow_is_imported():
    code = """
import sys
from green_gec import cli
assert "numpy" not in sys.modules
cli.main("green", "corpus", sys.argv[1:])
slow = {"evaluate", "datasets", "pandas", "tabulate", "tqdm"}
assert not slow & set(sys.modules), slow & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code, *shlex.split(BOTH)], cwd=EXAMPLES, check=True)


@pytest.mark.parametrize("arguments", ["--help", "--version", "--what", f"{BOTH} -m gleu -b 1"])
def test_help_and_mistakes_wait_for_nothing_slow(arguments):
    code = """
import sys
from green_gec import cli
try:
    cli.main("green", "corpus", sys.argv[1:])
    raise AssertionError("this ends with the help or an error")
except SystemExit:
    slow = {"numpy", "pyarrow", "pandas", "green_gec.api"}
    assert not slow & set(sys.modules), slow & set(sys.modules)
"""
    line = [sys.executable, "-c", code, *shlex.split(arguments)]
    subprocess.run(line, cwd=EXAMPLES, check=True, stdout=subprocess.DEVNULL)


def read_all(controller):
    """What is shown on a terminal until the last program that writes there has ended."""
    shown = b""
    with contextlib.suppress(OSError):  # that is how Linux tells the end
        while piece := os.read(controller, 4096):
            shown += piece
    os.close(controller)
    return shown


def test_a_bar_on_a_terminal_for_long_work(tmp_path):
    path = tmp_path / "texts"
    path.write_text("\n".join(SOURCES * 100), "utf-8")
    fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 80, 0, 0))
    line = f"green -s {path} -r {path} -c {path} --confidence --resamples 90000"
    process = start(line, stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read_all, controller)
        printed = process.communicate()[0].decode()
        shown = reading.result().decode()
    assert printed.splitlines()[2].split()[:2] == ["texts", "100.00"]
    assert "resampling:" in shown
    assert shown.endswith("\r")  # nothing is left of it
