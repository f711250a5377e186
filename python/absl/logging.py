"""absl.logging: Python's own log under absl's names."""

from typing import Any

from logging import *
from logging import Handler, Logger, StreamHandler, getLogger

FATAL, ERROR, WARNING, INFO, DEBUG = 50, 40, 30, 20, 10
WARN = WARNING
_logger = getLogger("absl")
_handler = StreamHandler()
debug, info, warning, error, exception, log = (
    _logger.debug, _logger.info, _logger.warning, _logger.error, _logger.exception, _logger.log,
)  # fmt: skip
warn = warning


def fatal(msg: str, *args: object) -> None:
    _logger.critical(msg, *args)
    raise SystemExit(1)


def set_verbosity(v: int | str) -> None:
    if isinstance(v, str):
        v = v.upper()
    elif v <= 5:
        v = {-3: 50, -2: 40, -1: 30, 0: 20, 1: 10}.get(v, 10)
    _logger.setLevel(v)


def set_stderrthreshold(s: int | str) -> None:
    """All of the log goes to stderr here."""


def get_verbosity() -> int:
    return 0


def use_absl_handler() -> None:
    """Python's handler serves."""


def get_absl_handler() -> Handler:
    """One that writes to stderr, as absl's does."""
    return _handler


def get_absl_logger() -> Logger:
    return _logger


def vlog(level: Any, msg: str, *args: object) -> None:
    _logger.debug(msg, *args)


def log_first_n(level: Any, msg: str, n: int, *args: object) -> None:
    _logger.log(level, msg, *args)


log_every_n = log_first_n
