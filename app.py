"""Starts the Space. In a clone: python app.py"""

import ctypes
import importlib.util
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy loads: requests run side by side
if os.name == "posix" and hasattr(ctypes.CDLL(None), "mallopt"):
    # glibc's M_MMAP_THRESHOLD: arrays over 4 MB go back to the system at once.
    ctypes.CDLL(None).mallopt(-3, 1 << 22)
HERE = Path(__file__).parent.resolve()
# Python puts a script's folder first on its path, where our modules could hide others.
if Path(sys.path[0]).resolve() == HERE:
    del sys.path[0]
if "green_gec" not in sys.modules:  # in a Space, the package is not installed
    spec = importlib.util.spec_from_file_location("green_gec", HERE / "__init__.py")
    sys.modules["green_gec"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["green_gec"])

from green_gec.space.controls import demo, launch  # noqa: E402, F401

if __name__ == "__main__":
    launch()
