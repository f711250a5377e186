"""local_map: a function of plain tensors, applied to this rank's parts of distributed ones."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
from torch.utils import _pytree as pytree

from .. import DTensor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.tensor.placement_types import Placement


def local_map(
    func: Callable | None = None,
    out_placements: Sequence[Placement] | tuple | None = None,
    in_placements: tuple | None = None,
    in_grad_placements: tuple | None = None,
    device_mesh: DeviceMesh | None = None,
    *,
    redistribute_inputs: bool = False,
    **_: Any,
) -> Callable:
    if func is None:
        return functools.partial(
            local_map, out_placements=out_placements, in_placements=in_placements, in_grad_placements=in_grad_placements,
            device_mesh=device_mesh, redistribute_inputs=redistribute_inputs,
        )  # fmt: skip

    def mapped(*args: Any, **kwargs: Any) -> Any:
        flat, structure = pytree.tree_flatten(args)
        if in_placements is not None and len(in_placements) != len(flat):
            raise AssertionError(
                f"in_placements length {len(in_placements)} does not match the number of input args {len(flat)}!"
            )
        mesh, local, has_distributed = device_mesh, [], False
        for i, arg in enumerate(flat):
            if isinstance(arg, DTensor):
                mesh, has_distributed = mesh or arg.device_mesh, True
                arg = _placed(arg, in_placements and in_placements[i], redistribute_inputs)
                grads = in_grad_placements and in_grad_placements[i]
                arg = arg.to_local(grad_placements=tuple(grads)) if grads else arg.to_local()
            local.append(arg)
        del flat
        out = func(*pytree.tree_unflatten(local, structure), **kwargs)
        return _distributed(out, out_placements, mesh) if has_distributed else out

    return mapped


def _placed(arg, placements, redistributes):
    if placements is None or arg.placements == tuple(placements):
        return arg
    if not redistributes:
        raise ValueError(
            f"arg {arg} in local_map has a mismatched placements: arg placements is {arg.placements} but the input placements is {tuple(placements)}! If redistribute_inputs is wanted, set redistribute_inputs=True to local_map."
        )
    return arg.redistribute(placements=tuple(placements))


def _distributed(out, placements, mesh):
    flat, structure = pytree.tree_flatten(out)
    every = placements if isinstance(placements, tuple) else (placements,)
    if len(flat) != len(every):
        raise AssertionError(
            f"local_map requires one PlacementType be provided for each output value, received {len(every)} out_placements but {len(flat)} is expected!"
        )
    made = [
        DTensor.from_local(value, mesh, spec, run_check=False) if isinstance(value, torch.Tensor) else value
        for value, spec in zip(flat, every)
    ]
    return pytree.tree_unflatten(made, structure)
