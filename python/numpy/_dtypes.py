"""Scalar types and dtypes: names, sizes, and which of two arithmetic gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike


class generic:
    """What all NumPy scalars are."""

    shape = ()
    ndim, size = 0, 1

    @property
    def dtype(self) -> dtype:
        return dtype(type(self))

    def item(self) -> Any:
        return self._python(self)

    def tolist(self) -> Any:
        return self._python(self)

    def astype(self, kind: str) -> Any:
        return dtype(kind).type(self)


class number(generic):
    pass


class integer(number):
    pass


class signedinteger(integer):
    pass


class unsignedinteger(integer):
    pass


class inexact(number):
    pass


class floating(inexact):
    pass


class complexfloating(inexact):
    pass


_TYPES = {}  # by name
_RANK = []  # names from the narrowest to the widest


def _new(python):
    """Of one value a scalar, of several an array."""
    make = python.__new__

    def __new__(cls, value=0, *rest):
        try:
            return make(cls, value, *rest)
        except (TypeError, ValueError):
            if not getattr(value, "shape", None) and not isinstance(value, (list, tuple)):
                raise
            from ._make import asarray

            return asarray(value, cls)

    return __new__


def _compared(python, name):
    """Beside a list or a tuple a scalar is compared with each of its items."""
    plain = getattr(python, name)

    def compare(self, other):
        made = plain(self, other)
        if made is NotImplemented and isinstance(other, (list, tuple)):
            from ._make import asarray

            return getattr(asarray(other), name)(self)
        return made

    return compare


def _scalar(name, base, python, itemsize, kind):
    own = {"__module__": "numpy", "_python": python, "_kind": kind, "_itemsize": itemsize, "__new__": _new(python)}
    own |= {"__eq__": _compared(python, "__eq__"), "__ne__": _compared(python, "__ne__"), "__hash__": python.__hash__}
    made = type(name, (python, base), own)
    if python is not bool:
        made.__repr__ = lambda self: python.__repr__(self)
        made.__str__ = lambda self: python.__str__(self)
    _TYPES[name] = made
    _RANK.append(name)
    return made


class bool_(int, generic):
    _python, _kind, _itemsize = bool, "b", 1
    __new__ = _new(int)

    def __repr__(self) -> str:
        return str(bool(self))

    __str__ = __repr__


bool_.__module__ = "numpy"
_TYPES["bool"] = bool_
_RANK.append("bool")
uint8 = _scalar("uint8", unsignedinteger, int, 1, "u")
int8 = _scalar("int8", signedinteger, int, 1, "i")
uint16 = _scalar("uint16", unsignedinteger, int, 2, "u")
int16 = _scalar("int16", signedinteger, int, 2, "i")
uint32 = _scalar("uint32", unsignedinteger, int, 4, "u")
int32 = _scalar("int32", signedinteger, int, 4, "i")
uint64 = _scalar("uint64", unsignedinteger, int, 8, "u")
int64 = _scalar("int64", signedinteger, int, 8, "i")
float16 = _scalar("float16", floating, float, 2, "f")
float32 = _scalar("float32", floating, float, 4, "f")
float64 = _scalar("float64", floating, float, 8, "f")
complex64 = _scalar("complex64", complexfloating, complex, 8, "c")
complex128 = _scalar("complex128", complexfloating, complex, 16, "c")


class str_(str, generic):
    """Text; arrays of it keep texts of any length."""

    _python, _kind, _itemsize = str, "U", 4


class object_(generic):
    """Any Python object: its scalar is the object itself."""

    _kind, _itemsize = "O", 8
    _python = staticmethod(lambda value: value)

    def __new__(cls, value: ArrayLike = None) -> Any:
        return value


NUMBERS = tuple(_TYPES.values())
for _kind in (str_, object_):
    _kind.__module__ = "numpy"
    _TYPES[_kind.__name__[:-1]] = _kind
    _RANK.append(_kind.__name__[:-1])
_ALIASES = {
    "str_": "str",
    "object_": "object",
    "O": "object",
    "bool_": "bool",
    "float": "float64",
    "int": "int64",
    "complex": "complex128",
    "double": "float64",
    "single": "float32",
    "half": "float16",
    "long": "int64",
    "byte": "int8",
    "ubyte": "uint8",
    "f2": "float16",
    "f4": "float32",
    "f8": "float64",
    "i1": "int8",
    "i2": "int16",
    "i4": "int32",
    "i8": "int64",
    "u1": "uint8",
    "u2": "uint16",
    "u4": "uint32",
    "u8": "uint64",
    "b1": "bool",
    "?": "bool",
    "b": "int8",
    "B": "uint8",
    "h": "int16",
    "H": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "q": "int64",
    "Q": "uint64",
    "e": "float16",
    "f": "float32",
    "d": "float64",
    "c8": "complex64",
    "c16": "complex128",
}
_PYTHON = {float: "float64", int: "int64", bool: "bool", complex: "complex128", str: "str", object: "object"}


class dtype:
    """A scalar type with its name, kind and size in bytes."""

    def __init__(self, kind: str, *args: Any, **kwargs: Any) -> None:
        if isinstance(kind, dtype):
            kind = kind.type
        if isinstance(kind, str):
            name = kind.lstrip("<>=|")
            # with its length in characters, or in bytes
            sized = {"U": "str", "O": "object"}.get(name[:1]) if name[1:].isdecimal() else None
            name = sized or _ALIASES.get(name, name)
        elif kind in _PYTHON:
            name = _PYTHON[kind]
        elif isinstance(kind, type) and issubclass(kind, generic) and hasattr(kind, "_kind"):
            name = _ALIASES.get(kind.__name__, kind.__name__)
        else:
            # a class of numbers of somebody's own counts as the number that it is
            name = next((_PYTHON[base] for base in getattr(kind, "__mro__", ())[:-1] if base in _PYTHON), None)
        if name not in _TYPES:
            raise TypeError(f"data type {kind!r} not understood by vramscope's stand-in for numpy")
        self.name, self.type = name, _TYPES[name]
        self.kind, self.itemsize = self.type._kind, self.type._itemsize

    @property
    def str(self) -> str:
        return f"{'|' if self.itemsize == 1 else '<'}{self.kind}{self.itemsize}"

    def __eq__(self, other: ArrayLike) -> Any:
        try:
            return self.name == dtype(other).name
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"dtype('{self.name}')"

    def __str__(self) -> str:
        return self.name


def result_type(*kinds: Any) -> Any:
    """The dtype of arithmetic between arrays of these dtypes, or between these arrays."""
    found = [dtype(k.dtype if hasattr(k, "shape") and not isinstance(k, type) else k) for k in kinds]
    widest = max(found, key=lambda d: _RANK.index(d.name))
    if widest.kind == "f":
        # a 32-bit integer does not fit in float32, nor a 16-bit one in float16
        most = max((d.itemsize for d in found if d.kind in "iu"), default=0)
        if most >= widest.itemsize:
            return dtype({1: "float16", 2: "float32"}.get(most, "float64"))
    signs = {d.kind for d in found}
    if widest.kind in "iu" and signs >= {"i", "u"}:
        most = max(d.itemsize for d in found if d.kind == "u")
        size = max(max(d.itemsize for d in found if d.kind == "i"), min(8, 2 * most))
        return dtype("float64") if most == 8 else dtype(f"int{8 * size}")
    return widest


def issubdtype(kind: str, base: Any) -> bool:
    """Whether a dtype belongs to a scalar type or to one of the abstract ones."""
    base = {float: floating, int: integer, bool: bool_}.get(base, base)
    return issubclass(dtype(kind).type, base if isinstance(base, type) else dtype(base).type)


class finfo:
    def __init__(self, kind: str) -> None:
        self.dtype = dtype(kind)
        bits = {2: (10, 15), 4: (23, 127), 8: (52, 1023)}.get(self.dtype.itemsize)
        if self.dtype.kind != "f" or bits is None:
            raise ValueError(f"data type {kind!r} not inexact")
        mantissa, exponent = bits
        made, eps = self.dtype.type, 2.0**-mantissa
        self.bits, self.eps, self.resolution = (
            8 * self.dtype.itemsize,
            made(eps),
            made(10.0 ** math.floor(math.log10(eps))),
        )
        self.max = made((2 - eps) * 2.0**exponent)
        self.min, self.tiny = made(-self.max), made(2.0 ** (1 - exponent))
        self.smallest_normal, self.epsneg = self.tiny, made(eps / 2)
        self.smallest_subnormal, self.precision = made(2.0 ** (1 - exponent - mantissa)), int(mantissa * math.log10(2))
        self.nmant, self.nexp, self.maxexp, self.minexp = mantissa, self.bits - mantissa - 1, exponent + 1, 1 - exponent
        self.machep, self.negep, self.iexp = -mantissa, -mantissa - 1, self.nexp


class iinfo:
    def __init__(self, kind: str) -> None:
        self.dtype = dtype(kind)
        if self.dtype.kind not in "iu":
            raise ValueError(f"Invalid integer data type {self.dtype.kind!r}.")
        self.bits = 8 * self.dtype.itemsize
        self.min = 0 if self.dtype.kind == "u" else -(2 ** (self.bits - 1))
        self.max = 2**self.bits - 1 if self.dtype.kind == "u" else 2 ** (self.bits - 1) - 1
