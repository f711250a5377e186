"""Operators on distributed tensors: placements are chosen, inputs are brought there, and the operator runs on this rank's parts.

Per axis of the mesh a rule (_rules.py) gives candidates; the cheapest to reach is taken, as in PyTorch's sharding propagation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C

from . import _random, _rules, _rules_extremes
from ._dtensor import DTensor
from ._redistribute import redistribute_local_tensor
from ._spec import DTensorSpec, TensorMeta, local_shape_of
from .placement_types import Replicate, Shard, _MaskPartial

if TYPE_CHECKING:
    from typing import Any


class Call:
    """One operator call as the rules see it: specs of its tensors in the order of the arguments, and global results."""

    def __init__(self, name: str, args: Any, specs: Any, outputs: Any, mesh: Any) -> None:
        self.name, self.args, self.specs, self.outputs, self.mesh = name, args, specs, outputs, mesh
        self.inplace = name.endswith("_") and not name.endswith("__")

    def shape(self, i: Any) -> torch.Size:
        return self.specs[i].shape


def _flatten(args, found):
    for x in args:
        if isinstance(x, torch.Tensor):
            found.append(x)
        elif type(x) is list:
            _flatten(x, found)
    return found


def _replaced(args, tensors):
    """The arguments with other tensors, taken one after another."""
    out = []
    for x in args:
        if isinstance(x, torch.Tensor):
            out.append(next(tensors))
        elif type(x) is list:
            out.append(_replaced(x, tensors))
        else:
            out.append(x)
    return out


def _meta_of(spec):
    meta = spec.tensor_meta
    return _C.ops.empty_strided(list(meta.shape), list(meta.stride), meta.dtype, "meta")


_known = {}  # (operator, what decides) -> geometry of the results


def _outputs(name, args, specs):
    """Global shape, strides and dtype of each result, from the operator on tensors without memory."""
    key = (
        name,
        repr(_replaced(args, iter(0 for _ in specs))),
        tuple((s.shape, s.stride, s.tensor_meta.dtype) for s in specs),
    )
    known = _known.get(key)
    if known is None:
        rest = [("meta" if x in ("cuda", "cpu") else x) if type(x) is str else x for x in args]
        result = getattr(_C.ops, name)(*_replaced(rest, iter([_meta_of(s) for s in specs])))
        results = result if isinstance(result, (tuple, list)) else (result,)
        known = _known[key] = [
            TensorMeta(r.shape, r.stride(), r.dtype) if isinstance(r, torch.Tensor) else None for r in results
        ]
    return known


_choices = {}  # (operator, what decides) -> placements of inputs and results, as PyTorch's sharding propagation keeps them


def _chosen(call):
    scalars = repr(_replaced(call.args, iter(0 for _ in call.specs)))
    specs = tuple((s.placements, s.shape, s.stride, s.tensor_meta.dtype) for s in call.specs)
    key = (call.name, scalars, specs, call.mesh)
    known = _choices.get(key)
    if known is None:
        known = _rules.choose(call)
        # a mask belongs to one call
        if any(isinstance(p, _MaskPartial) for placements in (*known[0], *known[1]) for p in placements or ()):
            return known
        _choices[key] = known
    return known


def _spec_of(tensor, mesh):
    """The spec of an argument: a plain tensor counts as replicated when it is one number."""
    if isinstance(tensor, DTensor):
        return tensor._spec
    _check_counts_as_replicated(tensor)
    return DTensorSpec(mesh, (Replicate(),) * mesh.ndim, TensorMeta(tensor.shape, tensor.stride(), tensor.dtype))


def _check_counts_as_replicated(tensor, operator=""):
    if tensor.ndim == 0 or tensor.numel() == 1 or tensor.is_meta or _implicit:
        return
    raise RuntimeError(
        f"{operator} got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!".lstrip()
    )


def check_lists(operator: Any, args: Any) -> None:
    """Lists of an operator hold distributed tensors only, or none; `operator` gives its name."""
    tensors = _flatten([list(x) if isinstance(x, tuple) else x for x in args], [])
    if any(isinstance(t, DTensor) for t in tensors):
        for t in tensors:
            if not isinstance(t, DTensor):
                _check_counts_as_replicated(t, operator())


_implicit = []  # contexts in which plain tensors count as replicated


class implicit_replication:
    """Inside, plain tensors beside distributed ones count as replicated."""

    def __enter__(self) -> None:
        _implicit.append(True)

    def __exit__(self, *_: Any) -> None:
        _implicit.pop()


def run(name: str, args: Any) -> Any:
    """One operator; its result as distributed tensors."""
    if name.startswith(("_foreach_", "_fused_adam", "_fused_sgd", "_fused_adagrad", "_amp_foreach")):
        from ._lists import run_on_lists

        return run_on_lists(name, args)
    custom = _rules.CUSTOM.get(name)
    if custom is not None:
        result = custom(name, args)
        if result is not NotImplemented:
            return result
    tensors = _flatten(args, [])
    mesh = next(t._spec.mesh for t in tensors if isinstance(t, DTensor))
    for t in tensors:
        if isinstance(t, DTensor) and t._spec.mesh != mesh:
            raise RuntimeError(
                f"Could not run operator '{name}': tensors are on different meshes, {mesh} and {t._spec.mesh}"
            )
    specs = [_spec_of(t, mesh) for t in tensors]
    inplace = name.endswith("_")
    outputs = [specs[0].tensor_meta] if inplace else _outputs(name, args, specs)
    call = Call(name, args, specs, outputs, mesh)
    wanted_inputs, out_placements = _chosen(call)
    locals_ = []
    for tensor, spec, wanted in zip(tensors, specs, wanted_inputs):
        local = tensor._local_tensor if isinstance(tensor, DTensor) else tensor
        if wanted is not None and wanted != spec.placements:
            local = redistribute_local_tensor(local, spec, DTensorSpec(mesh, wanted, spec.tensor_meta))
        locals_.append(local)
    if name in _random.NAMES and not locals_[0].is_meta:
        _random.before_random()
        # a result that nobody has waited for is no plain tensor: its generator's state is read on the host
        if type(locals_[0]) is not torch.Tensor:
            _random.read_state()
    del tensors, tensor, local
    local_args = _replaced(args, iter(locals_))
    _rules.localize(call, local_args, wanted_inputs, out_placements)
    before = _rules.BEFORE.get(name)
    mask = before(call, local_args, wanted_inputs, out_placements) if before else None
    del locals_
    result = getattr(_C.ops, name)(*local_args)
    del local_args
    if inplace:
        return args[0]
    if mask is not None:
        out_placements = mask(result, out_placements)
    results = result if isinstance(result, (tuple, list)) else (result,)
    del result
    wrapped = tuple(
        DTensor(local, DTensorSpec(mesh, placements, meta)) if isinstance(local, torch.Tensor) else local
        for local, placements, meta in zip(results, out_placements, outputs)
    )
    return wrapped


def everywhere(mesh: Any) -> Any:
    return (Replicate(),) * mesh.ndim


__all__ = ["Call", "Shard", "local_shape_of", "run"]
