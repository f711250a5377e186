"""The table of rules: each operator's rule, written by the files that know a group of operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .placement_types import Partial, Replicate

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


R, P = Replicate(), Partial()
RULES = {}  # operator -> rule
CUSTOM = {}  # operator -> function that runs it all by itself
FIXED = {}  # operator -> function that says all placements, where they follow from those of the inputs
REFUSED = {}  # operator -> its overload in PyTorch, for those that have no rule there either
BEFORE = {}  # operator -> function that changes local arguments, and may return what is to be done with the result


def rule(*names: Any) -> Callable:
    def keep(function):
        for name in names:
            RULES[name] = function
        return function

    return keep
