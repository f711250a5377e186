"""What makes the interpreter look like one on Linux: names of the system, threads and processes that run in turn, event loops.

Nothing here gives a program a power that the sandbox withholds: whatever would start something runs in the program's own thread, or is
refused in words.
"""

from __future__ import annotations

from . import alarms, answers, commands, machine, processes, releases, signals, sockets, threads, waiting


def begin() -> None:
    """Right before a program starts; the standard library is loaded by then."""
    machine.begin()
    sockets.begin()
    threads.begin()
    processes.begin()
    commands.begin()
    signals.begin()
    alarms.begin()
    waiting.begin()
    answers.begin()
    releases.begin()
