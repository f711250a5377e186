"""torch.overrides: tensor subclasses are not dispatched."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


def has_torch_function(_: Any) -> bool:
    return False


def has_torch_function_unary(_: Any) -> bool:
    return False


def has_torch_function_variadic(*_: Any) -> bool:
    return False


def handle_torch_function(func: Callable, *_: Any, **__: Any) -> Any:
    raise NotImplementedError("vramscope does not dispatch __torch_function__")


def is_tensor_like(obj: Any) -> bool:
    import torch

    return isinstance(obj, torch.Tensor)


class TorchFunctionMode:
    """Can be derived from and entered; what it would do with each call is left out, and said."""

    def __torch_function__(self, func: Callable, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        return func(*args, **(kwargs or {}))

    def __enter__(self) -> Self:
        from ._stand_ins import note

        note("function_mode_not_dispatched", "name", type(self).__name__)
        return self

    def __exit__(self, *_: Any) -> bool:
        return False
