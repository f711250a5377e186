"""Arrays of tensors on the host."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from torch import _C

from ._array import MOST_READ, cast, ndarray
from ._dtypes import dtype

if TYPE_CHECKING:
    from typing import Any

    import torch


def from_tensor(tensor: torch.Tensor) -> Any:
    """An array with the tensor's values where they are known. Raises TypeError for what NumPy has no dtype for."""
    name = tensor.dtype.name
    if name == "bfloat16" or name.startswith("float8"):
        raise TypeError(f"Got unsupported ScalarType {'BFloat16' if name == 'bfloat16' else name}")
    known = _C._js.values(tensor._h)
    values = None
    if tensor.numel() == 0:
        values = []
    elif known is not None and known != "":
        values = _numbers(known.split(","), dtype(name))
    made = ndarray(tensor.shape, name, values)
    made._values = values  # however many there are: they are known
    made._is_lost = values is None and made.size <= MOST_READ
    return made


def _numbers(texts, kind):
    if kind.kind in "iu":
        with contextlib.suppress(ValueError):  # a number with an exponent or a point
            return list(map(int, texts))
    return [cast(float(v), kind) for v in texts]
