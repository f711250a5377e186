"""numpy.polynomial: nothing of it is here; asking says so."""

from torch._stand_ins import lacks

__getattr__ = lacks("numpy.polynomial")
