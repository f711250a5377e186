"""A simulated program need not wait: `time.sleep` returns at once, and every clock is later by what was slept.

The clocks are those of src/python/virtual-time.ts: they hear of it here.
"""

from __future__ import annotations

import operator
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_tell = None
# Sleeps so many seconds where timers may be due in the middle: vramscope_linux.alarms.
pass_by = None
# Beyond it the system's clock has no number, as in _PyTime_FromSecondsObject.
_LONGEST = 2**63 // 10**9


def sleep(seconds: float, /) -> None:
    if isinstance(seconds, float):
        if seconds != seconds:
            raise ValueError("Invalid value NaN (not a number)")
        if seconds > _LONGEST:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
    else:
        seconds = operator.index(seconds)
        if seconds > _LONGEST:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if _tell is None:
        return
    if pass_by is None:
        _tell(float(seconds))
    else:
        pass_by(float(seconds), _tell)


def install() -> None:
    """Puts the sleep in place."""
    sleep.__module__ = "time"
    time.sleep = sleep


def connect(engine: Any) -> None:
    """From now on `engine`, the functions of the host, hears of sleep."""
    global _tell
    _tell = engine.slept
