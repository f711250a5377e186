"""Stand-in for optimum: what transformers asks of it to load weights of GPTQ. After 2.3."""

from __future__ import annotations

from torch._stand_ins import lacks

__getattr__ = lacks("optimum")
__version__ = "2.3.0"
