"""scikit-image: pictures are arrays of the right shape and dtype, without content.

Real: sizes read from the headers of files, what functions do to shapes and dtypes, errors between small arrays. Not: pixels.
"""

import importlib
from typing import Any

from torch._stand_ins import lacks

from .util import img_as_bool, img_as_float, img_as_float32, img_as_float64, img_as_int, img_as_ubyte, img_as_uint

__version__ = "0.26.0"
_PARTS = frozenset(
    "io transform color util metrics measure filters morphology exposure feature segmentation restoration data draw".split()
)
_lacks = lacks("skimage")


def __getattr__(name: str) -> Any:
    return importlib.import_module(f"skimage.{name}") if name in _PARTS else _lacks(name)
