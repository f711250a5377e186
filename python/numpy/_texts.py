"""numpy.char and numpy.strings: Python's methods of text at every place of an array."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ._array import ndarray
from ._make import asarray
from ._math import elementwise

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike

_OF_KIND = {
    "str": "capitalize center expandtabs ljust lower lstrip replace rjust rstrip strip swapcase title upper zfill",
    "int64": "count find index rfind rindex",
    "bool": "endswith isalnum isalpha isdecimal isdigit islower isnumeric isspace istitle isupper startswith",
}
_COMPARED = {"equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"}


def _method(name: str, kind: str) -> Callable:
    def call(a: ArrayLike, *args: Any, **kwargs: Any) -> Any:
        a = asarray(a)
        args = [asarray(v) if isinstance(v, (list, ndarray)) else v for v in args]
        if any(isinstance(v, ndarray) for v in args):
            return elementwise(lambda v, *more: getattr(v, name)(*more, **kwargs), a, *map(asarray, args), kind=kind)
        return elementwise(lambda v: getattr(v, name)(*args, **kwargs), a, kind=kind)

    call.__name__ = name
    return call


for _kind, _names in _OF_KIND.items():
    for _name in _names.split():
        globals()[_name] = _method(_name, _kind)
for _name, _operator in _COMPARED.items():
    globals()[_name] = lambda a, b, f=getattr(operator, _operator): elementwise(f, asarray(a), asarray(b), kind="bool")


def add(x1: ArrayLike, x2: ArrayLike) -> Any:
    return elementwise(operator.add, asarray(x1), asarray(x2), kind="str")


def multiply(a: ArrayLike, i: ArrayLike) -> Any:
    return elementwise(lambda v, n: v * max(int(n), 0), asarray(a), asarray(i), kind="str")


def mod(a: ArrayLike, values: Any) -> Any:
    return elementwise(operator.mod, asarray(a), asarray(values), kind="str")


def str_len(a: ArrayLike) -> Any:
    return elementwise(len, asarray(a), kind="int64")


def join(sep: ArrayLike, seq: ArrayLike) -> Any:
    return elementwise(lambda s, v: s.join(v), asarray(sep), asarray(seq), kind="str")


def split(a: ArrayLike, sep: str | None = None, maxsplit: int | None = None) -> Any:
    return elementwise(lambda v: v.split(sep, -1 if maxsplit is None else maxsplit), asarray(a), kind="object")
