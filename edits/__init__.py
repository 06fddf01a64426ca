"""Scores of edits: M² and ERRANT. Gold edits come from M2 files, see `corpus`."""
