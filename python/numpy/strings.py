"""numpy.strings: functions of arrays of text."""

from torch._stand_ins import lacks

from ._texts import *

__getattr__ = lacks("numpy.strings")
