"""What arrays and scalars have of all functions as operators and methods."""

import operator

from ._array import ndarray
from ._dtypes import bool_, number
from ._make import asarray
from ._math import (
    absolute,
    add,
    around,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    clip,
    divide,
    elementwise,
    equal,
    floor_divide,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_not,
    mod,
    multiply,
    negative,
    not_equal,
    power,
    subtract,
)
from ._products import dot, matmul, repeat
from ._reduce import _all, _any, amax, amin, argmax, argmin, argsort, cumsum, mean, nonzero, prod, sort, std, sum, var

_OPERATORS = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "truediv": divide,
    "floordiv": floor_divide,
    "mod": mod,
    "pow": power,
    "and": bitwise_and,
    "or": bitwise_or,
    "xor": bitwise_xor,
    "matmul": matmul,
}
_COMPARISONS = {"eq": equal, "ne": not_equal, "lt": less, "le": less_equal, "gt": greater, "ge": greater_equal}


def _changed(function):
    def f(self, other):
        result = asarray(function(self, other))
        if result.shape != self.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {self.shape} doesn't match the broadcast shape {result.shape}"
            )
        self._values = result.astype(self.dtype)._values
        return self

    return f


for _name, _function in _OPERATORS.items():
    setattr(ndarray, f"__{_name}__", lambda a, b, f=_function: NotImplemented if _is_tensor(b) else f(a, b))
    setattr(ndarray, f"__r{_name}__", lambda a, b, f=_function: f(b, a))
    setattr(ndarray, f"__i{_name}__", _changed(_function))
for _name, _function in _COMPARISONS.items():
    setattr(ndarray, f"__{_name}__", _function)
ndarray.__hash__ = None
ndarray.__neg__, ndarray.__abs__ = negative, absolute
ndarray.__invert__ = lambda self: logical_not(self) if self.dtype.kind == "b" else elementwise(operator.invert, self)
for _name, _function in {
    "sum": sum,
    "prod": prod,
    "mean": mean,
    "var": var,
    "std": std,
    "max": amax,
    "min": amin,
    "any": _any,
    "all": _all,
    "argmax": argmax,
    "argmin": argmin,
    "cumsum": cumsum,
    "argsort": argsort,
    "clip": clip,
    "round": around,
    "dot": dot,
    "repeat": repeat,
    "nonzero": nonzero,
}.items():
    setattr(ndarray, _name, _function)
    if _name not in ("repeat", "nonzero", "dot", "argsort"):
        setattr(number, _name, lambda self, *args, f=_function, **kwargs: f(asarray(self), *args, **kwargs))


def _sort_in_place(self, axis=-1):
    self._values = sort(self, axis)._values


ndarray.sort = _sort_in_place


def _is_tensor(value):
    return type(value).__module__ == "torch"


bool_.any = bool_.all = lambda self, *args, **kwargs: self
