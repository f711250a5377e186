"""torchtext: vocabularies, splitting and placeholder sentences, as its last releases have them."""

from __future__ import annotations

import sys

from torch._stand_ins import lacks

from . import datasets, vocab
from . import _data as data
from . import _functional as functional

__version__ = "0.18.0"
for _name, _module in (
    ("data", data),
    ("data.utils", data),
    ("data.functional", data),
    ("data.datasets_utils", data),
    ("functional", functional),
):
    sys.modules[f"{__name__}.{_name}"] = _module
__all__ = ["data", "datasets", "disable_torchtext_deprecation_warning", "functional", "vocab"]
__getattr__ = lacks("torchtext")


def disable_torchtext_deprecation_warning() -> None:
    """None is shown."""
