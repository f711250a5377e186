"""A hook that sends nothing: what DDP would be without its communication."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.futures import Future

if TYPE_CHECKING:
    from typing import Any

    from torch.nn.parallel._reducer import GradBucket


def noop_hook(_: Any, bucket: GradBucket) -> Future:
    future = Future()
    future.set_result(bucket.buffer())
    return future
