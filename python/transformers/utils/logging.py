"""Logs of the library: loggers of Python's own, which are asked for by name and are quiet."""

from __future__ import annotations

import logging
from logging import CRITICAL as CRITICAL
from logging import DEBUG as DEBUG
from logging import ERROR as ERROR
from logging import INFO as INFO
from logging import WARNING as WARNING
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_LOGGER = logging.getLogger("transformers")


def get_logger(name: str | None = None) -> Any:
    found = logging.getLogger(name or "transformers")
    for method in ("warning", "info"):
        setattr(found, f"{method}_once", getattr(found, method))
    found.warning_advice = found.warning
    return found


def set_verbosity(verbosity: int) -> None:
    _LOGGER.setLevel(verbosity)


def get_verbosity() -> int:
    return _LOGGER.getEffectiveLevel()


def set_verbosity_info() -> None:
    _LOGGER.setLevel(INFO)


def set_verbosity_warning() -> None:
    _LOGGER.setLevel(WARNING)


def set_verbosity_debug() -> None:
    _LOGGER.setLevel(DEBUG)


def set_verbosity_error() -> None:
    _LOGGER.setLevel(ERROR)


def _nothing(*_: object) -> None:
    """Handlers, formats and bars are the program's own matter."""


enable_default_handler = disable_default_handler = enable_explicit_format = reset_format = _nothing
enable_propagation = disable_propagation = enable_progress_bar = disable_progress_bar = add_handler = _nothing
