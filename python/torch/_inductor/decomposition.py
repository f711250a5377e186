"""torch._inductor.decomposition: tables of what compiled code runs in place of operators. The engine follows compiled code by rules of its own, which ask none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


decompositions: dict = {}


def register_decomposition(ops: Sequence[Any]) -> Callable:
    """A decorator that writes a function down as what these operators are compiled to."""

    def register(fn: Callable) -> Callable:
        decompositions.update(dict.fromkeys(ops if isinstance(ops, (list, tuple)) else [ops], fn))
        return fn

    return register


def select_decomp_table() -> dict:
    return decompositions
