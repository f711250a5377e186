"""Batch and instance normalisation, which keep running statistics as buffers."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import torch
from torch._release import rules

from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedBuffer, UninitializedParameter
from ._functions import SyncBatchNorm as SyncBatchNormFunction
from .lazy import LazyModuleMixin
from .module import Module

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class _NormBase(Module):
    _version = 2

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        where = {"device": device, "dtype": dtype}
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = Parameter(torch.empty(num_features, **where))
            if bias:
                self.bias = Parameter(torch.empty(num_features, **where))
            else:
                self.register_parameter("bias", None)
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        if track_running_stats:
            self.register_buffer("running_mean", torch.zeros(num_features, **where))
            self.register_buffer("running_var", torch.ones(num_features, **where))
            self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long, device=device))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    _DIMS = ()

    def _check_input_dim(self, input):
        if self._DIMS and input.dim() not in self._DIMS:
            raise ValueError(f"expected {' or '.join(f'{d}D' for d in self._DIMS)} input (got {input.dim()}D input)")

    def extra_repr(self) -> str:
        bias = f" bias={self.bias is not None}," if rules.norm_texts_say_bias else ""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine},"
            f"{bias} track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        version = local_metadata.get("version", None)
        if (version is None or version < 2) and self.track_running_stats:
            key = prefix + "num_batches_tracked"
            if key not in state_dict:
                own = self.num_batches_tracked
                state_dict[key] = own if own is not None and not own.is_meta else torch.tensor(0, dtype=torch.long)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class _BatchNorm(_NormBase):
    def _normalize(self, input, mean, variance, use_batch, factor):
        return F.batch_norm(input, mean, variance, self.weight, self.bias, use_batch, factor, self.eps)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # cumulative average; reading the counter gives a placeholder
                factor = 1.0 / max(1.0, float(self.num_batches_tracked))
        if self.training:
            use_batch = True
        else:
            use_batch = self.running_mean is None and self.running_var is None
        keep = not self.training or self.track_running_stats
        mean, variance = (self.running_mean, self.running_var) if keep else (None, None)
        return self._normalize(input, mean, variance, use_batch, factor)


class BatchNorm1d(_BatchNorm):
    _DIMS = (2, 3)


class BatchNorm2d(_BatchNorm):
    _DIMS = (4,)


class BatchNorm3d(_BatchNorm):
    _DIMS = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation whose statistics, in training, are those of all ranks of a group; alone it is the plain one."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    def _normalize(self, input, mean, variance, use_batch, factor):
        import torch.distributed as dist

        if not (use_batch and self.training and dist.is_initialized()):
            return super()._normalize(input, mean, variance, use_batch, factor)
        if input.device.type != "cuda":
            raise ValueError("SyncBatchNorm expected input tensor to be on GPU or XPU or privateuseone")
        group = self.process_group or dist.group.WORLD
        size = dist.get_world_size(group)
        if size == 1:
            return super()._normalize(input, mean, variance, use_batch, factor)
        return SyncBatchNormFunction.apply(input, self.weight, self.bias, mean, variance, self.eps, factor, group, size)

    @classmethod
    def convert_sync_batchnorm(
        cls, module: torch.nn.Module, process_group: torch.distributed.ProcessGroup | None = None
    ) -> Any:
        converted = module
        if isinstance(module, _BatchNorm):
            converted = SyncBatchNorm(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
            )
            if module.affine:
                with torch.no_grad():
                    converted.weight = module.weight
                    converted.bias = module.bias
            converted.running_mean = module.running_mean
            converted.running_var = module.running_var
            converted.num_batches_tracked = module.num_batches_tracked
            converted.training = module.training
        for name, child in module.named_children():
            converted.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return converted


class _InstanceNorm(_NormBase):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _apply_norm(self, input):
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0,
            self.eps,
        )

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        unbatched = min(self._DIMS)
        channels = input.dim() - unbatched
        if input.size(channels) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={channels} to match num_features ({self.num_features}), "
                    f"but got: {input.size(channels)}."
                )
            warnings.warn(f"input's size at dim={channels} does not match num_features", stacklevel=2)
        if input.dim() == unbatched:
            return self._apply_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_norm(input)


class InstanceNorm1d(_InstanceNorm):
    _DIMS = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    _DIMS = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    _DIMS = (4, 5)


class _LazyNorm(LazyModuleMixin):
    """A norm whose number of features is read from its first input."""

    _CHANNEL_FROM = None

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype)
        self.affine = affine
        self.track_running_stats = track_running_stats
        where = {"device": device, "dtype": dtype}
        if self.affine:
            self.weight = UninitializedParameter(**where)
            self.bias = UninitializedParameter(**where)
        if self.track_running_stats:
            self.running_mean = UninitializedBuffer(**where)
            self.running_var = UninitializedBuffer(**where)
            self.num_batches_tracked = torch.tensor(0, dtype=torch.long, device=device)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        if self.has_uninitialized_params():
            unbatched = isinstance(self, _InstanceNorm) and input.dim() == min(self._DIMS)
            self.num_features = input.shape[0 if unbatched else 1]
            for value in (self.weight, self.bias) if self.affine else ():
                value.materialize((self.num_features,))
            for value in (self.running_mean, self.running_var) if self.track_running_stats else ():
                value.materialize((self.num_features,))
            self.reset_parameters()


def _lazy(cls):
    return type("Lazy" + cls.__name__, (_LazyNorm, cls), {"cls_to_become": cls, "__module__": __name__})


LazyBatchNorm1d, LazyBatchNorm2d, LazyBatchNorm3d = map(_lazy, (BatchNorm1d, BatchNorm2d, BatchNorm3d))
LazyInstanceNorm1d, LazyInstanceNorm2d, LazyInstanceNorm3d = map(
    _lazy, (InstanceNorm1d, InstanceNorm2d, InstanceNorm3d)
)
