"""Functions that find elements, and distances: Python in PyTorch, too (torch/functional.py), but for nonzero, which is written by hand in C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._arguments import out_form

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from torch import Tensor


ops = _C.ops


@_C.compiled
def nonzero(input: Tensor, *, as_tuple: bool = False, out: Tensor | None = None) -> Any:
    """Positions, or a tensor of them for each dimension (python_torch_functions_manual.cpp: THPVariable_nonzero)."""
    if not as_tuple:
        return out_form(out, ops.nonzero, input)
    if out is not None:
        raise RuntimeError("nonzero does not support the out kwarg when as_tuple is True")
    return ops.nonzero_numpy(input)


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Iterator[Any] | tuple:
    if dim is None:
        found = ops._unique2(input, sorted, return_inverse, return_counts)
    else:
        found = ops.unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _asked(found, return_inverse, return_counts)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple:
    return _asked(ops.unique_consecutive(input, return_inverse, return_counts, dim), return_inverse, return_counts)


def _asked(found, inverse, counts):
    if not inverse and not counts:
        return found[0]
    return tuple(t for t, wanted in zip(found, (True, inverse, counts)) if wanted)


def cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    modes = ["use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"]
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return ops.cdist(x1, x2, p, modes.index(compute_mode))


def stft(
    input: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Any:
    if center:
        # the unpadded signal may die here
        shape = [1] * (3 - input.dim()) + list(input.shape)
        rank = input.dim()
        input = ops.pad(ops.view(input, shape), [n_fft // 2, n_fft // 2], pad_mode)
        input = ops.view(input, list(input.shape)[-rank:])
    return ops._stft(input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex)


METHODS = ("nonzero", "unique", "unique_consecutive", "stft")
