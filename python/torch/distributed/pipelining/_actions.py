"""One step of a pipeline's rank: what is done, for which stage and micro-batch (torch/distributed/pipelining/schedules.py)."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class _ComputationType(str, Enum):
    FORWARD = "F"
    BACKWARD_INPUT = "I"
    BACKWARD_WEIGHT = "W"
    UNSHARD = "UNSHARD"
    RESHARD = "RESHARD"
    SEND_F = "SEND_F"
    RECV_F = "RECV_F"
    SEND_B = "SEND_B"
    RECV_B = "RECV_B"
    FULL_BACKWARD = "B"
    OVERLAP_F_B = "OVERLAP_F_B"
    REDUCE_GRAD = "REDUCE_GRAD"

    def __str__(self) -> str:
        return self.value


F, I, W, B = (_ComputationType(letter) for letter in "FIWB")  # noqa: E741
COMPUTE = (F, I, W, B, _ComputationType.OVERLAP_F_B)
_WRITTEN = re.compile(r"(\d+)(F|I|B|W|UNSHARD|RESHARD|REDUCE_GRAD|SEND_F|RECV_F|SEND_B|RECV_B)(\d*)")


class _Action(NamedTuple):
    stage_index: int
    computation_type: _ComputationType
    microbatch_index: int = None
    sub_actions: tuple = None

    @property
    def is_compute_op(self) -> bool:
        return self.computation_type in COMPUTE

    @property
    def parts(self) -> Any:
        return self.sub_actions if self.sub_actions is not None else (self,)

    def __repr__(self) -> str:
        if self.sub_actions is not None:
            return f"({';'.join(map(repr, self.sub_actions))}){self.computation_type.value}"
        number = "" if self.microbatch_index is None else self.microbatch_index
        return f"{self.stage_index}{self.computation_type.value}{number}"

    __str__ = __repr__

    @staticmethod
    def from_str(action_string: str) -> _Action | None:
        text = action_string.strip()
        if not text:
            return None
        if text.startswith("("):
            inner, _, kind = text[1:].partition(")")
            parts = tuple(_Action.from_str(part) for part in inner.split(";") if part.strip())
            return _Action(-1, _ComputationType(kind), None, parts or None)
        found = _WRITTEN.match(text)
        if found is None:
            raise RuntimeError(
                f"Invalid action string: {action_string}, should be formatted as [stage][action type][(microbatch)] e.g. 2F0"
            )
        stage, kind, number = found.groups()
        return _Action(int(stage), _ComputationType(kind), int(number) if number else None)


def ranks_of_stages(ranks: Sequence[int], stages: Any, style: str = "loop") -> Any:
    """The rank of each stage: in rounds, or down and up again (v)."""
    if style == "loop":
        return {stage: stage % ranks for stage in range(stages)}
    if stages % ranks:
        raise ValueError(f"num_stages {stages} must be evenly divisible by pp_size {ranks} for V schedules")
    found = {}
    for stage in range(stages):
        lap, place = divmod(stage, ranks)
        found[stage] = place if lap % 2 == 0 else ranks - 1 - place
    return found
