"""torch.utils._contextlib: contexts that decorate functions and generators, too (torch/utils/_contextlib.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.autograd.grad_mode import _Mode

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


class _DecoratorContextManager(_Mode):
    """Each call of what it decorates runs in a context of its own: `clone` makes it."""

    def clone(self) -> Self:
        return type(self)()

    def _fresh(self) -> Self:
        return self.clone()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """May decorate without brackets."""

    def __new__(cls, orig_func: Callable | None = None) -> Any:
        made = super().__new__(cls)
        return made if orig_func is None else made(orig_func)


def context_decorator(ctx: Any, func: Callable) -> Callable:
    """`func` within what `ctx` makes, or within `ctx` itself."""

    class Decorating(_DecoratorContextManager):
        def __enter__(self) -> Any:
            self._within = ctx() if callable(ctx) else ctx
            return self._within.__enter__()

        def __exit__(self, *error: Any) -> Any:
            return self._within.__exit__(*error)

    return Decorating()(func)
