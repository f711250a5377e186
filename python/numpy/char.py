"""numpy.char: arrays of text are not simulated; asking says so."""

from torch._stand_ins import lacks

__getattr__ = lacks("numpy.char")
