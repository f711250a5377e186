"""What arrays and scalars have of all functions as operators and methods."""

import operator
from types import GenericAlias

from ._array import ndarray
from ._dtypes import NUMBERS, bool_, dtype, number
from ._make import asarray, concatenate, zeros
from ._math import (
    _SCALARS,
    absolute,
    add,
    around,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    clip,
    conj,
    divide,
    divmod,
    elementwise,
    equal,
    floor_divide,
    greater,
    greater_equal,
    imag,
    left_shift,
    less,
    less_equal,
    logical_not,
    mod,
    multiply,
    negative,
    not_equal,
    power,
    real,
    right_shift,
    subtract,
)
from ._arrange import argpartition, diagonal, partition, trace
from ._positions import take
from ._statistics import cumprod, ptp, searchsorted
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
    "lshift": left_shift,
    "rshift": right_shift,
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
        self._write_through()
        return self

    return f


def _with_tensor(function, tensor, array):
    """A tensor of the host and an array: NumPy's result, as a tensor."""
    import torch

    return torch.from_numpy(asarray(function(tensor.numpy(), array)))


for _name, _function in _OPERATORS.items():
    setattr(ndarray, f"__{_name}__", lambda a, b, f=_function: NotImplemented if _is_tensor(b) else f(a, b))
    setattr(ndarray, f"__r{_name}__", lambda a, b, f=_function: _with_tensor(f, b, a) if _is_tensor(b) else f(b, a))
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
    "cumprod": cumprod,
    "take": take,
    "diagonal": diagonal,
    "trace": trace,
    "ptp": ptp,
    "searchsorted": searchsorted,
    "argpartition": argpartition,
    "conj": conj,
    "conjugate": conj,
}.items():
    setattr(ndarray, _name, _function)
    if _name not in ("repeat", "nonzero", "dot", "argsort"):
        setattr(number, _name, lambda self, *args, f=_function, **kwargs: f(asarray(self), *args, **kwargs))


def _sort_in_place(self, axis=-1):
    self._values = sort(self, axis)._values
    self._write_through()


def _partition_in_place(self, kth, axis=-1, **_):
    self._values = partition(self, kth, axis)._values
    self._write_through()


def _resize_in_place(self, *new_shape, refcheck=True):
    """Unlike np.resize, which repeats the values, this puts zeros behind them."""
    new = new_shape[0] if len(new_shape) == 1 and not isinstance(new_shape[0], int) else new_shape
    wanted = ndarray(new, self.dtype).size
    flat = concatenate([self.reshape(-1)[:wanted], zeros(max(0, wanted - self.size), self.dtype)])
    self._values, self._shape = flat._values, flat.reshape(new)._shape


def _by(file, name):
    """A method that is a function of a file which few programs need."""

    def call(self, *args, **kwargs):
        from importlib import import_module

        return getattr(import_module(f"numpy.{file}"), name)(self, *args, **kwargs)

    return call


def _set_real(self, value):
    if self.dtype.kind == "c":
        self[...] = asarray(value) + 1j * imag(self)
    else:
        self[...] = value


ndarray.sort, ndarray.partition, ndarray.resize = _sort_in_place, _partition_in_place, _resize_in_place
ndarray.put = _by("_putting", "put")
ndarray.compress = lambda self, condition, axis=None, out=None: _by("_putting", "compress")(condition, self, axis)
ndarray.choose = _by("_putting", "choose")
ndarray.real = property(lambda self: real(self) if self.dtype.kind == "c" else self, _set_real)
ndarray.imag = property(imag, lambda self, value: self.__setitem__(..., real(self) + 1j * asarray(value)))
ndarray.mT = property(lambda self: self.swapaxes(-1, -2))
ndarray.device, ndarray.to_device = "cpu", lambda self, device, **_: self
ndarray.__pos__, ndarray.__complex__ = (lambda self: self.copy()), (lambda self: self._single(complex))
ndarray.__divmod__, ndarray.__rdivmod__ = divmod, lambda self, other: divmod(other, self)
ndarray.__class_getitem__ = dtype.__class_getitem__ = number.__class_getitem__ = classmethod(GenericAlias)


# NumPy's scalars stay NumPy's in arithmetic with numbers; with arrays and tensors those decide.
def _between_numbers(name, function, reverse):
    def operator(a, b):
        if type(b) not in _SCALARS:
            if type(b) not in (list, tuple) or name in ("__mul__", "__rmul__"):
                return NotImplemented  # a list times a number is Python's own
            b = asarray(b)
        return function(b, a) if reverse else function(a, b)

    operator.__name__ = name
    return operator


for _kind in NUMBERS:
    for _name, _function in _OPERATORS.items():
        if (
            _name != "matmul"
            and not (_kind._kind in "fc" and _name in ("and", "or", "xor", "lshift", "rshift"))
            and not (_kind._kind == "c" and _name in ("floordiv", "mod"))
        ):
            setattr(_kind, f"__{_name}__", _between_numbers(f"__{_name}__", _function, False))
            setattr(_kind, f"__r{_name}__", _between_numbers(f"__r{_name}__", _function, True))
    _kind.__neg__, _kind.__abs__ = (lambda self: negative(self)), (lambda self: absolute(self))


def _is_tensor(value):
    return type(value).__module__ == "torch"


bool_.any = bool_.all = lambda self, *args, **kwargs: self
