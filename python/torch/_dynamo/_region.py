"""A call of what torch.compile was given: the engine follows it, and then takes the memory that inductor's code would take."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from .. import _C
from .._raising import fail

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def run_compiled(function: Callable, *args: Any, **kwargs: Any) -> Any:
    if not _C._js.beginCompiled():
        return function(*args, **kwargs)
    try:
        result = function(*args, **kwargs)
    except BaseException:
        _C._js.leaveCompiled()
        raise
    problem = _C._js.endCompiled()
    if problem:
        fail(problem)
    return result


def compiled_form(function: Callable) -> Callable:
    """The function, run as inductor's code."""

    @functools.wraps(function)
    def compiled(*args: Any, **kwargs: Any) -> Any:
        return run_compiled(function, *args, **kwargs)

    return compiled


def eager_form(function: Callable) -> Callable:
    """The function as it is: what a backend that makes no code of its own runs."""
    return function
