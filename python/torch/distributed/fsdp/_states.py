"""Finds the FullyShardedDataParallel instances of a model, and cleans names of their wrappers."""

from __future__ import annotations

from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import torch


FSDP_WRAPPED_MODULE = "_fsdp_wrapped_module"
FSDP_PREFIX = FSDP_WRAPPED_MODULE + "."
FLAT_PARAM = "_flat_param"
_CHECKPOINT_PREFIX = "_checkpoint_wrapped_module."


class TrainingState(Enum):
    """What an instance is doing."""

    IDLE = auto()
    FORWARD_BACKWARD = auto()
    SUMMON_FULL_PARAMS = auto()


class HandleTrainingState(Enum):
    """What is done with a flat parameter."""

    IDLE = auto()
    FORWARD = auto()
    BACKWARD_PRE = auto()
    BACKWARD_POST = auto()
    SUMMON_FULL_PARAMS = auto()


def clean_tensor_name(name: str) -> str:
    return name.replace(FSDP_PREFIX, "").replace(_CHECKPOINT_PREFIX, "")


def state_of(module: torch.nn.Module) -> torch.nn.Module | None:
    """The instance that a module is, or None."""
    return module if getattr(type(module), "_is_fsdp_instance", False) else None


def states_below(module: torch.nn.Module) -> Any:
    """All instances from a module down, each before those inside it."""
    found, visited, waiting = [], set(), deque([module])
    while waiting:
        part = waiting.popleft()
        visited.add(part)
        for child in reversed(list(part.children())):
            if child not in visited:
                waiting.appendleft(child)
        if (state := state_of(part)) is not None and state not in found:
            found.append(state)
    return found


def handles_below(module: torch.nn.Module) -> list:
    return [state._handle for state in states_below(module) if state._handle is not None]
