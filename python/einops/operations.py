"""rearrange, reduce, repeat, einsum, parse_shape."""

from __future__ import annotations

import functools
import math
import string
from typing import TYPE_CHECKING

import torch

from . import EinopsError
from .parsing import ELLIPSIS, Expression, Number, valid_name

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


_REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")


class Recipe:
    """What a pattern does to a tensor of a given number of dimensions."""

    def __init__(self, pattern: str, operation: str, names: tuple[str, ...], ndim: int) -> None:
        sides = pattern.split("->")
        if len(sides) != 2:
            raise ValueError(f"Pattern should contain one '->': {pattern}")
        left, right = Expression(sides[0]), Expression(sides[1])
        _check(left, right, pattern, operation, names)
        self.left, self.right = _without_ellipsis(left, right, ndim)
        before = [axis for group in self.left for axis in group]
        after = [axis for group in self.right for axis in group]
        self.before, self.after = before, after
        known = set(before) | set(after)
        for name in names:
            if not valid_name(name)[0]:
                raise EinopsError("Invalid name for an axis", name)
            if name not in known:
                raise EinopsError(f"Axis {name} is not used in transform")
        self.named = set(names)
        reduced = [axis for axis in before if axis not in after]
        kept = [axis for axis in after if axis in before]
        self.order = [before.index(axis) for axis in kept + reduced]
        self.first_reduced = len(kept)
        self.added = [(i, axis) for i, axis in enumerate(after) if axis not in before]
        for group in self.left:
            unknown = [a for a in group if not isinstance(a, Number) and a not in self.named]
            if len(unknown) > 1:
                raise EinopsError(f"Could not infer sizes for {set(unknown)}")

    def lengths(self, shape: Any, axes_lengths: Any) -> dict:
        sizes = {axis: axis.value for axis in (*self.before, *self.after) if isinstance(axis, Number)}
        sizes.update(axes_lengths)
        for group, length in zip(self.left, shape):
            product, unknown = 1, None
            for axis in group:
                if axis in sizes:
                    product *= sizes[axis]
                else:
                    unknown = axis
            if unknown is None:
                if length != product:
                    raise EinopsError(f"Shape mismatch, {length} != {product}")
            elif product == 0 or length % product != 0:
                raise EinopsError(f"Shape mismatch, can't divide axis of length {length} in chunks of {product}")
            else:
                sizes[unknown] = length // product
        return sizes


def _check(left, right, pattern, operation, names):
    if not left.has_ellipsis and right.has_ellipsis:
        raise EinopsError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if left.has_grouped_ellipsis:
        raise EinopsError(f"Ellipsis inside parenthesis in the left side is not allowed: {pattern}")
    if operation == "rearrange":
        if left.has_numbers or right.has_numbers:
            raise EinopsError("Non-unitary anonymous axes are not supported in rearrange (exception is length 1)")
        if left.names != right.names:
            difference = left.names ^ right.names
            raise EinopsError(f"Identifiers only on one side of expression (should be on both): {difference}")
    elif operation == "repeat":
        if left.names - right.names:
            raise EinopsError(f"Unexpected identifiers on the left side of repeat: {left.names - right.names}")
        unsized = {a for a in right.names if not isinstance(a, Number)} - left.names - set(names)
        if unsized:
            raise EinopsError(f"Specify sizes for new axes in repeat: {unsized}")
    elif operation in _REDUCTIONS or callable(operation):
        if right.names - left.names:
            raise EinopsError(
                f"Unexpected identifiers on the right side of reduce {operation}: {right.names - left.names}"
            )
    else:
        raise EinopsError(f"Unknown reduction {operation}. Expect one of {_REDUCTIONS}.")


def _without_ellipsis(left, right, ndim):
    """Both sides' groups, with the ellipsis written out as axes."""
    if not left.has_ellipsis:
        if ndim != len(left.groups):
            raise EinopsError(f"Wrong shape: expected {len(left.groups)} dims. Received {ndim}-dim tensor.")
        return left.groups, right.groups
    others = len(left.groups) - 1
    if ndim < others:
        raise EinopsError(f"Wrong shape: expected >={others} dims. Received {ndim}-dim tensor.")
    axes = [ELLIPSIS + str(i) for i in range(ndim - others)]

    def written_out(groups):
        result = []
        for group in groups:
            if group == ELLIPSIS:
                result += [[axis] for axis in axes]
            else:
                result.append([a for axis in group for a in (axes if axis == ELLIPSIS else [axis])])
        return result

    return written_out(left.groups), written_out(right.groups)


@functools.lru_cache(256)
def prepare(pattern: str, operation: str, names: tuple[str, ...], ndim: int) -> Recipe:
    return Recipe(pattern, operation, names, ndim)


def _reduced(tensor, how, axes):
    if callable(how):
        return how(tensor, axes)
    if how == "mean" and not tensor.is_floating_point():
        raise NotImplementedError("reduce_mean is not available for non-floating tensors")
    if how == "min":
        return tensor.amin(dim=axes)
    if how == "max":
        return tensor.amax(dim=axes)
    if how in ("sum", "mean"):
        return getattr(tensor, how)(dim=axes)
    for axis in sorted(axes, reverse=True):  # torch reduces one dimension at a time with these
        tensor = getattr(tensor, how)(dim=axis)
    return tensor


def transform(recipe: Recipe, tensor: Tensor, operation: str, axes_lengths: Any) -> Tensor:
    sizes = recipe.lengths(tensor.shape, axes_lengths)
    if any(len(group) != 1 for group in recipe.left):
        tensor = tensor.reshape([sizes[axis] for axis in recipe.before])
    if recipe.order != list(range(len(recipe.order))):
        tensor = tensor.permute(recipe.order)
    if recipe.first_reduced < len(recipe.order):
        tensor = _reduced(tensor, operation, tuple(range(recipe.first_reduced, len(recipe.order))))
    if recipe.added:
        wide = [-1] * len(recipe.after)
        for position, axis in recipe.added:
            tensor = torch.unsqueeze(tensor, position)
            wide[position] = sizes[axis]
        tensor = tensor.expand(wide)
    if any(len(group) != 1 for group in recipe.right):
        tensor = tensor.reshape([math.prod(sizes[axis] for axis in group) for group in recipe.right])
    return tensor


def _apply(tensor, pattern, operation, lengths):
    if isinstance(tensor, list):
        if not tensor:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        tensor = torch.stack(tensor)
    try:
        recipe = prepare(pattern, operation, tuple(lengths), tensor.dim())
        return transform(recipe, tensor, operation, lengths)
    except EinopsError as error:
        what = f'Error while processing {operation}-reduction pattern "{pattern}".'
        what += f"\n Input tensor shape: {tensor.shape}. Additional info: {lengths}."
        raise EinopsError(what + f"\n {error}") from None


def reduce(tensor: list[Tensor] | Tensor, pattern: str, reduction: str, **axes_lengths: torch.Size | int) -> Tensor:
    return _apply(tensor, pattern, reduction, axes_lengths)


def rearrange(tensor: list[Tensor] | Tensor, pattern: str, **axes_lengths: int) -> Tensor:
    return _apply(tensor, pattern, "rearrange", axes_lengths)


def repeat(tensor: list[Tensor] | Tensor, pattern: str, **axes_lengths: int) -> Tensor:
    return _apply(tensor, pattern, "repeat", axes_lengths)


def parse_shape(x: Tensor, pattern: str) -> dict:
    expression = Expression(pattern, allow_underscore=True)
    shape = x.shape
    if any(group != ELLIPSIS and len(group) > 1 for group in expression.groups):
        raise RuntimeError(f"Can't parse shape with composite axes: {pattern} {shape}")
    groups = expression.groups
    if expression.has_ellipsis:
        if len(shape) < len(groups) - 1:
            raise RuntimeError(f"Can't parse shape with this number of dimensions: {pattern} {shape}")
        at = groups.index(ELLIPSIS)
        groups = groups[:at] + [["_"]] * (len(shape) - len(groups) + 1) + groups[at + 1 :]
    elif len(shape) != len(groups):
        raise RuntimeError(f"Can't parse shape with different number of dimensions: {pattern} {shape}")
    found = {}
    for group, length in zip(groups, shape):
        if not group:
            if length != 1:
                raise RuntimeError(f"Length of axis is not 1: {pattern} {shape}")
        elif isinstance(group[0], Number):
            if group[0].value != length:
                raise RuntimeError(f"Length of anonymous axis does not match: {pattern} {shape}")
        elif group[0] != "_":
            found[group[0]] = length
    return found


@functools.lru_cache(256)
def _letters(pattern):
    """The pattern with one letter per axis name, as torch.einsum wants it."""
    if "->" not in pattern:
        raise ValueError("Einsum pattern must contain '->'.")
    left, right = pattern.split("->")
    letters = {}

    def written(side, may_add):
        result = ""
        for group in Expression(side, allow_underscore=True, allow_duplicates=may_add).groups:
            if group == ELLIPSIS:
                result += "..."
                continue
            if len(group) != 1 or isinstance(group[0], Number):
                raise NotImplementedError("Only plain axis names are supported in einsum.")
            if group[0] not in letters:
                if not may_add:
                    raise EinopsError(f"Unknown axis {group[0]} on right side of einsum {pattern}.")
                letters[group[0]] = string.ascii_letters[len(letters)]
            result += letters[group[0]]
        return result

    return ",".join([written(part, True) for part in left.split(",")]) + "->" + written(right, False)


def einsum(*tensors_and_pattern: Tensor | str) -> Tensor:
    if len(tensors_and_pattern) <= 1:
        raise ValueError(
            "`einops.einsum` takes at minimum two arguments: the tensors (at least one), followed by the pattern."
        )
    pattern = tensors_and_pattern[-1]
    if not isinstance(pattern, str):
        raise ValueError(
            "The last argument passed to `einops.einsum` must be a string, representing the einsum pattern."
        )
    tensors = tensors_and_pattern[:-1]
    return torch.einsum(_letters(pattern), *tensors)
