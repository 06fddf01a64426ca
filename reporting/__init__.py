"""A report in one file: `green report`, and `report` in Python.

Corpus → Statistics → `analysis` (numbers) → `sections` and `articles` (markup, by `charts` and
`markup`) → `page`.
"""
