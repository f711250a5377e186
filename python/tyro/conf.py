"""tyro.conf: marks of annotations; they change how arguments are written, and none is needed to read the plain form."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class _Mark:
    """A mark: `Mark[type]` is the type."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, kind: str) -> Any:
        return typing.Annotated[kind, self]

    def __repr__(self) -> str:
        return f"tyro.conf.{self._name}"


_MARKS = """Positional Fixed Suppress FlagConversionOff AvoidSubcommands ConsolidateSubcommandArgs OmitSubcommandPrefixes OmitArgPrefixes
    UseAppendAction UseCounterAction EnumChoicesFromValues CascadeSubcommandArgs HelptextFromCommentsOff SuppressFixed PositionalRequiredArgs""".split()
globals().update({name: _Mark(name) for name in _MARKS})


def arg(**settings: Any) -> _Mark:
    return _Mark("arg")


def subcommand(name: str | None = None, **settings: Any) -> _Mark:
    return _Mark("subcommand")


def without_marks(kind: str) -> Any:
    """The type behind Annotated."""
    while typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    return kind
