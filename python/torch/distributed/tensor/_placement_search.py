"""Which placements an operator's inputs are brought to: of all combinations of rules along the axes the one that costs least to reach.

Mirrors expand_to_full_mesh_op_strategy (tensor/_ops/utils.py) and _select_min_cost_strategy (tensor/_sharding_prop.py): of several that cost
the same, the first in the order in which rules are listed is taken.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import torch

from ._redistribute import steps_between
from ._spec import DTensorSpec
from .placement_types import Partial, Shard

if TYPE_CHECKING:
    from typing import Any


_NODE = (
    0.6,
    87.7,
)  # microseconds per hop and GB/s, by PyTorch's constants (MeshTopoInfo of tensor/_collective_utils.py)
_NETWORK = (2.7, 87.7 * 0.22)


def links(mesh: Any) -> list:
    """Ranks, latency and bandwidth of each axis: those that reach beyond one node go over the network."""
    found, total = [], 1
    for axis in reversed(range(mesh.ndim)):
        count = mesh.size(axis)
        total *= count
        found.insert(0, (count, *(_NETWORK if total > torch.cuda.device_count() else _NODE)))
    return found


def transition_cost(have: Any, want: Any, link: tuple, gib: Any) -> tuple:
    """Microseconds of one step along one axis, and the GiB of the part afterwards."""
    if have == want:
        return 0.0, gib
    count, latency, bandwidth = link
    hops = count - 1
    if isinstance(have, Shard) and want.is_replicate():
        gib *= count
        return 6.6 + hops * latency + gib * hops / count / bandwidth * 1e6, gib
    if isinstance(have, Shard) and isinstance(want, Shard):
        return 6.6 + hops * latency + gib * hops / count / bandwidth * 1e6 + 1.0, gib
    if have.is_partial() and want.is_replicate():
        return 6.6 + 2 * hops * latency + gib * 2 * hops / count / bandwidth * 1e6, gib
    if have.is_partial() and isinstance(want, Shard):
        return 6.6 + hops * latency + gib * hops / count / bandwidth * 1e6, gib / count
    if have.is_replicate() and isinstance(want, Shard):
        return 0.0, gib / count
    if have.is_replicate() and want.is_partial():
        return 0.0, gib
    return float("inf"), gib


def _cost(spec, wanted, axes, gib):
    """What bringing an input to other placements costs, step by step."""
    if spec.placements == wanted or all(p.is_replicate() for p in spec.placements):
        return 0.0
    total = 0.0
    for axis, have, want in steps_between(spec, DTensorSpec(spec.mesh, wanted, spec.tensor_meta)):
        step, gib = transition_cost(have, want, axes[axis], gib)
        total += step
    return total


def _mixes_partials(placements):
    kinds = {(type(p), p.reduce_op) for p in placements if isinstance(p, Partial)}
    return len(kinds) > 1 and not (len({t for t, _ in kinds}) == 1 and {op for _, op in kinds} == {"sum", "avg"})


def search(mesh: Any, specs: Any, gibs: Any, candidates: Any, allowed: Any) -> tuple | None:
    """The placements of every input, and for each axis the candidate that holds there; None if none can be reached."""
    rules = {}
    for candidate in candidates:
        rules.setdefault(tuple(candidate[1]), candidate)
    start = tuple(tuple(spec.placements) for spec in specs)
    found = [rules.get(tuple(p[axis] for p in start)) for axis in range(mesh.ndim)]
    if None not in found and allowed(start, found):
        return start, found
    axes, known, best = links(mesh), {}, None
    for combination in itertools.product(rules.values(), repeat=mesh.ndim):
        state = tuple(tuple(rule[1][i] for rule in combination) for i in range(len(specs)))
        if any(map(_mixes_partials, state)) or not allowed(state, combination):
            continue
        cost = 0.0
        for i, wanted in enumerate(state):
            if (i, wanted) not in known:
                known[i, wanted] = _cost(specs[i], wanted, axes, gibs[i])
            cost += known[i, wanted]
        if cost < (best[0] if best else float("inf")):
            best = (cost, state, list(combination))
    return best and best[1:]
