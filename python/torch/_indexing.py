"""Tensor indexing: x[...] and x[...] = value as views, then at most one advanced-index operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._release import rules
from torch import _C
from torch._unknown_numbers import UnknownInt

if TYPE_CHECKING:
    from torch import Tensor


def _is_tensor(x):
    return isinstance(x, torch.Tensor)


def _is_sequence(x):
    return (
        hasattr(x, "__getitem__")
        and hasattr(x, "__len__")
        and not isinstance(x, (dict, str, bytes))
        and not _is_tensor(x)
    )


def _acts_as_tuple(index):
    """A short list that holds slices, tensors, sequences, None or ... means the same as a tuple (an old numpy rule)."""
    if isinstance(index, tuple):
        return True
    if not isinstance(index, list) or len(index) >= 32:
        return False
    return any(x is None or x is Ellipsis or isinstance(x, slice) or _is_tensor(x) or _is_sequence(x) for x in index)


def _as_tuple(index):
    return tuple(index) if _acts_as_tuple(index) else (index,)


def _specified(items):
    """Dimensions that the items stand for, an ellipsis and new ones aside."""
    count = 0
    for x in items:
        if _is_tensor(x):
            count += x.dim() if x.dtype in (torch.bool, torch.uint8) else 1
        elif x is not None and x is not Ellipsis and x is not True and x is not False:
            count += 1
    return count


def _flat(data):
    for x in data:
        if _is_sequence(x):
            yield from _flat(x)
        else:
            yield x


def _sequence_to_tensor(data, device):
    """Positions written as a list: made on the host, then moved to the tensor's device."""
    if hasattr(data, "__array__"):
        return torch.as_tensor(data).to(device)
    data = [list(x) if isinstance(x, range) else x for x in data]
    values = list(_flat(data))
    is_mask = bool(values) and all(isinstance(v, bool) for v in values)
    return torch.tensor(data, dtype=torch.bool if is_mask else torch.int64, device=device)


def _bound(value):
    """A slice's bound; one that only a GPU knows bounds nothing, so that all of the dimension counts."""
    if _is_tensor(value):
        value = value.item()
    return None if value is None or isinstance(value, UnknownInt) else int(value)


def _whole(bounds, size):
    """True for a slice that PyTorch skips because it leaves the dimension as it is.

    Newer releases skip `:` and an end beyond the size, too.
    """
    start, stop, step = bounds
    if (start is not None and start != 0) or (step is not None and step != 1):
        return False
    if rules.slices_skip_whole_ranges:
        return stop is None or stop >= size
    return stop is not None and stop == size


def _slice(x, dim, item, always=False):
    start, stop, step = bounds = _bound(item.start), _bound(item.stop), _bound(item.step)
    if not always and _whole(bounds, x.shape[dim]):
        return x
    if step == 0:
        raise ValueError("slice step cannot be zero")
    return _C.ops.slice(x, dim, start, stop, 1 if step is None else step)


def _select(x, dim, index, position):
    if dim == 0 and x.dim() == 0:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
            "to convert a 0-dim tensor to a number"
        )
    size = x.shape[dim]
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {position} with size {size}")
    return _C.ops.select(x, dim, index)


def _truth(value, device):
    """A Python bool indexes a new dimension of size one: all of it or nothing."""
    if value:
        return torch.zeros((1,), dtype=torch.int64, device=device)
    return torch.empty((0,), dtype=torch.int64, device=device)


def _apply(x, items):
    """Applies integers, slices, None and ... in order; returns the view and the index tensors by dimension."""
    specified = _specified(items)
    rank = x.dim()
    if specified > rank:
        raise IndexError(f"too many indices for tensor of dimension {rank}")
    result, dim, indices = x, 0, {}
    for position, item in enumerate(items):
        if isinstance(item, bool):
            result = _C.ops.unsqueeze(result, dim)
            indices[dim] = _truth(item, x.device)
            dim += 1
        elif isinstance(item, int):
            result = _select(result, dim, item, position)
        elif isinstance(item, slice):
            result = _slice(result, dim, item)
            dim += 1
        elif item is Ellipsis:
            dim += rank - specified
        elif item is None:
            result = _C.ops.unsqueeze(result, dim)
            dim += 1
        elif _is_tensor(item):
            if item.dim() == 0 and not item.is_floating_point() and not item.is_complex():
                if item.dtype in (torch.bool, torch.uint8):
                    result = _C.ops.unsqueeze(result, dim)
                    indices[dim] = _truth(bool(item.item()), x.device)
                    dim += 1
                else:
                    result = _select(result, dim, int(item.item()), position)
            else:
                indices[dim] = item
                dim += 1
        elif _is_sequence(item):
            indices[dim] = _sequence_to_tensor(item, x.device)
            dim += 1
        elif hasattr(item, "__index__"):
            result = _select(result, dim, item.__index__(), position)
        else:
            kind = type(item).__name__
            if isinstance(item, (str, bytes)):
                raise TypeError(f"new(): invalid data type '{kind}'")
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                f"(got {kind})"
            )
    return result, [indices.get(i) for i in range(max(indices) + 1)] if indices else []


def getitem(self: Tensor, index: Tensor | int | slice | tuple | None) -> Tensor:
    if index is None:
        return _C.ops.unsqueeze(self, 0)
    if index is Ellipsis:
        return _C.ops.alias(self)
    if isinstance(index, int) and not isinstance(index, bool):
        return _select(self, 0, index, 0)
    if isinstance(index, slice):
        if self.dim() == 0:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        return _slice(self, 0, index, always=True)
    sliced, indices = _apply(self, _as_tuple(index))
    if not indices:
        return _C.ops.alias(sliced) if sliced is self else sliced
    return _C.ops.index(sliced, indices)


def _without_leading_ones(shape):
    shape = tuple(shape)
    first = 0
    while first < len(shape) and shape[first] == 1:
        first += 1
    return shape[first:]


def _view_for_assignment(value):
    trimmed = _without_leading_ones(value.shape)
    return value if trimmed == tuple(value.shape) else _C.ops.view(value, list(trimmed))


def _copy_to(target, value):
    """Assignment to a view; a number on the host fills it."""
    if not _is_tensor(value):
        _C.ops.fill_(target, value)
    elif tuple(target.shape) == tuple(value.shape):
        _C.ops.copy_(target, value)
    elif value.dim() == 0 and value.device.type == "cpu":
        _C.ops.fill_(target, value)
    else:
        source = _view_for_assignment(value)
        if tuple(source.shape) != tuple(target.shape):
            source = _C.ops.expand(source, list(target.shape))
        _C.ops.copy_(target, source)


def _check_value(self, value):
    if _is_tensor(value) or isinstance(value, (bool, int, float, complex)):
        return value
    if hasattr(value, "__index__"):
        return value.__index__()
    if hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"can't assign a {type(value).__name__} to a {self.type()}")


_FEW_WRITES = 64


def _is_filled(self, index, value):
    """Whether a number changes nothing: one of many that a program writes one by one into a long tensor of the host, whose values nobody keeps."""
    written = self.__dict__.get("_written", 0)
    if written < _FEW_WRITES or type(value) not in (int, float):
        self.__dict__["_written"] = written + 1
        return False
    size = self.shape
    is_plain = len(size) == 1 and -size[0] <= index < size[0] and self.device.type == "cpu" and not self.requires_grad
    return is_plain and not _C._js.values(self._h)


def setitem(self: Tensor, index: Tensor | slice | tuple, value: Tensor | int) -> None:
    value = _check_value(self, value)
    if index is False:
        return
    if index is Ellipsis:
        _copy_to(self, value)
        return
    if index is None or index is True:
        _copy_to(_C.ops.unsqueeze(self, 0), value)
        return
    if isinstance(index, int):
        if not _is_filled(self, index, value):
            _copy_to(_select(self, 0, index, 0), value)
        return
    if isinstance(index, slice):
        _copy_to(_slice(self, 0, index), value)
        return
    sliced, indices = _apply(self, _as_tuple(index))
    if not indices:
        _copy_to(sliced, value)
        return
    if not _is_tensor(value):
        value = torch.tensor(value, dtype=self.dtype)
    _C.ops.index_put_(sliced, indices, _view_for_assignment(value))
