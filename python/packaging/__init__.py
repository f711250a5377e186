"""packaging, as far as programs compare versions by it."""

from torch._stand_ins import lacks

from . import specifiers, version

__version__ = "26.2"
__all__ = ["specifiers", "version"]
__getattr__ = lacks("packaging")
