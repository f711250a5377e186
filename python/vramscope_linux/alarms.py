"""Timers that send signals: `signal.alarm` and `signal.setitimer`, on the clocks of the program.

The host looks at them between instructions (src/python/alarms.ts). A sleep passes by those that count real time: it lasts no time, so
that they are due in the middle of it.
"""

from __future__ import annotations

import math
import operator
import signal
import time
from typing import TYPE_CHECKING

import vramscope_clock

from . import signals

if TYPE_CHECKING:
    from typing import Any


_NUMBERS = {0: signal.SIGALRM, 1: signal.SIGVTALRM, 2: signal.SIGPROF}
_REAL = 0
_timers = {}  # which -> [when it is due by its clock, seconds between two signals or 0]
_tell = None


def connect(engine: Any) -> None:
    """`engine`, the functions of the host, hears when a signal is due."""
    global _tell
    _tell = getattr(engine, "alarm", None)


def begin() -> None:
    signal.setitimer = setitimer
    signal.getitimer = getitimer
    signal.alarm = alarm
    vramscope_clock.pass_by = _sleep


def _now(which):
    return time.monotonic() if which == _REAL else time.process_time()


def _left(which):
    """Seconds until a timer is due, and between two signals of it; 0 and 0 where none is set."""
    if which not in _timers:
        return 0.0, 0.0
    due, interval = _timers[which]
    now = _now(which)
    if due <= now:
        # the host has sent it
        if not interval:
            del _timers[which]
            return 0.0, 0.0
        due += (math.floor((now - due) / interval) + 1) * interval
        _timers[which][0] = due
    return due - now, interval


def _set(which, seconds, interval):
    if seconds == 0:
        _timers.pop(which, None)
    else:
        _timers[which] = [_now(which) + seconds, interval]
        signals.REAL(_NUMBERS[which], _deliver)
    if _tell is not None:
        _tell(int(_NUMBERS[which]), float(seconds), float(interval))


def setitimer(which: Any, seconds: float, interval: float = 0.0, /) -> tuple | tuple[float, float]:
    which, seconds, interval = operator.index(which), float(seconds), float(interval)
    if which not in _NUMBERS or seconds < 0 or interval < 0:
        raise signal.ItimerError(22, "Invalid argument")
    before = _left(which)
    _set(which, seconds, interval)
    return before


def getitimer(which: Any, /) -> tuple | tuple[float, float]:
    which = operator.index(which)
    if which not in _NUMBERS:
        raise signal.ItimerError(22, "Invalid argument")
    return _left(which)


def alarm(seconds: float, /) -> Any:
    left, _ = setitimer(_REAL, operator.index(seconds))
    return round(left) or math.ceil(left)


def _deliver(number, frame):
    """What the program set for this signal, or what the system does."""
    signal.raise_signal(number)


def _sleep(seconds, tell):
    """Sleeps, and sends what is due on the way."""
    if _REAL not in _timers:
        return tell(seconds)
    left, interval = _left(_REAL)
    while 0 < left <= seconds:
        tell(left)
        seconds -= left
        _set(_REAL, interval, interval)
        signal.raise_signal(signal.SIGALRM)
        left, interval = _left(_REAL)
    tell(seconds)
    left, interval = _left(_REAL)
    if left:
        _set(_REAL, left, interval)
