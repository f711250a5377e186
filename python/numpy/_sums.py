"""Sums over named indices: einsum, tensordot and their special cases, by loops over small arrays."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from ._array import MOST_VALUES, cast, count, is_whole, ndarray, scalar
from ._dtypes import result_type
from ._make import asarray

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike


def _explicit(subscripts, arrays):
    """Letters of each operand and of the result, with those of `...` spelled out."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    spare = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in subscripts]
    wide = max((a.ndim - len(t) + 3 for t, a in zip(terms, arrays) if "..." in t), default=0)
    terms = [
        t.replace("...", "".join(spare[wide - (a.ndim - len(t) + 3) : wide])) if "..." in t else t
        for t, a in zip(terms, arrays)
    ]
    if arrow:
        return terms, right.replace("...", "".join(spare[:wide]))
    joined = "".join(terms)
    return terms, "".join(spare[:wide]) + "".join(
        c for c in sorted(set(joined)) if joined.count(c) == 1 and c not in spare[:wide]
    )


def einsum(subscripts: Any, *operands: Any, **_: Any) -> Any:
    """Products summed over the indices that the result does not name."""
    arrays = [asarray(o) for o in operands]
    terms, right = _explicit(subscripts, arrays)
    sizes = {}
    for term, a in zip(terms, arrays):
        if len(term) != a.ndim:
            raise ValueError(
                f"einstein sum subscripts string has {len(term)} indices for an operand of {a.ndim} dimensions"
            )
        for letter, size in zip(term, a.shape):
            if sizes.setdefault(letter, size) != size and 1 not in (size, sizes[letter]):
                raise ValueError(
                    f"operands could not be broadcast together: index {letter} has sizes {sizes[letter]} and {size}"
                )
            sizes[letter] = max(sizes[letter], size)
    shape = tuple(sizes[c] for c in right)
    inner = [c for c in sizes if c not in right]
    kind = result_type(*(a.dtype for a in arrays))
    work = count(shape) * count([sizes[c] for c in inner])
    if any(a._values is None for a in arrays) or work > 16 * MOST_VALUES:
        return ndarray(shape, kind)
    steps = [
        (a._values, [(c, s if n > 1 else 0) for c, s, n in zip(t, a.strides_in_values(), a.shape)])
        for t, a in zip(terms, arrays)
    ]
    values = []
    for outer in product(*(range(sizes[c]) for c in right)):
        place, total = dict(zip(right, outer)), 0
        for within in product(*(range(sizes[c]) for c in inner)):
            place.update(zip(inner, within))
            total += math.prod(v[sum(place[c] * s for c, s in by)] for v, by in steps)
        values.append(cast(total, kind))
    return ndarray(shape, kind, values) if shape else scalar(values[0], kind)


def einsum_path(subscripts: Any, *operands: Any, **_: Any) -> tuple[list, str]:
    return ["einsum_path", tuple(range(len(operands)))], ""


def tensordot(a: ArrayLike, b: ArrayLike, axes: Sequence[int] | None = 2) -> Any:
    a, b = asarray(a), asarray(b)
    left, right = (
        (range(a.ndim - axes, a.ndim), range(axes))
        if isinstance(axes, int)
        else [[x] if is_whole(x) else x for x in axes]
    )
    names = [chr(97 + i) for i in range(a.ndim)]
    others = [chr(97 + a.ndim + i) for i in range(b.ndim)]
    for i, j in zip(left, right):
        others[j % b.ndim] = names[i % a.ndim]
    kept = [c for c in names if c not in others] + [c for c in others if c not in names]
    return einsum(f"{''.join(names)},{''.join(others)}->{''.join(kept)}", a, b)


def inner(a: ArrayLike, b: ArrayLike) -> Any:
    a, b = asarray(a), asarray(b)
    return a * b if not (a.ndim and b.ndim) else tensordot(a, b, ([-1], [-1]))


def vdot(a: ArrayLike, b: ArrayLike) -> Any:
    return inner(asarray(a).reshape(-1), asarray(b).reshape(-1))


def kron(a: ArrayLike, b: ArrayLike) -> Any:
    a, b = asarray(a), asarray(b)
    shape = [m * n for m, n in zip(a.shape, b.shape)]
    return a.take_places(shape, lambda p: tuple(x // n for x, n in zip(p, b.shape))) * b.take_places(
        shape, lambda p: tuple(x % n for x, n in zip(p, b.shape))
    )


def cross(a: ArrayLike, b: ArrayLike, axis: int | None = -1) -> Any:
    a, b = asarray(a), asarray(b)
    from ._arrange import moveaxis
    from ._make import stack

    a, b = moveaxis(a, axis, -1), moveaxis(b, axis, -1)
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return stack(parts, axis)
