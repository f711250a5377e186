"""multiprocessing without processes: pools and processes run in turn, in the program's own interpreter."""

from __future__ import annotations

import multiprocessing
import os
import queue
import sys
import threading
from typing import TYPE_CHECKING

from . import workers
from .threads import _assume

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Self


def begin() -> None:
    made = {
        "Pool": Pool, "Process": Process, "Queue": Queue, "SimpleQueue": Queue,
        "JoinableQueue": Queue, "Lock": threading.Lock, "RLock": threading.RLock, "Event": threading.Event,
        "Semaphore": threading.Semaphore, "Barrier": threading.Barrier, "Value": Value, "Array": array,
        "Pipe": workers.pipe, "Manager": Manager, "cpu_count": lambda: os.cpu_count(), "get_context": lambda method=None: multiprocessing,
        "set_start_method": lambda method, force=False: None, "get_start_method": lambda allow_none=False: "fork",
        "get_all_start_methods": lambda: ["fork", "spawn", "forkserver"], "freeze_support": lambda: None,
        "active_children": lambda: [], "RawValue": Value, "RawArray": array,
    }  # fmt: skip
    for name, value in made.items():
        setattr(multiprocessing, name, value)
    tracker = sys.modules["multiprocessing.resource_tracker"] = type(sys)("multiprocessing.resource_tracker")
    tracker.register = tracker.unregister = tracker.ensure_running = lambda *named: None
    multiprocessing.resource_tracker = tracker
    shared = sys.modules["_posixshmem"] = type(sys)("_posixshmem")
    shared.shm_open = lambda path, flags, mode=0o777: os.open(f"/tmp/shm-{path.strip('/')}", flags, mode)
    shared.shm_unlink = lambda path: os.unlink(f"/tmp/shm-{path.strip('/')}")
    compiled = sys.modules["_multiprocessing"] = type(sys)("_multiprocessing")
    compiled.SemLock, compiled.sem_unlink, compiled.flags = SemLock, lambda name: None, {"HAVE_SEM_OPEN": 1}
    pool = type(sys)("multiprocessing.pool")
    pool.Pool = pool.ThreadPool = Pool
    sys.modules["multiprocessing.pool"] = multiprocessing.pool = pool
    dummy = type(sys)("multiprocessing.dummy")
    dummy.Pool, dummy.Process, dummy.cpu_count = Pool, Process, os.cpu_count
    sys.modules["multiprocessing.dummy"] = multiprocessing.dummy = dummy


class Queue(queue.Queue):
    """A queue between processes: an ordinary one, with what only such a one has."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        if not self._qsize():
            workers.run_until(self._qsize)
        workers.moved()
        return super().get(block, timeout)

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        workers.moved()
        super().put(item, block, timeout)

    def _waits(self) -> bool:
        return not self._qsize()

    def close(self) -> None:
        """Nothing runs."""

    join_thread = cancel_join_thread = close


class _Result:
    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self, timeout: float | None = None) -> Any:
        return self._value

    def wait(self, timeout: float | None = None) -> None:
        """It is done."""

    def ready(self) -> bool:
        return True

    successful = ready


class Pool:
    """Its calls are done when they are asked for."""

    def __init__(
        self,
        processes: Any = None,
        initializer: Callable | None = None,
        initargs: Sequence = (),
        maxtasksperchild: Any = None,
        context: Any = None,
    ) -> None:
        self._processes = processes or os.cpu_count()
        _assume("Pool")
        if initializer is not None:
            initializer(*initargs)

    def apply(self, func: Callable, args: Sequence = (), kwds: Any = None) -> Any:
        return func(*args, **(kwds or {}))

    def apply_async(
        self,
        func: Callable,
        args: Sequence = (),
        kwds: Any = None,
        callback: Callable | None = None,
        error_callback: Callable | None = None,
    ) -> _Result:
        value = func(*args, **(kwds or {}))
        if callback is not None:
            callback(value)
        return _Result(value)

    def map(self, func: Callable, iterable: Any, chunksize: Any = None) -> list:
        return [func(item) for item in iterable]

    def starmap(self, func: Callable, iterable: Any, chunksize: Any = None) -> list:
        return [func(*items) for items in iterable]

    def map_async(self, func: Callable, iterable: Any, *_: Any, **__: Any) -> _Result:
        return _Result(self.map(func, iterable))

    def starmap_async(self, func: Callable, iterable: Any, *_: Any, **__: Any) -> _Result:
        return _Result(self.starmap(func, iterable))

    def imap(self, func: Callable, iterable: Any, chunksize: int = 1) -> Any:
        return map(func, iterable)

    imap_unordered = imap

    def close(self) -> None:
        """Nothing runs."""

    join = terminate = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


_running = 0
_endings: list[Callable[[], None]] = []
_program_rank: list[str | None] = []


def within() -> bool:
    """Whether what runs now was started as a process."""
    return bool(_running or workers.running())


def program_rank() -> str | None:
    """RANK as the program itself has it: a process may set one of its own."""
    return _program_rank[0] if _program_rank else os.environ.get("RANK")


def at_end(do: Callable[[], None]) -> None:
    """What is done when the process that runs now has ended, because a real one would take it along."""
    _endings.append(do)


def _ended() -> None:
    while _endings:
        _endings.pop()()


class Process:
    """Runs when it is started, in the same interpreter; one that waits for others goes on when they wait for it."""

    pid = ident = None
    _worker = _ended = None

    def __init__(
        self,
        group: Any = None,
        target: Any = None,
        name: str | None = None,
        args: Sequence = (),
        kwargs: Any = None,
        *,
        daemon: Any = None,
    ) -> None:
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.name, self.daemon = name or "Process-1", bool(daemon)

    def run(self) -> None:
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self) -> None:
        global _running
        _assume("Process.start")
        if not _program_rank:
            _program_rank.append(os.environ.get("RANK"))
        self.pid = self.ident = os.getpid()
        function = self._target if type(self).run is Process.run else self.run
        pauses = None if function is None else workers.pausing(function)
        if pauses is not None:
            args, kwargs = (self._args, self._kwargs) if function is self._target else ((), {})
            self._worker = workers.Worker(pauses(*args, **kwargs), self.name, _ended)
            self._worker.step()
            return
        _running += 1
        try:
            self.run()
            self._ended = 0
        except SystemExit as stop:
            self._ended = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        finally:
            _running -= 1
        _ended()

    @property
    def exitcode(self) -> int | None:
        return self._ended if self._worker is None else self._worker.exitcode

    def join(self, timeout: float | None = None) -> None:
        if self._worker is not None:
            workers.run_until(lambda: self._worker.exitcode is not None)

    def terminate(self) -> None:
        if self._worker is not None:
            self._worker.end(-15)

    kill = close = terminate

    def is_alive(self) -> bool:
        self.join()
        return self._worker is not None and self._worker.exitcode is None


class SemLock:
    """The compiled semaphore below the modules of multiprocessing: nobody else runs, so that it counts and never waits."""

    SEM_VALUE_MAX = 2**31 - 1
    handle = 0

    def __init__(self, kind: int, value: int, maxvalue: int, name: str, unlink: bool) -> None:
        self.kind, self.maxvalue, self.name = kind, maxvalue, name
        self._value, self._taken = value, 0

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        if self._value == 0 and not (self.kind == 0 and self._taken):
            return False
        self._value = max(0, self._value - 1)
        self._taken += 1
        return True

    def release(self) -> None:
        self._value = min(self.maxvalue, self._value + 1)
        self._taken -= 1

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: Any) -> None:
        self.release()

    def _count(self) -> int:
        return self._taken

    def _is_mine(self) -> bool:
        return self._taken > 0

    def _get_value(self) -> int:
        return self._value

    def _is_zero(self) -> bool:
        return self._value == 0

    def _after_fork(self) -> None:
        self._taken = 0


class Value:
    def __init__(self, typecode: Any, value: int = 0, *, lock: bool = True) -> None:
        self.value = value
        self._lock = threading.RLock()

    def get_lock(self) -> Any:
        return self._lock


def array(typecode: Any, size_or_values: Any, *, lock: bool = True) -> Any:
    return [0] * size_or_values if isinstance(size_or_values, int) else list(size_or_values)


class Manager:
    """Its objects are ordinary ones."""

    dict, list, Queue, Lock, Event, Value = dict, list, Queue, threading.Lock, threading.Event, Value

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        """Nothing runs."""

    def shutdown(self) -> None:
        """Nothing runs."""
