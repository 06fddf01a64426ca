"""GREEN, the n-gram F-score for grammatical error correction, without evaluate."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # not typing's: importing it would delay the commands
if TYPE_CHECKING:
    from typing import Any

    from green_gec.api import compare as compare
    from green_gec.api import score as score
    from green_gec.counting import Statistics as Statistics
    from green_gec.edits.types import error_types as error_types
    from green_gec.engines.batches import score_batch as score_batch
    from green_gec.explanation import explain as explain
    from green_gec.input_warnings import InputWarning as InputWarning
    from green_gec.options import __version__ as __version__
    from green_gec.registry import register as register
    from green_gec.registry import unregister as unregister
    from green_gec.reporting.report import report as report
    from green_gec.sentences import differences as differences
    from green_gec.sentences import worst_sentences as worst_sentences
    from green_gec.training import generation_callback as generation_callback
    from green_gec.training.answers import extract_answer as extract_answer
    from green_gec.training.reward import reward as reward

_HOMES = {
    "InputWarning": "input_warnings",
    "Statistics": "counting",
    "__version__": "options",
    "compare": "api",
    "differences": "sentences",
    "error_types": "edits.types",
    "explain": "explanation",
    "extract_answer": "training.answers",
    "generation_callback": "training",
    "register": "registry",
    "report": "reporting.report",
    "reward": "training.reward",
    "score": "api",
    "score_batch": "engines.batches",
    "unregister": "registry",
    "worst_sentences": "sentences",
}
__all__ = [*_HOMES]


if not TYPE_CHECKING:  # type checkers would take any name for one of ours

    def __getattr__(name: str) -> Any:
        """Import on first use, so that the command line answers `--help` and mistakes at once."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # Not relative: pytest imports this file under the name of the clone's folder.
        return getattr(import_module(f"green_gec.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
