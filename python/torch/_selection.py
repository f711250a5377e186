"""Functions that choose, order and find elements, where Python's signature has several forms.

Every public function here is torch.NAME; those listed in METHODS are methods of Tensor too, those ending in `_` only that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C
from ._tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


ops = _C.ops


def nonzero(input: Tensor, *, as_tuple: bool = False, out: Tensor | None = None) -> Any:
    return ops.nonzero_numpy(input) if as_tuple else ops.nonzero(input)


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


def _scatter(op):
    def f(input, dim, index, src=None, *, value=None, reduce=None, out=None):
        return op(input, dim, index, value if src is None else src, reduce=reduce)

    return f


scatter, scatter_ = _scatter(ops.scatter), _scatter(ops.scatter_)


def index_put(
    input: Tensor,
    indices: tuple[Tensor | None, ...] | list[Tensor | None] | None,
    values: Tensor,
    accumulate: bool = False,
) -> Tensor:
    return ops.index_put(input, list(indices), values, accumulate)


def index_put_(
    self: Tensor,
    indices: tuple[Tensor | None, ...] | list[Tensor | None] | None,
    values: Tensor,
    accumulate: bool = False,
) -> Tensor:
    return ops.index_put_(self, list(indices), values, accumulate)


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None, *, out: Tensor | None = None
) -> Tensor:
    return ops.diff(input, n, dim, prepend, append)


def cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    modes = ["use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"]
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return ops.cdist(x1, x2, p, modes.index(compute_mode))


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    return ops.pdist(input, p)


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


def _conv(n):
    plain, named = getattr(ops, f"conv{n}d"), getattr(ops, f"conv{n}d_padding")

    def f(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        return (named if isinstance(padding, str) else plain)(input, weight, bias, stride, padding, dilation, groups)

    f.__name__ = f.__qualname__ = f"conv{n}d"
    return f


conv1d, conv2d, conv3d = _conv(1), _conv(2), _conv(3)

METHODS = """nonzero unique unique_consecutive scatter scatter_ index_put index_put_ diff stft""".split()
_TENSOR_ONLY = ("scatter_", "index_put_")

for _name in METHODS:
    setattr(Tensor, _name, _C.compiled(globals()[_name]))


def public() -> dict:
    """The functions of this module that are torch.NAME."""
    names = [
        name
        for name, value in globals().items()
        if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == __name__
    ]
    return {name: _C.compiled(globals()[name]) for name in names if name not in _TENSOR_ONLY and name != "public"}
