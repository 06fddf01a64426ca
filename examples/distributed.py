"""Score with several processes: torchrun --nproc-per-node 2 examples/distributed.py

Each process scores its share, here of the bundled examples. The statistics, a few integers, are
gathered and added; nothing is written to disk.
"""

from pathlib import Path
from typing import Any

import torch.distributed as dist

from green_gec import Statistics
from green_gec.corpus import read_lines

HERE = Path(__file__).parent


def share(n_sentences: int) -> slice:
    """The sentences of this process: blocks in the order of the ranks, so that sums keep order."""
    rank, n_processes = dist.get_rank(), dist.get_world_size()
    return slice(n_sentences * rank // n_processes, n_sentences * (rank + 1) // n_processes)


def score(sources: Any, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
    """The score of the shares of all processes together, the same in each of them."""
    statistics = Statistics.of(sources, predictions, references, **options)
    gathered = [statistics] * dist.get_world_size()
    dist.all_gather_object(gathered, statistics)
    return sum(gathered).score()


def main() -> None:
    dist.init_process_group("gloo")
    sources, first, second = (
        read_lines(HERE / f"{name}.txt") for name in ("source", "reference0", "reference1")
    )
    mine = share(len(sources))
    predictions = read_lines(HERE / "bold.txt")[mine]  # in earnest, generated here
    references = list(zip(first[mine], second[mine], strict=True))
    result = score(sources[mine], predictions, references, n_resamples=1000)
    if dist.get_rank() == 0:
        print(result)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
