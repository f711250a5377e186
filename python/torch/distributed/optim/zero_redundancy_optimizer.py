"""ZeroRedundancyOptimizer: each rank keeps the optimizer states of its share of the parameters."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch

from .. import _collectives, _world
from ..algorithms.join import Join, Joinable, JoinHook
from ._overlap import Overlap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


class _ZeROJoinHook(JoinHook):
    def __init__(self, zero: ZeroRedundancyOptimizer) -> None:
        self.zero = zero

    def main_hook(self) -> None:
        self.zero.step()


class ZeroRedundancyOptimizer(torch.optim.Optimizer, Joinable):
    """Whole parameters are dealt out to ranks, the largest first; their owner updates and broadcasts them."""

    _state_note = "state_of_share"

    def __init__(
        self, params: Iterable[Tensor], optimizer_class: type[torch.optim.Optimizer], process_group: Any=None, parameters_as_bucket_view: bool=False,
        overlap_with_ddp: bool=False, **defaults: Any,
    ) -> None:  # fmt: skip
        self._class, self._arguments = optimizer_class, defaults
        self.process_group = process_group if process_group is not None else _world._require()
        self.world_size, self.rank = self.process_group.size(), self.process_group.rank()
        self.parameters_as_bucket_view = parameters_as_bucket_view
        super().__init__(params, defaults)
        self._overlap = Overlap(self.world_size) if overlap_with_ddp else None
        if overlap_with_ddp:
            # the hook deals out DDP's buckets when it knows them
            return
        self._partition = self._dealt_out()
        self._buckets = None
        if parameters_as_bucket_view:
            self._make_buckets()
        self._make_local()

    def _dealt_out(self):
        """For each rank, its parameters of each group."""
        shares = [[[] for _ in self.param_groups] for _ in range(self.world_size)]
        sizes = [0] * self.world_size
        for g, group in enumerate(self.param_groups):
            for param in sorted(group["params"], key=lambda p: p.numel(), reverse=True):
                rank = sizes.index(min(sizes))
                shares[rank][g].append(param)
                sizes[rank] += param.numel()
        return shares

    def _make_buckets(self):
        """One flat tensor for each owner, of its last parameter's dtype; parameters become views of it (_build_param_buckets).

        A former flat tensor lives until the last of its parameters has moved."""
        self._buckets = []
        for groups in self._partition:
            params = [param for group in groups for param in group]
            for param in params:
                if not param.requires_grad:
                    param.data = param.data.detach().clone()
            moved = [param for param in params if param.requires_grad]
            if not moved:
                self._buckets.append(torch.zeros(1, device=self.param_groups[0]["params"][0].device))
                continue
            flat = torch.empty(sum(p.numel() for p in moved), dtype=params[-1].dtype, device=moved[0].device)
            offset = 0
            with torch.no_grad():
                for param in moved:
                    flat[offset : offset + param.numel()].copy_(param.data.flatten())
                    param.data = flat[offset : offset + param.numel()].view_as(param.data)
                    offset += param.numel()
            self._buckets.append(flat)

    def _make_local(self):
        groups = [self._local_group(g) for g in range(len(self.param_groups))]
        self.optim = self._class(groups, **self._arguments)
        self.state = self.optim.state

    def _local_group(self, g):
        """This rank's share of a group of parameters, which may be empty."""
        options = {k: v for k, v in self.param_groups[g].items() if k != "params"}
        return {**options, "params": self._partition[self.rank][g]}

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None, **kwargs: Any) -> float | None:
        if self._overlap is not None:
            return None
        Join.notify_join_context(self)
        for source, target in zip(self.param_groups, self.optim.param_groups):
            for key, value in source.items():
                if key != "params":
                    target[key] = value
        loss = self.optim.step(**kwargs) if closure is None else self.optim.step(closure=closure, **kwargs)
        self._sync()
        return loss

    def _sync(self):
        handles = []
        for rank in range(self.world_size):
            if self._buckets is not None:
                sent = [self._buckets[rank]]
            else:
                sent = [param.data for group in self._partition[rank] for param in group]
            for tensor in sent:
                handles.append(_collectives.broadcast(tensor, group_src=rank, group=self.process_group, async_op=True))
        for handle in handles:
            handle.wait()

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        super().add_param_group(param_group)
        if hasattr(self, "optim"):
            # groups that were there keep their owners, and so their states
            self._partition = self._dealt_out()
            self.optim.add_param_group(self._local_group(-1))
            if self._buckets is not None:
                self._make_buckets()

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Every rank's states on the host of one."""
        from .. import _objects

        for rank in range(self.world_size):
            _objects.broadcast_object_list([None], group_src=rank, group=self.process_group)
        self._consolidated = self.optim.state_dict()

    def state_dict(self) -> dict[str, Any]:
        if not hasattr(self, "_consolidated"):
            raise RuntimeError(
                f"Optimizer state has not been consolidated on this rank. Please call `consolidate_state_dict(to={self.rank})` on all ranks beforehand if you meant to save the global state."
            )
        return copy.copy(self._consolidated)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.optim.load_state_dict(state_dict)

    def join_hook(self, **_: Any) -> _ZeROJoinHook:
        return _ZeROJoinHook(self)

    @property
    def join_device(self) -> torch.device:
        return self.param_groups[0]["params"][0].device

    @property
    def join_process_group(self) -> Any:
        return self.process_group
