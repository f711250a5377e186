"""datasets.utils.logging: the package's own logger."""

from __future__ import annotations

import logging as _logging
from logging import CRITICAL, DEBUG, ERROR, FATAL, INFO, NOTSET, WARN, WARNING  # noqa: F401
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def get_logger(name: str | None = None) -> Any:
    return _logging.getLogger(name or "datasets")


def set_verbosity(verbosity: Any) -> None:
    get_logger().setLevel(verbosity)


def get_verbosity() -> Any:
    return get_logger().getEffectiveLevel()


set_verbosity_info = lambda: set_verbosity(INFO)
set_verbosity_warning = lambda: set_verbosity(WARNING)
set_verbosity_debug = lambda: set_verbosity(DEBUG)
set_verbosity_error = lambda: set_verbosity(ERROR)
disable_progress_bar = enable_progress_bar = lambda: None
