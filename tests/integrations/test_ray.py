"""The documented job of Ray Data gives the figures of `score`."""

import pyarrow as pa
import pytest
from shared import documented_code, random_corpus

from green_gec import score

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")


@pytest.fixture(autouse=True)
def _started():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_the_documented_ray():
    sources, predictions, references = random_corpus(250)
    columns = {"source": sources, "prediction": predictions, "references": references}
    names = {"dataset": ray.data.from_arrow(pa.table(columns)).repartition(4)}
    exec(documented_code("map_batches"), names)
    assert names["result"] == score(sources, predictions, references)
