"""GREEN, the n-gram F-score for grammatical error correction, without evaluate."""

# Not relative: pytest imports this file by the name of the clone's folder, whatever that is.
from green_gec.api import score
from green_gec.options import __version__

__all__ = ["__version__", "score"]
