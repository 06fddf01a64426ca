"""Imported once by the process that workers are forked from: what they need is ready in memory."""

from . import pages, visitors

_found, _warnings = visitors.explain("He go .", "He goes .", "He went .", "word", None)
pages.venn(_found, 1)  # computes the regions
