"""Loggers that only the first process writes with: it is the only one here."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class MultiProcessAdapter(logging.LoggerAdapter):
    """Takes who may log, and logs."""

    def log(self, level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
        for name in ("main_process_only", "in_order"):
            kwargs.pop(name, None)
        kwargs.setdefault("stacklevel", 2)
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def warning_once(self, *args: Any, **kwargs: Any) -> None:
        """What was said before is not said again."""
        said = self.__dict__.setdefault("_said", set())
        if args not in said:
            said.add(args)
            self.warning(*args, **kwargs)


def get_logger(name: str, log_level: str | None = None) -> MultiProcessAdapter:
    level = log_level or os.environ.get("ACCELERATE_LOG_LEVEL")
    logger = logging.getLogger(name)
    if level is not None:
        logger.setLevel(level.upper())
        logger.root.setLevel(level.upper())
    return MultiProcessAdapter(logger, {})
