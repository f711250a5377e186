"""Whether a class gives a method of its own."""

from __future__ import annotations

from functools import partial
from inspect import unwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def is_overridden(method_name: str, instance: Any, parent: Any) -> bool:
    """Whether the method of `instance` is another function than `parent`'s; False where it has none."""
    own = getattr(instance, method_name, None)
    if own is None:
        return False
    own = unwrap(own) if hasattr(own, "__wrapped__") else own
    own = own.func if isinstance(own, partial) else own
    theirs = getattr(parent, method_name, None)
    if theirs is None:
        raise ValueError("The parent should define the method")
    return getattr(own, "__code__", own) != getattr(theirs, "__code__", theirs)
