"""Event loops: `asyncio.run` drives one that has no files and sockets to wait for."""

from __future__ import annotations

import asyncio
import selectors
import time
from typing import TYPE_CHECKING

import vramscope_clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def begin() -> None:
    # the interpreter put a function of its own in the place of the plain one
    time.sleep = getattr(time.sleep, "__wrapped__", time.sleep)
    asyncio.events._set_running_loop(None)  # the interpreter's own is none of the program's business
    asyncio.new_event_loop = asyncio.events.new_event_loop = Loop
    asyncio.run = _run
    asyncio.get_event_loop = _current
    asyncio.events.get_event_loop = _current


class _Nothing(selectors._BaseSelectorImpl):
    """Nothing ever arrives; who waits finds that the time has passed."""

    def select(self, timeout: float | None = None) -> list:
        from . import threads

        threads.run_waiting()
        if timeout is None:
            raise RuntimeError(
                "the event loop waits for something that cannot come: a simulated program has no network"
            )
        vramscope_clock.sleep(max(timeout, 0))
        return []


class Loop(asyncio.base_events.BaseEventLoop):
    """An event loop without files and sockets."""

    def __init__(self) -> None:
        self._selector = _Nothing()
        super().__init__()

    def _process_events(self, events):
        """There are none."""

    def _write_to_self(self):
        """Nobody else runs."""

    def run_in_executor(self, executor: Any, func: Callable, *args: Any) -> Any:
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


_loop = None


def _current():
    global _loop
    running = asyncio.events._get_running_loop()
    if running is not None:
        return running
    if _loop is None or _loop.is_closed():
        _loop = asyncio.new_event_loop()
    return _loop


def _run(main, *, debug=None, loop_factory=None):
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.close()
