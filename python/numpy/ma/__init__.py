"""numpy.ma: arrays with a mask; only what libraries ask for while they are imported."""

from numpy import asarray
from torch._stand_ins import lacks

__getattr__ = lacks("numpy.ma")


class MaskedArray:
    """Values and where they do not count."""

    def __init__(self, data, mask=False, **_):
        self.data, self.mask = asarray(data), asarray(mask)


def isMaskedArray(x):
    return isinstance(x, MaskedArray)


def masked_array(data, mask=False, **_):
    return MaskedArray(data, mask)


array = masked_array
