"""After `register`, the card's first example runs in any folder, with any Hub, for any version."""

import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import evaluate
import pytest
from shared import ROOT, TEXTS

import green_gec

CARD = (ROOT / "README.md").read_text("utf-8")
FIRST_EXAMPLE = re.search(r"^```python\n(.*?)^```", CARD, flags=re.M | re.S)[1]
GREEN = str(Path(sys.executable).with_name("green"))
PRINT_VERSION = f"""
import evaluate
result = evaluate.load("green").compute(**{TEXTS!r}, detailed=True)
print(result["signature"].rpartition(":")[2])
"""

# evaluate would import it, and torch with it, for seconds in every process.
WITHOUT_TRANSFORMERS = """
import sys

class Finder:
    def find_spec(name, *_):
        if name == "transformers":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Finder)
"""


@pytest.fixture
def run(tmp_path):
    """Run Python in a folder of its own, with an empty cache and, unless told, without a Hub."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WITHOUT_TRANSFORMERS)
    (folder / "example.txt").write_text(FIRST_EXAMPLE, "utf-8")
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    environment |= {
        "HF_HOME": str(tmp_path / "cache"),
        "HF_EVALUATE_OFFLINE": "1",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",  # which would ask another server
    }

    def run(*arguments, start=subprocess.run, **changes):
        pipe = subprocess.PIPE
        command, env = [sys.executable, *arguments], environment | changes
        env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), changes.get("PYTHONPATH")]))
        return start(command, cwd=folder, env=env, stdout=pipe, stderr=pipe, text=True)

    return run


@pytest.fixture
def green(run):
    """The line that a command line of `green` prints."""

    def green(flag, **changes):
        ran = run(GREEN, flag, **changes)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.count("\n") == 1
        return ran.stdout

    return green


@pytest.fixture
def example_works(run):
    """Whether the card's example gives its result; if it does not, the metric is not found."""

    def example_works(**changes):
        ran = run("-m", "doctest", "example.txt", **changes)
        assert not ran.returncode or "FileNotFoundError: Couldn't find a module" in ran.stdout
        return not ran.returncode

    return example_works


@pytest.fixture
def hub(tmp_path):
    """A Hub that serves a folder, which is empty, and answers 404 to everything else."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    (tmp_path / "hub").mkdir()
    handler = partial(Handler, directory=tmp_path / "hub")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield {"HF_EVALUATE_OFFLINE": "0", "HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}"}
    server.shutdown()
    server.server_close()


@pytest.fixture
def no_hub():
    """An address at which nothing listens."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        yield {"HF_EVALUATE_OFFLINE": "0", "HF_ENDPOINT": address}


@pytest.fixture
def versions(tmp_path):
    """Where evaluate caches the versions of a metric `green` of the Hub."""
    return tmp_path / "cache/modules/evaluate_modules/metrics/evaluate-metric--green"


def test_the_cards_first_example_with_any_hub(example_works, green, hub, no_hub):
    assert 'evaluate.load("green")' in FIRST_EXAMPLE
    assert not example_works(**no_hub)
    green("register")
    assert example_works(**no_hub)
    assert example_works(**no_hub, HF_HUB_OFFLINE="1")
    assert example_works(**hub)
    assert example_works()
    green("unregister")
    assert not example_works(**hub)


def test_what_was_done_and_where(green, tmp_path, versions):
    """Nothing is left of a registration but what evaluate makes for itself."""
    assert green("unregister").startswith("nothing to undo: ")
    assert not (tmp_path / "cache").exists()
    registered = green("register")
    (module,) = versions.glob("*/green.py")
    assert str(module.parent) in registered
    assert green("register") == registered
    assert sorted(versions.glob("*/*")) == [module.with_name("__init__.py"), module]
    assert str(module.parent) in green("unregister")
    assert os.listdir(versions) == ["__init__.py"]


def test_registering_again_mends_a_registration(example_works, green, versions):
    green("register")
    (module,) = versions.glob("*/green.py")
    module.write_text("")
    green("register")
    assert example_works()


def test_another_cache(example_works, green, tmp_path):
    elsewhere = str(tmp_path / "modules")
    assert elsewhere in green("register", HF_MODULES_CACHE=elsewhere)
    assert example_works(HF_MODULES_CACHE=elsewhere)
    assert not example_works()


@pytest.mark.parametrize("variable", ["HF_HOME", "HF_MODULES_CACHE"])
def test_a_cache_that_cannot_be_written(run, tmp_path, variable):
    (tmp_path / "file").touch()
    ran = run(GREEN, "register", **{variable: str(tmp_path / "file")})
    assert (ran.returncode, ran.stdout) == (2, "")
    assert f"error: cannot write to evaluate's cache of modules, {tmp_path}" in ran.stderr
    assert ran.stderr.endswith("; set HF_HOME or HF_MODULES_CACHE to choose another folder\n")


def test_the_metric_is_that_of_the_file(run, green):
    """In every respect: results, documentation, files, processes."""
    green("register")
    code = f"""
import json, pickle, threading
import evaluate

def described(path):
    metric, gleu = evaluate.load(path, seed=7), evaluate.load(path, "gleu", seed=7)
    sent = pickle.loads(pickle.dumps(metric))
    metric.add_batch(**texts)
    one, other = (
        evaluate.load(path, num_process=2, process_id=process, experiment_id="two")
        for process in range(2)
    )
    thread = threading.Thread(target=other.compute, kwargs=texts)
    thread.start()
    both = one.compute(**texts, level="sentence")
    thread.join()
    return [
        both, metric.cache_file_name, metric.compute(n_resamples=20, detailed=True), repr(metric),
        metric.name, metric.module_type, metric.description, metric.citation, metric.data_dir,
        metric.inputs_description, type(metric).__doc__, metric.compute.__doc__,
        sent.compute(**texts), gleu.config_name, gleu.data_dir, gleu.compute(**texts),
        evaluate.combine([path, path]).compute(**texts),
    ]

texts = {TEXTS!r}
registered, file = described("green"), described({str(ROOT / "green.py")!r})
for one, other in zip(registered, file, strict=True):
    assert one == other, (one, other)
print(json.dumps(registered[0]))
"""
    ran = run("-c", code)
    assert ran.returncode == 0, ran.stderr
    expected = green_gec.score(**TEXTS, level="sentence")
    assert json.loads(ran.stdout) == {name: 2 * values for name, values in expected.items()}


def test_every_environment_loads_its_own_version(run, green, tmp_path):
    """An upgrade needs no second registration."""
    green("register")
    package = tmp_path / "upgraded" / "green_gec"
    package.mkdir(parents=True)
    for path in ROOT.glob("*.py"):
        shutil.copy(path, package)
    options = package / "options.py"
    options.write_text(options.read_text("utf-8").replace(green_gec.__version__, "99.0"), "utf-8")
    assert run("-c", PRINT_VERSION).stdout.strip() == green_gec.__version__
    assert run("-c", PRINT_VERSION, PYTHONPATH=str(package.parent)).stdout.strip() == "99.0"


def test_an_environment_without_the_package(run, green):
    green("register")
    libraries = Path(evaluate.__file__).parent.parent
    if (libraries / "green_gec").exists():
        pytest.skip("needs an editable installation, from which -S hides the package")
    error = run("-S", "-c", PRINT_VERSION, PYTHONPATH=str(libraries)).stderr.splitlines()[-1]
    assert error.startswith("ImportError: evaluate.load('green') is registered for the package gre")
    assert "pip install green-gec" in error
    assert "green unregister" in error


def test_a_metric_of_the_hubs_in_the_cache(run, hub, tmp_path):
    """Ours goes first while it is registered, since it is newer; the other one stays."""
    space = tmp_path / "hub/spaces/evaluate-metric/green/resolve/main"
    space.mkdir(parents=True)
    (space / "green.py").write_text("""
import datasets
import evaluate

class Other(evaluate.Metric):
    def _info(self):
        texts = datasets.Features({"predictions": datasets.Value("string")})
        return evaluate.MetricInfo(description="", citation="", features=texts)
""")
    code = """
import inspect, os, time
import evaluate, green_gec

def loaded():
    metric = evaluate.load("green")
    print(metric.name)
    return inspect.getfile(type(metric))

other = loaded()
for age in (3600, 1):
    os.utime(other, (time.time() - age, time.time() - age))
    green_gec.register()
    loaded()
    green_gec.unregister()
    loaded()
"""
    assert run("-c", code, **hub).stdout.split() == ["other"] * 5  # the Hub goes before the cache
    assert run("-c", code).stdout.split() == ["other", *["green", "other"] * 2]


def test_many_processes_at_once(run, versions):
    """Each registers, and loads the metric while others register."""
    code = """
import evaluate, green_gec
for _ in range(20):
    green_gec.register()
    assert evaluate.load("green").name == "green"
"""
    for process in [run("-c", code, start=subprocess.Popen) for _ in range(4)]:
        errors = process.communicate()[1]
        assert process.returncode == 0, errors
    assert len(list(versions.glob("*/*.py"))) == 2
