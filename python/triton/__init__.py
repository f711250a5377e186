"""Triton: kernels can be written and launched, and do not run.

Real: decorators, launch grids, next_power_of_2, cdiv. Not: what kernels compute. A launch allocates nothing itself: what a
program makes for it beforehand counts as always. The report says that kernels were launched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

from . import language, runtime
from .runtime import Config, Heuristics, JITFunction, autotune, heuristics, jit

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__version__ = "3.6.0"


def cdiv(x: Any, y: Any) -> Any:
    return -(-x // y)


def next_power_of_2(n: int) -> Any:
    return 1 << max(int(n) - 1, 0).bit_length()


def compile(*_: Any, **__: Any) -> None:
    note("kernel_launch_free", "library", "triton")


def set_allocator(allocator: Any) -> None:
    """Kernels that ask for memory do not run."""


class OutOfResources(Exception):
    """A kernel that needs more than the device has."""


class testing:
    @staticmethod
    def do_bench(fn: Callable, *_: Any, **__: Any) -> float:
        fn()
        return 0.0


TritonError = OutOfResources
__all__ = [
    "Config",
    "Heuristics",
    "JITFunction",
    "autotune",
    "cdiv",
    "heuristics",
    "jit",
    "language",
    "next_power_of_2",
    "runtime",
]
