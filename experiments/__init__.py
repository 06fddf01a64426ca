"""The experiments of GREEN's papers: `python -m experiments.reproduce --data DIR`."""
