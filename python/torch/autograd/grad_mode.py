"""Grad mode and inference mode as context managers and decorators."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _Mode:
    """A context manager that also decorates functions and generators; each call enters a fresh copy."""

    def __call__(self, function: Callable) -> Callable:
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generate(*args, **kwargs):
                generator = function(*args, **kwargs)
                with self._fresh():
                    try:
                        value = next(generator)
                    except StopIteration as stop:
                        return stop.value
                while True:
                    sent = yield value
                    with self._fresh():
                        try:
                            value = generator.send(sent)
                        except StopIteration as stop:
                            return stop.value

            return generate

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self._fresh():
                return function(*args, **kwargs)

        return wrapped

    def _fresh(self):
        return type(self)()


class no_grad(_Mode):
    """No graph is recorded."""

    _value = False

    def __new__(cls, function: Callable | None = None) -> enable_grad | no_grad:
        self = object.__new__(cls)
        return self(function) if function is not None else self

    def __enter__(self) -> None:
        self._before = _C._js.gradMode()
        _C._js.setGradMode(self._value)

    def __exit__(self, *_: Any) -> None:
        _C._js.setGradMode(self._before)


class enable_grad(no_grad):
    """A graph is recorded."""

    _value = True


class set_grad_enabled(_Mode):
    """Takes effect at once; as a context it is undone at the end."""

    def __init__(self, mode: bool) -> None:
        self._before = _C._js.gradMode()
        self.mode = bool(mode)
        _C._js.setGradMode(self.mode)

    def __call__(self, function: Callable) -> Any:
        _C._js.setGradMode(self._before)
        return super().__call__(function)

    def _fresh(self):
        return type(self)(self.mode)

    def __enter__(self) -> None:
        _C._js.setGradMode(self.mode)

    def __exit__(self, *_: Any) -> None:
        _C._js.setGradMode(self._before)


class inference_mode(_Mode):
    """No graph, no version counters, no views tracked."""

    def __new__(cls, mode: bool = True) -> inference_mode:
        self = object.__new__(cls)
        self.mode = True
        if callable(mode):
            return self(mode)
        self.mode = mode
        return self

    def __init__(self, mode: bool = True) -> None:
        pass

    def _fresh(self):
        return type(self)(self.mode)

    def __enter__(self) -> None:
        self._before = (_C._js.inferenceMode(), _C._js.gradMode())
        _C._js.setInferenceMode(bool(self.mode))
        if self.mode:
            _C._js.setGradMode(False)

    def __exit__(self, *_: Any) -> None:
        _C._js.setInferenceMode(self._before[0])
        _C._js.setGradMode(self._before[1])


def is_grad_enabled() -> bool:
    return _C._js.gradMode()


def is_inference_mode_enabled() -> bool:
    return _C._js.inferenceMode()


class set_multithreading_enabled(_Mode):
    """Accepted; the simulated engine has one thread per device anyway."""

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def _fresh(self):
        return type(self)(self.mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        pass


class _unsafe_preserve_version_counter:
    """What is written within does not count as a change of these tensors."""

    def __init__(self, tensors: Any) -> None:
        self.tensors = tensors if isinstance(tensors, tuple) else (tensors,)
        self.versions = [t._version for t in self.tensors]

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        for tensor, version in zip(self.tensors, self.versions):
            _C._js.setVersion(tensor._h, version)
