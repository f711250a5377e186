"""absl.logging: Python's own log under absl's names."""

from logging import *
from logging import getLogger

FATAL, ERROR, WARNING, INFO, DEBUG = 50, 40, 30, 20, 10
WARN = WARNING
_logger = getLogger("absl")
debug, info, warning, error, exception, log = (
    _logger.debug, _logger.info, _logger.warning, _logger.error, _logger.exception, _logger.log,
)  # fmt: skip
warn = warning


def fatal(msg, *args):
    _logger.critical(msg, *args)
    raise SystemExit(1)


def set_verbosity(v):
    _logger.setLevel(v if not isinstance(v, int) or v > 5 else {-3: 50, -2: 40, -1: 30, 0: 20, 1: 10}.get(v, 10))


def get_verbosity():
    return 0


def use_absl_handler():
    """Python's handler serves."""


def vlog(level, msg, *args):
    _logger.debug(msg, *args)


def log_first_n(level, msg, n, *args):
    _logger.log(level, msg, *args)


log_every_n = log_first_n
