"""triton.runtime: kernels as objects that are indexed by a grid and called."""

from torch._stand_ins import note


class JITFunction:
    """A kernel: `kernel[grid](...)` runs nothing."""

    def __init__(self, fn):
        self.fn, self.__name__, self.__doc__ = fn, getattr(fn, "__name__", "kernel"), fn.__doc__
        self.arg_names, self.cache = [], {}

    def __getitem__(self, grid):
        return self._launch

    def _launch(self, *_, **__):
        note("kernel_launch_free", "library", "triton")

    run = warmup = _launch

    def __call__(self, *_, **__):
        raise RuntimeError("Cannot call @triton.jit'd outside of the scope of a kernel")


KernelInterface = JITFunction


def jit(fn=None, **_):
    return JITFunction if fn is None else JITFunction(fn)


class Config:
    """One choice of sizes for a kernel."""

    def __init__(self, kwargs=None, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None, **_):
        self.kwargs, self.num_warps, self.num_stages, self.pre_hook = kwargs or {}, num_warps, num_stages, pre_hook


class Autotuner(JITFunction):
    """Would try several choices; none runs."""

    def __init__(self, fn, configs=()):
        super().__init__(getattr(fn, "fn", fn))
        self.configs = list(configs)
        self.best_config = self.configs[0] if self.configs else Config()


Heuristics = Autotuner


def autotune(configs=(), key=(), **_):
    return lambda fn: Autotuner(fn, configs)


def heuristics(values):
    return lambda fn: fn


class driver:
    """The device as Triton sees it."""

    class active:
        @staticmethod
        def get_current_device():
            return 0

        @staticmethod
        def get_current_target():
            return Target()

    class utils:
        pass


class Target:
    backend, arch, warp_size = "cuda", 80, 32
