"""torchao.optim: an optimizer whose states and step lie on the host (torchao/optim/cpu_offload.py, CPUOffloadOptimizer)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.optim import AdamW, Optimizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


class CPUOffloadOptimizer(Optimizer):
    """Parameters of at least `minimal_size` elements have a copy, a gradient and an optimizer of their own on the host.

    A gradient goes to the host on a stream of its own as soon as it is complete; `offload_gradients` gives its memory back then.
    """

    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        optimizer_class: type[torch.optim.Optimizer] = AdamW,
        *,
        offload_gradients: bool = False,
        minimal_size: int = 4096,
        **kwargs: Any,
    ) -> None:
        if optimizer_class is AdamW:
            kwargs.setdefault("fused", True)
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.minimal_size, self._gives_back = minimal_size, offload_gradients
        self.stream = torch.cuda.Stream()
        self._copies, self._optimizers, self._arrived = {}, {}, {}
        small = []
        for group in groups:
            trained = [p for p in group.pop("params") if p.requires_grad]
            for parameter in trained:
                if parameter.numel() >= minimal_size:
                    self._move(parameter, optimizer_class, {**group, **kwargs})
            stays = [p for p in trained if p.numel() < minimal_size]
            if stays:
                small.append({"params": stays, **group})
        self._on_device = optimizer_class(small, **kwargs) if small else None

    def _move(self, parameter, optimizer_class, options):
        copy = torch.empty_like(parameter, device="cpu", pin_memory=True)
        copy.grad = torch.empty_like(copy, pin_memory=True)
        copy.copy_(parameter.detach(), non_blocking=True)
        self._copies[parameter] = copy
        self._optimizers[parameter] = optimizer_class([copy], **options)
        parameter.register_post_accumulate_grad_hook(self._send)

    def _send(self, parameter):
        if parameter.grad is None:
            return
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            self._copies[parameter].grad.copy_(parameter.grad, non_blocking=True)
        # a gradient that was added to comes last again
        self._arrived.pop(parameter, None)
        self._arrived[parameter] = self.stream.record_event()
        if self._gives_back:
            parameter.grad.record_stream(self.stream)
            parameter.grad = None

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = closure() if closure is not None else None
        if self._on_device is not None:
            self._on_device.step()
        for parameter, arrived in self._arrived.items():
            arrived.synchronize()
            self._optimizers[parameter].step()
            with torch.cuda.stream(self.stream):
                parameter.copy_(self._copies[parameter], non_blocking=True)
        self.stream.synchronize()
        self._arrived.clear()
        return loss

    def zero_grad(self, set_to_none: bool = True) -> None:
        assert set_to_none
        for parameter in self._copies:
            parameter.grad = None
        if self._on_device is not None:
            self._on_device.zero_grad()

    @property
    def param_groups(self) -> Any:
        on_device = self._on_device.param_groups if self._on_device is not None else []
        return [group for optimizer in self._optimizers.values() for group in optimizer.param_groups] + on_device

    def state_dict(self) -> Any:
        states = {"offloaded": [optimizer.state_dict() for optimizer in self._optimizers.values()]}
        return states if self._on_device is None else {**states, "on-device": self._on_device.state_dict()}

    def load_state_dict(self, state_dict: dict) -> None:
        for optimizer, state in zip(self._optimizers.values(), state_dict["offloaded"]):
            optimizer.load_state_dict(state)
        if self._on_device is not None:
            self._on_device.load_state_dict(state_dict["on-device"])
