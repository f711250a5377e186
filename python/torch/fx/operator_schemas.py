"""torch.fx.operator_schemas: arguments of a call as the signature names them."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


ArgsKwargsPair = namedtuple("ArgsKwargsPair", "args kwargs")


def normalize_function(
    target: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    arg_types: tuple[Any] | None = None,
    kwarg_types: dict[str, Any] | None = None,
    normalize_to_only_use_kwargs: bool = False,
) -> Any:
    from .node import Node

    return Node(None, "", "call_function", target, args, kwargs or {}).normalized_arguments(
        None, normalize_to_only_use_kwargs=normalize_to_only_use_kwargs
    )
