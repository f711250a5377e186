"""Handlers that a program sets are remembered; those by which the host stops it stay."""

from __future__ import annotations

import signal

REAL = signal.signal
_set = {}


def begin() -> None:
    signal.signal = lambda number, handler: _exchange(int(number), handler)
    signal.getsignal = lambda number: _set.get(int(number), signal.SIG_DFL)
    for name in ("siginterrupt", "pthread_sigmask", "set_wakeup_fd"):
        setattr(signal, name, lambda *_, **__: 0)


def _exchange(number, handler):
    before = _set.get(number, signal.SIG_DFL)
    _set[number] = handler
    return before
