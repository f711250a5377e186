"""Streams and events. Work runs in order; allocations belong to the stream that is current."""

from .. import _C

_number = 0


class Stream:
    """A queue of work; its memory is its own."""

    def __init__(self, device=None, priority=0, **_):
        global _number
        _number += 1
        self.stream_id = _number
        self.cuda_stream = _number
        self.priority = priority

    def wait_event(self, event):
        pass

    def wait_stream(self, stream):
        pass

    def record_event(self, event=None):
        return event or Event()

    def query(self):
        return True

    def synchronize(self):
        pass

    def __enter__(self):
        return StreamContext(self).__enter__()

    def __exit__(self, *_):
        pass


class ExternalStream(Stream):
    pass


class Event:
    """A point in a stream; no time passes between two."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        pass

    def record(self, stream=None):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def elapsed_time(self, end):
        return 0.0

    def synchronize(self):
        pass


_default = Stream.__new__(Stream)
_default.stream_id = _default.cuda_stream = 0
_default.priority = 0
_current = _default


class StreamContext:
    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        global _current
        self._before = _current
        if self.stream is not None:
            _current = self.stream
            _C._js.setStream(self.stream.stream_id)
        return self

    def __exit__(self, *_):
        global _current
        _current = self._before
        _C._js.setStream(_current.stream_id)


def stream(stream):
    return StreamContext(stream)


def current_stream(device=None):
    return _current


def default_stream(device=None):
    return _default


def set_stream(stream):
    global _current
    _current = stream
    _C._js.setStream(stream.stream_id)
