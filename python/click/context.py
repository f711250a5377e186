"""The context in which a command runs."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from .exceptions import Abort, Exit, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, Self

_contexts: list[Context] = []


def get_current_context(silent: bool = False) -> Context | None:
    if not _contexts and not silent:
        raise RuntimeError("There is no active click context.")
    return _contexts[-1] if _contexts else None


class Context:
    def __init__(
        self, command: Any, parent: Any = None, info_name: str | None = None, obj: Any = None, **_: object
    ) -> None:
        self.command, self.parent, self.info_name = command, parent, info_name
        self.obj = parent.obj if obj is None and parent is not None else obj
        self.params, self.args, self.invoked_subcommand = {}, [], None
        self.meta = {} if parent is None else parent.meta
        self._given, self._exits = set(), ExitStack()

    def __enter__(self) -> Self:
        _contexts.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        _contexts.pop()
        self._exits.close()

    @property
    def command_path(self) -> str:
        before = f"{self.parent.command_path} " if self.parent is not None else ""
        return f"{before}{self.info_name or self.command.name or ''}"

    def get_usage(self) -> str:
        words = [param.kind == "argument" and param.usage() for param in self.command.params]
        more = ["COMMAND [ARGS]..."] if hasattr(self.command, "commands") else []
        return f"Usage: {' '.join([self.command_path, '[OPTIONS]', *filter(None, words), *more])}"

    def get_help(self) -> str:
        return f"{self.get_usage()}\n\n  {self.command.help or ''}"

    def ensure_object(self, kind: type) -> Any:
        if not isinstance(self.obj, kind):
            self.obj = kind()
        return self.obj

    def find_root(self) -> Context:
        return self if self.parent is None else self.parent.find_root()

    def find_object(self, kind: type) -> Any:
        node = self
        while node is not None and not isinstance(node.obj, kind):
            node = node.parent
        return node and node.obj

    def get_parameter_source(self, name: str) -> Any:
        return ParameterSource.COMMANDLINE if name in self._given else ParameterSource.DEFAULT

    def invoke(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        if hasattr(callback, "params"):
            defaults = {param.name: param.read(param.value_of_default(self), self) for param in callback.params}
            callback, kwargs = callback.callback, {**defaults, **kwargs}
        with self:
            return callback(*args, **kwargs)

    def forward(self, command: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self.invoke(command, *args, **{**self.params, **kwargs})

    def with_resource(self, manager: Any) -> Any:
        return self._exits.enter_context(manager)

    def call_on_close(self, function: Callable) -> Callable:
        return self._exits.callback(function)

    def fail(self, message: str) -> NoReturn:
        raise UsageError(message, self)

    def exit(self, code: int = 0) -> NoReturn:
        raise Exit(code)

    def abort(self) -> NoReturn:
        raise Abort


class ParameterSource:
    COMMANDLINE, ENVIRONMENT, DEFAULT = "COMMANDLINE", "ENVIRONMENT", "DEFAULT"
