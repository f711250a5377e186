"""Lets torch.compile run without a card: its code asks for memory in its own order, its Triton kernels are neither compiled nor launched.

Imported in the recorded process where the record is asked for with --compiled, after torch and before the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._inductor import config
from torch._inductor.runtime import triton_helpers, triton_heuristics
from torch.utils import _triton
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.runtime import driver

if TYPE_CHECKING:
    from typing import Any


class Driver(DriverBase):
    """What Triton asks of a card."""

    def __init__(self) -> None:
        pass

    @staticmethod
    def is_active() -> bool:
        return True

    def get_current_target(self) -> Any:
        major, minor = torch.cuda.get_device_capability()
        return GPUTarget("cuda", 10 * major + minor, 32)

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, *_: Any) -> int:
        return 0

    def get_active_torch_device(self) -> Any:
        return torch.device("cuda", 0)

    def get_device_interface(self) -> Any:
        return torch.cuda

    def get_benchmarker(self) -> Any:
        return lambda *_, **__: 0.0

    def get_empty_cache_for_benchmark(self) -> None:
        return None

    def clear_cache(self, cache: Any) -> None:
        pass

    def map_python_to_cpp_type(self, ty: Any) -> Any:
        return ty

    def assemble_tensormap_to_arg(self, *args: Any) -> Any:
        return args


def prepare() -> None:
    driver.set_active(Driver())
    for name in ("has_triton", "has_triton_package"):
        setattr(_triton, name, lambda: True)
    triton_helpers.set_driver_to_gpu = lambda: None
    config.compile_threads = 1
    config.fx_graph_cache = False
    triton_heuristics.CachingAutotuner.precompile = lambda self, *_, **__: None
    triton_heuristics.CachingAutotuner.run = lambda self, *_, **__: None
