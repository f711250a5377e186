"""datasets.utils: how much is said, and small helpers."""

from torch._stand_ins import lacks

from . import logging, py_utils
from .._splits import disable_progress_bar, enable_progress_bar

disable_progress_bars, enable_progress_bars = disable_progress_bar, enable_progress_bar
__all__ = [
    "disable_progress_bar",
    "disable_progress_bars",
    "enable_progress_bar",
    "enable_progress_bars",
    "logging",
    "py_utils",
]
__getattr__ = lacks(__name__)
