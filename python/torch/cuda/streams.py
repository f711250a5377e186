"""Streams and events. Work runs in order; allocations belong to the stream that is current.

Streams come from two pools of 32 each, handed out in turn (c10/cuda/CUDAStream.cpp): the 33rd stream is the first one again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C, _gpus
from .._types import device as _device_type
from ._devices import engine_name, ordinal, set_device

if TYPE_CHECKING:
    from typing import Any, Self

    import torch


_POOL = 32
_handed_out = {"normal": 0, "high": 0}


def _from_pool(priority):
    """The number of the next stream: 1 to 32 of normal, 33 to 64 of high priority."""
    kind = "high" if priority < 0 else "normal"
    place = _handed_out[kind] % _POOL
    _handed_out[kind] += 1
    return place + 1 + (_POOL if kind == "high" else 0)


class Stream:
    """A queue of work; its memory is its own."""

    def __init__(
        self,
        device: torch.device | str | int | None = None,
        priority: int = 0,
        *,
        stream_id: Any = None,
        device_index: Any = None,
        device_type: str | None = None,
        **_: Any,
    ) -> None:
        self.stream_id = _from_pool(priority) if stream_id is None else stream_id
        self.priority = priority
        self._gpu = ordinal(device if device_index is None else device_index)

    @property
    def cuda_stream(self) -> Any:
        return self.stream_id

    @property
    def device(self) -> torch.device:
        return _device_type.numbered(self._gpu)

    @property
    def device_index(self) -> Any:
        return self._gpu

    device_type = 1

    def wait_event(self, event: Event | torch.Event) -> None:
        pass

    def wait_stream(self, stream: Stream | torch.Stream) -> None:
        pass

    def record_event(self, event: Event | torch.Event | None = None) -> Any:
        return event or Event()

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        pass

    def __enter__(self) -> Self:
        self.__dict__.setdefault("_entered", []).append(StreamContext(self).__enter__())
        return self

    def __exit__(self, *error: Any) -> None:
        self._entered.pop().__exit__(*error)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and (other.stream_id, other._gpu) == (self.stream_id, self._gpu)

    def __hash__(self) -> int:
        return hash((self.stream_id, self._gpu))

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.stream_id:#x}>"


class ExternalStream(Stream):
    """A stream made elsewhere, by its address."""

    def __init__(self, stream_ptr: Any, device: torch.device | str | int | None = None, **_: Any) -> None:
        super().__init__(device, stream_id=stream_ptr)


class Event:
    """A point in a stream; no time passes between two."""

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, external: bool = False
    ) -> None:
        pass

    def record(self, stream: Stream | torch.Stream | None = None) -> None:
        pass

    def wait(self, stream: Stream | torch.Stream | None = None) -> None:
        pass

    def query(self) -> bool:
        return True

    def elapsed_time(self, end: Any) -> float:
        return 0.0

    def synchronize(self) -> None:
        pass


class StreamContext:
    """Makes a stream the current one."""

    def __init__(self, stream: Stream | torch.cuda.Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> Self:
        if self.stream is None:
            return self
        self._gpu_before = _gpus.current_place
        if self.stream._gpu is not _gpus.current_place and self.stream._gpu != _gpus.current_place:
            set_device(self.stream._gpu)
        self._gpu = engine_name(self.stream._gpu)
        self._before = _C._js.currentStream(self._gpu)
        _C._js.setStream(self._gpu, self.stream.stream_id)
        return self

    def __exit__(self, *_: Any) -> None:
        if self.stream is None:
            return
        _C._js.setStream(self._gpu, self._before)
        if self._gpu_before is not _gpus.current_place and self._gpu_before != _gpus.current_place:
            set_device(self._gpu_before)


def stream(stream: Stream | torch.cuda.Stream | None) -> StreamContext:
    return StreamContext(stream)


def current_stream(device: torch.device | str | int | None = None) -> Stream | torch.Stream:
    return Stream(device, stream_id=_C._js.currentStream(engine_name(device)))


def default_stream(device: torch.device | str | int | None = None) -> Stream:
    return Stream(device, stream_id=0)


def set_stream(stream: Stream | torch.Stream) -> None:
    if stream is not None:
        _C._js.setStream(engine_name(stream._gpu), stream.stream_id)
