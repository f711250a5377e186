"""albumentations: pictures are arrays of the right shape and dtype, without content; what changes neither hands on what it is given."""

from torch._stand_ins import lacks

from ._compositions import *
from ._sizes import *
from ._unchanging import NAMES, named as _named
from . import _compositions, _sizes

__version__ = "2.0.8"
__all__ = [*_compositions.__all__, *_sizes.__all__, *NAMES]
_lacking = lacks("albumentations")


def __getattr__(name: str) -> type:
    return _named(name) if name in NAMES else _lacking(name)
