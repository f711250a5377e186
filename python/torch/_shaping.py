"""Functions that give one tensor another shape or order: views, splits, flips, repeats."""

from . import _C
from ._arguments import dims_of, sizes_of
from ._tensor import Tensor

ops = _C.ops


def view_as(input, other):
    return ops.view(input, other.shape)


def reshape(input, *shape, **kw):
    return ops.reshape(input, kw["shape"] if "shape" in kw else sizes_of(shape))


def reshape_as(input, other):
    return ops.reshape(input, other.shape)


def expand(input, *size, implicit=False):
    return ops.expand(input, sizes_of(size))


def expand_as(input, other):
    return ops.expand(input, other.shape)


def broadcast_to(input, size):
    return ops.expand(input, size)


def movedim(input, source, destination):
    return ops.movedim(input, dims_of(source), dims_of(destination))


moveaxis = movedim


def swapaxes(input, axis0, axis1):
    return ops.transpose(input, axis0, axis1)


swapdims = swapaxes


def adjoint(input):
    return ops.conj(ops.transpose(input, -2, -1))


def split(tensor, split_size_or_sections=None, dim=0, *, split_size=None):
    if split_size_or_sections is None:
        split_size_or_sections = split_size  # as the method calls it
    if isinstance(split_size_or_sections, int):
        size = tensor.size(dim)
        if split_size_or_sections < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size_or_sections}")
        if split_size_or_sections == 0 and size != 0:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}")
        return ops.split_Tensor(tensor, split_size_or_sections, dim)
    return ops.split_with_sizes(tensor, split_size_or_sections, dim)


def tensor_split(input, indices_or_sections, dim=0):
    size = input.size(dim)
    if isinstance(indices_or_sections, int):
        n = indices_or_sections
        sizes = [size // n + (1 if i < size % n else 0) for i in range(n)]
        bounds, at = [], 0
        for s in sizes[:-1]:
            at += s
            bounds.append(at)
    else:
        bounds = list(indices_or_sections)
    parts, start = [], 0
    for b in [*bounds, size]:
        parts.append(ops.slice(input, dim, start, b, 1))
        start = b
    return tuple(parts)


def hsplit(input, n):
    return tensor_split(input, n, 0 if input.dim() == 1 else 1)


def vsplit(input, n):
    return tensor_split(input, n, 0)


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    if isinstance(repeats, Tensor):
        if dim is None:
            input = input.flatten()
        if repeats.dim() > 1:
            raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
        if repeats.dim() == 1 and repeats.numel() not in (1, input.size(dim or 0)):
            raise RuntimeError(
                f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.size(0)} "
                f"and input.size({dim or 0}) = {input.size(dim or 0)}"
            )
        if repeats.numel() == 1:
            repeats = repeats.reshape(1).expand(input.size(dim or 0))
        return ops.index_select(input, dim or 0, ops._repeated_places(repeats, output_size))
    if repeats is None:
        return ops._repeated_places(input, output_size)
    return ops.repeat_interleave(input, repeats, dim, output_size)


def tile(input, *places, dims=None):
    dims = sizes_of(places if dims is None else (dims,))
    missing = input.dim() - len(dims)
    return ops.repeat(input, (1,) * missing + tuple(dims) if missing > 0 else dims)


def flip(input, *places, dims=None):
    dims = places if dims is None else (dims,)
    return ops.flip(input, sizes_of(dims))


def fliplr(input):
    return ops.flip(input, (1,))


def flipud(input):
    return ops.flip(input, (0,))


def narrow(input, dim, start, length):
    return ops.narrow(input, dim, int(start), length)


def ravel(input):
    return ops.view(ops.contiguous(input), (-1,))


def detach(input):
    return ops.detach(input)


def diff(input, n=1, dim=-1):
    for _ in range(n):
        size = input.size(dim)
        input = ops.sub(ops.narrow(input, dim, 1, size - 1), ops.narrow(input, dim, 0, size - 1))
    return input
