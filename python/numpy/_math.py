"""Arithmetic with broadcasting and functions of one array."""

import math
import operator

from ._array import broadcast, cast, expand, ndarray, scalar
from ._dtypes import dtype, result_type
from ._make import asarray

_INF = math.inf


def _guard(function, otherwise):
    """The value that NumPy has where Python raises."""

    def f(*values):
        try:
            return function(*values)
        except (ZeroDivisionError, ValueError, OverflowError):
            return otherwise(*values)

    return f


def _divided(a, b):
    return math.nan if a == 0 or a != a else math.copysign(_INF, a)


def joint_type(*operands):
    """The result's dtype: Python numbers only decide the kind."""
    operands = [o if isinstance(o, (int, float, complex, ndarray)) else asarray(o) for o in operands]
    arrays = [o.dtype for o in operands if hasattr(o, "dtype")]
    plain = [o for o in operands if not hasattr(o, "dtype")]
    if not arrays:
        return result_type(*(type(o) for o in plain))
    found = result_type(*arrays)
    for o in plain:
        if isinstance(o, complex) and found.kind != "c":
            found = dtype("complex128")
        elif isinstance(o, float) and found.kind not in "fc":
            found = dtype("float64")
        elif isinstance(o, int) and not isinstance(o, bool) and found.kind == "b":
            found = dtype("int64")
    return found


def elementwise(function, *operands, kind=None):
    """`function` at every place; `kind` of the result, by default that of the operands together."""
    kind = joint_type(*operands) if kind is None else dtype(kind)
    arrays = [asarray(o) for o in operands]
    shape = broadcast(*(a.shape for a in arrays))
    lists = [expand(a, shape) for a in arrays]
    if any(v is None for v in lists):
        return ndarray(shape, kind)
    values = [cast(function(*vs), kind) for vs in zip(*lists)]
    made = ndarray(shape, kind, values)
    return made if shape or any(isinstance(o, ndarray) and o.ndim for o in operands) else scalar(values[0], kind)


def _float_kind(*operands):
    kind = joint_type(*operands)
    return kind if kind.kind in "fc" else dtype("float64")


def _unary(function, otherwise=lambda v: math.nan, floating=True, kind=None):
    f = _guard(function, otherwise)
    return lambda x, *args, **kwargs: elementwise(f, x, kind=kind or (_float_kind(x) if floating else None))


sqrt = _unary(math.sqrt)
exp = _unary(math.exp, lambda v: _INF)
expm1 = _unary(math.expm1, lambda v: _INF)
log = _unary(math.log, lambda v: -_INF if v == 0 else math.nan)
log2 = _unary(math.log2, lambda v: -_INF if v == 0 else math.nan)
log10 = _unary(math.log10, lambda v: -_INF if v == 0 else math.nan)
log1p = _unary(math.log1p, lambda v: -_INF if v == -1 else math.nan)
sin, cos, tan, tanh = (_unary(f) for f in (math.sin, math.cos, math.tan, math.tanh))
arcsin, arccos, arctan = (_unary(f) for f in (math.asin, math.acos, math.atan))
sinh, cosh = (_unary(f, lambda v: _INF) for f in (math.sinh, math.cosh))
floor, ceil, trunc, rint = (_unary(f, lambda v: v) for f in (math.floor, math.ceil, math.trunc, round))
absolute = _unary(abs, floating=False)
negative = _unary(operator.neg, floating=False)
square = _unary(lambda v: v * v, floating=False)
sign = _unary(lambda v: (v > 0) - (v < 0), floating=False)
reciprocal = _unary(lambda v: 1 / v, lambda v: _INF)
radians = deg2rad = _unary(math.radians)
isnan = _unary(lambda v: v != v, floating=False, kind="bool")
isinf = _unary(math.isinf, lambda v: False, floating=False, kind="bool")
isfinite = _unary(math.isfinite, lambda v: True, floating=False, kind="bool")
logical_not = _unary(lambda v: not v, floating=False, kind="bool")


def _binary(function, kind=None, otherwise=None):
    f = _guard(function, otherwise) if otherwise else function
    pick = kind if callable(kind) else (lambda *o: kind)
    return lambda a, b, *args, **kwargs: elementwise(f, a, b, kind=pick(a, b))


add, subtract, multiply = (_binary(f) for f in (operator.add, operator.sub, operator.mul))
divide = true_divide = _binary(operator.truediv, _float_kind, _divided)
floor_divide = _binary(operator.floordiv, otherwise=lambda a, b: 0)
mod = remainder = _binary(operator.mod, otherwise=lambda a, b: 0)
power = _binary(operator.pow, otherwise=lambda a, b: _INF)
maximum = _binary(lambda a, b: a if a >= b or a != a else b)
minimum = _binary(lambda a, b: a if a <= b or a != a else b)
arctan2 = _binary(math.atan2, _float_kind)
hypot = _binary(math.hypot, _float_kind)
equal, not_equal, less, less_equal, greater, greater_equal = (
    _binary(f, "bool") for f in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
)
logical_and = _binary(lambda a, b: bool(a) and bool(b), "bool")
logical_or = _binary(lambda a, b: bool(a) or bool(b), "bool")
logical_xor = _binary(lambda a, b: bool(a) != bool(b), "bool")
bitwise_and, bitwise_or, bitwise_xor = (_binary(f) for f in (operator.and_, operator.or_, operator.xor))


def clip(a, a_min=None, a_max=None, **kwargs):
    a = asarray(a)
    if a_min is not None:
        a = maximum(a, a_min)
    return a if a_max is None else minimum(a, a_max)


def around(a, decimals=0):
    return elementwise(lambda v: round(v, decimals), a)


def where(condition, x=None, y=None):
    if x is None:
        return asarray(condition).nonzero()
    return elementwise(lambda c, a, b: a if c else b, condition, x, y, kind=joint_type(x, y))
