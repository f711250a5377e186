"""Parts of PyTorch that are not simulated: importing them works, using them says so by name."""

import sys
import types

from . import _C


def _unsupported(name):
    def f(*_, **__):
        raise _C.UnsupportedOp(f"vramscope does not simulate {name}")

    f.__name__ = f.__qualname__ = name.rpartition(".")[2]
    return f


class _Absent(types.ModuleType):
    """A module whose functions all say that they are missing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _unsupported(f"{self.__name__}.{name}")


FUNCTIONS = """sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor sparse_compressed_tensor quantize_per_tensor
quantize_per_channel quantize_per_tensor_dynamic dequantize""".split()
MODULES = """export nested quantization ao ao.quantization ao.nn autograd.forward_ad""".split()
METHODS = "to_sparse to_sparse_csr to_mkldnn dequantize".split()


def install(namespace):
    """Puts the names into torch's namespace and the methods into Tensor."""
    for name in FUNCTIONS:
        namespace.setdefault(name, _unsupported(f"torch.{name}"))
    for name in MODULES:
        module = _Absent(f"torch.{name}", "Not simulated.")
        module.__path__ = []
        sys.modules[module.__name__] = module
        parent, _, last = name.rpartition(".")
        owner = sys.modules[f"torch.{parent}"].__dict__ if parent else namespace
        owner[last] = module
    for name in METHODS:
        setattr(_C.Tensor, name, _unsupported(f"Tensor.{name}"))
