"""GREEN as a torchmetrics `Metric`: python examples/torchmetrics_green.py"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import torch
from torchmetrics import Metric

from green_gec import Statistics
from green_gec.corpus import read_lines

HERE = Path(__file__).parent
# What statistics begin with: a number for the options, and the number of references.
N_FIRST = 2


class Green(Metric):
    """GREEN of a corpus, with options of `score` such as beta; the state is a sum of counts."""

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    counts: torch.Tensor

    def __init__(self, options: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options or {}
        rows = self._rows(*[["a b c d e f"] * 2] * 3)
        if len(rows) > 1 or self.options.get("detailed"):
            raise ValueError(f"no sum of counts is enough for the results with {self.options}")
        self.first = rows[0][:N_FIRST]
        zeros = torch.zeros(len(rows[0]) - N_FIRST, dtype=torch.int64)
        self.add_state("counts", zeros, dist_reduce_fx="sum")

    def update(
        self,
        sources: Sequence[str],
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
    ) -> None:
        for row in self._rows(sources, predictions, references):
            self.counts += torch.tensor(row[N_FIRST:], device=self.device)

    def compute(self) -> dict[str, torch.Tensor]:
        rows = pa.table({"statistics": [[*self.first, *self.counts.tolist()]]})
        found = Statistics.from_arrow(rows, **self.options).score()
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in found.items()}

    def _rows(self, *texts: Any) -> list[list[int]]:
        """Sums, one row per number of references, on which the score does not depend."""
        return Statistics.of(*texts, **self.options).to_arrow()["statistics"].to_pylist()


def main() -> None:
    metric = Green()
    names = ("source", "bold", "reference0")
    sources, predictions, references = (read_lines(HERE / f"{name}.txt") for name in names)
    for start in range(0, len(sources), 16):
        batch = slice(start, start + 16)
        metric.update(sources[batch], predictions[batch], references[batch])
    print({name: round(float(value), 4) for name, value in metric.compute().items()})


if __name__ == "__main__":
    main()
