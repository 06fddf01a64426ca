"""GREEN, the n-gram F-score for grammatical error correction, without evaluate."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # not typing's: importing it would delay the commands
if TYPE_CHECKING:
    from typing import Any

    from green_gec.api import Statistics, compare, score
    from green_gec.edits.types import error_types
    from green_gec.engines.batches import score_batch
    from green_gec.explanation import explain
    from green_gec.inputs import InputWarning
    from green_gec.options import __version__
    from green_gec.registry import register, unregister
    from green_gec.reporting.report import report
    from green_gec.sentences import differences, worst_sentences
    from green_gec.training import extract_answer, reward

_HOMES = {
    "InputWarning": "inputs",
    "Statistics": "api",
    "__version__": "options",
    "compare": "api",
    "differences": "sentences",
    "error_types": "edits.types",
    "explain": "explanation",
    "extract_answer": "training",
    "register": "registry",
    "report": "reporting.report",
    "reward": "training",
    "score": "api",
    "score_batch": "engines.batches",
    "unregister": "registry",
    "worst_sentences": "sentences",
}

__all__ = [
    "InputWarning",
    "Statistics",
    "__version__",
    "compare",
    "differences",
    "error_types",
    "explain",
    "extract_answer",
    "register",
    "report",
    "reward",
    "score",
    "score_batch",
    "unregister",
    "worst_sentences",
]


if not TYPE_CHECKING:  # type checkers would take any name for one of ours

    def __getattr__(name: str) -> Any:
        """Import on first use, so that the command line answers `--help` and mistakes at once."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # Not relative: pytest imports this file under the name of the clone's folder.
        value = getattr(import_module(f"green_gec.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
