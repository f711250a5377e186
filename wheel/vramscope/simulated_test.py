"""Runs inside the simulator, as a module: imports a file of tests and calls one of them. Its word is what `request_for` made."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, NoReturn, Self


class Mark:
    """Stands for whatever hangs on `pytest.mark`: a decorator, with or without words, that changes nothing."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return args[0] if len(args) == 1 and not kwargs and callable(args[0]) else self


class Approx:
    """`pytest.approx` of a number, with its usual tolerances."""

    def __init__(self, expected: Any, rel: float = 1e-6, abs: float = 1e-12) -> None:
        self.expected, self.rel, self.abs = expected, rel, abs

    def __eq__(self, other: object) -> bool:
        return -self.bound() <= other - self.expected <= self.bound()

    def bound(self) -> Any:
        return max(self.rel * (self.expected if self.expected >= 0 else -self.expected), self.abs)


class Raises:
    """`pytest.raises` as a context manager."""

    def __init__(self, kinds: Any, match: Any = None) -> None:
        self.kinds, self.match, self.value = kinds, match, None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: str, value: Any, traceback: Any) -> bool:
        import re

        if kind is None:
            raise AssertionError(f"DID NOT RAISE {self.kinds}")
        self.value = value
        if not issubclass(kind, self.kinds):
            return False
        if self.match is not None and not re.search(self.match, str(value)):
            raise AssertionError(f"{str(value)!r} does not match {self.match!r}")
        return True


class Pytest(types.ModuleType):
    """What a file of tests needs of pytest where no pytest runs."""

    mark = Mark()
    fixture = Mark()
    approx = Approx
    raises = Raises

    @staticmethod
    def param(*values: Any, **_: Any) -> Any:
        return values

    @staticmethod
    def fail(reason: str = "", **_: Any) -> NoReturn:
        raise AssertionError(reason)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"pytest.{name} is not there: this test runs on a simulated GPU, without pytest")


def call(request: Any) -> None:
    """Imports the file and calls the test, as pytest does: setup, test, teardown."""
    sys.modules["pytest"] = Pytest("pytest")
    here = os.getcwd()
    file = os.path.join(here, request["file"])
    sys.path[:0] = [
        os.path.normpath(os.path.join(here, path)) for path in [os.path.dirname(request["file"]), *request["paths"]]
    ]
    name = os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    holder = module
    for part in request["class"]:
        holder = getattr(holder, part)
    if request["class"]:
        holder = holder()
    method = bool(request["class"])
    run_hook(holder, "setup_method" if method else "setup_function", method)
    arguments = {key: ast.literal_eval(text) for key, text in request["arguments"].items()}
    getattr(holder, request["test"])(**arguments)
    run_hook(holder, "teardown_method" if method else "teardown_function", method)


def run_hook(holder: Any, name: str, method: Any) -> None:
    """A setup or teardown of the file or class that takes nothing."""
    hook = getattr(holder, name, None)
    if hook is not None and hook.__code__.co_argcount == (1 if method else 0):
        hook()


if __name__ == "__main__":
    call(json.loads(sys.argv[1]))
