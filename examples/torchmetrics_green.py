"""GREEN as a torchmetrics `Metric`: python examples/torchmetrics_green.py"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torchmetrics import Metric

from green_gec import Statistics
from green_gec.corpus import read_lines

HERE = Path(__file__).parent


class Green(Metric):
    """GREEN of a corpus, with options of `score` such as beta; the state is a sum of counts."""

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    counts: torch.Tensor

    def __init__(self, options: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options or {}
        self.statistics = Statistics.of(*[["any text"]] * 3, **self.options)
        if not self.statistics.is_sum or self.options.get("detailed"):
            raise ValueError(f"no sum of counts is enough for the results with {self.options}")
        zeros = torch.zeros_like(torch.from_numpy(self.statistics.rows))
        self.add_state("counts", zeros, dist_reduce_fx="sum")

    def update(
        self,
        sources: Sequence[str],
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
    ) -> None:
        statistics = Statistics.of(sources, predictions, references, **self.options)
        sums = statistics.rows.sum(axis=2, keepdims=True)
        self.counts += torch.from_numpy(sums).to(self.device)

    def compute(self) -> dict[str, torch.Tensor]:
        results = replace(self.statistics, rows=self.counts.numpy(force=True)).score()
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in results.items()}


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
