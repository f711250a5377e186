"""Which device a Trainer or Fabric uses, how data goes there, and what is refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import torch
from lightning_utilities.core.apply_func import apply_to_collection
from lightning_utilities.core.rank_zero import (  # noqa: F401
    rank_zero_deprecation,
    rank_zero_info,
    rank_zero_only,
    rank_zero_warn,
)
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any


_SHARDED = ("fsdp", "deepspeed", "model_parallel", "xla", "tp")


def device_of(accelerator: Any = "auto", devices: int | str | list[int] = "auto") -> Any:
    """The device of this process: the GPU unless the CPU is asked for."""
    name = str(getattr(accelerator, "name", None) or accelerator).lower()
    if name == "cpu" or devices in (0, "0", []) or not torch.cuda.is_available():
        return torch.device("cpu")
    if isinstance(devices, (list, tuple)) and len(devices) == 1:
        return torch.device("cuda", int(devices[0]) % torch.cuda.device_count())
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))


def count_of(devices: int | str | list[int], num_nodes: int = 1) -> Any:
    """How many processes a run would have."""
    if isinstance(devices, (list, tuple)):
        return max(len(devices), 1) * num_nodes
    text = str(devices)
    number = (
        int(text)
        if text.lstrip("-").isdigit()
        else len([part for part in text.split(",") if part.strip()])
        if "," in text
        else 1
    )
    return max(number, 1) * num_nodes


def check_strategy(strategy: Any, world_size: int) -> str:
    """Refuses what shards a model; says that several devices are simulated as one where no launcher started several."""
    name = str(getattr(strategy, "strategy_name", None) or strategy or "auto").lower()
    if any(word in name for word in _SHARDED):
        from torch._C import UnsupportedOp

        raise UnsupportedOp(
            f"vramscope's short form of lightning does not simulate the strategy {name!r}; the package itself may"
        )
    if world_size > 1 and "RANK" not in os.environ:
        note("lightning_one_device", "count", world_size)
    return name


def to_device(batch: int, device: torch.device | str | int | None) -> Any:
    """A batch with its tensors on the device; what has a `to` of its own is moved by it."""

    def move(item):
        options = {"non_blocking": True} if isinstance(item, torch.Tensor) and device.type != "cpu" else {}
        moved = item.to(device, **options)
        return item if moved is None else moved

    return apply_to_collection(batch, _Movable, move)


class _MovableMeta(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return callable(getattr(value, "to", None)) and not isinstance(value, type)


class _Movable(metaclass=_MovableMeta):
    """Whatever has a method `to`."""


move_data_to_device = to_device
