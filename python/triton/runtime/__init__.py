"""triton.runtime: kernels as objects that are indexed by a grid and called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


class JITFunction:
    """A kernel: `kernel[grid](...)` runs nothing."""

    def __init__(self, fn: Callable) -> None:
        self.fn, self.__name__, self.__doc__ = fn, getattr(fn, "__name__", "kernel"), fn.__doc__
        self.arg_names, self.cache = [], {}

    def __getitem__(self, grid: Any) -> Any:
        return self._launch

    def _launch(self, *_, **__):
        note("kernel_launch_free", "library", "triton")

    run = warmup = _launch

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("Cannot call @triton.jit'd outside of the scope of a kernel")


KernelInterface = JITFunction


def jit(fn: Callable | None = None, **_: Any) -> Any:
    return JITFunction if fn is None else JITFunction(fn)


class Config:
    """One choice of sizes for a kernel."""

    def __init__(
        self,
        kwargs: dict | None = None,
        num_warps: int = 4,
        num_stages: int = 3,
        num_ctas: int = 1,
        maxnreg: Any = None,
        pre_hook: Any = None,
        **_: Any,
    ) -> None:
        self.kwargs, self.num_warps, self.num_stages, self.pre_hook = kwargs or {}, num_warps, num_stages, pre_hook


class Autotuner(JITFunction):
    """Would try several choices; none runs."""

    def __init__(self, fn: Callable, configs: tuple = ()) -> None:
        super().__init__(getattr(fn, "fn", fn))
        self.configs = list(configs)
        self.best_config = self.configs[0] if self.configs else Config()


Heuristics = Autotuner


def autotune(configs: tuple = (), key: Any = (), **_: Any) -> Callable:
    return lambda fn: Autotuner(fn, configs)


def heuristics(values: Any) -> Callable:
    return lambda fn: fn


class driver:
    """The device as Triton sees it."""

    class active:
        @staticmethod
        def get_current_device() -> int:
            return 0

        @staticmethod
        def get_current_target() -> Target:
            return Target()

    class utils:
        pass


class Target:
    backend, arch, warp_size = "cuda", 80, 32
