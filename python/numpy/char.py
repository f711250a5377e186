"""numpy.char: functions of arrays of text, under their older address."""

from torch._stand_ins import lacks

from ._make import array as array, asarray as asarray
from ._texts import *

__getattr__ = lacks("numpy.char")
