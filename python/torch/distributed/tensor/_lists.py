"""Operators over lists of distributed tensors (_foreach_*, _fused_*): every element is placed by itself, then one call runs on this rank's parts.

What is brought to other placements lives until the call is over, for all elements at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C

from . import _rules
from ._dispatch import Call, _check_counts_as_replicated, _chosen, _flatten, _spec_of
from ._dtensor import DTensor
from ._redistribute import redistribute_local_tensor
from ._spec import DTensorSpec, TensorMeta

if TYPE_CHECKING:
    from typing import Any


def run_on_lists(name: str, args: Any) -> Any:
    for t in _flatten(args, []):
        if not isinstance(t, DTensor):
            _check_counts_as_replicated(t, f"aten.{name}.default")
    if name.startswith("_foreach_norm"):
        return _norms(name, args)
    if name.startswith("_foreach_"):
        return _each(name, args)
    getattr(_C.ops, name)(*_beside_targets(name, args))
    return ()


def _each(name, args):
    operator = _element_of(name)
    choices = _choices_of(operator, args)
    # one argument after another, as each list is brought to its places
    local_args = [_placed(x, k, choices) for k, x in enumerate(args)]
    result = getattr(_C.ops, name)(*local_args)
    if operator.endswith("_"):
        return ()
    return tuple(
        local if choice is None else _made(local, choice[1], choice[2], choice[3])
        for local, choice in zip(result, choices)
    )


def _element_of(name):
    """The operator of one element: `_foreach_lerp__Scalar` is `lerp_`."""
    plain = name.removeprefix("_foreach_")
    operator, _, overload = plain.rpartition("_")
    return operator if overload[:1].isupper() else plain


def _choices_of(operator, args):
    """The choice of each element; elements that lie alike share it, as the layers of a model do."""
    choices, known = [], {}
    lists = [x for x in args if type(x) is list]
    for i in range(max(map(len, lists))):
        key = tuple([_alike(x[i]) for x in lists])
        if key not in known:
            known[key] = _choice(operator, args, i)
        choices.append(known[key])
    return choices


def _alike(x):
    """What decides the choice of an element; a plain tensor is like itself only."""
    if isinstance(x, DTensor):
        return "spec", x._spec.number()
    return ("tensor", id(x)) if isinstance(x, torch.Tensor) else (type(x), x)


def _choice(operator, args, i):
    """Of element `i`: wanted placements by argument, mesh, placements and geometry of the result; None where nothing is distributed."""
    row = [x[i] if type(x) is list else x for x in args]
    positions = [k for k, x in enumerate(row) if isinstance(x, torch.Tensor)]
    spec = next((row[k]._spec for k in positions if isinstance(row[k], DTensor)), None)
    if spec is None:
        return None
    mesh = spec.mesh
    specs = [row[k]._spec if isinstance(row[k], DTensor) else _spec_of(row[k], mesh) for k in positions]
    wanted, placed = _chosen(Call(operator, row, specs, [spec.tensor_meta], mesh))
    return dict(zip(positions, wanted)), mesh, placed[0], spec.tensor_meta


def _placed(argument, k, choices):
    if type(argument) is not list:
        return _brought(argument, k, choices[0])
    return [_brought(x, k, choice) for x, choice in zip(argument, choices)]


def _brought(x, k, choice):
    local = _local(x)
    want = None if choice is None else choice[0].get(k)
    if want is None:
        return local
    mesh = choice[1]
    have = _spec_of(x, mesh)
    if want == have.placements or have.mesh != mesh:
        return local
    return redistribute_local_tensor(local, have, DTensorSpec(mesh, want, have.tensor_meta))


def _made(local, mesh, placements, meta):
    return DTensor(local, DTensorSpec(mesh, placements, TensorMeta(meta.shape, meta.stride, local.dtype)))


def _norms(name, args):
    tensors = args[0]
    kind = next((float(x) for x in args[1:] if type(x) in (int, float)), 2.0)
    made = []
    for local, t in zip(getattr(_C.ops, name)([_local(t) for t in tensors], *args[1:]), tensors):
        placements = tuple(p if p.is_replicate() else _rules.norm_partial(kind) for p in t._spec.placements)
        made.append(DTensor(local, DTensorSpec(t._spec.mesh, placements, TensorMeta((), (), local.dtype))))
    return tuple(made)


def _beside_targets(name, args):
    """This rank's parts: what a fused operator reads is brought to where its target is, element by element."""
    targets, found = args[0], []
    for k, x in enumerate(args):
        # steps of fused optimizers lie whole on every rank, whatever the mesh
        follows = type(x) is list and len(x) == len(targets) and not (name.startswith("_fused_") and k == 5)
        found.append([_local_beside(t, target) for t, target in zip(x, targets)] if follows else _local(x))
    return found


def _local(x):
    if type(x) is list:
        return [_local(item) for item in x]
    return x._local_tensor if isinstance(x, DTensor) else x


def _local_beside(tensor, target):
    if not isinstance(tensor, DTensor) or not isinstance(target, DTensor):
        return _local(tensor)
    have, want = tensor._spec, target._spec.placements
    if have.placements == want or have.mesh != target._spec.mesh or tensor.ndim != target.ndim:
        return tensor._local_tensor
    return redistribute_local_tensor(tensor._local_tensor, have, DTensorSpec(have.mesh, want, have.tensor_meta))
