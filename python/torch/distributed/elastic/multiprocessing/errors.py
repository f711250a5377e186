"""torch.distributed.elastic.multiprocessing.errors: how the failure of a rank is written down; here the report does."""

from collections.abc import Callable
from typing import Any


class ChildFailedError(Exception):
    """A rank failed."""


def record(fn: Callable[..., Any], error_handler: object = None) -> Callable[..., Any]:
    """The function as it is."""
    return fn
