"""Stand-in for bitsandbytes: 8-bit and 4-bit layers and 8-bit optimizers. Which version's rules: `__version__`."""

from torch._stand_ins import lacks

from . import functional, nn, optim, research, utils
from ._constants import VERSION as __version__
from .autograd._functions import MatmulLtState, matmul, matmul_4bit

features = {"multi_backend"}
supported_torch_devices = {"cpu", "cuda"}
modules = nn.modules
__getattr__ = lacks("bitsandbytes")
