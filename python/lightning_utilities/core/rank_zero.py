"""What only the first rank does: calls, warnings and log lines."""

from __future__ import annotations

import logging
import warnings
from functools import partial, wraps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


log = logging.getLogger(__name__)
rank_zero_module = __name__
rank_zero_deprecation_category = DeprecationWarning


def rank_zero_only(fn: Callable, default: Any = None) -> Any:
    """`fn` on rank 0, else `default`. The rank is this function's attribute `rank`."""

    @wraps(fn)
    def wrapped(*args, **kwargs):
        rank = getattr(rank_zero_only, "rank", None)
        if rank is None:
            raise RuntimeError("The `rank_zero_only.rank` needs to be set before use")
        return fn(*args, **kwargs) if rank == 0 else default

    return wrapped


def rank_prefixed_message(message: str, rank: int) -> Any:
    return message if rank is None else f"[rank: {rank}] {message}"


def _warn(message, stacklevel=2, **kwargs):
    warnings.warn(message, stacklevel=stacklevel, **kwargs)


@rank_zero_only
def rank_zero_warn(message: str, stacklevel: int = 4, **kwargs: Any) -> None:
    _warn(message, stacklevel=stacklevel, **kwargs)


@rank_zero_only
def rank_zero_info(*args: Any, stacklevel: int = 4, **kwargs: Any) -> None:
    log.info(*args, **kwargs)


@rank_zero_only
def rank_zero_debug(*args: Any, stacklevel: int = 4, **kwargs: Any) -> None:
    log.debug(*args, **kwargs)


def rank_zero_deprecation(message: str, stacklevel: int = 5, **kwargs: Any) -> None:
    category = kwargs.pop("category", rank_zero_deprecation_category)
    rank_zero_warn(message, stacklevel=stacklevel, category=category, **kwargs)


_info, _debug = partial(log.info), partial(log.debug)


class WarningCache(set):
    """Says each thing once."""

    def warn(self, message: str, stacklevel: int = 5, **kwargs: Any) -> None:
        if message not in self:
            self.add(message)
            rank_zero_warn(message, stacklevel=stacklevel, **kwargs)

    def deprecation(self, message: str, stacklevel: int = 6, **kwargs: Any) -> None:
        if message not in self:
            self.add(message)
            rank_zero_deprecation(message, stacklevel=stacklevel, **kwargs)

    def info(self, message: str, stacklevel: int = 5, **kwargs: Any) -> None:
        if message not in self:
            self.add(message)
            rank_zero_info(message, stacklevel=stacklevel, **kwargs)
