"""What words of a command line are read as."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from .exceptions import BadParameter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn


class ParamType:
    name = "text"

    def __call__(self, value: Any, param: Any = None, ctx: Any = None) -> Any:
        return None if value is None else self.convert(value, param, ctx)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002
        return value

    def fail(self, message: str, param: Any = None, ctx: Any = None) -> NoReturn:
        raise BadParameter(message, ctx, param)


class _Read(ParamType):
    """A type that a function of one word reads."""

    def __init__(self, name: str, read: Callable) -> None:
        self.name, self._read = name, read

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return self._read(value)
        except (ValueError, TypeError):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)


_TRUTHS = {
    **dict.fromkeys(("1", "true", "t", "yes", "y", "on"), True),
    **dict.fromkeys(("0", "false", "f", "no", "n", "off"), False),
}


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).strip().lower() not in _TRUTHS:
        raise ValueError
    return _TRUTHS[str(value).strip().lower()]


STRING = _Read("text", str)
INT = _Read("integer", int)
FLOAT = _Read("float", float)
BOOL = _Read("boolean", _truth)
UNPROCESSED = ParamType()


class Choice(ParamType):
    name = "choice"

    def __init__(self, choices: Sequence, case_sensitive: bool = True) -> None:
        self.choices, self.case_sensitive = list(choices), case_sensitive

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        def plain(text):
            text = getattr(text, "name", text)
            return str(text) if self.case_sensitive else str(text).lower()

        for choice in self.choices:
            if value == choice or plain(value) == plain(choice):
                return choice
        listed = ", ".join(repr(getattr(each, "name", each)) for each in self.choices)
        self.fail(f"{value!r} is not {'one of ' if len(self.choices) > 1 else ''}{listed}.", param, ctx)


class _Range(_Read):
    def __init__(
        self,
        name: str,
        read: Callable,
        low: Any = None,
        high: Any = None,
        ends: tuple = (False, False),
        clamp: bool = False,
    ) -> None:
        super().__init__(name, read)
        self.min, self.max, self.min_open, self.max_open, self.clamp = low, high, *ends, clamp

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        number = super().convert(value, param, ctx)
        low = self.min is not None and (number <= self.min if self.min_open else number < self.min)
        high = self.max is not None and (number >= self.max if self.max_open else number > self.max)
        if (low or high) and self.clamp:
            return self.min if low else self.max
        if low or high:
            left, right = ("<" if open_ else "<=" for open_ in (self.min_open, self.max_open))
            if self.max is None:
                shown = f"x{left.replace('<', '>')}{self.min}"
            else:
                shown = f"x{right}{self.max}" if self.min is None else f"{self.min}{left}x{right}{self.max}"
            self.fail(f"{number} is not in the range {shown}.", param, ctx)
        return number


class IntRange(_Range):
    def __init__(
        self,
        min: int | None = None,  # noqa: A002
        max: int | None = None,  # noqa: A002
        min_open: bool = False,
        max_open: bool = False,
        clamp: bool = False,
    ) -> None:
        super().__init__("integer", int, min, max, (min_open, max_open), clamp)


class FloatRange(_Range):
    def __init__(
        self,
        min: float | None = None,  # noqa: A002
        max: float | None = None,  # noqa: A002
        min_open: bool = False,
        max_open: bool = False,
        clamp: bool = False,
    ) -> None:
        super().__init__("float", float, min, max, (min_open, max_open), clamp)


class Path(ParamType):
    """A path; whether it is there is for who opens it to say, since data is assumed where it is missing."""

    name = "path"

    def __init__(
        self,
        exists: bool = False,
        file_okay: bool = True,
        dir_okay: bool = True,
        *_: object,
        path_type: Any = None,
        resolve_path: bool = False,
        **__: object,
    ) -> None:
        self.exists, self.file_okay, self.dir_okay = exists, file_okay, dir_okay
        self.type, self.resolve_path = path_type, resolve_path

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002
        path = os.path.realpath(value) if self.resolve_path else os.fspath(value)
        return path if self.type is None else self.type(path)


class File(ParamType):
    name = "filename"

    def __init__(self, mode: str = "r", encoding: str | None = None, *_: object, **__: object) -> None:
        self.mode, self.encoding = mode, encoding

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if hasattr(value, "read") or hasattr(value, "write"):
            return value
        if value == "-":
            return sys.stdin if "r" in self.mode else sys.stdout
        try:
            return open(value, self.mode, encoding=self.encoding)
        except OSError as error:
            self.fail(f"{value!r}: {error.strerror}", param, ctx)


class Tuple(ParamType):
    name = "tuple"

    def __init__(self, types: Sequence) -> None:
        self.types = [convert_type(each) for each in types]

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple:
        return tuple(kind(each, param, ctx) for kind, each in zip(self.types, value))


_PLAIN = {str: STRING, int: INT, float: FLOAT, bool: BOOL}


def convert_type(kind: Any, default: Any = None) -> ParamType:
    """The type that `type=` names, or that a default has."""
    if isinstance(kind, ParamType):
        return kind
    if isinstance(kind, (tuple, list)):
        return Tuple(kind)
    if isinstance(kind, type) and issubclass(kind, ParamType):
        return kind()
    if kind is not None:
        return _PLAIN.get(kind) or _Read(getattr(kind, "__name__", "value"), kind)
    if isinstance(default, (tuple, list)) and default:
        default = default[0]
    return _PLAIN.get(type(default), STRING)
