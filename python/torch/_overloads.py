"""Which overload of an operator a call means, decided by the types of its arguments from the schemas (python_arg_parser.cpp).

An overload is tried as PyTorch tries it: first with every argument as its type says, then with a single int where a list of
ints is wanted, then with tensors of one element where numbers are wanted. The choice for arguments of the same types is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _handles
from ._op_source import FACTORY_ARGUMENTS, FORMER_ORDER, NUMPY_NAMES, called_with, spreads
from ._types import device as _device, dtype as _dtype, memory_format as _memory_format

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_OTHER_NAMES = {ours: theirs for ours, theirs in NUMPY_NAMES}

# How messages name the types of a schema, and how C++ does: PyTorch sorts overloads by the latter.
_WORDS = {
    "Tensor": ("Tensor", "Tensor"),
    "Tensor[]": ("tuple of Tensors", "TensorList"),
    "Operand": ("Tensor", "Tensor"),
    "Scalar": ("Number", "Scalar"),
    "Scalar[]": ("tuple of Scalars", "ScalarList"),
    "int": ("int", "int64_t"),
    "int[]": ("tuple of ints", "IntArrayRef"),
    "float": ("float", "double"),
    "float[]": ("tuple of floats", "ArrayRef<double>"),
    "bool": ("bool", "bool"),
    "str": ("str", "c10::string_view"),
    "dtype": ("torch.dtype", "ScalarType"),
    "device": ("torch.device", "Device"),
}


def _is_tensor(x):
    return isinstance(x, _handles.Tensor)


def _is_int(x):
    return isinstance(x, int) and not isinstance(x, bool) or (hasattr(x, "__index__") and not _is_tensor(x))


def _is_number(x):
    return isinstance(x, (int, float, complex)) or (hasattr(x, "__float__") and not _is_tensor(x))


def _is_list(x, fits):
    return isinstance(x, (list, tuple)) and (len(x) == 0 or fits(x[0]))


def _held_type(x):
    return (list, type(x[0])) if isinstance(x, (list, tuple)) and x else type(x)


_FITS = {
    "Tensor": _is_tensor,
    "Tensor[]": lambda x: _is_list(x, _is_tensor),
    "Tensor?[]": lambda x: _is_list(x, lambda e: e is None or _is_tensor(e)),
    "Operand": lambda x: _is_tensor(x) or _is_number(x),
    "Scalar": _is_number,
    "Scalar[]": lambda x: _is_list(x, _is_number),
    "int": lambda x: _is_int(x) and not isinstance(x, bool),
    "int[]": lambda x: _is_list(x, lambda e: _is_int(e) or _is_tensor(e)),
    "float": _is_number,
    "float[]": lambda x: _is_list(x, _is_number),
    "bool": lambda x: isinstance(x, bool),
    "str": lambda x: isinstance(x, (str, _memory_format)),
    "dtype": lambda x: isinstance(x, _dtype) or x in (bool, int, float, complex),
    "device": lambda x: isinstance(x, (_device, str, int)),
}


def _fits(kind, x, leniency):
    if x is None:
        return kind.endswith("?")
    kind = kind.removesuffix("?")
    if _FITS[kind](x):
        return True
    if leniency > 0 and kind == "int[]" and _is_int(x):
        return True
    return leniency > 1 and kind in ("Scalar", "int", "int[]", "float") and _is_tensor(x) and x.numel() == 1


class _Overload:
    """One overload: its function, and what it accepts."""

    def __init__(self, op: Any, function: Callable, flavour: Any) -> None:
        self.function = function
        self.parameters = [
            (
                "input" if name == "self" and kind in ("Tensor", "Operand") and flavour == "function" else name,
                kind,
                default,
                keyword_only,
            )
            for name, default, keyword_only, kind in called_with(
                ((*argument, kind) for argument, kind in zip(op["arguments"], op["types"])), flavour
            )
        ]
        self.positional = sum(not p[3] for p in self.parameters)
        self.required = sum(p[2] is None for p in self.parameters)
        self.takes_out = flavour == "function" and op["takesOut"]
        self.results = op["results"]
        self.method = flavour == "method"
        self.extra = [name for name, _ in FACTORY_ARGUMENTS] if "factory" in op else []
        self.spreads = spreads(op, flavour)
        self.former = FORMER_ORDER.get(op["base"].rstrip("_"), ()) if flavour in ("function", "method") else ()

    def accepts_former(self, args: tuple) -> bool:
        """Whether so many arguments have numbers between the tensors; the function itself says what does not fit."""
        return self.positional < len(args) <= self.positional + len(self.former) and any(map(_is_number, args))

    def accepts(self, args: tuple, kwargs: dict, leniency: int) -> bool:
        before = int(self.method)
        if self.spreads and len(args) > before and (len(args) > before + 1 or _is_int(args[before])):
            args = (*args[:before], args[before:])
        if len(args) > self.positional:
            return False
        used = 0
        for i, (name, kind, default, _) in enumerate(self.parameters):
            if i < len(args):
                if name in kwargs or not _fits(kind, args[i], leniency):
                    return False
                continue
            keyword = name if name in kwargs else _OTHER_NAMES.get(name)
            if keyword in kwargs:
                if not _fits(kind, kwargs[keyword], leniency):
                    return False
                used += 1
            elif default is None:
                return False
        used += (self.takes_out and "out" in kwargs) + sum(name in kwargs for name in self.extra)
        return used == len(kwargs)

    @property
    def sort_key(self) -> str:
        """The signature as C++ has it."""
        words = []
        for name, kind, default, keyword_only in self._shown:
            if keyword_only and "*" not in words:
                words.append("*")
            optional = "?" * kind.endswith("?")
            symbolic = "Sym" * (kind == "int[]" and name == "size")  # sizes may be symbols in PyTorch, dims may not
            words.append(
                f"{symbolic}{_WORDS[kind.rstrip('?')][1]}{optional} {name}" + ("" if default is None else f"={default}")
            )
        return ", ".join(words)

    @property
    def _shown(self):
        return self.parameters[1:] if self.method else self.parameters

    def text(self) -> Any:
        words = []
        for name, kind, default, keyword_only in self._shown:
            if keyword_only and "*" not in words:
                words.append("*")
            words.append(f"{_WORDS[kind.rstrip('?')][0]} {name}" + ("" if default is None else f" = {_plain(default)}"))
        if self.takes_out:
            if "*" not in words:
                words.append("*")
            words.append(("Tensor" if self.results == "T" else "tuple of Tensors") + " out = None")
        return words


def _plain(default):
    return "None" if default == "()" else default.replace("'", '"')


def _is_smaller(a, b):
    """Whether overload `a` comes after `b`: it takes numbers or lists where `b` takes tensors or ints (sort_overloads of torchgen)."""
    kinds = [[kind for _, kind, *_ in o.parameters] for o in (a, b)]
    if len(kinds[0]) != len(kinds[1]) or kinds[0] == kinds[1]:
        return False
    below = {("Scalar", "Tensor"), ("int", "Tensor"), ("int[]", "int"), ("int[]", "int?"), ("Scalar?", "Tensor?")}
    return all(x == y or (x, y) in below for x, y in zip(*kinds))


def _sorted(overloads):
    """By signature, each behind those that it must come after: first all that nothing holds back, then what they let go (sort_overloads)."""
    rest = sorted(overloads, key=lambda o: o.sort_key)
    after = {id(o): {id(other) for other in rest if _is_smaller(o, other)} for o in rest}
    ordered = [o for o in rest if not after[id(o)]]
    for done in ordered:
        for o in rest:
            if id(done) in after[id(o)]:
                after[id(o)].discard(id(done))
                if not after[id(o)]:
                    ordered.append(o)
    return ordered


def resolver(name: str, flavour: Any, entries: Any) -> Callable:
    """The function of an operator that has several overloads; `entries` are their table entries with their functions."""
    overloads = _sorted(_Overload(op, function, flavour) for op, function in entries)
    known = {}
    # the type of what it holds tells a list of numbers from one of tensors
    kind = _held_type if any(p[1] == "Scalar[]" for o in overloads for p in o.parameters) else type

    def choose(key, args, kwargs):
        for leniency in (0, 1, 2):
            for overload in overloads:
                if overload.accepts(args, kwargs, leniency):
                    if leniency < 2:  # of a tensor, not its type alone decides
                        known[key] = overload.function
                    return overload.function
        former = next((overload for overload in overloads if overload.accepts_former(args)), None)
        return _none_fits(name, overloads, args, kwargs) if former is None else former.function

    def call(*args, **kwargs):
        key = (*map(kind, args), *kwargs, *map(kind, kwargs.values())) if kwargs else (*map(kind, args),)
        try:
            return (known.get(key) or choose(key, args, kwargs))(*args, **kwargs)
        except Exception as error:  # compiled code: no frame of it holds anything
            args = kwargs = error.__traceback__ = None
            raise

    call.__name__ = call.__qualname__ = name
    return call


def _none_fits(name, overloads, args, kwargs):
    """Raises what PyTorch raises; the function of the only overload that takes so many arguments says more itself."""
    shown = args[1:] if overloads[0].method else args
    count = len(args) + len(kwargs)
    plausible = [o for o in overloads if o.required <= count <= len(o.parameters) + o.takes_out]
    if len(plausible) == 1:
        return plausible[0].function
    types = [type(x).__name__ for x in shown]
    got = ", ".join(types + [f"{k}={type(v).__name__}" for k, v in kwargs.items()])
    if kwargs and not types:
        got += ", "  # as PyTorch writes it
    lines = [f"{name}() received an invalid combination of arguments - got ({got}), but expected one of:"]
    for overload in overloads:
        words = overload.text()
        lines.append(f" * ({', '.join(words)})")
        if len(words) == len(shown) + len(kwargs) or (not words and shown):
            lines.append(_mismatch(overload, shown, kwargs))
    raise TypeError("\n".join(lines) + "\n")


def _typename(x):
    """`list of [int]`, as messages about types say it (invalid_arguments.cpp)."""
    held = ", ".join(type(e).__name__ for e in x) if isinstance(x, (list, tuple)) else ""
    if isinstance(x, tuple):
        return f"{type(x).__name__} of ({held}{',' * (len(x) == 1)})"
    return f"{type(x).__name__} of [{held}]" if isinstance(x, list) else type(x).__name__


def _mismatch(overload, shown, kwargs):
    parameters = overload._shown
    kinds = {name: kind for name, kind, *_ in parameters}
    wrong = [name for name in kwargs if name not in kinds and name != "out"]
    if wrong:
        return f"      didn't match because some of the keywords were incorrect: {', '.join(wrong)}"
    marked = lambda text, x, kind: text if kind is not None and _fits(kind, x, 2) else f"!{text}!"
    parts = [marked(_typename(x), x, parameters[i][1] if i < len(parameters) else None) for i, x in enumerate(shown)]
    parts += [marked(f"{name}={_typename(x)}", x, kinds.get(name)) for name, x in kwargs.items()]
    return f"      didn't match because some of the arguments have invalid types: ({', '.join(parts)})"
