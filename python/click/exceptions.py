"""What ends a command before its function runs."""

from __future__ import annotations

import sys
from typing import Any


class ClickException(Exception):
    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def format_message(self) -> str:
        return self.message

    def show(self, file: Any = None) -> None:
        print(f"Error: {self.format_message()}", file=file or sys.stderr)


class UsageError(ClickException):
    exit_code = 2

    def __init__(self, message: str, ctx: Any = None) -> None:
        super().__init__(message)
        self.ctx = ctx

    def show(self, file: Any = None) -> None:
        file = file or sys.stderr
        if self.ctx is not None:
            print(f"{self.ctx.get_usage()}\nTry '{self.ctx.command_path} --help' for help.\n", file=file)
        super().show(file)


class BadParameter(UsageError):
    def __init__(self, message: str, ctx: Any = None, param: Any = None, param_hint: Any = None) -> None:
        super().__init__(message, ctx)
        self.param, self.param_hint = param, param_hint

    def format_message(self) -> str:
        hint = self.param_hint or (self.param and self.param.hint())
        return f"Invalid value for {hint}: {self.message}" if hint else f"Invalid value: {self.message}"


class MissingParameter(BadParameter):
    def format_message(self) -> str:
        return f"Missing {self.param.kind} {self.param.hint()}."


class NoSuchOption(UsageError):
    pass


class BadOptionUsage(UsageError):
    pass


class BadArgumentUsage(UsageError):
    pass


class FileError(ClickException):
    pass


class Abort(RuntimeError):
    pass


class Exit(RuntimeError):
    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.exit_code = code
