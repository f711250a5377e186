"""Process-wide defaults that scripts set: dtype and device of new tensors, and the simulated PyTorch version."""

from ._types import DTYPES

dtype = DTYPES["float32"]
device = None
version = (2, 14)
version_text = "2.14.0"


def at_least(major, minor):
    """True when the simulated PyTorch is this version or newer."""
    return version >= (major, minor)
