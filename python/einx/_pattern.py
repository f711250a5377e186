"""Patterns: `b n, b h n d -> b h n d` names the axes of inputs and of the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import einops

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


ELLIPSIS = "..."


def split(pattern: str, count: int) -> tuple:
    """Axes of each input and of the result, as lists of names; parts of a group stay one name, `(b s)`."""
    left, arrow, right = pattern.partition("->")
    inputs = [_axes(part) for part in left.split(",")]
    while len(inputs) > count and inputs[-1] == []:
        inputs.pop()
    inputs += [[]] * (count - len(inputs))
    return inputs, _axes(right) if arrow else max(inputs, key=len)


def _axes(text):
    names, depth = [], 0
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == ")":
            depth -= 1
        elif depth:
            names[-1] += f" {word}"
        else:
            names.append("" if word == "(" else word)
        depth += word == "("
    return names


def expanded(names: Sequence[str], rank: int) -> Any:
    """The ellipsis as axes of their own, for a tensor of so many dimensions."""
    if ELLIPSIS not in names:
        return names
    at = names.index(ELLIPSIS)
    return [*names[:at], *(f"...{i}" for i in range(rank - len(names) + 1)), *names[at + 1 :]]


def parts(name: str) -> Any:
    """The axes within a group, or the axis itself."""
    return name.split()


def aligned(tensor: Any, names: Sequence[str], order: Any) -> Any:
    """A view of `tensor`, whose axes are `names`, with an axis for each of `order`: of length one where it has none."""
    if not hasattr(tensor, "shape") or not names:
        return tensor
    wanted = [name for name in order if name in names]
    tensor = tensor.permute([names.index(name) for name in wanted]) if wanted != names else tensor
    for at, name in enumerate(order):
        if name not in names:
            tensor = tensor.unsqueeze(at)
    return tensor


def rearrange(pattern: str, tensor: Any, **sizes: Any) -> Any:
    return einops.rearrange(tensor, pattern, **sizes)
