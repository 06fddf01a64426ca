import shutil
from pathlib import Path

import pytest
from small_corpora import write_all

from experiments import bench


@pytest.fixture(scope="session")
def small_data(tmp_path_factory):
    """A folder with all corpora in small."""
    return write_all(tmp_path_factory.mktemp("data"))


@pytest.fixture
def data(small_data, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(small_data, tmp_path / "data")


@pytest.fixture(scope="session")
def small_bench(small_data) -> bench.Bench:
    return bench.read(small_data, [], lambda step: None)


@pytest.fixture(scope="session")
def public(data_dir: Path) -> bench.Bench:
    """The public corpora."""
    return bench.read(data_dir, [], lambda step: None)
