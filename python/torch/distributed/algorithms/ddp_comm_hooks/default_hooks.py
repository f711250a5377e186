"""Communication hooks of DDP: what is done with a bucket instead of averaging it as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ... import _world

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.futures import Future
    from torch.nn.parallel._reducer import GradBucket
    from torch.distributed._nccl import ProcessGroup


def _averaged(group, tensor):
    pg = group if group is not None else _world._require()
    return pg.allreduce([tensor.div_(pg.size())], True).get_future()


def allreduce_hook(process_group: ProcessGroup, bucket: GradBucket) -> Future:
    return _averaged(process_group, bucket.buffer()).then(lambda future: future.value()[0])


def _compressed(dtype, process_group, bucket):
    pg = process_group if process_group is not None else _world._require()
    buffer = bucket.buffer()
    small = buffer.to(dtype).div_(pg.size())
    work = pg.allreduce([small], True)

    def back(future):
        decompressed = bucket.buffer()
        decompressed.copy_(future.value()[0])
        return decompressed

    return work.get_future().then(back)


def fp16_compress_hook(process_group: ProcessGroup, bucket: GradBucket) -> Future:
    return _compressed(torch.float16, process_group, bucket)


def bf16_compress_hook(process_group: ProcessGroup, bucket: GradBucket) -> Future:
    return _compressed(torch.bfloat16, process_group, bucket)


def _cast_around(dtype, hook):
    """The hook sees a bucket of the dtype; afterwards the bucket's buffer, which stays that, takes what the hook gave."""

    def wrapped(state, bucket):
        bucket.set_buffer(bucket.buffer().to(dtype))

        def back(future):
            buffer = bucket.buffer()
            buffer.copy_(future.value())
            return buffer

        return hook(state, bucket).then(back)

    return wrapped


def fp16_compress_wrapper(hook: Callable[[Any, GradBucket], Future]) -> Callable[[Any, GradBucket], Future]:
    return _cast_around(torch.float16, hook)


def bf16_compress_wrapper(hook: Callable[[Any, GradBucket], Future]) -> Callable[[Any, GradBucket], Future]:
    return _cast_around(torch.bfloat16, hook)


def _all_reduce(process_group, bucket):
    return _averaged(process_group, bucket.buffer())


BUILT_IN = {
    "ALLREDUCE": _all_reduce,
    "FP16_COMPRESS": fp16_compress_hook,
}  # those of default_comm_hooks.cpp by their names
