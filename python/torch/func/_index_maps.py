"""torch.vmap over functions of indices, as masks are made: each argument is a row of indices with a dimension of its own.

PyTorch batches every operator, level by level; for elementwise operators and indexing, what comes out has the sizes of the same
function on arguments that broadcast. (`new_ones(())` of an index has one element here, where PyTorch gives it the row's.) Only inside of TransformGetItemToIndex, where programs say that theirs is such a function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C, _indexing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


_plain = _indexing.getitem
_depth = 0


class IndexContext:
    """While it is entered, indexing by tensors reads nothing back, and indices of several levels are made whole first."""

    def __enter__(self) -> Self:
        global _depth
        _depth += 1
        _indexing.getitem = _getitem
        return self

    def __exit__(self, *_: Any) -> bool:
        global _depth
        _depth -= 1
        if _depth == 0:
            _indexing.getitem = _plain
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
        places = [[level for level, dims in enumerate(levels) if dims[i] == 0] for i in range(len(args))]
        rows = all(isinstance(arg, torch.Tensor) and arg.dim() == len(at) <= 1 for arg, at in zip(args, places))
        if _depth == 0 or func is None or not rows:
            raise _C.UnsupportedOp(
                "vramscope does not simulate torch.func.vmap but for functions of indices (TransformGetItemToIndex): "
                "it needs every operator's batched form"
            )
        sizes = [next(arg.shape[0] for arg, at in zip(args, places) if level in at) for level in range(len(levels))]
        apart = [arg.view([-1 if level in at else 1 for level in range(len(levels))]) for arg, at in zip(args, places)]
        return func(*apart).expand(sizes)
