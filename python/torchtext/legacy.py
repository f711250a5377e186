"""torchtext.legacy: what releases before 0.9 had, as 0.9 to 0.11 kept it."""

from . import _data as data
from . import datasets, vocab

__all__ = ["data", "datasets", "vocab"]
