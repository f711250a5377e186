"""torch.distributed.elastic.utils.logging: the logger of a module."""

from __future__ import annotations

import logging
import os
import sys


def get_logger(name: str | None = None) -> logging.Logger:
    """Says as much as LOGLEVEL asks for."""
    log = logging.getLogger(name or sys._getframe(1).f_globals["__name__"])
    log.setLevel(os.environ.get("LOGLEVEL", "WARNING"))
    return log
