"""DataParallel: one process, a copy of the module on each GPU in every forward, outputs and gradients on the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..modules.module import Module
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter_kwargs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


def _places(device_ids, output_device):
    if not torch.cuda.is_available():
        return [], None
    ids = list(range(torch.cuda.device_count())) if device_ids is None else device_ids
    ids = [torch.cuda._devices.ordinal(x) for x in ids]
    return ids, torch.cuda._devices.ordinal(ids[0] if output_device is None else output_device)


class DataParallel(Module):
    def __init__(
        self,
        module: Any,
        device_ids: Sequence[int | torch.device] | None = None,
        output_device: int | torch.device | None = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        self.dim = dim
        self.module = module
        self.device_ids, self.output_device = _places(device_ids, output_device)
        if not self.device_ids:
            return
        self.src_device_obj = torch.device("cuda", self.device_ids[0])
        if len(self.device_ids) == 1:
            self.module.to(self.src_device_obj)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        for t in [*self.module.parameters(), *self.module.buffers()]:
            if t.device != self.src_device_obj:
                raise RuntimeError(f"module must have its parameters and buffers on device {self.src_device_obj} (device_ids[0]) but found one of them on device: {t.device}")  # fmt: skip
        inputs, module_kwargs = self.scatter(inputs, kwargs, self.device_ids)
        if not inputs and not module_kwargs:
            inputs, module_kwargs = ((),), ({},)
        if len(self.device_ids) == 1:
            return self.module(*inputs[0], **module_kwargs[0])
        replicas = self.replicate(self.module, self.device_ids[: len(inputs)])
        outputs = self.parallel_apply(replicas, inputs, module_kwargs)
        return self.gather(outputs, self.output_device)

    def replicate(self, module: Any, device_ids: Sequence[int | torch.device]) -> list:
        return replicate(module, device_ids, not torch.is_grad_enabled())

    def scatter(
        self, inputs: tuple[Any, ...], kwargs: dict[str, Any] | None, device_ids: Sequence[int | torch.device]
    ) -> Any:
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def parallel_apply(self, replicas: Sequence, inputs: Sequence, kwargs: Any) -> list:
        return parallel_apply(replicas, inputs, kwargs, self.device_ids[: len(replicas)])

    def gather(self, outputs: Any, output_device: int | torch.device) -> Any:
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(
    module: torch.nn.Module,
    inputs: Any,
    device_ids: Sequence[int | torch.device] | None = None,
    output_device: int | torch.device | None = None,
    dim: int = 0,
    module_kwargs: Any = None,
) -> Tensor:
    inputs = inputs if isinstance(inputs, tuple) else (inputs,) if inputs is not None else ()
    ids, output = _places(device_ids, output_device)
    inputs, module_kwargs = scatter_kwargs(inputs, module_kwargs, ids, dim)
    if not inputs and not module_kwargs:
        inputs, module_kwargs = ((),), ({},)
    if len(ids) == 1:
        return module(*inputs[0], **module_kwargs[0])
    used = ids[: len(inputs)]
    outputs = parallel_apply(replicate(module, used, not torch.is_grad_enabled()), inputs, module_kwargs, used)
    return gather(outputs, output, dim)
