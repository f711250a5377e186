"""Optimizers that step while DDP's backward goes on: a bucket's parameters as soon as it is reduced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C
from torch.futures import Future

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.nn.parallel._reducer import GradBucket


def _apply_optim_in_backward_hook(gradient_is_bucket_view: bool) -> Callable[[Any, GradBucket], Future]:
    """A hook for parameters whose optimizers are their own; its state is a weak reference to the DDP module."""
    stream = torch.cuda.Stream()
    waits = False

    def hook(ddp: Any, bucket: GradBucket) -> Future:
        nonlocal waits
        module = ddp()
        reduced = module.process_group.allreduce([bucket.buffer()], True).get_future()
        with torch.cuda.stream(stream):
            reduced.wait()
            bucket.buffer().div_(module.process_group.size())
            params, grads = bucket.parameters(), bucket.gradients()
            for p, g in zip(params, grads):
                if hasattr(p, "_in_backward_optimizers"):
                    if not gradient_is_bucket_view:
                        p.grad = g
                    for optimizer in p._in_backward_optimizers:
                        optimizer.step()
        future = Future()
        future.set_result(bucket.buffer())

        def at_end():
            nonlocal waits
            torch.cuda.current_stream().wait_stream(stream)
            for param in module._module_parameters:
                if hasattr(param, "_in_backward_optimizers"):
                    param.grad = None
            waits = False

        if not waits:
            _C.queue_callback(at_end)
            waits = True
        return future

    return hook
