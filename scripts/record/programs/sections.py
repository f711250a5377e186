"""Runs a table of small cases one after the other and prints, for each, the counters and the allocator trace of its forward
and backward pass as one line of JSON. The same file runs on a GPU and under the simulator.

A case is a function of a Maker; what it returns is differentiated if it can be. Between two cases the cache is emptied, so that
a case starts from the workspaces of the matrix library and nothing else.
"""

from __future__ import annotations

import gc
import json
import sys
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
SIZES = {"small": (48, 64), "large": (4096, 1024), "fixed": (64, 64)}
MOST_ENTRIES = 1_000_000


class Maker:
    """Makes the inputs of a case; `rows` and `columns` are its size."""

    def __init__(self, dtype: torch.dtype, size: str) -> None:
        self.dtype = DTYPES[dtype]
        self.rows, self.columns = SIZES[size]
        self.large = size == "large"

    def x(self, *shape: Any, grad: bool = True) -> Tensor:
        return torch.randn(*(shape or (self.rows, self.columns)), device="cuda", dtype=self.dtype, requires_grad=grad)

    def positive(self, *shape: Any) -> Any:
        made = torch.rand(*(shape or (self.rows, self.columns)), device="cuda", dtype=self.dtype)
        return made.add_(0.5).requires_grad_()

    def ids(self, most: Any, *shape: Any) -> Any:
        return torch.randint(0, most, shape or (self.rows,), device="cuda")

    def module(self, module: torch.nn.Module) -> Any:
        return module.to("cuda", self.dtype)


def spell(entries: Any) -> str:
    """A trace in one line: +bytes taken, -bytes given back, s and r for segments taken and released."""
    signs = {"alloc": "+", "free_requested": "-", "segment_alloc": "s", "segment_free": "r"}
    return " ".join(f"{signs[e['action']]}{e['size']}" for e in entries if e["action"] in signs)


def entries_so_far() -> list:
    traces = torch.cuda.memory._snapshot()["device_traces"]
    return [entry for entry in traces[0]] if traces else []


def first_tensor(result: Any) -> Any:
    if isinstance(result, torch.Tensor):
        return result if result.requires_grad else None
    if isinstance(result, (tuple, list)):
        return next((t for t in map(first_tensor, result) if t is not None), None)
    return None


def clean() -> None:
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def counters() -> dict:
    return {"allocated": torch.cuda.memory_allocated(), "reserved": torch.cuda.memory_reserved()}


def run_case(name: str, case: Callable, dtype: torch.dtype, size: int) -> None:
    clean()
    found = {"name": name, "dtype": dtype, "size": size, "before": counters()}
    torch.cuda.memory._record_memory_history(enabled="all", context=None, stacks="python", max_entries=MOST_ENTRIES)
    try:
        result = case(Maker(dtype, size))
        torch.cuda.synchronize()
        forward = entries_so_far()
        found["forward"] = spell(forward)
        found["afterForward"] = counters()
        root = first_tensor(result)
        if root is not None:
            root.backward(torch.ones_like(root))
            torch.cuda.synchronize()
            found["backward"] = spell(entries_so_far()[len(forward) :])
            found["afterBackward"] = counters()
        del root, result
    except (RuntimeError, TypeError, ValueError, AttributeError, NotImplementedError) as problem:
        found["error"] = f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"[:200]
    found["peak"] = torch.cuda.max_memory_allocated()
    found["peakReserved"] = torch.cuda.max_memory_reserved()
    torch.cuda.memory._record_memory_history(enabled=None)
    print("section\t" + json.dumps(found), flush=True)


def run_all(cases: dict, dtypes: Any = tuple(DTYPES), sizes: Any = ("small", "large")) -> None:
    """Every case in every dtype and size; arguments of the program name those to run, where it has any of them."""
    gc.freeze()

    def named(choices):
        return [c for c in choices if c in sys.argv[1:]] or choices

    for size in named(sizes):
        for dtype in named(dtypes):
            for name, case in cases.items():
                run_case(name, case, dtype, size)
