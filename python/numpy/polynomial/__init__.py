"""numpy.polynomial: what is here of it; asking for anything else says that it is not."""

from torch._stand_ins import lacks

from . import hermite as hermite, legendre as legendre

__getattr__ = lacks("numpy.polynomial")
