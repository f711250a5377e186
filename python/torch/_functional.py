"""Functions whose Python signature has several forms; each picks the op that PyTorch's argument parser picks.

Every public function here is torch.NAME; those listed in METHODS are methods of Tensor too.
"""

from functools import wraps

from . import _C, _defaults
from ._tensor import Tensor
from ._types import DEVICES, DTYPES, Size, device as _device_type, dtype as _dtype_type, memory_format as _format_type

ops = _C.ops


def _out(out, function, *args):
    return _C.out_call(out, function, *args) if out is not None else function(*args)


def _dims(dim):
    return None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)


# --- reductions


def sum(input, dim=None, keepdim=False, *, axis=None, keepdims=None, dtype=None, out=None):
    dim = axis if dim is None else dim
    if dim is None:
        return _out(out, ops.sum, input, dtype)
    return _out(out, ops.sum_dim_IntList, input, _dims(dim), keepdims or keepdim, dtype)


def mean(input, dim=None, keepdim=False, *, axis=None, keepdims=None, dtype=None, out=None):
    dim = axis if dim is None else dim
    if not input.is_floating_point() and not input.is_complex() and dtype is None:
        raise RuntimeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {_title(input.dtype)}"
        )
    if dim is None:
        return _out(out, ops.mean, input, dtype)
    return _out(out, ops.mean_dim, input, _dims(dim), keepdims or keepdim, dtype)


def _title(dtype):
    return {"int64": "Long", "int32": "Int", "bool": "Bool", "uint8": "Byte", "int8": "Char", "int16": "Short"}.get(
        dtype.name, dtype.name
    )


def _moments(dim, unbiased, correction):
    """(dim, correction) from the old form (unbiased first or second) and the new one."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    return _dims(dim), correction


def var(input, dim=None, unbiased=None, keepdim=False, *, axis=None, correction=None, out=None):
    dims, c = _moments(dim if dim is not None else axis, unbiased, correction)
    return _out(out, ops.var, input, dims, c, keepdim)


def std(input, dim=None, unbiased=None, keepdim=False, *, axis=None, correction=None, out=None):
    dims, c = _moments(dim if dim is not None else axis, unbiased, correction)
    return _out(out, ops.std, input, dims, c, keepdim)


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    dims, c = _moments(dim, unbiased, correction)
    return ops.var_mean(input, dims, c, keepdim)


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return std(input, dim, unbiased, keepdim, correction=correction), mean(input, dim, keepdim)


def _extreme(name, pair):
    by_dim, over_all = getattr(ops, name + "_dim"), getattr(ops, name)

    def f(input, dim=None, keepdim=False, *, other=None, axis=None, out=None):
        dim = axis if dim is None else dim
        if other is not None or isinstance(dim, Tensor):
            return _out(out, pair, input, other if other is not None else dim)
        if dim is None:
            return over_all(input)
        if out is not None:
            return _C.out_call(out, by_dim, input, dim, keepdim)
        return by_dim(input, dim, keepdim)

    f.__name__ = name
    return f


max = _extreme("max", ops.maximum)
min = _extreme("min", ops.minimum)


def aminmax(input, *, dim=None, keepdim=False):
    d = () if dim is None else (dim,)
    return ops.amin(input, d, keepdim), ops.amax(input, d, keepdim)


def logsumexp(input, dim, keepdim=False, *, out=None):
    return _out(out, ops.logsumexp, input, _dims(dim), keepdim)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if p == "fro" or p is None:
        p = 2
    if p == "nuc":
        return ops.linalg_svdvals(input).sum(-1)
    return _out(out, ops.linalg_vector_norm, input, p, _dims(dim), keepdim, dtype)


def all(input, dim=None, keepdim=False, *, out=None):
    return _out(out, ops.all, input, _dims(dim), keepdim)


def any(input, dim=None, keepdim=False, *, out=None):
    return _out(out, ops.any, input, _dims(dim), keepdim)


def amax(input, dim=(), keepdim=False, *, out=None):
    return _out(out, ops.amax, input, _dims(dim), keepdim)


def amin(input, dim=(), keepdim=False, *, out=None):
    return _out(out, ops.amin, input, _dims(dim), keepdim)


def count_nonzero(input, dim=None):
    return ops.count_nonzero(input, _dims(dim))


# --- geometry


def _sizes(sizes):
    return sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], (int, Tensor)) else sizes


def view(input, *size, dtype=None):
    if dtype is None and len(size) == 1 and isinstance(size[0], _dtype_type):
        dtype = size[0]
    if dtype is not None:
        return ops.view_dtype(input, dtype)
    return ops.view(input, _sizes(size))


def view_as(input, other):
    return ops.view(input, other.shape)


def reshape(input, *shape, **kw):
    return ops.reshape(input, kw["shape"] if "shape" in kw else _sizes(shape))


def reshape_as(input, other):
    return ops.reshape(input, other.shape)


def expand(input, *size, implicit=False):
    return ops.expand(input, _sizes(size))


def expand_as(input, other):
    return ops.expand(input, other.shape)


def squeeze(input, dim=None):
    if dim is None:
        return ops.squeeze(input)
    return ops.squeeze_dim(input, dim) if isinstance(dim, int) else ops.squeeze_dims(input, dim)


def unflatten(input, dim, sizes):
    return ops.unflatten(input, dim, sizes)


def select(input, dim, index):
    return ops.select(input, dim, index)


def movedim(input, source, destination):
    return ops.movedim(input, _dims(source), _dims(destination))


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


def unsafe_chunk(input, chunks, dim=0):
    return ops.chunk(input, chunks, dim)


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
    dims = _sizes(places if dims is None else (dims,))
    missing = input.dim() - len(dims)
    return ops.repeat(input, (1,) * missing + tuple(dims) if missing > 0 else dims)


def flip(input, *places, dims=None):
    dims = places if dims is None else (dims,)
    return ops.flip(input, _sizes(dims))


def fliplr(input):
    return ops.flip(input, (1,))


def flipud(input):
    return ops.flip(input, (0,))


def rot90(input, k=1, dims=(0, 1)):
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    k %= 4
    a, b = dims
    if a == b or abs(a - b) == input.dim():
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {a} and dim1 = {b}")
    if k == 1:
        return ops.flip(input, (b,)).transpose_(a, b)
    if k == 2:
        return ops.flip(input, (a, b))
    if k == 3:
        return ops.flip(input, (a,)).transpose_(a, b)
    return ops.clone(input)


def roll(input, shifts, dims=()):
    return ops.roll(input, _dims(shifts), _dims(dims))


def narrow(input, dim, start, length):
    return ops.narrow(input, dim, int(start), length)


def ravel(input):
    return ops.reshape(input, (-1,))


def concat(tensors, dim=0, *, axis=None, out=None):
    return _out(out, ops.cat, tensors, axis if axis is not None else dim)


cat = concatenate = concat


def hstack(tensors, *, out=None):
    tensors = [atleast_1d(t) for t in tensors]
    return _out(out, ops.cat, tensors, 0 if tensors[0].dim() == 1 else 1)


def vstack(tensors, *, out=None):
    return _out(out, ops.cat, [atleast_2d(t) for t in tensors], 0)


row_stack = vstack


def dstack(tensors):
    return ops.cat([atleast_3d(t) for t in tensors], 2)


def column_stack(tensors):
    return ops.cat([t if t.dim() > 1 else ops.reshape(t, (t.numel(), 1)) for t in tensors], 1)


def atleast_1d(t):
    return ops.reshape(t, (1,)) if t.dim() == 0 else t


def atleast_2d(t):
    return ops.reshape(t, (1, 1)) if t.dim() == 0 else ops.unsqueeze(t, 0) if t.dim() == 1 else t


def atleast_3d(t):
    if t.dim() == 0:
        return ops.reshape(t, (1, 1, 1))
    return ops.unsqueeze(ops.unsqueeze(t, 0), -1) if t.dim() == 1 else ops.unsqueeze(t, -1) if t.dim() == 2 else t


def broadcast_shapes(*shapes):
    n = _builtin_max((len(s) for s in shapes), default=0)
    out = [1] * n
    for s in shapes:
        for i, v in enumerate(reversed(s)):
            have = out[n - 1 - i]
            if have != 1 and v != 1 and have != v:
                raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
            out[n - 1 - i] = v if have == 1 else have
    return Size(out)


def broadcast_to(input, size):
    return ops.expand(input, size)


def _expanded(a, b):
    """The common shape of two, as compiled code words it when there is none."""
    n = _builtin_max(len(a), len(b))
    a, b = (1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b)
    for i in range(n - 1, -1, -1):
        if a[i] != b[i] and a[i] != 1 and b[i] != 1:
            raise RuntimeError(
                f"The size of tensor a ({a[i]}) must match the size of tensor b ({b[i]}) at non-singleton dimension {i}"
            )
    return Size(y if x == 1 else x for x, y in zip(a, b))


def broadcast_tensors(*tensors):
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    shape = ()
    for t in tensors:
        shape = _expanded(shape, t.shape)
    return tuple(t if t.shape == shape else ops.expand(t, shape) for t in tensors)


def meshgrid(*tensors, indexing="ij"):
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    if indexing == "xy" and len(tensors) >= 2:
        swapped = (tensors[1], tensors[0], *tensors[2:])
        return tuple(g.transpose(0, 1) for g in _swap(meshgrid(*swapped)))
    for t in tensors:
        if t.dim() > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}")
    shape = [t.numel() for t in tensors]
    return tuple(
        ops.expand(ops.view(t, [-1 if i == j else 1 for j in range(len(tensors))]), shape)
        for i, t in enumerate(tensors)
    )


def _swap(grids):
    return (grids[1], grids[0], *grids[2:])


def cartesian_prod(*tensors):
    if len(tensors) == 1:
        return tensors[0]
    return ops.stack([g.flatten() for g in meshgrid(*tensors)], 1)


def block_diag(*tensors):
    for i, t in enumerate(tensors):
        if t.dim() > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {t.dim()} dimensions"
            )
    rows = [t if t.dim() == 2 else ops.reshape(t, (1, -1)) for t in tensors]
    return ops.block_diag(rows)


def vander(x, N=None, increasing=False):
    n = x.size(-1) if N is None else N
    out = ops.empty((*x.shape, n), x.dtype, x.device)
    if n > 1:
        powers = ops.cumprod(ops.expand(ops.unsqueeze(x, -1), (*x.shape, n - 1)), -1)
        if increasing:
            ops.fill_(ops.select(out, -1, 0), 1)
            ops.copy_(ops.slice(out, -1, 1, n, 1), powers)
    return out if increasing else ops.flip(out, (-1,))


# --- products


def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return ops.einsum(equation, operands)


def tensordot(a, b, dims=2, out=None):
    if isinstance(dims, int):
        first, second = list(range(-dims, 0)), list(range(dims))
    else:
        first, second = dims
        first = [first] if isinstance(first, int) else list(first)
        second = [second] if isinstance(second, int) else list(second)
    return ops.tensordot(a, b, first, second)


def chain_matmul(*matrices, out=None):
    matrices = matrices[0] if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)) else matrices
    return ops.linalg_multi_dot(list(matrices)) if len(matrices) > 1 else matrices[0]


def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    return _out(out, ops.addmm, input, mat1, mat2, beta, alpha)


# --- element-wise with several forms


def pow(input, exponent, *, out=None):
    if not isinstance(input, Tensor):
        return ops.pow_Scalar(input, exponent)
    return _out(out, ops.pow, input, exponent)


def where(condition, input=None, other=None, *, out=None):
    if input is None and other is None:
        return ops.nonzero(condition).unbind(1)
    if out is not None and isinstance(input, Tensor) and isinstance(other, Tensor):
        return _out(out, ops._where, condition, input, other)
    return ops.where(condition, input, other)


def clamp(input, min=None, max=None, *, out=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    return _out(out, ops.clamp, input, min, max)


clip = clamp


def clamp_(input, min=None, max=None):
    return ops.clamp_(input, min, max)


clip_ = clamp_


def softmax(input, dim, _stacklevel=None, dtype=None):
    return ops.softmax(input, dim, dtype)


def log_softmax(input, dim, _stacklevel=None, dtype=None):
    return ops.log_softmax(input, dim, dtype)


def equal(input, other):
    if input.shape != other.shape:
        return False
    return input is other


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(ops.all(ops.isclose(input, other, rtol, atol, equal_nan)))


def drawing(function):
    """A function that draws from `generator`, where it is given one."""

    @wraps(function)
    def draw(*args, generator=None, **kwargs):
        if generator is None or generator._number == 0:
            return function(*args, **kwargs)
        _C._js.useGenerator(generator._number)
        try:
            return function(*args, **kwargs)
        finally:
            _C._js.useGenerator(0)

    return draw


@drawing
def bernoulli(input, p=None, *, out=None):
    if p is not None:
        return ops.bernoulli_(ops.empty_like(input), p)
    return ops.bernoulli(input)


@drawing
def normal(mean, std=1.0, size=None, *, dtype=None, device=None, requires_grad=False, out=None):
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        return ops.normal_Tensor_Tensor(mean if isinstance(mean, Tensor) else std, std)
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    t = empty(size, dtype=dtype, device=device)
    ops.normal_(t, mean, std)
    return t.requires_grad_() if requires_grad else t


# --- tensors out of nothing


def _placed_on(index):
    """Checks the number of a GPU that a program names."""
    import torch

    torch.cuda._devices.use(index)


def _place(dtype, device, pin_memory=False, fallback=None):
    """dtype and device names for a factory op, defaults filled in."""
    if dtype is None:
        dtype = fallback if fallback is not None else _defaults.dtype
    elif not isinstance(dtype, _dtype_type):
        dtype = _C.dtype_of_type(dtype, "empty")
    if device is None:
        device = _defaults.device
    if device is None:
        return dtype, "cpu"
    if not isinstance(device, _device_type):
        device = _device_type(device)
    if device.type == "cuda" and device.index is not None:
        _placed_on(device.index)
    return dtype, device.type


def _made(t, requires_grad):
    if requires_grad:
        if not (t.is_floating_point() or t.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        t.requires_grad = True
    return t


def _factory(op):
    def f(
        *size,
        out=None,
        dtype=None,
        layout=None,
        device=None,
        requires_grad=False,
        pin_memory=False,
        memory_format=None,
        generator=None,
        names=None,
        **kw,
    ):
        if "size" in kw:
            size = (kw["size"],)
        if len(size) == 1 and isinstance(size[0], str):
            raise TypeError(f"{op.__name__}(): argument 'size' (position 1) must be tuple of ints, not str")
        size = _sizes(size)
        if out is not None:
            return _C.out_call(out, op, size, out.dtype, out.device)
        dtype, device = _place(dtype, device)
        t = op(size, dtype, device)
        if memory_format is not None and memory_format.name.startswith("channels_last"):
            t = ops.empty_like(t, dtype, device, memory_format)
        return _made(t, requires_grad)

    return f


empty = _factory(ops.empty)
rand = drawing(_factory(ops.rand))
randn = drawing(_factory(ops.randn))
_zeros = _factory(ops.zeros)
_ones = _factory(ops.ones)


def zeros(*size, **kw):
    return _zeros(*size, **kw)


def ones(*size, **kw):
    return _ones(*size, **kw)


def _infer(value):
    if isinstance(value, bool):
        return DTYPES["bool"]
    if isinstance(value, int):
        return DTYPES["int64"]
    if isinstance(value, complex):
        return DTYPES["complex64"]
    return _defaults.dtype


def full(size, fill_value, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    if isinstance(fill_value, Tensor):
        dtype = dtype or fill_value.dtype
        fill_value = fill_value.item()
    if not isinstance(fill_value, (int, float, complex)) and not hasattr(fill_value, "__float__"):
        raise TypeError(f"full(): argument 'fill_value' (position 2) must be Number, not {type(fill_value).__name__}")
    dtype, device = _place(dtype, device, fallback=_infer(fill_value))
    if out is not None:
        return _C.out_call(out, ops.full, size, fill_value, out.dtype, out.device)
    t = ops.full((size,) if isinstance(size, int) else size, fill_value, dtype, device)
    return _made(t, requires_grad)


def scalar_tensor(s, *, dtype=None, device=None, requires_grad=False):
    dtype, device = _place(dtype, device)
    return _made(ops.scalar_tensor(s, dtype, device), requires_grad)


def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    dtype, device = _place(dtype, device)
    return _made(ops.empty_strided(size, stride, dtype, device), requires_grad)


def arange(
    *bounds,
    start=0,
    end=None,
    step=1,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
):
    if len(bounds) == 1:
        end = bounds[0]
    elif len(bounds) >= 2:
        start, end = bounds[0], bounds[1]
        if len(bounds) == 3:
            step = bounds[2]
    start, end, step = (x.item() if isinstance(x, Tensor) else x for x in (start, end, step))
    whole = _builtin_all(isinstance(x, int) for x in (start, end, step))
    dtype, device = _place(dtype, device, fallback=DTYPES["int64"] if whole else None)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if out is not None:
        return _C.out_call(out, ops.arange, start, end, step, out.dtype, out.device)
    return _made(ops.arange(start, end, step, dtype, device), requires_grad)


def range_(start, end, step=1, **kw):
    return arange(start, end + step * 0.5, step, **kw)


def linspace(start, end, steps, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    start, end = (x.item() if isinstance(x, Tensor) else x for x in (start, end))
    dtype, device = _place(dtype, device)
    if out is not None:
        return _C.out_call(out, ops.linspace, start, end, steps, out.dtype, out.device)
    return _made(ops.linspace(start, end, steps, dtype, device), requires_grad)


def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False):
    dtype, device = _place(dtype, device)
    return _made(ops.logspace(start, end, steps, base, dtype, device), requires_grad)


def eye(n, m=None, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    dtype, device = _place(dtype, device)
    if out is not None:
        return _C.out_call(out, ops.eye, n, m, out.dtype, out.device)
    return _made(ops.eye(n, m, dtype, device), requires_grad)


@drawing
def randint(
    low,
    high=None,
    size=None,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
):
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    dtype, device = _place(dtype, device, fallback=DTYPES["int64"])
    if out is not None:
        return _C.out_call(out, ops.randint, low, high, size, out.dtype, out.device)
    return _made(ops.randint(low, high, size, dtype, device), requires_grad)


@drawing
def randperm(n, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    dtype, device = _place(dtype, device, fallback=DTYPES["int64"])
    if out is not None:
        return _C.out_call(out, ops.randperm, n, out.dtype, out.device)
    return _made(ops.randperm(n, dtype, device), requires_grad)


def _like(op, *fixed):
    def f(
        input,
        *values,
        dtype=None,
        layout=None,
        device=None,
        requires_grad=False,
        memory_format=None,
        pin_memory=False,
        generator=None,
        **kw,
    ):
        values = values or tuple(kw.values())
        if device is not None:
            device = _device_type(device)
        return _made(op(input, *values, dtype, device, memory_format), requires_grad)

    return f


empty_like = _like(ops.empty_like)
zeros_like = _like(ops.zeros_like)
ones_like = _like(ops.ones_like)
rand_like = _like(ops.rand_like)
randn_like = _like(ops.randn_like)
full_like = _like(ops.full_like)


def randint_like(input, low, high=None, *, dtype=None, device=None, requires_grad=False, memory_format=None):
    return ops.randint_like(
        input, 0 if high is None else low, low if high is None else high, dtype, device, memory_format
    )


def _shape_of(data):
    shape = []
    while data.dim() if isinstance(data, Tensor) else hasattr(data, "__len__") and not isinstance(data, (str, bytes)):
        shape.append(len(data))
        if len(data) == 0:
            break
        data = data[0]
    return shape


def _check_lengths(data, shape, dim):
    """Nested sequences of one depth have one length."""
    if not isinstance(data, (list, tuple)):
        return
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    if dim + 1 < len(shape):
        for x in data:
            if not hasattr(x, "__len__"):
                raise TypeError(
                    f"expected sequence of length {shape[dim + 1]} at dim {dim + 1} (got {type(x).__name__})"
                )
            _check_lengths(x, shape, dim + 1)


def _leaves(data):
    if isinstance(data, (list, tuple)):
        for x in data:
            yield from _leaves(x)
    elif isinstance(data, Tensor):
        yield from _leaves(data.tolist())
    elif hasattr(data, "tolist"):
        yield from _leaves(data.tolist())
    elif hasattr(data, "__len__") and not isinstance(data, (str, bytes)):
        for x in data:
            yield from _leaves(x)
    else:
        yield data


_WORDS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    if dtype is not None and not isinstance(dtype, _dtype_type):
        dtype = _C.dtype_of_type(dtype, "tensor")
    if hasattr(data, "to_torch"):
        data = data.to_torch()
    if isinstance(data, Tensor):
        t = ops.to(data.detach(), dtype, None if device is None else _device_type(device), False, True, None)
        return _made(t, requires_grad)
    if isinstance(data, _range_types):
        data = list(data)
    shape = _shape_of(data)
    leaves = list(_leaves(data))
    for x in leaves:
        if isinstance(x, (str, bytes)):
            raise (TypeError if not shape else ValueError)(
                f"new(): invalid data type '{type(x).__name__}'"
                if not shape
                else f"too many dimensions '{type(x).__name__}'"
            )
        if not isinstance(x, (int, float, complex)) and not hasattr(x, "__float__") and not hasattr(x, "__index__"):
            raise RuntimeError(f"Could not infer dtype of {type(x).__name__}")
    _check_lengths(data, shape, 0)
    n = 1
    for s in shape:
        n *= s
    if dtype is None:
        kinds = {type(x) for x in leaves}
        if _builtin_any(issubclass(k, complex) for k in kinds):
            dtype = DTYPES["complex64"]
        elif not leaves or _builtin_any(issubclass(k, float) for k in kinds):
            dtype = _defaults.dtype
        elif kinds == {bool}:
            dtype = DTYPES["bool"]
        else:
            dtype = DTYPES["int64"]
        holder = _first_tensor(data)
        if holder is not None:
            dtype = holder.dtype
    dtype, device = _place(dtype, device)
    t = ops._from_data(shape, dtype, device)
    if n <= 4096 and not dtype.is_complex:
        _C._js.setValues(t._h, ",".join(_WORDS.get(word, word) for word in map(repr, map(float, leaves))))
    return _made(t, requires_grad)


def _first_tensor(data):
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return data if isinstance(data, Tensor) else None


def as_tensor(data, dtype=None, device=None):
    if isinstance(data, Tensor):
        return to(data, dtype=dtype, device=device)
    return tensor(data, dtype=dtype, device=device)


asarray = as_tensor


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    n = (len(memoryview(buffer).cast("B")) - offset) // dtype.itemsize if count < 0 else count
    return _made(ops.empty((n,), dtype, "cpu"), requires_grad)


def from_numpy(array):
    if not hasattr(array, "__array__"):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    """Memory is not shared with the array: what is written into one does not show in the other."""
    if not hasattr(array, "to_torch"):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return array.to_torch()


# --- moves and casts


def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None):
    for i, a in enumerate(args):
        if isinstance(a, _dtype_type):
            dtype = a
        elif isinstance(a, Tensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, bool):
            if i == len(args) - 1 and i >= 2:
                copy = a
            else:
                non_blocking = a
        elif a is not None:
            device = a
    if device is not None:
        _, device = _place(None, device)
    return ops.to(self, dtype, device, non_blocking, copy, memory_format)


def cuda(self, device=None, non_blocking=False, memory_format=None):
    return to(self, device="cuda" if device is None else device, non_blocking=non_blocking, memory_format=memory_format)


def cpu(self, memory_format=None):
    return ops.to(self, None, "cpu", False, False, memory_format)


def type_as(self, other):
    return ops.to(self, other.dtype, other.device.type)


def _cast(name):
    def f(self, memory_format=None):
        return ops.to(self, name, None, False, False, memory_format)

    return f


CASTS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
}


def result_type(a, b):
    a, b = (ops.empty(x.shape, x.dtype, "meta") if isinstance(x, Tensor) else x for x in (a, b))
    if not isinstance(a, Tensor):
        a, b = b, a
    if isinstance(a, Tensor):
        return ops.add(a, b).dtype
    return tensor([a, b], device="meta").dtype


def promote_types(a, b):
    return ops.add(ops.empty((1,), a, "meta"), ops.empty((1,), b, "meta")).dtype


def can_cast(a, b):
    order = "bifc"
    kind = lambda d: "c" if d.is_complex else "f" if d.is_floating_point else "b" if d.name == "bool" else "i"
    return order.index(kind(a)) <= order.index(kind(b))


def is_tensor(obj):
    return isinstance(obj, Tensor)


def is_storage(obj):
    return False


def is_floating_point(input):
    return input.dtype.is_floating_point


def is_complex(input):
    return input.dtype.is_complex


def is_conj(input):
    """Whether values are conjugated only when they are read."""
    return input.is_complex() and bool(_C._js.flags(input._h) & 128)


def is_neg(input):
    return not input.is_complex() and bool(_C._js.flags(input._h) & 128)


def is_nonzero(input):
    return bool(input)


def numel(input):
    return input.numel()


def is_same_size(input, other):
    return input.shape == other.shape


def is_inference(input):
    return input.is_inference()


def detach(input):
    return ops.detach(input)


def t(input):
    return ops.t(input)


def diff(input, n=1, dim=-1):
    for _ in range(n):
        size = input.size(dim)
        input = ops.sub(ops.narrow(input, dim, 1, size - 1), ops.narrow(input, dim, 0, size - 1))
    return input


@drawing
def multinomial(input, num_samples, replacement=False, *, out=None):
    return ops.multinomial(input, num_samples, replacement)


def tril_indices(row, col, offset=0, *, dtype=None, device="cpu", layout=None):
    dtype, device = _place(dtype, device, fallback=DTYPES["int64"])
    return ops.tril_indices(row, col, offset, False, dtype, device)


def triu_indices(row, col, offset=0, *, dtype=None, device="cpu", layout=None):
    dtype, device = _place(dtype, device, fallback=DTYPES["int64"])
    return ops.tril_indices(row, col, offset, True, dtype, device)


def _window(n, periodic=True, *, dtype=None, device=None, requires_grad=False, **_):
    dtype, device = _place(dtype, device)
    if not periodic or n < 2:
        return _made(ops.empty((n,), dtype, device), requires_grad)
    # one value longer, the last of which is left out of the view
    return _made(ops.narrow(ops.empty((n + 1,), dtype, device), 0, 0, n), requires_grad)


hann_window = hamming_window = blackman_window = bartlett_window = kaiser_window = _window

import builtins as _b  # noqa: E402

_builtin_max, _builtin_sum, _builtin_all, _builtin_any = _b.max, _b.sum, _b.all, _b.any
_range_types = (_b.range,)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False):
    form = ops.ctc_loss_Tensor if isinstance(input_lengths, Tensor) else ops.ctc_loss
    return form(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


METHODS = """sum mean var std max min aminmax logsumexp norm all any amax amin count_nonzero view view_as reshape reshape_as
expand expand_as squeeze unflatten movedim moveaxis swapaxes swapdims adjoint split tensor_split hsplit vsplit
repeat_interleave tile flip fliplr flipud rot90 roll narrow ravel broadcast_to pow clamp clip clamp_ clip_ softmax
log_softmax equal allclose bernoulli to cuda cpu type_as diff multinomial addmm is_conj is_neg""".split()


# Python code in PyTorch too, or nothing to let go of.
_WITH_FRAMES = frozenset(
    """empty zeros ones rand randn full arange range_ linspace logspace eye randint randperm tensor as_tensor asarray empty_strided
    is_tensor is_storage broadcast_shapes tril_indices triu_indices einsum split norm tensordot meshgrid block_diag broadcast_tensors
    atleast_1d atleast_2d atleast_3d cartesian_prod chain_matmul""".split()
)


def public():
    """The functions of this module that are torch.NAME."""
    return {
        name: value if name in _WITH_FRAMES else _C.compiled(value)
        for name, value in globals().items()
        if callable(value)
        and not name.startswith("_")
        and getattr(value, "__module__", "") == __name__
        and name != "public"
    }
