"""Sorting, choosing and counting over many widths and dtypes: scratch that depends on how many blocks a card holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from sections import run_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


WIDTHS = (128, 1024, 2048, 2049, 4096, 8192, 32000, 128256, 1048576)
ROWS = (1, 4, 64)
MOST_ELEMENTS = 16_000_000
CALLS = {
    "sort": lambda x: x.sort(-1),
    "stable sort": lambda x: x.sort(dim=-1, descending=True, stable=True),
    "argsort of rows": lambda x: x.argsort(0),
    "topk 50": lambda x: x.topk(50),
    "kthvalue": lambda x: x.kthvalue(7),
    "median": lambda x: x.median(-1),
    "mode": lambda x: x.mode(-1),
    "unique": lambda x: x.unique(),
    "unique with counts": lambda x: torch.unique(x, return_inverse=True, return_counts=True),
    "unique_consecutive": torch.unique_consecutive,
    "cumsum": lambda x: x.cumsum(-1),
    "cumsum of rows": lambda x: x.cumsum(0),
    "cummax": lambda x: x.cummax(-1),
    "logcumsumexp": lambda x: x.logcumsumexp(-1),
    "nonzero": torch.nonzero,
    "masked_select": lambda x: x[x > 0],
    "max": lambda x: x.max(-1),
    "max of rows": lambda x: x.max(0),
    "max of all": lambda x: x.max(),
    "sum": lambda x: x.sum(-1),
    "sum of rows": lambda x: x.sum(0),
    "sum of all": lambda x: x.sum(),
    "argmax": lambda x: x.argmax(-1),
    "argmax of all": lambda x: x.argmax(),
    "logsumexp": lambda x: x.logsumexp(-1),
    "norm": lambda x: x.norm(),
    "var": lambda x: x.var(-1),
    "var of rows": lambda x: x.var(0),
    "std of all": lambda x: x.std(),
    "any": lambda x: (x > 0).any(),
    "count_nonzero": torch.count_nonzero,
    "histc": lambda x: x.histc(100),
    "multinomial": lambda x: torch.multinomial(x.softmax(-1), 1),
    "multinomial of many": lambda x: torch.multinomial(x.softmax(-1), 20),
    "multinomial replaced": lambda x: torch.multinomial(x.softmax(-1), 20, replacement=True),
    "searchsorted": lambda x: torch.searchsorted(x.sort(-1)[0], x[..., :64].contiguous()),
    "bucketize": lambda x: torch.bucketize(x, torch.linspace(-2, 2, 64, device="cuda", dtype=x.dtype)),
    "quantile": lambda x: x.float().quantile(0.5, -1),
    "index_put accumulated": lambda x: torch.zeros_like(x).index_put_(
        (torch.zeros(len(x), dtype=torch.long, device="cuda"),), x, accumulate=True
    ),
    "embedding backward": lambda x: torch.nn.functional.embedding(
        torch.randint(0, 1000, (x.numel() // 64,), device="cuda"),
        torch.randn(1000, 64, device="cuda", dtype=x.dtype, requires_grad=True),
    ),
    "randperm": lambda x: torch.randperm(x.numel(), device="cuda"),
    "bincount": lambda x: torch.randint(0, 100, (x.numel(),), device="cuda").bincount(),
}


def case_of(call: Callable, rows: int, width: int) -> Callable:
    return lambda m: call(m.x(rows, width, grad=False))


cases = {
    f"{name} {rows} x {width}": case_of(call, rows, width)
    for name, call in CALLS.items()
    for rows in ROWS
    for width in WIDTHS
    if rows * width <= MOST_ELEMENTS
}
run_all(cases, dtypes=("float32", "bfloat16"), sizes=("fixed",))
