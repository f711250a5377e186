"""bitsandbytes.research: nothing of it is simulated."""

from torch._stand_ins import lacks

__getattr__ = lacks("bitsandbytes.research")
