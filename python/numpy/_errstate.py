"""How errors of floating point are handled: nothing warns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


class errstate:
    """Nothing warns: entering and leaving changes nothing."""

    def __init__(self, **_: Any) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False

    def __call__(self, function: Callable) -> Any:
        return function


def seterr(**_: Any) -> dict:
    return {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


geterr = seterr
