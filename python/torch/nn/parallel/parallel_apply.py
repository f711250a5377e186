"""One module for each GPU of one process, each in a thread of its own. Here they run one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ... import _C

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def _first_tensor(obj):
    if isinstance(obj, torch.Tensor):
        return obj
    for item in obj.values() if isinstance(obj, dict) else obj if isinstance(obj, (list, tuple)) else ():
        found = _first_tensor(item)
        if found is not None:
            return found
    return None


def parallel_apply(
    modules: Sequence[torch.nn.Module],
    inputs: Sequence,
    kwargs_tup: Sequence[dict[str, Any]] | None = None,
    devices: Sequence[int | torch.device | None] | None = None,
) -> list:
    if kwargs_tup is None:
        kwargs_tup = ({},) * len(modules)
    ordinals = [None] * len(modules) if devices is None else [torch.cuda._devices.ordinal(x) for x in devices]
    outputs = []
    for i, (module, input, kwargs, place) in enumerate(zip(modules, inputs, kwargs_tup, ordinals)):
        if place is None:
            t = _first_tensor(input)
            place = torch.cuda.current_device() if t is None else t.get_device()
        if len(modules) > 1:
            _C._js.runInThread(f"replica {i}")
        try:
            with torch.cuda.device(place), torch.cuda.stream(torch.cuda.current_stream(place)):
                args = input if isinstance(input, (list, tuple)) else (input,)
                outputs.append(module(*args, **kwargs))
        finally:
            _C._js.runInThread("")
    return outputs
