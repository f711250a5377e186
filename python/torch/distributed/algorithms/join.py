"""Join: ranks that have run out of inputs go on making the collectives of those that have some left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from .. import _collectives, _world

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from torch.distributed._nccl import Work


class JoinHook:
    """What a rank that has joined does in the place of a pass, and when all have joined."""

    def main_hook(self) -> None:
        """Makes the collectives of one pass."""

    def post_hook(self, is_last_joiner: bool) -> None:
        """Runs once, when no rank has inputs left."""


class _JoinConfig(NamedTuple):
    enable: bool
    throw_on_early_termination: bool
    is_first_joinable: bool

    @staticmethod
    def construct_disabled_join_config() -> _JoinConfig:
        return _JoinConfig(enable=False, throw_on_early_termination=False, is_first_joinable=False)


class Joinable:
    """What can stand in a Join: it has a hook, a device and a group (`join_hook`, `join_device`, `join_process_group`)."""

    _join_config = _JoinConfig.construct_disabled_join_config()


class Join:
    """Within it, ranks may have different numbers of inputs."""

    def __init__(
        self, joinables: Sequence[Any], enable: bool = True, throw_on_early_termination: bool = False, **kwargs: Any
    ) -> None:
        if not joinables:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables, self._enable = joinables, enable
        self._throws = throw_on_early_termination
        self._join_hooks = [joinable.join_hook(**kwargs) for joinable in joinables]
        for i, joinable in enumerate(joinables):
            joinable._join_config = _JoinConfig(enable, throw_on_early_termination, i == 0)
        self._process_group, self._device = joinables[0].join_process_group, joinables[0].join_device
        if any(joinable.join_process_group != self._process_group for joinable in joinables):
            raise ValueError("Using join context manager with multiple process groups")
        self._rank = _world.get_rank(self._process_group)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if not self._enable or kind:
            return
        is_last_joiner = True
        while self._others_have_inputs():
            if self._throws:
                self._reduced(torch.ones)
                raise RuntimeError(f"Rank {self._rank} exhausted all inputs.")
            for hook in self._join_hooks:
                hook.main_hook()
            is_last_joiner = False
        for hook in self._join_hooks:
            hook.post_hook(is_last_joiner)

    def _reduced(self, made):
        flag = made(1, device=self._device)
        _collectives.all_reduce(flag, group=self._process_group)
        return flag

    def _others_have_inputs(self):
        return self._reduced(torch.zeros).item() != 0

    @staticmethod
    def notify_join_context(joinable: Any) -> Work | None:
        """Tells ranks that have joined that this one has not; the first joinable does it for all."""
        if not hasattr(joinable, "_join_config"):
            raise AssertionError(f"Check that the {type(joinable)} constructor calls the ``Joinable`` constructor")
        config = joinable._join_config
        if not config.is_first_joinable or not config.enable:
            return None
        device, group = joinable.join_device, joinable.join_process_group
        ones = torch.ones(1, device=device)
        work = _collectives.all_reduce(ones, group=group, async_op=True)
        if config.throw_on_early_termination:
            zeros = torch.zeros(1, device=device)
            _collectives.all_reduce(zeros, group=group)
            if zeros.item():
                raise RuntimeError("Detected at least one rank that exhausted inputs. Throwing across all ranks.")
        return work
