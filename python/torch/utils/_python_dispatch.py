"""torch.utils._python_dispatch: names that libraries import; operators are not dispatched to Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


class TorchDispatchMode:
    def __torch_dispatch__(self, func: Callable, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        return func(*args, **(kwargs or {}))

    def __enter__(self) -> NoReturn:
        raise NotImplementedError("vramscope does not dispatch to a TorchDispatchMode")

    def __exit__(self, *_: Any) -> bool:
        return False


def return_and_correct_aliasing(func: Any, args: tuple, kwargs: dict, out: Any) -> Any:
    """What __torch_dispatch__ of a subclass ends with; nothing is dispatched to it here."""
    return out


def is_traceable_wrapper_subclass(t: object) -> bool:
    return False
