"""torch._utils: flat copies of tensor lists, rebuilding what was pickled, names of devices."""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


def _element_size(dtype):
    """Bytes of one element."""
    return dtype.itemsize


def _flatten_dense_tensors(tensors):
    """One contiguous vector of all elements (aten::flatten_dense_tensors: views joined by cat)."""
    flat = [t.contiguous().view(-1) for t in tensors]
    return flat[0] if len(flat) == 1 else torch.cat(flat)


def _unflatten_dense_tensors(flat, tensors):
    """Views of a flat vector with the tensors' shapes; an empty tensor for an empty one."""
    views, start = [], 0
    for t in tensors:
        n = t.numel()
        if n == 0:
            views.append(flat.new_empty(t.shape))
        else:
            views.append(flat.narrow(0, start, n).view(t.shape))
            start += n
    return tuple(views)


def _take_tensors(tensors, size_limit):
    """Lists of tensors of one type, each of at most `size_limit` bytes where more than one is in it."""
    buckets = {}
    for tensor in tensors:
        bucket = buckets.setdefault(tensor.type(), [[], 0])
        size = tensor.numel() * tensor.element_size()
        if bucket[1] + size > size_limit and bucket[1] > 0:
            yield bucket[0]
            bucket = buckets[tensor.type()] = [[], 0]
        bucket[0].append(tensor)
        bucket[1] += size
    for found, _ in buckets.values():
        if found:
            yield found


def _rebuild_tensor(storage, storage_offset, size, stride):
    return torch.empty(0, dtype=storage.dtype, device=storage.device).set_(storage, storage_offset, size, stride)


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    made = _rebuild_tensor(storage, storage_offset, size, stride)
    made.requires_grad = requires_grad
    return made


def _rebuild_tensor_v3(storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype, metadata=None):
    made = torch.empty(0, dtype=dtype, device=storage.device).set_(storage, storage_offset, size, stride)
    made.requires_grad = requires_grad
    return made


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad):
    return torch.empty_strided(size, stride, dtype=dtype, device="meta", requires_grad=requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    made = torch.nn.Parameter(data, requires_grad)
    vars(made).update(state)
    return made


def _rebuild_parameter(data, requires_grad, backward_hooks):
    return torch.nn.Parameter(data, requires_grad)


def _get_device_index(device, optional=False, allow_cpu=False):
    """The index of a GPU; the current one where none is named and that is allowed."""
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = torch.device(device)
    if isinstance(device, torch.device):
        if device.type == "cpu" and allow_cpu:
            return -1
        if device.type == "cpu":
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        if device.index is not None:
            return device.place
    if optional:
        return torch.cuda.current_device()
    raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")


def _get_current_device_index():
    return torch.cuda.current_device()


def _get_all_device_indices():
    return list(range(torch.cuda.device_count()))


def _get_available_device_type():
    return "cuda" if torch.cuda.is_available() else None


def _get_device_attr(get_member):
    return get_member(torch.cuda)


def _get_device_module(device_type):
    return getattr(torch, device_type)


def _is_tensor_subclass(value):
    return isinstance(value, torch.Tensor) and type(value) is not torch.Tensor


def is_compiling() -> bool:
    return False


class ExceptionWrapper:
    """An exception of another thread or process, raised again where it is asked for."""

    def __init__(self, exc_info: Any = None, where: str = "in background") -> None:
        exc_info = exc_info or sys.exc_info()
        self.exc_type, self.where = exc_info[0], where
        self.exc_msg = "".join(traceback.format_exception(*exc_info))

    def reraise(self) -> NoReturn:
        text = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        raise self.exc_type(text)


class _LazySeedTracker:
    """Names that PyTorch keeps for seeds set before a device is in use."""


def classproperty(function: Callable) -> Any:
    class Property:
        def __get__(self, instance, owner):
            return function(owner)

    return Property()
