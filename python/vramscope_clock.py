"""A simulated program need not wait: `time.sleep` returns at once, and every clock of `time` is later by what was slept."""

import operator
import time

_slept = 0  # nanoseconds
_real = {name: getattr(time, name) for name in ("time_ns", "monotonic_ns", "perf_counter_ns")}
_BREAKDOWNS = {name: getattr(time, name) for name in ("localtime", "gmtime", "ctime", "strftime")}
# Beyond it the system's clock has no number, as in _PyTime_FromSecondsObject.
_LONGEST = 2**63 // 10**9


def _sleep(seconds, /):
    global _slept
    if isinstance(seconds, float):
        if seconds != seconds:
            raise ValueError("Invalid value NaN (not a number)")
        if seconds > _LONGEST:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
        nanoseconds = int(seconds * 1e9)
    else:
        whole = operator.index(seconds)
        if whole > _LONGEST:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
        nanoseconds = whole * 10**9
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    _slept += nanoseconds


def _clock(real):
    def nanoseconds():
        return real() + _slept

    def seconds():
        return (real() + _slept) / 1e9

    return nanoseconds, seconds


def _now(function, position):
    """A function of `time` that takes the present time where it is given none."""

    def at(*args):
        if len(args) <= position or args[position] is None:
            present = time.time()
            args = (*args[:position], present if position == 0 else time.localtime(present))
        return function(*args)

    return at


def install():
    """Puts the clocks in place."""
    time.sleep = _named(_sleep, "sleep")
    for name, real in _real.items():
        nanoseconds, seconds = _clock(real)
        setattr(time, name, _named(nanoseconds, name))
        setattr(time, name[: -len("_ns")], _named(seconds, name[: -len("_ns")]))
    for name, function in _BREAKDOWNS.items():
        setattr(time, name, _named(_now(function, 1 if name == "strftime" else 0), name))


def _named(function, name):
    function.__name__ = function.__qualname__ = name
    function.__module__ = "time"
    return function
