"""Selective checkpointing: a policy says per operator what is kept and what is made again."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import torch

from .. import _C

if TYPE_CHECKING:
    from typing import Any, Self


class CheckpointPolicy(enum.Enum):
    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


class SelectiveCheckpointContext:
    """What a policy function learns about the call."""

    def __init__(self, *, is_recompute: Any, op_output: Any = None) -> None:
        self.is_recompute = is_recompute
        self.op_output = op_output


_stores = 0


class _Store:
    """A number for what one region keeps; the engine lets go of it with this object."""

    def __init__(self) -> None:
        global _stores
        _stores += 1
        self.number = _stores

    def __del__(self) -> None:
        if _C._js is not None:
            _C._js.dropResults(self.number, _C.here())


class _KeepContext:
    def __init__(self, policy: Any, store: Any) -> None:
        self.policy = policy
        self.store = store

    def __enter__(self) -> Self:
        self._number = _C.register(self._keeps)
        _C._js.keepResults(self.store.number, self._number)
        return self

    def __exit__(self, *_: Any) -> None:
        _C._js.leaveSelective()
        _C.dispatch("drop", self._number, "")

    def _keeps(self, name):
        op = getattr(torch.ops.aten, name).default
        answer = self.policy(SelectiveCheckpointContext(is_recompute=False), op)
        if isinstance(answer, bool):
            return answer
        return answer in (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE)


class _ReuseContext:
    def __init__(self, store: Any) -> None:
        self.store = store

    def __enter__(self) -> Self:
        _C._js.reuseResults(self.store.number)
        return self

    def __exit__(self, *_: Any) -> None:
        _C._js.leaveSelective()


def create_selective_checkpoint_contexts(policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False) -> tuple:
    """Contexts for checkpoint(context_fn=...): the results of listed operators, or as a policy says, are not made again."""
    if isinstance(policy_fn_or_list, list):
        chosen = set(policy_fn_or_list)
        policy = lambda ctx, op, *args, **kwargs: (
            CheckpointPolicy.MUST_SAVE if op in chosen else CheckpointPolicy.PREFER_RECOMPUTE
        )
    elif callable(policy_fn_or_list):
        policy = policy_fn_or_list
    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    store = _Store()
    return _KeepContext(policy, store), _ReuseContext(store)
