"""Stand-in for xformers: attention, SwiGLU and RMSNorm. Which version's rules: `__version__`."""

from torch._stand_ins import lacks

__version__ = "0.0.30"
__getattr__ = lacks("xformers")
