"""The Space: its controls, what visitors send, and its pages. `app.py` starts it."""
