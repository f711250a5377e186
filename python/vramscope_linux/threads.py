"""Threads that run in turn: what is started runs at once, a daemon when somebody waits for it, to its end in either case."""

from __future__ import annotations

import concurrent.futures
import queue
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


_waiting = []  # daemons that have not run


def begin() -> None:
    threading.Thread.start = _start
    threading.Thread.join = _join
    threading.Thread.is_alive = lambda self: False
    queue.Queue.get = _get
    queue.Queue.put = _put
    threading.Event.wait = _wait
    # the class itself: a package that was imported before the program may have it by name
    for name in ("__init__", "submit", "map", "shutdown"):
        setattr(concurrent.futures.ThreadPoolExecutor, name, getattr(_InTurn, name))
    concurrent.futures.ProcessPoolExecutor = _InTurn
    concurrent.futures.as_completed = lambda futures, timeout=None: iter(list(futures))
    module = sys.modules.get("concurrent.futures.process")
    if module is not None:
        module.ProcessPoolExecutor = _InTurn


def _start(self):
    if self._started.is_set():
        raise RuntimeError("threads can only be started once")
    self._started.set()
    _assume("Thread.start")
    if isinstance(self, threading.Timer):
        return  # its time does not come
    if self.daemon:
        _waiting.append(self)
    else:
        _run(self)


def _run(thread):
    if thread in _waiting:
        _waiting.remove(thread)
    try:
        thread.run()
    except SystemExit:
        pass
    except Exception:
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), thread)))


def _join(self, timeout=None):
    if not self._started.is_set():
        raise RuntimeError("cannot join thread before it is started")
    if self in _waiting and timeout is None:
        _run(self)


def run_waiting() -> None:
    """Whoever waits for something lets the daemons run first."""
    while _waiting:
        _run(_waiting[0])


def _get(self, block=True, timeout=None):
    if not self._qsize() and block:
        run_waiting()
    if not self._qsize():
        raise queue.Empty
    return self._get()


def _put(self, item, block=True, timeout=None):
    """There is always room: nobody could take something out meanwhile."""
    if not block and 0 < self.maxsize <= self._qsize():
        raise queue.Full
    self._put(item)
    self.unfinished_tasks += 1


def _wait(self, timeout=None):
    if not self._flag:
        run_waiting()
    return self._flag


def _assume(what):
    from torch import _C

    _C._js.assume("runs_in_turn", _C.here(), "what", what)


class _InTurn(concurrent.futures.Executor):
    """An executor whose calls are done when they are submitted."""

    def __init__(
        self,
        max_workers: int | None = None,
        *_: Any,
        initializer: Callable | None = None,
        initargs: Sequence = (),
        **__: Any,
    ) -> None:
        self._max_workers = max_workers or 1
        if initializer is not None:
            initializer(*initargs)
        _assume("Executor")

    def submit(self, fn: Callable, /, *args: Any, **kwargs: Any) -> Any:
        future = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def map(self, fn: Callable, *iterables: Any, timeout: float | None = None, chunksize: int = 1, **_: Any) -> Any:
        return map(fn, *iterables)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing runs."""
