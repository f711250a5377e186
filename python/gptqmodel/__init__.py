"""Stand-in for gptqmodel, which is compiled: layers with GPTQ's and AWQ's weights as transformers and optimum load them. After 7.7."""

from __future__ import annotations

from torch._stand_ins import lacks

from .quantization import QuantizeConfig
from .utils.backend import BACKEND
from .version import __version__

__getattr__ = lacks("gptqmodel")
