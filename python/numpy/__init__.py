"""Stand-in for NumPy on the host: what training scripts use of it. Arrays of up to 65,536 values hold them; larger ones do not."""

import math as _python_math

from torch._stand_ins import lacks

from . import _index, _operators, linalg, random
from ._array import ndarray
from ._dtypes import (
    bool_,
    complex64,
    complex128,
    complexfloating,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    floating,
    generic,
    iinfo,
    inexact,
    int8,
    int16,
    int32,
    int64,
    integer,
    issubdtype,
    number,
    result_type,
    signedinteger,
    uint8,
    uint16,
    uint32,
    uint64,
    unsignedinteger,
)
from ._make import (
    arange,
    array,
    array_split,
    asanyarray,
    asarray,
    ascontiguousarray,
    concatenate,
    empty,
    empty_like,
    expand_dims,
    eye,
    frombuffer,
    fromfile,
    full,
    full_like,
    hstack,
    identity,
    linspace,
    load,
    memmap,
    ones,
    ones_like,
    save,
    split,
    stack,
    vstack,
    zeros,
    zeros_like,
)
from ._math import (
    deg2rad,
    remainder,
    true_divide,
    absolute,
    add,
    arccos,
    arcsin,
    arctan,
    arctan2,
    around,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    ceil,
    clip,
    cos,
    cosh,
    divide,
    equal,
    exp,
    expm1,
    floor,
    floor_divide,
    greater,
    greater_equal,
    hypot,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    log,
    log10,
    log1p,
    log2,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    mod,
    multiply,
    negative,
    not_equal,
    power,
    radians,
    reciprocal,
    rint,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    trunc,
    where,
)
from ._products import (
    allclose,
    array_equal,
    dot,
    matmul,
    meshgrid,
    outer,
    repeat,
    tile,
    tril,
    triu,
)
from ._reduce import (
    amax,
    amin,
    argmax,
    argmin,
    argsort,
    average,
    bincount,
    count_nonzero,
    cumsum,
    diff,
    flip,
    mean,
    median,
    nonzero,
    percentile,
    prod,
    quantile,
    sort,
    std,
    sum,
    unique,
    var,
)
from ._reduce import _all as all
from ._reduce import _any as any

__version__ = "1.26.4"
pi, e, inf, nan = _python_math.pi, _python_math.e, _python_math.inf, _python_math.nan
Inf = Infinity = inf
NaN = nan
newaxis = None
abs, round, max, min = absolute, around, amax, amin
bool8, float_, int_, intp, double, single, half, longlong, byte, ubyte = (
    bool_,
    float64,
    int64,
    int64,
    float64,
    float32,
    float16,
    int64,
    int8,
    uint8,
)


def reshape(a, shape, order="C"):
    return asarray(a).reshape(shape)


def transpose(a, axes=None):
    return asarray(a).transpose(*(axes or ()))


def swapaxes(a, axis1, axis2):
    return asarray(a).swapaxes(axis1, axis2)


def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)


def ravel(a, order="C"):
    return asarray(a).reshape(-1)


def copy(a):
    return array(a)


def shape(a):
    return asarray(a).shape


def ndim(a):
    return asarray(a).ndim


def size(a):
    return asarray(a).size


def isscalar(value):
    return isinstance(value, (int, float, complex, str, generic))


def set_printoptions(*args, **kwargs):
    """Arrays are always printed in full, or not at all."""


__getattr__ = lacks("numpy")
