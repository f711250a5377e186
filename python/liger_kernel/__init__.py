"""Stand-in for liger_kernel: fused kernels for the parts of language models, as what they allocate and keep. After release 0.8."""

from __future__ import annotations

from torch._stand_ins import lacks

__getattr__ = lacks("liger_kernel")
__version__ = "0.8.5"
