"""What only the first rank does: calls, warnings and log lines."""

import logging
import warnings
from functools import partial, wraps

log = logging.getLogger(__name__)
rank_zero_module = __name__
rank_zero_deprecation_category = DeprecationWarning


def rank_zero_only(fn, default=None):
    """`fn` on rank 0, else `default`. The rank is this function's attribute `rank`."""

    @wraps(fn)
    def wrapped(*args, **kwargs):
        rank = getattr(rank_zero_only, "rank", None)
        if rank is None:
            raise RuntimeError("The `rank_zero_only.rank` needs to be set before use")
        return fn(*args, **kwargs) if rank == 0 else default

    return wrapped


def rank_prefixed_message(message, rank):
    return message if rank is None else f"[rank: {rank}] {message}"


def _warn(message, stacklevel=2, **kwargs):
    warnings.warn(message, stacklevel=stacklevel, **kwargs)


@rank_zero_only
def rank_zero_warn(message, stacklevel=4, **kwargs):
    _warn(message, stacklevel=stacklevel, **kwargs)


@rank_zero_only
def rank_zero_info(*args, stacklevel=4, **kwargs):
    log.info(*args, **kwargs)


@rank_zero_only
def rank_zero_debug(*args, stacklevel=4, **kwargs):
    log.debug(*args, **kwargs)


def rank_zero_deprecation(message, stacklevel=5, **kwargs):
    category = kwargs.pop("category", rank_zero_deprecation_category)
    rank_zero_warn(message, stacklevel=stacklevel, category=category, **kwargs)


_info, _debug = partial(log.info), partial(log.debug)


class WarningCache(set):
    """Says each thing once."""

    def warn(self, message, stacklevel=5, **kwargs):
        if message not in self:
            self.add(message)
            rank_zero_warn(message, stacklevel=stacklevel, **kwargs)

    def deprecation(self, message, stacklevel=6, **kwargs):
        if message not in self:
            self.add(message)
            rank_zero_deprecation(message, stacklevel=stacklevel, **kwargs)

    def info(self, message, stacklevel=5, **kwargs):
        if message not in self:
            self.add(message)
            rank_zero_info(message, stacklevel=stacklevel, **kwargs)
