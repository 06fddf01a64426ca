"""Starts the Space. In a clone: python app.py"""

import importlib.util
import signal
import sys
from pathlib import Path

HERE = Path(__file__).parent.resolve()
# Python puts a script's folder first on its path, where our modules could hide others.
if Path(sys.path[0]).resolve() == HERE:
    del sys.path[0]
if "green_gec" not in sys.modules:  # in a Space, the package is not installed
    spec = importlib.util.spec_from_file_location("green_gec", HERE / "__init__.py")
    sys.modules["green_gec"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["green_gec"])

if __name__ != "__mp_main__":  # a worker process (space/work.py) needs no controls
    from green_gec.space.controls import demo, launch  # noqa: F401

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # an orderly end deletes our files
    launch()
