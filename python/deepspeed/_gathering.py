"""When ZeRO 3 has parameters whole: from the first use of a module on, until nothing needs them for a while.

Mirrors runtime/zero/partitioned_param_coordinator.py: the order of the first step is the trace that later steps look ahead in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class Gathering:
    def __init__(
        self, model: torch.nn.Module, settings: Tensor, device: torch.device | str | int | None, world: Any
    ) -> None:
        self.settings, self.device, self.world = settings, device, world
        self.dtype = settings.dtype
        self.parts, self.whole = {}, set()
        place = "cpu" if settings.offload_parameters else device
        for module in model.modules():
            for name, buffer in module._buffers.items():
                if buffer is not None and buffer.device != device:
                    meta = buffer.device.type == "meta"
                    module._buffers[name] = torch.empty_like(buffer, device=device) if meta else buffer.to(device)
        for parameter in model.parameters():
            wide = self.dtype if parameter.is_floating_point() else parameter.dtype
            # whole for a moment, as zero.Init makes it
            parameter.data = torch.empty(parameter.shape, dtype=wide, device=device)
            self.parts[parameter] = torch.empty(self.part_of(parameter), dtype=wide, device=place)
            self.let_go(parameter)
        self.order, self.complete, self.at = [], False, 0
        for module in model.modules():
            own = list(module._parameters.values())
            own = [parameter for parameter in own if parameter is not None]
            if own:
                self.hook(module, own)

    def part_of(self, parameter: Tensor) -> Any:
        return -(-parameter.numel() // self.world)

    def hook(self, module: torch.nn.Module, own: Any) -> None:
        module.register_forward_pre_hook(lambda *_: self.fetch(own))
        module.register_forward_hook(lambda *_: self.release(own))
        module.register_full_backward_pre_hook(lambda *_: self.fetch(own))
        module.register_full_backward_hook(lambda *_: self.release(own))

    def end_of_pass(self) -> None:
        """What is left of a backward pass goes, but for parameters that are kept whole; the trace is complete."""
        for parameter in list(self.whole):
            if not self.stays(parameter):
                self.let_go(parameter)
        self.complete, self.at = True, 0

    def stays(self, parameter: Tensor) -> bool:
        return parameter.numel() <= self.settings.persistence

    def let_go(self, parameter: Any) -> None:
        self.whole.discard(parameter)
        parameter.untyped_storage().resize_(0)

    def gather(self, parameters: Any) -> None:
        """One parameter straight into its memory; several through one flat tensor, then a copy of each."""
        if len(parameters) > 1:
            flat = torch.empty(
                self.world * sum(map(self.part_of, parameters)), dtype=self.dtype, device=self.device
            )  # fmt: skip
        for parameter in parameters:
            parameter.untyped_storage().resize_(parameter.numel() * parameter.element_size())
            self.whole.add(parameter)
        if len(parameters) > 1:
            del flat

    def fetch(self, own: Any) -> None:
        with torch.no_grad():
            missing = [parameter for parameter in own if parameter not in self.whole]
            if missing:
                self.gather(missing)
            if not self.complete:
                self.order.append(own)
                return
            self.at += 1
            self.prefetch()

    def prefetch(self) -> None:
        """The next parameters of the trace, up to a bucket and to what may be alive."""
        alive = sum(parameter.numel() for parameter in self.whole)
        room = min(self.settings.live - alive, self.settings.prefetch)
        ahead, count = [], 0
        for own in self.order[self.at :]:
            for parameter in own:
                if count >= room:
                    break
                if parameter not in self.whole and all(parameter is not other for other in ahead):
                    ahead.append(parameter)
                    count += parameter.numel()
            if count >= room:
                break
        if ahead:
            self.gather(ahead)

    def release(self, own: Any) -> None:
        """Parameters go, but for small ones and for those that the trace needs again soon (__params_to_release)."""
        going = [parameter for parameter in own if parameter in self.whole and not self.stays(parameter)]
        if self.complete:
            passed = 0
            for later in self.order[self.at :]:
                if passed >= self.settings.reuse:
                    break
                going = [parameter for parameter in going if all(parameter is not other for other in later)]
                passed += sum(parameter.numel() for parameter in later)
        with torch.no_grad():
            for parameter in going:
                self.let_go(parameter)

    def updated(self, parameter: Any) -> None:
        """After a step, parameters that are whole are partitioned again; small ones are gathered again."""
        if parameter in self.whole and not self.stays(parameter):
            self.let_go(parameter)
