"""The GPUs that the process uses, and how the engine calls each: the one used first is `cuda`, others have their number in their name."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING

from . import _ranked
from ._types import DEVICES, device as _device_type, first_gpu_is

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    import torch


_js = None  # the engine's functions, set by connect()

#: number of the current GPU, and of the one that was used first; their places on every rank where a rank's number chose them
current = current_place = 0
first = first_place = 0


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
        f"CUDA error: invalid device ordinal\nThe simulated machine has {gpus}; --gpus {max(index, present) + 1} simulates more."
    )


def name_of(place: int | None) -> str:
    """The engine's name of a GPU by its number; None is the current one."""
    if place is None:
        place = current_place
    index = _ranked.plain(place)
    if _ranked.alike:
        _hold_against_first(place)
    return "cuda" if index == first else _another(index, place)


def _hold_against_first(place):
    """Ranks on which this GPU is the one used first, and ranks on which it is another one, are told apart."""
    global first_place
    if not _js.deviceUntouched():
        _ranked.tell_apart(_ranked.each(operator.eq, place, first_place))
    elif place is not first_place and _ranked.plain(place) == first:
        first_place = place
        first_gpu_is(place)


def engine_name(device: torch.device | str | int) -> str:
    """The engine's name of a device."""
    return name_of(device.place) if device.type == "cuda" else device.type


def _another(index, place):
    if index >= count():
        refuse(index)
    if _js.deviceUntouched():
        _begin(index, place)
        return "cuda"
    name = f"cuda:{index}"
    if name not in DEVICES:
        DEVICES[name] = _device_type.numbered(place)
    return name


def _begin(index, place):
    global first, first_place
    first, first_place = index, place
    first_gpu_is(place)
    _js.firstGpu(index)


def make_current(place: int) -> None:
    """Nothing was used yet: the GPU that a process chooses is the one that it is going to use."""
    global current, current_place
    current_place, current = place, _ranked.plain(place)
    if _ranked.alike and current == first and _js.deviceUntouched():
        _hold_against_first(place)
    if current != first and _js.deviceUntouched():
        _begin(current, place)
