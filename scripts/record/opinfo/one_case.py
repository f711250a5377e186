"""Prints what each case leaves allocated and its peak, forward and backward, with the results' dtypes, shapes and autograd nodes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


warnings.filterwarnings("ignore")


def T(shape: Any, dtype: torch.dtype, values: Any = None, strides: Any = None, grad: bool = False) -> Any:  # noqa: N802 -- short, because each case has several
    kind = getattr(torch, dtype)
    if values is None:
        made = torch.empty(shape, dtype=kind, device="cuda")
    else:
        made = torch.tensor(values, dtype=kind, device="cuda").reshape(shape)
    if strides is not None:
        strided = torch.empty_strided(shape, strides, dtype=kind, device="cuda")
        if values is not None:
            strided.copy_(made)
        made = strided
    return made.requires_grad_() if grad else made


def leaves(value: Any) -> list:
    if isinstance(value, torch.Tensor):
        return [value]
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list | tuple) else []


def about(tensor: Tensor) -> str:
    return f"{str(tensor.dtype)[6:]}{list(tensor.shape)}{tensor.grad_fn.name() if tensor.grad_fn else ''}"


def run(name: str, call: Callable, path: str) -> None:
    function = torch
    for part in path.split(".")[1:]:
        function = getattr(function, part, None)
    if function is None:
        print(name, "missing")
        return
    base = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    try:
        out = call(function)
    except Exception as error:
        print(name, "E", type(error).__name__)
        return
    made = torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base
    print(name, "F", *made, *[about(leaf).replace(" ", "") for leaf in leaves(out)[:4]])
    roots = [leaf for leaf in leaves(out) if leaf.requires_grad]
    if roots:
        torch.cuda.reset_peak_memory_stats()
        try:
            torch.autograd.backward(roots, [torch.ones_like(leaf) for leaf in roots])
        except Exception as error:
            print(name, "EB", type(error).__name__)
            return
        print(name, "B", torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)


# The first product of forward and backward takes cuBLAS's workspaces, which no case should be told with.
warm = torch.ones(4, 4, device="cuda", requires_grad=True)
(warm @ warm).sum().backward()
del warm
