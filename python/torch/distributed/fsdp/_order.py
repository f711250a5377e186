"""The order in which units ran forward, by which the next one to gather is guessed (torch/distributed/fsdp/_exec_order_utils.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class ExecutionOrder:
    """Of one root; the order of the first pass is taken for all."""

    def __init__(self) -> None:
        self.all_handles = []
        self.pre_forward, self.post_forward = [], []
        self.first_pass = True

    def next_pass(self) -> None:
        self.first_pass = False
        self.post_forward.clear()

    def before_forward(self, handle: Any) -> None:
        if self.first_pass and handle.pre_forward_index is None:
            handle.pre_forward_index = len(self.pre_forward)
            self.pre_forward.append(handle)

    def after_forward(self, handle: Any) -> None:
        if not handle.post_forward_index:
            handle.post_forward_index = len(self.post_forward)
        self.post_forward.append(handle)

    def next_in_backward(self, handle: Any) -> Any:
        at = handle.post_forward_index
        return self.post_forward[at - 1] if at else None

    def next_in_forward(self, handle: Any) -> Any:
        at = handle.pre_forward_index
        return self.pre_forward[at + 1] if at is not None and at + 1 < len(self.pre_forward) else None
