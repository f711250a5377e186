"""A simulated program need not wait: `time.sleep` returns at once, and every clock is later by what was slept.

The clocks are those of src/python/virtual-time.ts: they hear of it here.
"""

import operator
import time

_tell = None
# Beyond it the system's clock has no number, as in _PyTime_FromSecondsObject.
_LONGEST = 2**63 // 10**9


def _sleep(seconds, /):
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
    if _tell is not None:
        _tell(float(seconds))


def install():
    """Puts the sleep in place."""
    _sleep.__name__ = _sleep.__qualname__ = "sleep"
    _sleep.__module__ = "time"
    time.sleep = _sleep


def connect(engine):
    """From now on `engine`, the functions of the host, hears of sleep."""
    global _tell
    _tell = engine.slept
