"""The ways in which a program ends itself at once, without clean-up, as Linux ends it: `os._exit`, `os.abort`, signals to itself."""

from __future__ import annotations

import operator
import os
import signal
import sys

from torch import _C

# Those whose default action is not to end the process.
_HARMLESS = ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU")
_ABORTED = 6


def install() -> None:
    """Puts them in place."""
    ignored = {int(getattr(signal, name)) for name in _HARMLESS if hasattr(signal, name)}
    own = os.getpid()

    def leave(status):
        # where programs run one after another the engine ends nothing
        getattr(_C._js, "leave", sys.exit)(status)

    def _exit(status):
        leave(operator.index(status) & 255)

    def abort():
        leave(128 + _ABORTED)

    def raise_signal(signalnum, /):
        number = operator.index(signalnum)
        handler = signal.getsignal(number)
        if callable(handler) and not isinstance(handler, int):
            # the one that the interpreter knows is the host's: python/vramscope_linux/signals.py remembers the program's
            handler(number, sys._getframe(1))
        elif handler == signal.SIG_DFL and number == signal.SIGINT:
            raise KeyboardInterrupt
        elif handler == signal.SIG_DFL and number not in ignored:
            leave(128 + number)

    def kill(pid, signum, /):
        pid, number = operator.index(pid), operator.index(signum)
        if pid not in (own, 0, -own):
            raise ProcessLookupError(3, "No such process")
        if number != 0:
            raise_signal(number)

    os._exit = _exit
    os.abort = abort
    os.kill = kill
    os.killpg = kill
    signal.raise_signal = raise_signal
