"""The order in which units ran forward, by which the next one to gather is guessed (torch/distributed/fsdp/_exec_order_utils.py)."""


class ExecutionOrder:
    """Of one root; the order of the first pass is taken for all."""

    def __init__(self):
        self.all_handles = []
        self.pre_forward, self.post_forward = [], []
        self.first_pass = True

    def next_pass(self):
        self.first_pass = False
        self.post_forward.clear()

    def before_forward(self, handle):
        if self.first_pass and handle.pre_forward_index is None:
            handle.pre_forward_index = len(self.pre_forward)
            self.pre_forward.append(handle)

    def after_forward(self, handle):
        if not handle.post_forward_index:
            handle.post_forward_index = len(self.post_forward)
        self.post_forward.append(handle)

    def next_in_backward(self, handle):
        at = handle.post_forward_index
        return self.post_forward[at - 1] if at else None

    def next_in_forward(self, handle):
        at = handle.pre_forward_index
        return self.pre_forward[at + 1] if at is not None and at + 1 < len(self.pre_forward) else None
