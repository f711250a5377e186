"""Copies of a module for several GPUs of one process, whose parameters lead back to the module's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import comm
from ._functions import Broadcast

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def _copies(tensors, devices, detach):
    if len(tensors) == 0:
        return []
    if detach:
        return comm.broadcast_coalesced(tensors, devices)
    flat = Broadcast.apply(devices, *tensors)
    return [list(flat[i : i + len(tensors)]) for i in range(0, len(flat), len(tensors))]


def replicate(network: Any, devices: Sequence[int | torch.device], detach: bool = False) -> list:
    devices = [torch.cuda._devices.ordinal(x) for x in devices]
    if not devices:
        return []
    params = list(network.parameters())
    tracked = [b for b in network.buffers() if b.requires_grad and not detach]
    fixed = [b for b in network.buffers() if not b.requires_grad or detach]
    found = {}
    for tensors, keep in ((params, detach), (tracked, detach), (fixed, True)):
        for j, copies in enumerate(_copies(tensors, devices, keep)):
            for tensor, copy in zip(tensors, copies):
                found[id(tensor), j] = copy

    modules = list(network.modules())
    replicas = [{id(m): m._replicate_for_data_parallel() for m in modules} for _ in devices]
    for j, made in enumerate(replicas):
        for module in modules:
            replica = made[id(module)]
            replica._former_parameters = {}
            for key, child in module._modules.items():
                replica._modules[key] = None if child is None else made[id(child)]
            for key, param in module._parameters.items():
                if param is None:
                    replica._parameters[key] = None
                    continue
                # a plain attribute: it is no leaf
                copy = found[id(param), j]
                setattr(replica, key, copy)
                replica._former_parameters[key] = copy
            for key, buf in module._buffers.items():
                replica._buffers[key] = None if buf is None else found[id(buf), j]
    return [made[id(network)] for made in replicas]
