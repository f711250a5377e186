"""Numbers that nobody knows: each is 0 where it is compared or counted, stays unknown in arithmetic, and divides like 1.

A program divides by a loss or takes its logarithm; the number is there on a GPU machine, so that must not end the program here.
A plain float divided by an unknown whole number cannot be caught: Python asks the float alone.
"""

from __future__ import annotations

import math


def _carried(name, plain):
    """An operator whose result is as unknown as its operands; only an unknown divisor counts as 1."""
    reflected = name.startswith("__r") and name != "__round__"
    divides = any(part in name for part in ("div", "mod", "pow"))

    def operator(self, other, *rest):
        if isinstance(other, float) and not isinstance(self, float):
            made = getattr(UnknownFloat(self), name)(other, *rest)
            return made
        try:
            made = plain(self, other, *rest)
        except ZeroDivisionError:
            if not divides or not (reflected or "pow" in name or isinstance(other, _KINDS)):
                raise
            one = type(self)(1)
            made = plain(one, other, *rest) if reflected or "pow" in name else plain(self, type(other)(1), *rest)
        return _unknown(made)

    operator.__name__ = name
    return operator


def _unknown(made):
    if type(made) is float:
        return UnknownFloat(made)
    if type(made) is int:
        return UnknownInt(made)
    return tuple(map(_unknown, made)) if type(made) is tuple else made


class _Kind(type):
    """Of the two kinds of unknown numbers: each is equal to the plain kind, for a program that asks `type(x) == float`; a copy stays unknown."""

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.__base__

    def __hash__(cls) -> int:
        return hash(cls.__base__)


class UnknownFloat(float, metaclass=_Kind):
    __slots__ = ()

    def __reduce__(self) -> tuple:
        return float, (float(self),)


class UnknownInt(int, metaclass=_Kind):
    __slots__ = ()

    def __reduce__(self) -> tuple:
        return int, (int(self),)


_KINDS = (UnknownFloat, UnknownInt)
for _kind, _plain in ((UnknownFloat, float), (UnknownInt, int)):
    for _name in "add sub mul truediv floordiv mod divmod pow".split():
        for _full in (f"__{_name}__", f"__r{_name}__"):
            setattr(_kind, _full, _carried(_full, getattr(_plain, _full)))
    for _full in ("__neg__", "__pos__", "__abs__"):
        setattr(_kind, _full, lambda self, plain=getattr(_plain, _full): _unknown(plain(self)))


def _logarithm(plain):
    def log(x, *base):
        try:
            return plain(x, *base)
        except (ValueError, ZeroDivisionError):
            read = getattr(x, "item", None)  # math asks a tensor for a plain float
            if isinstance(read() if read is not None else x, _KINDS):
                return UnknownFloat(0.0)
            raise

    log.__name__ = log.__qualname__ = plain.__name__
    return log


for _name in ("log", "log2", "log10"):
    setattr(math, _name, _logarithm(getattr(math, _name)))
