"""The schema of a function, read off its annotations: `(Tensor x, SymInt n=1) -> Tensor`."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_NUMBER = frozenset({int, float, bool})
_LISTS = (list, collections.abc.Sequence)
# which of these may stand in a list
_LISTED = ("Tensor", "SymInt", "float", "bool", "Scalar", "str")


def _plain(kind):
    table = {
        torch.Tensor: "Tensor",
        int: "SymInt",
        float: "float",
        bool: "bool",
        str: "str",
        torch.dtype: "ScalarType",
        torch.device: "Device",
    }
    return next((text for known, text in table.items() if kind is known), None)


def _text(kind):
    """A type in ATen's notation; None where it has none."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        some = [one for one in inner if one is not type(None)]
        one = "Scalar" if frozenset(some) == _NUMBER else _text(some[0]) if len(some) == 1 else None
        return one if one is None or len(some) == len(inner) else f"{one}?"
    if origin in _LISTS and len(inner) == 1:
        of = _text(inner[0])
        return f"{of}[]" if of in _LISTED or of == "Tensor?" else None
    return _plain(kind)


def _results(kind):
    if kind is None or kind is type(None):
        return "()"
    if typing.get_origin(kind) is tuple:
        parts = [_text(one) for one in typing.get_args(kind)]
        return None if None in parts else f"({', '.join(parts)})"
    return _text(kind)


def _value(default):
    if isinstance(default, str):
        return f'"{default}"'
    return str(default).removeprefix("torch.")


def _refuse(what, signature):
    raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")


def infer_schema(prototype_function: Callable, /, *, mutates_args: Any, op_name: str | None = None) -> str:
    signature = inspect.signature(prototype_function)
    hints = typing.get_type_hints(prototype_function)
    parts, seen = [], set()
    for at, (name, given) in enumerate(signature.parameters.items()):
        if given.annotation is inspect.Parameter.empty:
            _refuse(f"Parameter {name} must have a type annotation.", signature)
        kind = _text(hints[name])
        if kind is None:
            _refuse(f"Parameter {name} has unsupported type {given.annotation}.", signature)
        if given.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        if kind.startswith("Tensor") and (mutates_args == "unknown" or name in mutates_args):
            kind = f"Tensor(a{at}!){kind.removeprefix('Tensor')}"
        seen.add(name)
        default = given.default
        parts.append(f"{kind} {name}" if default is inspect.Parameter.empty else f"{kind} {name}={_value(default)}")
    unknown = set() if mutates_args == "unknown" else set(mutates_args) - seen
    if unknown:
        raise ValueError(
            f"infer_schema(func): {unknown} in mutates_args were not found in the custom op's signature. mutates_args should "
            "contain the names of all args that the custom op mutates, or just the string 'unknown' if you don't know."
        )
    if signature.return_annotation is inspect.Signature.empty:
        _refuse("No return type annotation was provided. Please add one.", signature)
    results = _results(hints["return"])
    if results is None:
        _refuse(f"Return has unsupported type {signature.return_annotation}.", signature)
    return f"{op_name or ''}({', '.join(parts)}) -> {results}"
