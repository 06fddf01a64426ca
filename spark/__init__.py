"""The short name of `green_gec.engines.spark`."""

from ..engines.spark import score, score_rows

__all__ = ["score", "score_rows"]
