"""The order of forwards and backwards of one rank in each schedule (torch/distributed/pipelining/schedules.py)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ._actions import _Action, _ComputationType, ranks_of_stages
from ._actions import B, F, I, W

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class _Counted:
    """Actions, each with the next micro-batch of its stage."""

    def __init__(self) -> None:
        self.actions, self._next = [], Counter()

    def add(self, stage: Any, kind: Any, counted_as: Any = None) -> None:
        key = stage, counted_as or kind
        self.actions.append(_Action(stage, kind, self._next[key]))
        self._next[key] += 1


def looped_bfs(rank: int, ranks: Sequence[int], local_stages: Any, micro_batches: int) -> Any:
    """All micro-batches of a stage before the next stage."""
    stages = range(rank, ranks * local_stages, ranks)
    forward = [_Action(stage, F, i) for stage in stages for i in range(micro_batches)]
    backward = [_Action(stage, B, i) for stage in reversed(stages) for i in reversed(range(micro_batches))]
    return [None] * rank + forward + [None] * (2 * (ranks - 1 - rank)) + backward


def interleaved(
    rank: int, ranks: Sequence[int], local_stages: Any, micro_batches: int, zero_bubble: bool = False
) -> Any:
    """One forward, one backward in turn, over several stages of a rank; with zero bubble, weights' gradients come later."""
    per_round = micro_batches // max(1, micro_batches // ranks)
    total = local_stages * micro_batches
    distance = 1 if zero_bubble else 2
    warm_up = min((local_stages - 1) * per_round + distance * (ranks - 1 - rank), total)
    weights_wait_for = rank if zero_bubble else 0

    def forward_stage(step):
        return (step // per_round) % local_stages * ranks + rank

    def backward_stage(step):
        return (local_stages - 1 - (step - warm_up) // per_round % local_stages) * ranks + rank

    order, weights = _Counted(), []
    order.actions += [None] * rank
    for step in range(warm_up + total):
        if step < total:
            order.add(forward_stage(step), F)
        if step < warm_up:
            if step == warm_up - 1:
                idle = (
                    ranks - rank - 1 if zero_bubble else local_stages * ranks + 2 * (ranks - 1 - rank) - warm_up - rank
                )
                order.actions += [None] * idle
            continue
        if step >= total and not zero_bubble:
            order.actions.append(None)
        order.add(backward_stage(step), I if zero_bubble else B)
        if zero_bubble:
            weights.append(step)
            if step - warm_up >= weights_wait_for:
                order.add(backward_stage(weights.pop(0)), W)
    for step in weights:
        order.add(backward_stage(step), W)
    return order.actions


def with_bubbles(orders: Any, last_stage: Any) -> Any:
    """Puts idle steps where the step before, on another rank, is not done yet."""
    done, at = set(), dict.fromkeys(orders, 0)
    result = {rank: [] for rank in orders}
    while any(at[rank] < len(orders[rank]) for rank in orders):
        now = set()
        for rank, actions in orders.items():
            if at[rank] >= len(actions):
                continue
            action = actions[at[rank]]
            if action is not None and _waits(action, done, last_stage):
                result[rank].append(None)
                continue
            at[rank] += 1
            result[rank].append(action)
            if action is not None and action.microbatch_index is not None:
                now.add(action[:3])
        done |= now
    return result


def _waits(action, done, last_stage):
    stage, kind, number = action[:3]
    if kind == F:
        return stage != 0 and (stage - 1, F, number) not in done
    if kind == B:
        return ((stage, F, number) if stage == last_stage else (stage + 1, B, number)) not in done
    return False


def zero_bubble_v(rank: int, ranks: Sequence[int], micro_batches: int) -> list:
    """Two stages of a rank, down and up again, without bubbles."""
    runs = max(2 * ranks - 1, micro_batches)
    down, up = rank, 2 * ranks - 1 - rank
    order = _Counted()
    order.actions += [None] * rank

    def full(stage):
        order.add(stage, I)
        order.add(stage, W)

    forwards = {down: 0, up: 0}

    def forward(stage):
        order.add(stage, F)
        forwards[stage] += 1

    for _ in range(2 * (ranks - rank) - 1):
        forward(down)
    for _ in range(rank):
        forward(up)
        forward(down)
    for _ in range(ranks - rank):
        forward(up)
        full(up)
    while forwards[up] < forwards[down] or forwards[down] < runs:
        if forwards[down] < runs:
            forward(down)
        full(down)
        forward(up)
        full(up)
    for _ in range(rank):
        order.add(down, I)
        order.add(up, I)
    for _ in range(ranks - rank):
        order.add(down, I)
        order.add(down, W)
    for stage in (up, down):
        done = Counter(a.computation_type for a in order.actions if a is not None and a.stage_index == stage)
        for _ in range(done[I] - done[W]):
            order.add(stage, W)
    return [a if a is not None and a.microbatch_index < micro_batches else None for a in order.actions]


def dual_pipe_v(rank: int, ranks: Sequence[int], micro_batches: int) -> Any:
    """Two stages of a rank, down and up again, a forward of one beside the backward of the other."""
    rank_of = ranks_of_stages(ranks, 2 * ranks, "v")
    down, up = [stage for stage in range(2 * ranks) if rank_of[stage] == rank]
    actions, count, waiting = [], Counter(), []

    def backward_done(stage):
        count[stage, I] += 1
        count[stage, W] += 1

    def add(stage, kind):
        key = (stage, I) if kind == B else (stage, kind)
        number = count[key]
        actions.append(_Action(stage, kind, number))
        if kind == B:
            backward_done(stage)
            return
        if kind == I:
            waiting.append((stage, number))
        count[key] += 1

    def both(forward, backward):
        parts = (_Action(forward, F, count[forward, F]), _Action(backward, B, count[backward, I]))
        actions.append(_Action(-1, _ComputationType.OVERLAP_F_B, None, parts))
        count[forward, F] += 1
        backward_done(backward)

    def weight():
        if waiting:
            stage, number = waiting.pop(0)
            actions.append(_Action(stage, W, number))
            count[stage, W] += 1

    for _ in range((ranks - rank - 1) * 2):
        add(down, F)
    for _ in range(rank + 1):
        add(down, F)
        add(up, F)
    for _ in range(ranks - rank - 1):
        add(up, I)
        weight()
        add(up, F)
    for i in range(micro_batches - ranks * 2 + rank + 1):
        if i == 0 and rank == ranks - 1:
            add(down, F)
            add(up, B)
        else:
            both(down, up)
        both(up, down)
    for _ in range(ranks - rank - 1):
        add(up, B)
        both(up, down)
    steps, halves = rank + 1, False
    for i in range(steps):
        if i == steps // 2 and rank % 2 == 1:
            halves = True
        add(up, I if halves else B)
        if i == steps // 2 and rank % 2 == 0:
            halves = True
        add(down, I if halves else B)
    for _ in range(ranks - rank - 1):
        weight()
        add(down, I if halves else B)
    for _ in range(rank + 1):
        weight()
    return actions
