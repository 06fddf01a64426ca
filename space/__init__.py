"""The Space, which `app.py` starts: `scoring` computes, `pages` shows, `controls` joins them."""
