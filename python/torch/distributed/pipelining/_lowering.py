"""Puts sends, receives, gathering of sharded stages and reductions into an order of computations (torch/distributed/pipelining/schedules.py)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ._actions import B, F, I, W, _Action, _ComputationType

if TYPE_CHECKING:
    from typing import Any


_STAGES_GATHERED = 3


def with_gathering(actions: Any) -> Any:
    """Gathers the parameters of the stages that come next, and gives back those of others."""
    gathered, result = set(), []
    for i, action in enumerate(actions):
        if action is None:
            continue
        coming = _next_stages(actions[i:])
        for stage in [s for s in gathered if s not in coming]:
            gathered.remove(stage)
            result.append(_Action(stage, _ComputationType.RESHARD))
        for stage in coming:
            if stage not in gathered:
                gathered.add(stage)
                result.append(_Action(stage, _ComputationType.UNSHARD))
        result.append(action)
    return result + [_Action(stage, _ComputationType.RESHARD) for stage in gathered]


def _next_stages(actions):
    found = []
    for action in actions:
        if action is None:
            continue
        for part in action.parts:
            if part.stage_index not in found:
                found.append(part.stage_index)
        if len(found) >= _STAGES_GATHERED:
            break
    return found


def with_reduction(actions: Any, micro_batches: int) -> Any:
    """Reduces a stage's gradients after its last backward."""
    count, result = Counter(), []
    for action in actions:
        if action is None:
            continue
        result.append(action)
        for part in action.parts:
            if part.computation_type in (W, B):
                count[part.stage_index] += 1
                if count[part.stage_index] == micro_batches:
                    result.append(_Action(part.stage_index, _ComputationType.REDUCE_GRAD))
    return result


def with_transfers(orders: Any, rank_of: Any, stages: Any) -> Any:
    """Sends after what is computed, and receives as early as the sender sends, for all ranks at once."""
    waiting = {rank: list(actions) for rank, actions in orders.items()}
    result, done = {rank: [] for rank in orders}, {rank: set() for rank in orders}

    def put(rank, action):
        result[rank].append(action)
        done[rank].add(action)

    while any(waiting.values()):
        progress = False
        for rank in sorted(waiting):
            if not waiting[rank]:
                continue
            action = waiting[rank][0]
            if not all(_ready(part, done[rank], stages) for part in action.parts):
                continue
            waiting[rank].pop(0)
            progress = True
            result[rank].append(action)
            for part in action.parts:
                done[rank].add(part)
                transfer = _transfer(part, rank_of, stages)
                if transfer is not None:
                    send, receive = transfer
                    put(rank, send)
                    put(rank_of[receive.stage_index], receive)
        if not progress:
            raise AssertionError("Malformed compute schedule, can't schedule sends/recvs")
    return result


def _ready(action, done, stages):
    stage, kind, number = action[:3]
    if kind == F and stage != 0:
        return _Action(stage, _ComputationType.RECV_F, number) in done or _Action(stage - 1, F, number) in done
    if kind in (I, B) and stage != stages - 1:
        return _Action(stage, _ComputationType.RECV_B, number) in done or any(
            _Action(stage + 1, half, number) in done for half in (I, B)
        )
    return True


def _transfer(action, rank_of, stages):
    stage, kind, number = action[:3]
    if kind == F and stage != stages - 1:
        to, names = stage + 1, (_ComputationType.SEND_F, _ComputationType.RECV_F)
    elif kind in (I, B) and stage != 0:
        to, names = stage - 1, (_ComputationType.SEND_B, _ComputationType.RECV_B)
    else:
        return None
    if rank_of[to] == rank_of[stage]:
        return None
    return _Action(stage, names[0], number), _Action(to, names[1], number)


def with_late_receives(orders: Any, rank_of: Any) -> Any:
    """Receives just before they are needed, but before sends to the same rank where that could block."""
    receives = (_ComputationType.RECV_F, _ComputationType.RECV_B)
    sends = {_ComputationType.SEND_F: 1, _ComputationType.SEND_B: -1}
    result = {}
    for rank, actions in orders.items():
        late, deferred = [], {}
        for action in actions:
            kind = action.computation_type
            if kind in receives:
                deferred[action[:3]] = action
                continue
            if kind in sends and rank < (peer := rank_of[action.stage_index + sends[kind]]):
                for key, one in list(deferred.items()):
                    source = one.stage_index + (-1 if one.computation_type == receives[0] else 1)
                    if rank_of[source] == peer:
                        late.append(deferred.pop(key))
            for part in action.parts:
                needed = receives[0] if part.computation_type == F else receives[1]
                key = part.stage_index, needed, part.microbatch_index
                if part.computation_type in (F, B, I) and key in deferred:
                    late.append(deferred.pop(key))
            late.append(action)
        result[rank] = late
    return result
