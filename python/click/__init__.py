"""Command lines by decorators, as the click package reads them: without completion, pagers, editors and prompts that wait."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from . import core, exceptions, types
from .context import Context, ParameterSource, get_current_context
from .core import Command, Group, argument, command, group, option
from .exceptions import (
    Abort,
    BadArgumentUsage,
    BadOptionUsage,
    BadParameter,
    ClickException,
    FileError,
    MissingParameter,
    NoSuchOption,
    UsageError,
)
from .parameters import Argument, Option, Parameter
from .types import BOOL, FLOAT, INT, STRING, UNPROCESSED, Choice, File, FloatRange, IntRange, ParamType, Path, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

__version__ = "8.3.1"
BaseCommand = Command
MultiCommand = Group


def echo(message: Any = None, file: Any = None, nl: bool = True, err: bool = False, color: Any = None) -> None:  # noqa: ARG001
    print("" if message is None else message, end="\n" if nl else "", file=file or (sys.stderr if err else sys.stdout))


def style(text: Any, *_: object, **__: object) -> str:
    return str(text)


def secho(message: Any = None, file: Any = None, nl: bool = True, err: bool = False, **_: object) -> None:
    echo(message, file, nl, err)


def confirm(text: str, default: Any = False, abort: bool = False, **_: object) -> bool:
    """Nobody answers: what is asked has its default."""
    echo(f"{text} [{'Y/n' if default else 'y/N'}]: ")
    if abort and not default:
        raise Abort
    return bool(default)


def prompt(text: str, default: Any = None, **_: object) -> Any:
    """Nobody answers: what is asked has its default."""
    echo(f"{text}: ")
    if default is None:
        raise Abort
    return default


class _Bar:
    def __init__(self, items: Iterable) -> None:
        self._items = items

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator:
        return iter(self._items)

    def update(self, *_: object, **__: object) -> None:
        pass


def progressbar(iterable: Any = None, length: int | None = None, *_: object, **__: object) -> _Bar:
    return _Bar(range(length or 0) if iterable is None else iterable)


def pass_context(function: Callable) -> Callable:
    return functools.update_wrapper(lambda *args, **kwargs: function(get_current_context(), *args, **kwargs), function)


def pass_obj(function: Callable) -> Callable:
    return functools.update_wrapper(
        lambda *args, **kwargs: function(get_current_context().obj, *args, **kwargs), function
    )


def make_pass_decorator(kind: type, ensure: bool = False) -> Callable:
    def decorate(function: Callable) -> Callable:
        def call(*args: Any, **kwargs: Any) -> Any:
            context = get_current_context()
            held = context.ensure_object(kind) if ensure else context.find_object(kind)
            return function(held, *args, **kwargs)

        return functools.update_wrapper(call, function)

    return decorate


def version_option(version: Any = None, *_: object, **__: object) -> Callable:
    def show(context: Any, _param: Any, value: Any) -> None:
        if value:
            echo(f"{context.command_path}, version {version}")
            context.exit()

    return option("--version", is_flag=True, expose_value=False, is_eager=True, callback=show)


def help_option(*_: object, **__: object) -> Callable:
    return lambda function: function


def get_app_dir(app_name: str, *_: object, **__: object) -> str:
    return f"/root/.config/{app_name.lower().replace(' ', '-')}"


__all__ = """Abort Argument BOOL BadArgumentUsage BadOptionUsage BadParameter BaseCommand Choice ClickException Command Context
FLOAT File FileError FloatRange Group INT IntRange MissingParameter MultiCommand NoSuchOption Option ParamType Parameter
ParameterSource Path STRING Tuple UNPROCESSED UsageError argument command confirm core echo exceptions get_app_dir
get_current_context group help_option make_pass_decorator option pass_context pass_obj progressbar prompt secho style types
version_option""".split()  # fmt: skip

__getattr__ = lacks(__name__)
