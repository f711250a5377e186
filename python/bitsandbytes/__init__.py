"""Stand-in for bitsandbytes: 8-bit and 4-bit layers and 8-bit optimizers, by the rules of the release that is played."""

from typing import Any

from torch._stand_ins import lacks

from . import functional, nn, optim, releases, research, utils
from .autograd._functions import MatmulLtState, matmul, matmul_4bit

features = {"multi_backend"}
supported_torch_devices = {"cpu", "cuda"}
modules = nn.modules
_lacks = lacks("bitsandbytes")


def __getattr__(name: str) -> Any:
    return releases.version_text() if name == "__version__" else _lacks(name)
