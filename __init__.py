"""GREEN: the n-gram F-score for grammatical error correction."""

from .api import score
from .options import __version__

__all__ = ["__version__", "score"]
