"""Products, element-wise functions with several forms, comparisons of whole tensors, and draws from given tensors."""

from . import _C
from ._arguments import out_form, drawing
from ._creation import empty
from ._tensor import Tensor

ops = _C.ops


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
    return out_form(out, ops.addmm, input, mat1, mat2, beta, alpha)


def pow(input, exponent, *, out=None):
    if not isinstance(input, Tensor):
        return ops.pow_Scalar(input, exponent)
    return out_form(out, ops.pow, input, exponent)


def where(condition, input=None, other=None, *, out=None):
    if input is None and other is None:
        return ops.nonzero(condition).unbind(1)
    if out is not None and isinstance(input, Tensor) and isinstance(other, Tensor):
        return out_form(out, ops._where, condition, input, other)
    return ops.where(condition, input, other)


def clamp(input, min=None, max=None, *, out=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    return out_form(out, ops.clamp, input, min, max)


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


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False):
    form = ops.ctc_loss_Tensor if isinstance(input_lengths, Tensor) else ops.ctc_loss
    return form(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@drawing
def bernoulli(input, p=None, *, out=None):
    if p is not None:
        return ops.bernoulli_(ops.empty_like(input), p)
    return ops.bernoulli(input)


@drawing
def normal(mean, std=1.0, size=None, *, dtype=None, layout=None, device=None, requires_grad=False, out=None):
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        return ops.normal_Tensor_Tensor(mean, std)
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    t = empty(size, dtype=dtype, device=device)
    ops.normal_(t, mean, std)
    return t.requires_grad_() if requires_grad else t


@drawing
def multinomial(input, num_samples, replacement=False, *, out=None):
    return ops.multinomial(input, num_samples, replacement)
