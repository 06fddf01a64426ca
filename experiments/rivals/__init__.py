"""Other metrics, computed from their papers: not part of the package."""
