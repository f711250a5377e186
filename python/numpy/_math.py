"""Arithmetic with broadcasting and functions of one array."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

from ._array import broadcast, cast, expand, ndarray, scalar
from ._dtypes import NUMBERS, bool_, dtype, result_type
from ._make import asarray
from ._uniform import Uniform

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike


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


def joint_type(*operands: Any) -> Any:
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


# Kinds of one value: Python's numbers and NumPy's scalars, and what arithmetic between two of them makes.
_SCALARS = {float, int, bool, complex, *NUMBERS}
_PLAIN = {float, int, bool, complex}
_joint = {}


def _plain(value):
    """Python's own number: arithmetic of NumPy's scalars leads here and must not lead back."""
    return value if type(value) in _PLAIN else value._python(value)


def _scalar_result(value, kinds, wanted):
    """One value as the scalar that NumPy gives for operands of these types; `wanted` is a dtype or a rule."""
    key = (kinds, wanted)
    made = _joint.get(key)
    if made is None:
        examples = [k(1) for k in kinds]
        kind = wanted(*examples) if callable(wanted) else joint_type(*examples) if wanted is None else dtype(wanted)
        made = _joint[key] = (bool_ if kind.kind == "b" else kind.type, kind)
    return made[0](value if made[1].kind == "f" else cast(value, made[1]))


def elementwise(function: Callable, *operands: Any, kind: str | None = None) -> Any:
    """`function` at every place; `kind` of the result, by default that of the operands together."""
    kinds = tuple(type(o) for o in operands)
    if all(k in _SCALARS for k in kinds):
        return _scalar_result(function(*map(_plain, operands)), kinds, kind)
    kind = joint_type(*operands) if kind is None else dtype(kind)
    arrays = [asarray(o) for o in operands]
    shape = broadcast(*(a.shape for a in arrays))
    for a in arrays:
        if a._is_lost and a._values is None:
            a._values = Uniform(a.read()[0], a.size) if a.size else []
    lists = [expand(a, shape) for a in arrays]
    if any(v is None for v in lists):
        return ndarray(shape, kind)
    if lists and all(type(v) is Uniform for v in lists) and len(lists[0]):
        values = Uniform(cast(function(*(v.value for v in lists)), kind), len(lists[0]))
    else:
        values = [cast(function(*vs), kind) for vs in zip(*lists)]
    made = ndarray(shape, kind, values)
    return made if shape or any(isinstance(o, ndarray) and o.ndim for o in operands) else scalar(values[0], kind)


def _float_kind(*operands):
    kind = joint_type(*operands)
    return kind if kind.kind in "fc" else dtype("float64")


def _unary(function, otherwise=lambda v: math.nan, floating=True, kind=None):
    f = _guard(function, otherwise)
    wanted = kind or (_float_kind if floating else None)

    def call(x, *args, **kwargs):
        if args or kwargs:
            return _with_keywords(call, (x,), args, **kwargs)
        if type(x) in _SCALARS:
            return _scalar_result(f(_plain(x)), (type(x),), wanted)
        return elementwise(f, x, kind=wanted(x) if callable(wanted) else wanted)

    call.at = lambda a, indices: _later("at")(f, a, indices)
    return call


def _later(name):
    from . import _reductions

    return getattr(_reductions, name)


def _with_keywords(call, operands, args, out=None, where=True, dtype=None, **_):
    """A universal function with `out`, `where` or `dtype`; the others of its keywords change nothing here."""
    out = args[0] if args else out
    made = call(*operands)
    if dtype is not None:
        made = asarray(made).astype(dtype)
    return made if out is None else _later("into")(made, out, where)


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


def _divisor(b):
    """What nobody knows divides like 1, as a number does that was read (torch/_unknown_numbers.py)."""
    is_unknown = isinstance(b, ndarray) and b._is_lost and b._values is None and b.size
    return ndarray(b.shape, b.dtype, Uniform(cast(1, b.dtype), b.size)) if is_unknown else b


def _binary(function, kind=None, otherwise=None, divides=False):
    f = _guard(function, otherwise) if otherwise else function

    def call(a, b, *args, **kwargs):
        if args or kwargs:
            return _with_keywords(call, (a, b), args, **kwargs)
        if type(a) in _SCALARS and type(b) in _SCALARS:
            return _scalar_result(f(_plain(a), _plain(b)), (type(a), type(b)), kind)
        if divides:
            b = _divisor(b)
        return elementwise(f, a, b, kind=kind(a, b) if callable(kind) else kind)

    call.outer = lambda a, b: call(asarray(a).reshape(*asarray(a).shape, *[1] * asarray(b).ndim), b)
    call.function = f
    call.at = lambda a, indices, b: _later("at")(f, a, indices, b)
    call.reduce, call.accumulate, call.reduceat = (
        lambda *a, rule=rule, **k: _later(rule)(call)(*a, **k) for rule in ("reduced", "accumulated", "reduced_at")
    )
    call.nin, call.nout = 2, 1
    return call


add, subtract, multiply = (_binary(f) for f in (operator.add, operator.sub, operator.mul))
divide = true_divide = _binary(operator.truediv, _float_kind, _divided, divides=True)
floor_divide = _binary(operator.floordiv, otherwise=lambda a, b: 0, divides=True)
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


left_shift, right_shift = (_binary(f) for f in (operator.lshift, operator.rshift))
fmod = _binary(math.fmod, otherwise=lambda a, b: math.nan)
copysign = _binary(math.copysign, _float_kind)
logaddexp = _binary(lambda a, b: max(a, b) + math.log1p(math.exp(-abs(a - b))), _float_kind)
float_power = _binary(lambda a, b: float(a) ** b, _float_kind, lambda a, b: math.nan)
heaviside = _binary(lambda a, b: float(a > 0) if a else b, _float_kind)
fabs = _unary(abs)
cbrt = _unary(math.cbrt)
exp2 = _unary(lambda v: 2.0**v, lambda v: _INF)
degrees = rad2deg = _unary(math.degrees)
sinc = _unary(lambda v: math.sin(math.pi * v) / (math.pi * v) if v else 1.0)
arcsinh, arccosh, arctanh = (_unary(f) for f in (math.asinh, math.acosh, math.atanh))
signbit = _unary(lambda v: math.copysign(1, v) < 0, floating=False, kind="bool")
invert = bitwise_not = _unary(lambda v: not v if isinstance(v, bool) else ~v, floating=False)
conj = conjugate = _unary(lambda v: v.conjugate(), floating=False)
positive = _unary(operator.pos, floating=False)


def real(val: Any) -> Any:
    val = asarray(val)
    return elementwise(lambda v: v.real, val, kind=_PART.get(val.dtype.name, val.dtype))


def imag(val: Any) -> Any:
    val = asarray(val)
    return elementwise(lambda v: v.imag, val, kind=_PART.get(val.dtype.name, val.dtype))


_PART = {"complex64": "float32", "complex128": "float64"}


def angle(z: Any, deg: bool = False) -> Any:
    found = elementwise(lambda v: math.atan2(complex(v).imag, complex(v).real), z, kind="float64")
    return degrees(found) if deg else found


def modf(x: ArrayLike) -> tuple:
    return elementwise(lambda v: math.modf(v)[0], x, kind="float64"), elementwise(
        lambda v: math.modf(v)[1], x, kind="float64"
    )


def frexp(x: ArrayLike) -> tuple:
    return elementwise(lambda v: math.frexp(v)[0], x, kind="float64"), elementwise(
        lambda v: math.frexp(v)[1], x, kind="int32"
    )


def divmod(a: ArrayLike, b: ArrayLike) -> tuple:
    return floor_divide(a, b), mod(a, b)


def iscomplexobj(x: ArrayLike) -> Any:
    return asarray(x).dtype.kind == "c"


def isrealobj(x: ArrayLike) -> bool:
    return not iscomplexobj(x)


def clip(a: ArrayLike, a_min: Any = None, a_max: Any = None, **kwargs: Any) -> Any:
    a = asarray(a)
    if a_min is not None:
        a = maximum(a, a_min)
    return a if a_max is None else minimum(a, a_max)


def around(a: ArrayLike, decimals: int = 0) -> Any:
    return elementwise(lambda v: round(v, decimals), a)


def where(condition: ArrayLike, x: ArrayLike = None, y: ArrayLike = None) -> Any:
    if x is None:
        return asarray(condition).nonzero()
    return elementwise(lambda c, a, b: a if c else b, condition, x, y, kind=joint_type(x, y))
