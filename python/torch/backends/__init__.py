"""Switches of back ends; those that change memory are read by the engine's callers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


class _Switches:
    """A namespace of plain attributes."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


class _Attention(_Switches):
    """torch.backends.cuda: which attention kernels may be chosen."""

    def __init__(self) -> None:
        super().__init__(
            matmul=_Switches(
                allow_tf32=False,
                allow_fp16_reduced_precision_reduction=True,
                allow_bf16_reduced_precision_reduction=True,
            ),
            cufft_plan_cache=_Switches(max_size=4096),
        )
        self._enabled = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}

    def __getattr__(self, name: str) -> Callable:
        for kind in ("flash", "mem_efficient", "math", "cudnn"):
            if name == f"enable_{kind}_sdp":
                return lambda enabled: self._enabled.__setitem__(kind, bool(enabled))
            if name == f"{kind}_sdp_enabled":
                return lambda: self._enabled[kind]
        raise AttributeError(name)

    def is_built(self) -> bool:
        return True

    _reduced = False

    def allow_fp16_bf16_reduction_math_sdp(self, enabled: Any) -> None:
        self._reduced = bool(enabled)

    def fp16_bf16_reduction_math_sdp_allowed(self) -> Any:
        return self._reduced

    def _attention_kernels(self):
        """What the switches allow, for the engine; None when they are as at the start."""
        if all(self._enabled.values()) and not self._reduced:
            return None
        names = [{"mem_efficient": "efficient"}.get(kind, kind) for kind, allowed in self._enabled.items() if allowed]
        return ",".join(names + ["reduced_precision"] * self._reduced)

    @property
    def SDPBackend(self) -> Any:
        from torch.nn.attention import SDPBackend

        return SDPBackend

    def sdp_kernel(
        self,
        enable_flash: bool = True,
        enable_math: bool = True,
        enable_mem_efficient: bool = True,
        enable_cudnn: bool = True,
    ) -> Any:
        from contextlib import contextmanager

        @contextmanager
        def use():
            before = dict(self._enabled)
            self._enabled.update(
                flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn
            )
            try:
                yield
            finally:
                self._enabled.update(before)

        return use()

    def preferred_linalg_library(self, backend: str | None = None) -> None:
        return None

    def preferred_blas_library(self, backend: str | None = None) -> None:
        return None


class _Mha:
    """torch.backends.mha: the inference fast path of attention modules."""

    _fastpath = True

    def get_fastpath_enabled(self) -> bool:
        return self._fastpath

    def set_fastpath_enabled(self, value: bool) -> None:
        self._fastpath = value


class _Cudnn(_Switches):
    def __setattr__(self, name: str, value: Any) -> None:
        if name == "benchmark" and value and not self.benchmark:
            from torch import _C

            _C._js.assume("cudnn_benchmark", _C.here(), "library", "cuDNN")
        super().__setattr__(name, value)

    def is_available(self) -> bool:
        return True

    def version(self) -> int:
        return 91002

    def is_acceptable(self, tensor: Tensor) -> Any:
        kinds = ("float32", "float64", "float16")  # CUDNN_TENSOR_DTYPES
        return self.enabled and tensor.is_cuda and tensor.dtype.name in kinds

    def flags(self, **_: Any) -> Any:
        from contextlib import nullcontext

        return nullcontext()


cuda = _Attention()
mha = _Mha()
cudnn = _Cudnn(enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=10)
mps = _Switches(is_available=lambda: False, is_built=lambda: False, is_macos_or_newer=lambda major, minor: False)
mkl = _Switches(is_available=lambda: True)
mkldnn = _Switches(is_available=lambda: True, enabled=True)
openmp = _Switches(is_available=lambda: True)
opt_einsum = _Switches(enabled=False, is_available=lambda: False, strategy=None)
xeon = _Switches()
cpu = _Switches(get_cpu_capability=lambda: "DEFAULT")

import sys as _sys  # noqa: E402

for _name in ("cuda", "mha", "cudnn", "mps", "mkl", "mkldnn", "openmp", "opt_einsum"):
    _sys.modules[f"torch.backends.{_name}"] = globals()[_name]
