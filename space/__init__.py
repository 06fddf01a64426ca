"""The Space, which `app.py` starts.

`controls` are what visitors touch. They call the functions of `answers`, each in a process of its
own (`work`): `visitors` reads, checks and scores, `pages` shows, with the renderers of the report.
Every bound is in `limits`; `kept` holds corpora between requests, and `listeners` knows who waits.
"""
