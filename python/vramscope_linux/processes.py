"""multiprocessing without processes: pools and processes run in turn, in the program's own interpreter."""

import multiprocessing
import os
import queue
import sys
import threading

from .threads import _assume


def begin():
    made = {
        "Pool": Pool, "Process": Process, "Queue": queue.Queue, "SimpleQueue": queue.SimpleQueue,
        "JoinableQueue": queue.Queue, "Lock": threading.Lock, "RLock": threading.RLock, "Event": threading.Event,
        "Semaphore": threading.Semaphore, "Barrier": threading.Barrier, "Value": Value, "Array": array,
        "Manager": Manager, "cpu_count": lambda: os.cpu_count(), "get_context": lambda method=None: multiprocessing,
        "set_start_method": lambda method, force=False: None, "get_start_method": lambda allow_none=False: "fork",
        "get_all_start_methods": lambda: ["fork", "spawn", "forkserver"], "freeze_support": lambda: None,
        "active_children": lambda: [], "RawValue": Value, "RawArray": array,
    }  # fmt: skip
    for name, value in made.items():
        setattr(multiprocessing, name, value)
    pool = type(sys)("multiprocessing.pool")
    pool.Pool = pool.ThreadPool = Pool
    sys.modules["multiprocessing.pool"] = multiprocessing.pool = pool
    dummy = type(sys)("multiprocessing.dummy")
    dummy.Pool, dummy.Process, dummy.cpu_count = Pool, Process, os.cpu_count
    sys.modules["multiprocessing.dummy"] = multiprocessing.dummy = dummy


class _Result:
    def __init__(self, value):
        self._value = value

    def get(self, timeout=None):
        return self._value

    def wait(self, timeout=None):
        """It is done."""

    def ready(self):
        return True

    successful = ready


class Pool:
    """Its calls are done when they are asked for."""

    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        self._processes = processes or os.cpu_count()
        _assume("Pool")
        if initializer is not None:
            initializer(*initargs)

    def apply(self, func, args=(), kwds=None):
        return func(*args, **(kwds or {}))

    def apply_async(self, func, args=(), kwds=None, callback=None, error_callback=None):
        value = func(*args, **(kwds or {}))
        if callback is not None:
            callback(value)
        return _Result(value)

    def map(self, func, iterable, chunksize=None):
        return [func(item) for item in iterable]

    def starmap(self, func, iterable, chunksize=None):
        return [func(*items) for items in iterable]

    def map_async(self, func, iterable, *_, **__):
        return _Result(self.map(func, iterable))

    def starmap_async(self, func, iterable, *_, **__):
        return _Result(self.starmap(func, iterable))

    def imap(self, func, iterable, chunksize=1):
        return map(func, iterable)

    imap_unordered = imap

    def close(self):
        """Nothing runs."""

    join = terminate = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Process:
    """Runs when it is started, in the same interpreter."""

    exitcode = None
    pid = None

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.name, self.daemon = name or "Process-1", bool(daemon)

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        _assume("Process.start")
        self.pid = os.getpid()
        try:
            self.run()
            self.exitcode = 0
        except SystemExit as stop:
            self.exitcode = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1

    def join(self, timeout=None):
        """It is done."""

    terminate = kill = close = join

    def is_alive(self):
        return False


class Value:
    def __init__(self, typecode, value=0, *, lock=True):
        self.value = value
        self._lock = threading.RLock()

    def get_lock(self):
        return self._lock


def array(typecode, size_or_values, *, lock=True):
    return [0] * size_or_values if isinstance(size_or_values, int) else list(size_or_values)


class Manager:
    """Its objects are ordinary ones."""

    dict, list, Queue, Lock, Event, Value = dict, list, queue.Queue, threading.Lock, threading.Event, Value

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Nothing runs."""

    def shutdown(self):
        """Nothing runs."""
