"""torchtext: vocabularies, splitting and placeholder sentences, as its last releases have them."""

from __future__ import annotations

import sys

from torch._stand_ins import lacks

from . import datasets, legacy, vocab
from . import _data as data
from . import _functional as functional

__version__ = "0.18.0"
for _name, _module in (
    ("data", data),
    ("data.utils", data),
    ("data.functional", data),
    ("data.datasets_utils", data),
    ("functional", functional),
    ("data.field", data),
    ("data.iterator", data),
    ("data.dataset", data),
    ("data.example", data),
    ("data.batch", data),
    ("legacy", legacy),
    ("legacy.data", data),
    ("legacy.datasets", datasets),
    ("legacy.vocab", vocab),
):
    sys.modules[f"{__name__}.{_name}"] = _module
__all__ = ["data", "datasets", "disable_torchtext_deprecation_warning", "functional", "legacy", "vocab"]
__getattr__ = lacks("torchtext")


def disable_torchtext_deprecation_warning() -> None:
    """None is shown."""
