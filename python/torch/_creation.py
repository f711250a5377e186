"""Tensors out of nothing: empty, zeros, rand, arange, eye, windows, and the like of another tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C, _defaults
from ._arguments import made, place_of, sizes_of, drawing
from ._tensor import Tensor
from ._types import DTYPES, device as _device_type

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch
    from torch.distributed.tensor._dtensor import DTensor
    from torch.distributed.fsdp._sharded_tensor import ShardedTensor
    from torch._types import memory_format


ops = _C.ops


def _factory(op):
    def f(
        *size,
        out=None,
        dtype=None,
        layout=None,
        device=None,
        requires_grad=False,
        pin_memory=False,
        memory_format=None,
        generator=None,
        names=None,
        **kw,
    ):
        if "size" in kw:
            size = (kw["size"],)
        if len(size) == 1 and isinstance(size[0], str):
            raise TypeError(f"{op.__name__}(): argument 'size' (position 1) must be tuple of ints, not str")
        size = sizes_of(size)
        if out is not None:
            return _C.out_call(out, op, size, out.dtype, out.device)
        dtype, device = place_of(dtype, device)
        t = op(size, dtype, device)
        if memory_format is not None and memory_format.name.startswith("channels_last"):
            t = ops.empty_like(t, dtype, device, memory_format)
        return made(t, requires_grad)

    return f


empty = _factory(ops.empty)
rand = drawing(_factory(ops.rand))
randn = drawing(_factory(ops.randn))
_zeros = _factory(ops.zeros)
_ones = _factory(ops.ones)


def zeros(*size: int | Sequence[int], **kw: Any) -> Tensor | ShardedTensor | DTensor:
    return _zeros(*size, **kw)


def ones(*size: int | Sequence[int], **kw: Any) -> Tensor | ShardedTensor | DTensor:
    return _ones(*size, **kw)


def _infer(value):
    if isinstance(value, bool):
        return DTYPES["bool"]
    if isinstance(value, int):
        return DTYPES["int64"]
    if isinstance(value, complex):
        return DTYPES["complex64"]
    return _defaults.dtype


def full(
    size: Sequence[int],
    fill_value: Any,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    pin_memory: bool | None = False,
) -> Tensor | ShardedTensor | DTensor:
    if isinstance(fill_value, Tensor):
        dtype = dtype or fill_value.dtype
        fill_value = fill_value.item()
    if not isinstance(fill_value, (int, float, complex)) and not hasattr(fill_value, "__float__"):
        raise TypeError(f"full(): argument 'fill_value' (position 2) must be Number, not {type(fill_value).__name__}")
    dtype, device = place_of(dtype, device, fallback=_infer(fill_value))
    if out is not None:
        return _C.out_call(out, ops.full, size, fill_value, out.dtype, out.device)
    t = ops.full((size,) if isinstance(size, int) else size, fill_value, dtype, device)
    return made(t, requires_grad)


@_C.compiled
def scalar_tensor(
    s: int | float | complex,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
) -> Tensor:
    dtype, device = place_of(dtype, device)
    return made(ops.scalar_tensor(s, dtype, device), requires_grad)


def empty_strided(
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    pin_memory: bool | None = False,
) -> Tensor:
    dtype, device = place_of(dtype, device)
    return made(ops.empty_strided(size, stride, dtype, device), requires_grad)


@_C.compiled
def empty_permuted(
    size: Sequence[int],
    physical_layout: Sequence[int],
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    pin_memory: bool | None = False,
) -> Tensor:
    strides, step = [0] * len(size), 1
    for at in reversed(physical_layout):
        strides[at] = step
        step *= max(size[at], 1)
    return empty_strided(size, strides, dtype=dtype, device=device, requires_grad=requires_grad)


def arange(
    *bounds: float,
    start: int | float | complex = 0,
    end: int | float | complex | None = None,
    step: int | float | complex = 1,
    out: Tensor | None = None,
    dtype: Any = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    pin_memory: bool | None = False,
) -> Tensor:
    if len(bounds) == 1:
        end = bounds[0]
    elif len(bounds) >= 2:
        start, end = bounds[0], bounds[1]
        if len(bounds) == 3:
            step = bounds[2]
    start, end, step = (x.item() if isinstance(x, Tensor) else x for x in (start, end, step))
    whole = all(isinstance(x, int) for x in (start, end, step))
    dtype, device = place_of(dtype, device, fallback=DTYPES["int64"] if whole else None)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if out is not None:
        return _C.out_call(out, ops.arange, start, end, step, out.dtype, out.device)
    return made(ops.arange(start, end, step, dtype, device), requires_grad)


def range_(start: Any, end: Any, step: int = 1, **kw: Any) -> Tensor:
    return arange(start, end + step * 0.5, step, **kw)


def linspace(
    start: Any,
    end: int | float | Tensor | complex,
    steps: int | float | None,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
) -> Tensor | DTensor:
    first, last = (x.item() if isinstance(x, Tensor) else x for x in (start, end))
    dtype, device = place_of(dtype, device)
    if out is not None:
        return _C.out_call(out, ops.linspace, first, last, steps, out.dtype, out.device)
    return made(ops.linspace(first, last, steps, dtype, device), requires_grad)


def logspace(
    start: int | float | Tensor | complex,
    end: int | float | Tensor | complex,
    steps: int | float | None,
    base: float | int = 10.0,
    *,
    dtype: Any = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
) -> Tensor | DTensor:
    dtype, device = place_of(dtype, device)
    return made(ops.logspace(start, end, steps, base, dtype, device), requires_grad)


def eye(
    n: int,
    m: int | None = None,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
) -> Tensor:
    dtype, device = place_of(dtype, device)
    if out is not None:
        return _C.out_call(out, ops.eye, n, m, out.dtype, out.device)
    return made(ops.eye(n, m, dtype, device), requires_grad)


@drawing
def randint(
    low: int,
    high: int | None = None,
    size: Sequence[int] | None = None,
    *,
    out: Tensor | None = None,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    pin_memory: bool | None = False,
) -> Tensor:
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    dtype, device = place_of(dtype, device, fallback=DTYPES["int64"])
    if out is not None:
        return _C.out_call(out, ops.randint, low, high, size, out.dtype, out.device)
    return made(ops.randint(low, high, size, dtype, device), requires_grad)


@drawing
def randperm(
    n: int,
    *,
    out: Tensor | None = None,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    pin_memory: bool | None = False,
) -> Tensor:
    dtype, device = place_of(dtype, device, fallback=DTYPES["int64"])
    if out is not None:
        return _C.out_call(out, ops.randperm, n, out.dtype, out.device)
    return made(ops.randperm(n, dtype, device), requires_grad)


def _like(op, *fixed):
    def f(
        input,
        *values,
        dtype=None,
        layout=None,
        device=None,
        requires_grad=False,
        memory_format=None,
        pin_memory=False,
        generator=None,
        **kw,
    ):
        values = values or tuple(kw.values())
        if device is not None:
            device = _device_type(device)
        return made(op(input, *values, dtype, device, memory_format), requires_grad)

    return _C.compiled(f)


empty_like = _like(ops.empty_like)
zeros_like = _like(ops.zeros_like)
ones_like = _like(ops.ones_like)
rand_like = _like(ops.rand_like)
randn_like = _like(ops.randn_like)
full_like = _like(ops.full_like)


@_C.compiled
def randint_like(
    input: Tensor,
    low: int,
    high: int | Tensor | None = None,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    return ops.randint_like(
        input, 0 if high is None else low, low if high is None else high, dtype, device, memory_format
    )


def tril_indices(
    row: int,
    col: int,
    offset: int = 0,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = "cpu",
    layout: torch.layout | None = None,
) -> Tensor:
    dtype, device = place_of(dtype, device, fallback=DTYPES["int64"])
    return ops.tril_indices(row, col, offset, False, dtype, device)


def triu_indices(
    row: int,
    col: int,
    offset: int = 0,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = "cpu",
    layout: torch.layout | None = None,
) -> Tensor:
    dtype, device = place_of(dtype, device, fallback=DTYPES["int64"])
    return ops.tril_indices(row, col, offset, True, dtype, device)


@_C.compiled
def _window(n, periodic=True, *, dtype=None, device=None, requires_grad=False, **_):
    dtype, device = place_of(dtype, device)
    if not periodic or n < 2:
        return made(ops.empty((n,), dtype, device), requires_grad)
    # one value longer, the last of which is left out of the view
    return made(ops.narrow(ops.empty((n + 1,), dtype, device), 0, 0, n), requires_grad)


hann_window = hamming_window = blackman_window = bartlett_window = kaiser_window = _window
