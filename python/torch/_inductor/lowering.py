"""torch._inductor.lowering: how operators become kernels. Nothing is compiled here, so that what is registered is not asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


lowerings: dict = {}


def register_lowering(aten_fn: Any, *_: Any, **__: Any) -> Callable:
    def keep(function):
        lowerings[aten_fn] = function
        return function

    return keep


def make_pointwise(fn: Callable, *_: Any, **__: Any) -> Callable:
    return fn


def make_fallback(op: Any, *_: Any, **__: Any) -> None:
    """It would run as it is."""
