"""How errors cross the bridge: what the engine reports is raised, and compiled functions leave no frames behind."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from ._errors import OutOfMemoryError, UnsupportedOp
from ._op_source import NUMPY_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


_python_error = None  # the exception that a callback raised, on its way through the engine


def _other_names(function):
    code = getattr(function, "__code__", None)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()
    return {theirs: ours for ours, theirs in NUMPY_NAMES if ours in names and theirs not in names}


def compiled(function: Callable) -> Any:
    """What stands in for a compiled function: an error's traceback holds none of its arguments, as compiled code has no frames."""
    other = _other_names(function)

    def call(*args, **kwargs):
        for name in kwargs.keys() & other.keys():
            kwargs[other[name]] = kwargs.pop(name)
        try:
            return function(*args, **kwargs)
        except Exception as error:
            args = kwargs = error.__traceback__ = None
            raise

    def plain(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            args = kwargs = error.__traceback__ = None
            raise

    return wraps(function)(call if other else plain)


def keep(error: Any) -> str:
    """Keeps what a callback raised until the engine reports it; gives the text that says so."""
    global _python_error
    _python_error = error
    return "!" + type(error).__name__


def _argument(text, method):
    """What python_arg_parser.cpp says of an argument of another type."""
    function, argument, *positions, wanted, got = text.split(" ")
    position = positions[method] and f" (position {positions[method]})"
    return f"{function}(): argument '{argument}'{position} must be {wanted}, not {got}"


def fail(text: str, method: int = 0) -> NoReturn:
    """Raises what the engine reports: "!Class\\nmessage"; of a wrong argument its position depends on who was called."""
    global _python_error
    kind, _, message = text[1:].partition("\n")
    if kind == "Argument":
        raise TypeError(_argument(message, method))
    if kind == "PythonCallbackError" and _python_error is not None:
        error, _python_error = _python_error, None
        try:
            raise error
        finally:
            del error  # this frame is in its traceback: the two would keep each other and all locals alive
    raise _error_class(kind)(message)


def _error_class(kind):
    if kind == "OutOfMemoryError":
        return OutOfMemoryError
    if kind == "UnsupportedOp":
        return UnsupportedOp
    return {
        "RuntimeError": RuntimeError,
        "IndexError": IndexError,
        "ValueError": ValueError,
        "TypeError": TypeError,
        "NotImplementedError": NotImplementedError,
    }.get(kind, RuntimeError)
