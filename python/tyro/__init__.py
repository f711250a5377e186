"""tyro: a dataclass or a function from the words of the command line, by its annotations and defaults."""

from __future__ import annotations

import argparse
import dataclasses
import enum
import inspect
import pathlib
import types
import typing
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from . import conf

if TYPE_CHECKING:
    from typing import Any


__version__ = "0.9.31"
__all__ = ["MISSING", "cli", "conf"]

MISSING = dataclasses.MISSING
_REQUIRED = object()


def cli(
    f: Any,
    *,
    prog: Any = None,
    description: str | None = None,
    args: Any = None,
    default: Any = None,
    return_unknown_args: bool = False,
    **_: Any,
) -> Any:
    """What `f` makes of `--name value`, `--name=value`, `--flag`, `--no-flag` and, of nested dataclasses, `--outer.inner value`."""
    parser = argparse.ArgumentParser(prog=prog, description=description, allow_abbrev=False)
    make = _add(parser, f, "", default)
    words = [_dashed(word) for word in args] if args is not None else None
    if words is None:
        import sys

        words = [_dashed(word) for word in sys.argv[1:]]
    found, unknown = parser.parse_known_args(words)
    if unknown and not return_unknown_args:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    made = make(vars(found))
    return (made, unknown) if return_unknown_args else made


def _dashed(word):
    """Names may be written with either sign."""
    name, sign, value = word.partition("=")
    return name.replace("_", "-") + sign + value if name.startswith("--") else word


def _fields(f, default):
    """(name, annotation, default, whether it may be given by a name) of each argument."""
    if dataclasses.is_dataclass(f):
        hints = typing.get_type_hints(f)
        for field in dataclasses.fields(f):
            if not field.init:
                continue
            value = field.default
            if value is MISSING and field.default_factory is not MISSING:
                value = field.default_factory()
            if default is not None:
                value = getattr(default, field.name)
            yield field.name, hints[field.name], _REQUIRED if value is MISSING else value, True
        return
    of = f.__init__ if inspect.isclass(f) else f
    hints = typing.get_type_hints(of)
    for name, parameter in inspect.signature(f).parameters.items():
        value = _REQUIRED if parameter.default is parameter.empty else parameter.default
        plain = str if value is _REQUIRED else type(value)
        yield name, hints.get(name, plain), value, parameter.kind is not parameter.POSITIONAL_ONLY


def _add(parser, f, prefix, default):
    """Adds the arguments of `f`; returns what calls it with those that were found."""
    makers = {}
    for name, kind, value, named in _fields(f, default):
        kind = conf.without_marks(kind)
        path = prefix + name
        if dataclasses.is_dataclass(kind):
            makers[name] = _add(parser, kind, f"{path}.", None if value is _REQUIRED else value)
        else:
            _argument(parser, path, kind, value, named)
            makers[name] = lambda found, path=path: found[path]
    return lambda found: f(**{name: make(found) for name, make in makers.items()})


def _argument(parser, path, kind, value, named):
    flag = f"--{path}".replace("_", "-")
    options = {} if value is _REQUIRED else {"default": value}
    if kind is bool and value is not _REQUIRED:
        parser.add_argument(flag, dest=path, action=argparse.BooleanOptionalAction, **options)
        return
    options |= _reading(kind, value)
    if not named:
        parser.add_argument(path, **options)
        return
    parser.add_argument(flag, dest=path, required=value is _REQUIRED, **options)


def _reading(kind, value):
    """How argparse reads a type: a function for one word, and how many words there are."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        kinds = [k for k in inside if k is not type(None)]
        if len(kinds) == 1 and typing.get_origin(kinds[0]) in (list, tuple):
            return _reading(kinds[0], value)
        return {"type": _one_of(kinds, type(None) in inside)}
    if origin is typing.Literal:
        return {"type": lambda word: next((v for v in inside if str(v) == word), word), "choices": inside}
    if origin in (list, tuple, set) or kind in (list, tuple):
        counted = origin is tuple and Ellipsis not in inside
        reads = _word(inside[0]) if inside else str
        made = tuple if origin is tuple or kind is tuple else list

        class Gathered(argparse.Action):
            """Keeps the words in the type that was asked for."""

            def __call__(self, parser, namespace, values, option_string=None):
                setattr(namespace, self.dest, made(values))

        return {"type": reads, "nargs": len(inside) if counted else "*", "action": Gathered}
    return {"type": _word(kind)}


def _word(kind):
    """One word of a type."""
    if kind is bool:
        return lambda word: {"True": True, "true": True, "1": True, "False": False, "false": False, "0": False}[word]
    if inspect.isclass(kind) and issubclass(kind, enum.Enum):
        return lambda word: kind[word]
    if kind in (int, float, str, pathlib.Path, bytes):
        return kind
    return _one_of([int, float], True)


def _one_of(kinds, none):
    readers = [_word(k) for k in kinds]

    def read(word):
        if none and word == "None":
            return None
        for reader in readers:
            try:
                return reader(word)
            except (ValueError, KeyError):
                continue
        return word

    return read


__getattr__ = lacks("tyro")
