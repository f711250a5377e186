"""Tensors out of values that Python holds: numbers, nested lists, buffers, NumPy arrays."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING

from . import _C, _defaults
from ._arguments import place_of
from ._bytes import numbers
from ._factories import needing_gradient
from ._conversions import guessed_rows, tell_rows, to
from ._tensor import Tensor
from ._types import DTYPES, device as _device_type, dtype as _dtype_type

if TYPE_CHECKING:
    from typing import Any

    import torch


ops = _C.ops
# As many as the engine keeps (src/tensor/contents.ts).
_MOST_VALUES, _MOST_REALS = 65_536, 4096


def _shape_of(data):
    shape = []
    while hasattr(data, "__len__") and not isinstance(data, (str, bytes, Tensor)):
        shape.append(len(data))
        if len(data) == 0:
            break
        data = data[0]
    return shape


_PLAIN = frozenset((int, float, bool))
_NESTED = ({list}, {tuple})


def _plain(data):
    """(shape, leaves, types of leaves) of lists of one length that hold plain numbers; None for all else, and for what is to be refused."""
    if type(data) not in (list, tuple) or not data:
        return None
    shape, leaves, kinds = [len(data)], data, set(map(type, data))
    while kinds in _NESTED:
        lengths = set(map(len, leaves))
        leaves = list(chain.from_iterable(leaves))
        if len(lengths) != 1 or not leaves:
            return None
        shape.append(lengths.pop())
        kinds = set(map(type, leaves))
    return (shape, leaves, kinds) if kinds <= _PLAIN else None


def _check_lengths(data, shape, dim):
    """Nested sequences of one depth have one length."""
    if not isinstance(data, (list, tuple)):
        return
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    if dim + 1 < len(shape):
        for x in data:
            if not hasattr(x, "__len__"):
                raise TypeError(
                    f"expected sequence of length {shape[dim + 1]} at dim {dim + 1} (got {type(x).__name__})"
                )
            _check_lengths(x, shape, dim + 1)


def _leaves(data):
    if isinstance(data, (list, tuple)):
        for x in data:
            yield from _leaves(x)
    elif isinstance(data, Tensor):
        # in a list a tensor is a number, whatever its dimensions
        if data.numel() != 1:
            if data.is_floating_point():
                raise ValueError("only one element tensors can be converted to Python scalars")
            raise TypeError("only integer tensors of a single element can be converted to an index")
        yield data.item()
    elif hasattr(data, "tolist"):
        yield from _leaves(data.tolist())
    elif hasattr(data, "__len__") and not isinstance(data, (str, bytes)):
        for x in data:
            yield from _leaves(x)
    else:
        yield data


def _read(data):
    """(shape, leaves) of anything that a tensor can be made from; what cannot is refused as PyTorch does."""
    shape = _shape_of(data)
    leaves = list(_leaves(data))
    for x in leaves:
        if isinstance(x, (str, bytes)):
            raise (TypeError if not shape else ValueError)(
                f"new(): invalid data type '{type(x).__name__}'"
                if not shape
                else f"too many dimensions '{type(x).__name__}'"
            )
        if not isinstance(x, (int, float, complex)) and not hasattr(x, "__float__") and not hasattr(x, "__index__"):
            raise RuntimeError(f"Could not infer dtype of {type(x).__name__}")
    _check_lengths(data, shape, 0)
    return shape, leaves


def tensor(
    data: Any,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | int | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    if dtype is not None and not isinstance(dtype, _dtype_type):
        dtype = _C.dtype_of_type(dtype, "tensor")
    if hasattr(data, "to_torch"):
        data = data.to_torch()
        device = _defaults.device if device is None else device
    if isinstance(data, Tensor):
        t = ops.to(data.detach(), dtype, None if device is None else _device_type(device), False, True, None)
        return needing_gradient(t, requires_grad)
    if isinstance(data, range):
        data = list(data)
    plain = _plain(data)
    if plain is not None:
        shape, leaves, kinds = plain
    else:
        shape, leaves = _read(data)
        kinds = {type(x) for x in leaves}
    n = 1
    for s in shape:
        n *= s
    if dtype is None:
        if any(issubclass(k, complex) for k in kinds):
            dtype = DTYPES["complex64"]
        elif not leaves or any(issubclass(k, float) for k in kinds):
            dtype = _defaults.dtype
        elif kinds == {bool}:
            dtype = DTYPES["bool"]
        else:
            dtype = DTYPES["int64"]
        holder = _first_tensor(data) if plain is None else None
        if holder is not None:
            dtype = holder.dtype
    dtype, device = place_of(dtype, device)
    t = ops._from_data(shape, dtype, device)
    if guessed_rows and t.is_cuda:
        tell_rows(t)
    if not dtype.is_complex:
        if n <= (_MOST_REALS if dtype.is_floating_point else _MOST_VALUES):
            give_values(t, leaves)
        elif plain is not None and leaves.count(leaves[0]) == n:  # a mask of ones
            fill_values(t, leaves[0])
    return needing_gradient(t, requires_grad)


def fill_values(tensor: Tensor, value: float) -> None:
    """Says that all elements of a tensor are this number."""
    _C._js.fillValues(tensor._h, float(value))


def give_values(tensor: Tensor, values: Any) -> None:
    """Says what the elements of a tensor are, row-major."""
    _C._js.setValues(tensor._h, array("d", values).tobytes())


def _first_tensor(data):
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return data if isinstance(data, Tensor) else None


def as_tensor(data: Any, dtype: torch.dtype | None = None, device: torch.device | str | int | None = None) -> Tensor:
    if isinstance(data, Tensor):
        return to(data, dtype=dtype, device=device)
    return tensor(data, dtype=dtype, device=device)


asarray = as_tensor


@_C.compiled
def frombuffer(
    buffer: Any, *, dtype: torch.dtype, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    content = memoryview(buffer).cast("B")
    length, size = len(content), dtype.itemsize
    if length == 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % size:
        raise ValueError(
            f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
        )
    n = (length - offset) // size if count < 0 else count
    if offset + n * size > length:
        raise ValueError(
            f"requested buffer length ({n} * {size} bytes) after offset ({offset} bytes) must not be greater than actual "
            f"buffer length ({length} bytes)"
        )
    made = ops._from_data((n,), dtype, "cpu")
    values = numbers(content, dtype, n, offset) if n <= _MOST_VALUES else None
    if values is not None:
        give_values(made, values)
    return needing_gradient(made, requires_grad)


@_C.compiled
def from_numpy(array: Any) -> Tensor:
    """Memory is not shared with the array: what is written into one does not show in the other."""
    if not hasattr(array, "to_torch"):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return array.to_torch()
