"""The functions of operators, generated from the table: torch.NAME, Tensor.NAME and `ops.NAME`."""

from __future__ import annotations

import json
import sys
from functools import wraps
from typing import TYPE_CHECKING

from . import _factories, _handles, _operands
from ._errors import UnsupportedOp
from ._frames import here
from ._handles import wrap, wrap_list
from ._op_source import source_of
from ._overloads import resolver
from ._raising import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor
    from torch._ops import _OpNamespace


TABLE = json.load(open("/lib/vramscope/op-table.json"))

_js = None  # the engine's functions, set by connect()
_op = None


def connect(functions: Sequence[Callable]) -> None:
    """Takes the engine's functions for this run."""
    global _js, _op
    _js = functions
    _op = getattr(functions, "op", None)


# Functions whose first operand may be a plain number, which becomes a tensor.
_TAKE_NUMBERS = frozenset(op["name"] for op in TABLE if "takesNumbers" in op)


def _of_numbers(name, values):
    first = ops.scalar_tensor(
        values[0],
        "bool" if isinstance(values[0], bool) else "int64" if isinstance(values[0], int) else "float32",
        "cpu",
    )
    return getattr(ops, name)(first, *values[1:])


def _are_ints(value):
    return all(hasattr(x, "__index__") for x in (value if hasattr(value, "__len__") else (value,)))


# Codes of arguments that are one number.
_NUMBERS = "if"


def _read(value):
    single = isinstance(value, _handles.Tensor) and not value.shape and not value.requires_grad
    return value.item() if single else value


def _bad_argument(name, arguments, values, error, before):
    if (
        name in _TAKE_NUMBERS
        and isinstance(values[0], (int, float))
        and isinstance(values[1], (int, float, _handles.Tensor))
    ):
        return _of_numbers(name, values)
    # a tensor without dimensions is a number, too, unless a gradient goes through it: it is read
    numbers = [_read(value) if code in _NUMBERS else value for (_, code), value in zip(arguments, values)]
    if hasattr(type(ops), name) and any(a is not b for a, b in zip(numbers, values)):
        return getattr(ops, name)(*numbers)
    for (argument, code), value in zip(arguments, values):
        number = code in "US" and hasattr(value, "__float__") and not getattr(value, "shape", ())
        wanted = ""
        if code in "TUS" and not isinstance(value, _handles.Tensor) and not number:
            wanted = "Number" if code == "S" else "Tensor"
        elif code == "d" and value is not None and not hasattr(value, "itemsize") and not isinstance(value, type):
            raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(value).__name__}") from None
        elif code == "I" and value is not None and not _are_ints(value):
            wanted = "tuple of ints"
        elif code in "Ll" and not isinstance(value, (list, tuple)):
            wanted = "tuple of Tensors"
        elif code in "Ll":
            for i, x in enumerate(value):
                if not isinstance(x, _handles.Tensor) and (code == "L" or x is not None):
                    at = next(i for i, (a, _) in enumerate(arguments) if a == argument) - before
                    text = f"expected Tensor as element {i} in argument {at}, but got {type(x).__name__}"
                    arguments = values = value = error = x = None
                    raise TypeError(text) from None
        elif code == "z" and value is not None and not isinstance(value, str) and not hasattr(value, "name"):
            wanted = "str"
        if wanted:
            position = next(i for i, (a, _) in enumerate(arguments) if a == argument) + 1 - before
            shown = "input" if argument == "self" and code in "TU" else argument
            text = f"{name}(): argument '{shown}' (position {position}) must be {wanted}, not {type(value).__name__}"
            arguments = values = value = error = None
            raise TypeError(text) from None
    values = value = None
    raise error


class _Ops:
    """torch._C.ops.NAME(arguments in schema order)."""

    def __getattr__(self, name: str) -> _OpNamespace:
        near = [n for n in vars(type(self)) if name.strip("_")[:4] in n][:3]
        raise UnsupportedOp(
            f"vramscope has no row for the operator '{name}'" + (f"; near it: {', '.join(near)}" if near else "")
        )


def drawing(function: Callable) -> Callable:
    """A function that draws from `generator`, where it is given one."""

    @wraps(function)
    def draw(*args, generator=None, **kwargs):
        if generator is None:
            return function(*args, **kwargs)
        _js.useGenerator(generator._number)
        try:
            result = function(*args, **kwargs)
        finally:
            _js.useGenerator(0)
        where = result.device.type
        # c10's check_generator, behind the allocation of what is drawn
        if where != generator.device.type and where in ("cpu", "cuda"):
            raise RuntimeError(f"Expected a '{where}' device type for generator but found '{generator.device.type}'")
        return result

    return draw


class _Missing:
    """Stands for an argument that was not given."""


def _missing_argument(function, argument):
    raise TypeError(f'{function}() missing 1 required positional arguments: "{argument}"')


def _result_types():
    """Named tuples of ops with several named results."""
    types = {}
    for op in TABLE:
        names = op["resultNames"]
        if len(names) > 1:
            plain = any(not n for n in names)
            types[f"_{op['name']}_result"] = (lambda *r: r) if plain else _result_type(op["plainName"], names)
    return types


def _result_type(name, fields):
    from collections import namedtuple

    made = namedtuple(name, fields, module="torch.return_types")
    made.__repr__ = lambda self: (
        f"torch.return_types.{name}(\n" + ",\n".join(f"{f}={v!r}" for f, v in zip(fields, self)) + ")"
    )
    return made


def generate(flavour: Any, around: Callable | None = None) -> Any:
    """All op functions of one flavour by name; as functions and methods, the overloads of an operator are one.

    Of the flavour `operator`, by the names of Tensor's methods behind Python's operators; of `nn`, what torch._C._nn has; of `foreach`, those
    of lists. `around(op, function)` gives what an overload calls in the place of its function.
    """
    scope = {
        "_c": sys.modules[__name__],
        "_missing": _Missing,
        "_missing_argument": _missing_argument,
        "_here": here,
        "_wrap": wrap,
        "_wrap_list": wrap_list,
        "_operand": _operands._operand,
        "_scalar": _operands._scalar,
        "_maybe": _operands._maybe,
        "_operands": _operands._operands,
        "_ints": _operands._ints,
        "_floats": _operands._floats,
        "_tensors": _operands._tensors,
        "_maybe_tensors": _operands._maybe_tensors,
        "_dtype": _operands._dtype,
        "_device": _operands._device,
        "_format": _operands._format,
        "_place": _factories.place,
        "_dtype_name": _factories.dtype_name,
        "_made": _factories.made,
        "_bad": _bad_argument,
        "_fail": fail,
        "_out_call": out_call,
        "_in_former_order": in_former_order,
        "inf": float("inf"),
        **_RESULTS,
    }
    wanted = {"ops": lambda op: True, "operator": lambda op: "signs" in op}.get(
        flavour, lambda op: op["python"] == flavour or (op["python"] == "both" and flavour in ("function", "method"))
    )
    form = "function" if flavour in ("nn", "foreach") else flavour
    chosen = [(i, op) for i, op in enumerate(TABLE) if wanted(op)]
    # one at a time: the compiler's memory for all of them together would stay in the frozen interpreter
    for i, op in chosen:
        exec(compile(source_of(i, op, form), "<vramscope ops>", "exec"), scope)
        scope[op["name"]].__qualname__ = op["base"]
    if flavour == "ops":
        return {op["name"]: scope[op["name"]] for _, op in chosen}
    if flavour == "operator":
        return {sign: scope[op["name"]] for _, op in chosen for sign in op["signs"]}
    overloads = {}
    for _, op in chosen:
        function = scope[op["name"]]
        overloads.setdefault(op["base"], []).append((op, around(op, function) if around else function))
    made = {
        base: entries[0][1] if len(entries) == 1 else resolver(base, form, entries)
        for base, entries in overloads.items()
    }
    made |= {op["base"]: drawing(made[op["base"]]) for _, op in chosen if op.get("draws")}
    return made | {alias: made[op["base"]] for _, op in chosen for alias in op.get("aliases", ())}


def in_former_order(function: Callable, values: tuple, numbers: tuple, out: Any = None) -> Tensor:
    """Calls an operator whose numbers stand between its tensors by their names."""
    tensors = [value for value in values if isinstance(value, _handles.Tensor)]
    found = [value for value in values if not isinstance(value, _handles.Tensor)]
    if not found:  # a tensor without dimensions is a number, too
        found = [value.item() for value in tensors if not value.shape]
        tensors = [value for value in tensors if value.shape]
    if not 0 < len(found) <= len(numbers):
        raise TypeError(f"{function.__name__}() received an invalid combination of arguments")
    named = dict(zip(numbers, found))
    return function(*tensors, **named) if out is None else function(*tensors, **named, out=out)


def out_call(out: Tensor, function: Callable, *args: Any, **kwargs: Tensor | int | list[Tensor]) -> Tensor:
    """Calls an op so that it writes into `out` (a tensor or a tuple of them)."""
    outs = out if isinstance(out, (tuple, list)) else (out,)
    _js.setOut(*[t._h for t in outs])
    for t in outs:
        t._m = None
    function(*args, **kwargs)
    return out


_RESULTS = _result_types()
for _name, _function in generate("ops").items():
    setattr(_Ops, _name, staticmethod(_function))
ops = _Ops()
