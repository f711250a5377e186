"""torch.distributed.rpc.api: calls between processes are not simulated; what decorates functions that make some is here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _require_initialized(func: Callable) -> Callable:
    """The function as it is: what it calls says by itself that it is not simulated."""
    return func
