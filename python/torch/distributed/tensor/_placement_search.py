"""Which placements an operator's inputs are brought to: the cheapest change of single placements after which a rule holds on every axis.

Mirrors _dijkstra_expand_single_dim_strategy_to_mesh of tensor/_ops/single_dim_strategy.py: one step changes one input along one axis.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from .placement_types import Partial, Replicate, Shard

if TYPE_CHECKING:
    from typing import Any


R = Replicate()


def transition_cost(have: Any, want: Any, count: int, gib: Any) -> tuple:
    """Microseconds, by PyTorch's constants for one node (tensor/_collective_utils.py), and the GiB of the part afterwards."""
    if have == want:
        return 0.0, gib
    hops = count - 1
    if isinstance(have, Shard) and want.is_replicate():
        gib *= count
        return 6.6 + hops * 0.6 + gib * hops / count / 87.7 * 1e6, gib
    if isinstance(have, Shard) and isinstance(want, Shard):
        return 6.6 + hops * 0.6 + gib * hops / count / 87.7 * 1e6 + 1.0, gib
    if have.is_partial() and want.is_replicate():
        return 6.6 + 2 * hops * 0.6 + gib * 2 * hops / count / 87.7 * 1e6, gib
    if have.is_partial() and isinstance(want, Shard):
        return 6.6 + hops * 0.6 + gib * hops / count / 87.7 * 1e6, gib / count
    if have.is_replicate() and isinstance(want, Shard):
        return 0.0, gib / count
    if have.is_replicate() and want.is_partial():
        return 0.0, gib
    return float("inf"), gib


def _neighbours(wanted, placements, axis):
    """What one placement can become. A dimension is cut from the left: one that is cut further right cannot change here."""
    have = placements[axis]
    right = {p.dim for p in placements[axis + 1 :] if isinstance(p, Shard)}
    parts = [p for p in wanted if isinstance(p, Shard) and p.dim not in right]
    if have.is_replicate():
        return parts + [p for p in wanted if isinstance(p, Partial)]
    if isinstance(have, Shard):
        return [] if have.dim in right else [R, *(p for p in parts if p != have)]
    return [R, *parts]


def search(mesh: Any, start: Any, gibs: Any, candidates: Any, allowed: Any) -> tuple | None:
    """The placements of every input, and for each axis the candidate that holds there; None if none can be reached."""
    rules = {}
    for candidate in candidates:
        rules.setdefault(tuple(candidate[1]), candidate)
    # sets of PyTorch: few dimensions, so they come in order
    wanted = [
        sorted({ins[i] for ins in rules}, key=lambda p: p.dim if isinstance(p, Shard) else -1)
        for i in range(len(start))
    ]
    counts = [mesh.size(axis) for axis in range(mesh.ndim)]
    order = {ins: i for i, ins in enumerate(rules)}
    queue, number, seen, best = [(0.0, 0, start, gibs)], 0, set(), None
    while queue and (best is None or queue[0][0] <= best[0] * (1 + 1e-12)):
        cost, _, state, sizes = heapq.heappop(queue)
        if state in seen:
            continue
        seen.add(state)
        keys = [tuple(p[axis] for p in state) for axis in range(mesh.ndim)]
        found = [rules.get(key) for key in keys]
        if None not in found and allowed(state, found):
            if state == start:
                return state, found
            # of several that cost the same PyTorch takes the one that it lists first
            listed = [order[key] for key in keys]
            if best is None or listed < best[1]:
                best = (cost if best is None else best[0], listed, state, found)
        for axis in range(mesh.ndim):
            for i, placements in enumerate(state):
                for want in _neighbours(wanted[i], placements, axis):
                    changed = (*placements[:axis], want, *placements[axis + 1 :])
                    after = (*state[:i], changed, *state[i + 1 :])
                    if after in seen or transition_cost(start[i][axis], want, counts[axis], gibs[i])[0] == float("inf"):
                        continue
                    step, size = transition_cost(placements[axis], want, counts[axis], sizes[i])
                    if step != float("inf"):
                        number += 1
                        heapq.heappush(queue, (cost + step, number, after, (*sizes[:i], size, *sizes[i + 1 :])))
    return best and best[2:]
