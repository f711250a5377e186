"""torch.vmap over functions of indices, as attention masks are made: four levels, and indexing by rows of two levels."""

import torch
from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex


def show(phase):
    print(phase, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), flush=True)
    torch.cuda.reset_peak_memory_stats()


def mapped(function):
    for dims in [(None, None, None, 0), (None, None, 0, None), (None, 0, None, None), (0, None, None, None)]:
        function = torch.vmap(function, in_dims=dims, out_dims=0)
    return function


def rows(*sizes):
    return [torch.arange(size, device="cuda") for size in sizes]


kept = torch.ones(4, 2048, dtype=torch.bool, device="cuda")
groups = torch.zeros(4, 2048, dtype=torch.long, device="cuda")
show("tables")
FUNCTIONS = {
    "causal": lambda b, h, q, kv: kv <= q,
    "window": lambda b, h, q, kv: (kv <= q) & (kv > q - 128),
    "padded": lambda b, h, q, kv: (kv <= q) & kept[b, kv],
    "same group": lambda b, h, q, kv: groups[b, q] == groups[b, kv],
}
for name, function in FUNCTIONS.items():
    arguments = rows(4, 1, 2048, 2048)
    show("rows")
    with TransformGetItemToIndex():
        mask = mapped(function)(*arguments)
    show(name)
    print(tuple(mask.shape), mask.dtype)
    total = mask.contiguous()
    show("whole")
    del mask, total
    show("gone")
