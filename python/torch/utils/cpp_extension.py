"""torch.utils.cpp_extension: a simulated machine has no compiler and no CUDA toolkit.

What `load` would compile is known for a few published extensions: which tensors their functions make, by their own sources. Of others only what
is called as a statement runs: it writes into tensors that it is given.
"""

from __future__ import annotations

import dis
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

from torch import _C, _ops
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any

CUDA_HOME = ROCM_HOME = CUDNN_HOME = SYCL_HOME = None
IS_HIP_EXTENSION = False


def _like(input: Any, *_: Any) -> Any:
    """fused_bias_act (rosinality/stylegan2-pytorch op/fused_bias_act_kernel.cu), bias_act (NVlabs bias_act.cpp): one tensor as the first."""
    return input.contiguous().new_empty(input.shape)


def _resampled(input: Any, kernel: Any, *numbers: Any) -> Any:
    """upfirdn2d: the picture with `up - 1` zeros behind each pixel, padded, filtered, and every `down`-th pixel of it.

    Of ten arguments (rosinality op/upfirdn2d_kernel.cu) the picture is (major, height, width, minor); of more (NVlabs upfirdn2d.cpp)
    (batch, channels, height, width).
    """
    up_x, up_y, down_x, down_y, x0, x1, y0, y1 = numbers[:8]
    height, width = input.shape[1:3] if len(numbers) == 8 else input.shape[2:]
    kernel_height, kernel_width = (kernel.shape[0], kernel.shape[-1])
    out = (
        (height * up_y + y0 + y1 - kernel_height + down_y) // down_y,
        (width * up_x + x0 + x1 - kernel_width + down_x) // down_x,
    )
    first, last = input.shape[0], input.shape[-1]
    return input.contiguous().new_empty((first, *out, last) if len(numbers) == 8 else (*input.shape[:2], *out))


_PUBLISHED = {
    "fused": {"fused_bias_act": _like},
    "upfirdn2d": {"upfirdn2d": _resampled},
    "bias_act_plugin": {"bias_act": _like},
    "upfirdn2d_plugin": {"upfirdn2d": _resampled},
}


class _Kernels:
    """An extension that nobody here knows. Where a call's result is dropped, what it computes lies in what it was given."""

    def __init__(self, name: str) -> None:
        self.__dict__.update(__name__=name, __path__=[])

    def __getattr__(self, function: str) -> Any:
        if function.startswith("__"):
            raise AttributeError(function)

        def kernel(*_: Any, **__: Any) -> None:
            if not _is_dropped(sys._getframe(1)):
                raise _unknown(self.__name__)
            note("extension_writes", "name", f"{self.__name__}.{function}")

        self.__dict__[function] = kernel
        return kernel


def _is_dropped(frame):
    """Whether the call that a frame is making is a statement of its own."""
    steps = (step for step in dis.get_instructions(frame.f_code) if step.opname not in ("CACHE", "NOP"))
    return next((step.opname == "POP_TOP" for step in steps if step.offset > frame.f_lasti), False)


def _unknown(name):
    return _C.UnsupportedOp(f"vramscope does not simulate torch.utils.cpp_extension.load: '{name}' is compiled code")


def load(name: str, *_: Any, is_python_module: bool = True, **__: Any) -> Any:
    """An extension by its published sources; of one that is not known, what is called for what it writes. UnsupportedOp where that is caught."""
    if name in _PUBLISHED:
        note("extension_by_sources", "name", name)
        return SimpleNamespace(__name__=name, **_PUBLISHED[name])
    from vramscope_data.handlers import expects_no_compiler

    if expects_no_compiler():
        raise _unknown(name)
    kernels = _Kernels(name)
    if not is_python_module:
        _ops.ops._spaces[name] = kernels
    return kernels


load_inline = load
