"""GREEN, the n-gram F-score for grammatical error correction, without evaluate."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from green_gec.api import compare, score
    from green_gec.batches import Statistics, score_batch
    from green_gec.explain import explain
    from green_gec.options import __version__
    from green_gec.training import reward

_HOMES = {
    "Statistics": "batches",
    "__version__": "options",
    "compare": "api",
    "explain": "explain",
    "reward": "training",
    "score": "api",
    "score_batch": "batches",
}

__all__ = ["Statistics", "__version__", "compare", "explain", "reward", "score", "score_batch"]


def __getattr__(name: str) -> Any:
    """Import on first use: the command line answers `--help` and mistakes at once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Not relative: pytest imports this file by the name of the clone's folder, whatever that is.
    value = getattr(import_module(f"green_gec.{_HOMES[name]}"), name)
    globals()[name] = value  # to import a module of that name would have put it there
    return value


def __dir__() -> list[str]:
    return __all__
