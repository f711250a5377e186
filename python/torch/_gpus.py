"""The GPUs that the process uses, and how the engine calls each: the one used first is `cuda`, others have their number in their name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ._types import DEVICES, device as _device_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    import torch


_js = None  # the engine's functions, set by connect()

#: number of the current GPU, and of the one that was used first
current = 0
first = 0


def connect(functions: Sequence[Callable]) -> None:
    """Takes the engine's functions."""
    global _js
    _js = functions


def count() -> Callable:
    present = _js.deviceCount() if _js else 1
    listed = os.environ.get("CUDA_VISIBLE_DEVICES")
    if listed is None:
        return present
    return min(present, len([word for word in listed.split(",") if word.strip() not in ("", "-1")]))


def refuse(index: int) -> NoReturn:
    present = count()
    gpus = "one GPU: cuda:0" if present == 1 else f"{present} GPUs: cuda:0 to cuda:{present - 1}"
    raise RuntimeError(
        f"CUDA error: invalid device ordinal\nThe simulated machine has {gpus}; --gpus N simulates more."
    )


def name_of(index: int | None) -> str:
    """The engine's name of a GPU by its number; None is the current one."""
    if index is None:
        index = current
    return "cuda" if index == first else _another(index)


def engine_name(device: torch.device | str | int) -> str:
    """The engine's name of a device."""
    return name_of(device.index) if device.type == "cuda" else device.type


def _another(index):
    if index >= count():
        refuse(index)
    if _js.deviceUntouched():
        _begin(index)
        return "cuda"
    name = f"cuda:{index}"
    if name not in DEVICES:
        DEVICES[name] = _device_type("cuda", index)
    return name


def _begin(index):
    global first
    first = index
    DEVICES["cuda"] = _device_type("cuda", index)
    _js.firstGpu(index)


def make_current(index: int) -> None:
    """Nothing was used yet: the GPU that a process chooses is the one that it is going to use."""
    global current
    current = index
    if index != first and _js.deviceUntouched():
        _begin(index)
