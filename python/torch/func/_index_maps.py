"""torch.vmap over functions of indices, as masks are made: each argument is a row of indices with a dimension of its own, or has one for every level.

PyTorch batches every operator, level by level; for elementwise operators and indexing, what comes out has the sizes of the same
function on arguments that broadcast. Only inside of TransformGetItemToIndex, where programs say that theirs is such a function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C, _indexing
from .._tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


_plain = _indexing.getitem
_depth = 0
_mapped = []  # arguments of the functions that run now
_PER_ROW = ("new_ones", "new_zeros", "new_empty", "new_full")
_kept = {}


def _of_each_row(name, plain):
    """One number of an index is a number for each of its row."""

    def make(self, size, *args, **kwargs):
        if tuple(size) == () and any(self is row for row in _mapped):
            size = self.shape
        return plain(self, size, *args, **kwargs)

    make.__name__ = name
    return make


class IndexContext:
    """While it is entered, indexing by tensors reads nothing back, and indices of several levels are made whole first."""

    def __enter__(self) -> Self:
        global _depth
        if _depth == 0:
            _indexing.getitem = _getitem
            for name in _PER_ROW:
                _kept[name] = getattr(Tensor, name)
                setattr(Tensor, name, _of_each_row(name, _kept[name]))
        _depth += 1
        return self

    def __exit__(self, *_: Any) -> bool:
        global _depth
        _depth -= 1
        if _depth == 0:
            _indexing.getitem = _plain
            for name, plain in _kept.items():
                setattr(Tensor, name, plain)
        return False


def _getitem(tensor, index):
    """Indices with dimensions at different levels are expanded and copied (aten/src/ATen/functorch/BatchRulesScatterOps.cpp)."""
    import torch

    parts = index if isinstance(index, tuple) else (index,)
    rows = [part for part in parts if isinstance(part, torch.Tensor)]
    if len({tuple(row.shape) for row in rows}) > 1:
        shape = torch.broadcast_shapes(*[row.shape for row in rows])
        whole = [p.expand(shape).clone() if isinstance(p, torch.Tensor) else p for p in parts]
        return _plain(tensor, tuple(whole))
    return _plain(tensor, index)


class vmap:
    """A function that maps over the first dimension of those arguments for which `in_dims` has 0; the others stay as they are."""

    def __init__(
        self, func: Callable, in_dims: int = 0, out_dims: int = 0, randomness: str = "error", *, chunk_size: Any = None
    ) -> None:
        self._func, self._in_dims, self._out_dims = func, in_dims, out_dims

    def __call__(self, *args: Any) -> Any:
        import torch

        levels, func = [], self
        while isinstance(func, vmap):
            dims = func._in_dims if isinstance(func._in_dims, tuple) else (func._in_dims,) * len(args)
            levels.append(dims)
            simple = func._out_dims == 0 and len(dims) == len(args) and all(d in (0, None) for d in dims)
            func = func._func if simple else None
        mapped_at = [[level for level, dims in enumerate(levels) if dims[i] == 0] for i in range(len(args))]
        rows = all(
            isinstance(arg, torch.Tensor) and arg.dim() == len(at) and len(at) in (0, 1, len(levels))
            for arg, at in zip(args, mapped_at)
        )
        if _depth == 0 or func is None or not rows:
            raise _C.UnsupportedOp(
                "vramscope does not simulate torch.func.vmap but for functions of indices (TransformGetItemToIndex): "
                "it needs every operator's batched form"
            )
        sizes = [
            next(arg.shape[at.index(level)] for arg, at in zip(args, mapped_at) if level in at)
            for level in range(len(levels))
        ]
        apart = [
            arg
            if len(at) == len(levels)
            else arg.view([arg.shape[0] if level in at else 1 for level in range(len(levels))])
            for arg, at in zip(args, mapped_at)
        ]
        before = len(_mapped)
        _mapped.extend(apart)
        try:
            result = func(*apart)
        finally:
            del _mapped[before:]
        return result.expand(sizes)
