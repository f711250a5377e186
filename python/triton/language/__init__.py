"""triton.language: names that kernels mention; kernels never run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, NoReturn


class constexpr:
    """A value known when a kernel is compiled."""

    def __init__(self, value: Any) -> None:
        self.value = value


class _Name:
    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        raise RuntimeError(f"triton.language.{self._name} is only meant within a kernel")

    def __getattr__(self, name: str) -> _Name:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Name(f"{self._name}.{name}")


def __getattr__(name: str) -> _Name:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Name(name)
