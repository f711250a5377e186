"""torch.futures: results that are there at once."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch


class Future:
    """A value that somebody sets; waiting for one that nobody set is an error, as nothing runs beside the program."""

    def __init__(self, *, devices: list[int | str | torch.device] | list[torch.device] | None = None) -> None:
        self._done, self._value, self._callbacks, self._devices = False, None, [], list(devices or ())

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def done(self) -> bool:
        return self._done

    def wait(self) -> Any:
        if not self._done:
            raise RuntimeError("vramscope: nothing runs beside the program that could set this future")
        return self._value

    value = wait

    def set_result(self, result: Any) -> None:
        if self._done:
            raise RuntimeError("Future already completed")
        self._done, self._value = True, result
        for callback in self._callbacks:
            callback(self)

    def set_exception(self, result: Any) -> None:
        raise result

    def _call(self, callback):
        """What follows on a value of a GPU runs on a stream of its own (invokeCallback of ATen/core/ivalue_inl.h)."""
        from torch.cuda.streams import Stream, stream

        with stream(Stream()) if self._devices else nullcontext():
            return callback(self)

    def add_done_callback(self, callback: Callable) -> None:
        self._call(callback) if self._done else self._callbacks.append(lambda future: future._call(callback))

    def then(self, callback: Callable) -> Future:
        made = Future(devices=self._devices)
        self.add_done_callback(lambda future: made.set_result(callback(future)))
        return made


def collect_all(futures: list[Future]) -> Future:
    made = Future(devices=[device for future in futures for device in future._devices])
    made.set_result(list(futures))
    return made


def wait_all(futures: list[Future]) -> list | None:
    return [f.wait() for f in futures]
