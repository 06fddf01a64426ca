"""A report in one file: `green … --save report.html`, and `report` in Python.

Statistics → `findings` (numbers) → `charts` and `tables` (markup) → `page`.
"""
