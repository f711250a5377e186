"""Stand-in for NumPy on the host: what training scripts use of it. Arrays of up to 65,536 values hold them; larger ones do not."""

from __future__ import annotations

import math as _python_math
from builtins import bool as python_bool, max as python_max, min as python_min
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from . import _index, _operators, linalg, random
from ._array import ndarray
from ._later import FILES as _LATER
from ._errstate import errstate, geterr, seterr
from ._dtypes import (
    bool_,
    complex64,
    complex128,
    complexfloating,
    NUMBERS,
    dtype,
    finfo,
    object_,
    str_,
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
    fromstring,
    fromfile,
    full,
    full_like,
    hstack,
    identity,
    linspace,
    ones,
    ones_like,
    save,
    split,
    stack,
    vstack,
    zeros,
    zeros_like,
)
from ._mapped import memmap
from ._methods import *
from ._math import (
    absolute,
    add,
    angle,
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctan2,
    arctanh,
    around,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    cbrt,
    ceil,
    clip,
    conj,
    conjugate,
    copysign,
    cos,
    cosh,
    deg2rad,
    degrees,
    divide,
    divmod,
    equal,
    exp,
    exp2,
    expm1,
    fabs,
    float_power,
    floor,
    floor_divide,
    fmod,
    frexp,
    greater,
    greater_equal,
    heaviside,
    hypot,
    imag,
    invert,
    iscomplexobj,
    isfinite,
    isinf,
    isnan,
    isrealobj,
    left_shift,
    less,
    less_equal,
    log,
    log10,
    log1p,
    log2,
    logaddexp,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    mod,
    modf,
    multiply,
    negative,
    not_equal,
    positive,
    power,
    rad2deg,
    radians,
    real,
    reciprocal,
    remainder,
    right_shift,
    rint,
    sign,
    signbit,
    sin,
    sinc,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    true_divide,
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
from . import _pickled
from ._arrange import (
    append,
    apply_along_axis,
    argpartition,
    atleast_1d,
    atleast_2d,
    atleast_3d,
    block,
    broadcast_arrays,
    broadcast_shapes,
    broadcast_to,
    column_stack,
    delete,
    diag,
    diagflat,
    diagonal,
    dstack,
    fliplr,
    flipud,
    fromiter,
    gcd,
    insert,
    lcm,
    lexsort,
    moveaxis,
    pad,
    partition,
    resize,
    roll,
    rollaxis,
    rot90,
    trace,
    vectorize,
)
from ._positions import (
    argwhere,
    c_,
    copyto,
    fromfunction,
    index_exp,
    indices,
    ix_,
    mgrid,
    ndenumerate,
    ndindex,
    nditer,
    ogrid,
    put_along_axis,
    r_,
    ravel_multi_index,
    s_,
    take,
    take_along_axis,
    unravel_index,
)
from ._files import (
    NpzFile,
    array2string,
    array_repr,
    array_str,
    format_float_positional,
    genfromtxt,
    load,
    loadtxt,
    savetxt,
    savez,
    savez_compressed,
)
from ._statistics import accumulated
from ._statistics import (
    bartlett,
    blackman,
    convolve,
    corrcoef,
    cov,
    cumprod,
    digitize,
    extract,
    geomspace,
    gradient,
    hamming,
    hanning,
    histogram,
    histogram2d,
    in1d,
    interp,
    intersect1d,
    isclose,
    isin,
    logspace,
    nan_to_num,
    nanmax,
    nanmean,
    nanmedian,
    nanmin,
    nanstd,
    nansum,
    piecewise,
    polyfit,
    polyval,
    ptp,
    searchsorted,
    select,
    setdiff1d,
    setxor1d,
    trapezoid,
    trapz,
    union1d,
    unwrap,
)
from ._sums import (
    cross,
    einsum,
    einsum_path,
    inner,
    kron,
    tensordot,
    vdot,
)
from ._reduce import _all as all
from ._reduce import _any as any

if TYPE_CHECKING:
    from typing import Any


__version__ = "2.3.5"
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


shares_memory = may_share_memory

maximum.accumulate, minimum.accumulate = accumulated(python_max), accumulated(python_min)
add.accumulate, multiply.accumulate = (lambda a, axis=0, *_, f=f, **__: f(a, axis) for f in (cumsum, cumprod))
for _function, _made in zip(
    (add, multiply, maximum, minimum, logical_and, logical_or), (sum, prod, amax, amin, all, any)
):
    _function.reduce = lambda a, axis=0, dtype=None, out=None, keepdims=False, f=_made, **_: f(
        a, axis, keepdims=keepdims
    )
bytes_, character = bytes, str_
bool, uint, int_, longlong, ulonglong, uintc, intc, long, ulong = (
    bool_, uint64, int64, int64, uint64, uint32, int32, int64, uint64
)  # fmt: skip
cdouble, csingle, longdouble, clongdouble = complex128, complex64, float64, complex128
sctypeDict = {}
row_stack, concat, permute_dims, matrix_transpose = vstack, concatenate, transpose, lambda x: swapaxes(x, -1, -2)
acos, asin, atan, atan2, acosh, asinh, atanh, pow = arccos, arcsin, arctan, arctan2, arccosh, arcsinh, arctanh, power
alltrue, sometrue, product, cumproduct, in1d = all, any, prod, cumprod, isin
euler_gamma = 0.5772156649015329
little_endian = True
ufunc = type(add)

typecodes = {
    "Character": "c", "Integer": "bhilqnp", "UnsignedInteger": "BHILQNP", "Float": "efdg", "Complex": "FDG",
    "AllInteger": "bBhHiIlLqQnNpP", "AllFloat": "efdgFDG", "Datetime": "Mm", "All": "?bhilqnpBHILQNPefdgFDGSUVOMm",
}  # fmt: skip
True_, False_ = bool_(True), bool_(False)
short, ushort, uintp, float128, complex256 = int16, uint16, uint64, float64, complex128
ScalarType = (int, float, complex, python_bool, bytes_, str, *NUMBERS)

_lacks = lacks("numpy")
_MODULES = frozenset(
    "typing core _core dtypes lib ma fft testing version ctypeslib exceptions polynomial char strings".split()
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        import importlib

        return importlib.import_module(f"numpy.{name}")
    if name in _LATER:
        from importlib import import_module

        made = globals()[name] = getattr(import_module(f"numpy.{_LATER[name]}"), name)
        return made
    return _lacks(name)
