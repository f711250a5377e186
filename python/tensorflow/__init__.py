"""TensorFlow as PyTorch programs use it: to read checkpoints that were published in its format, and to be quiet, and to log. Nothing computes here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import contrib, train

if TYPE_CHECKING:
    from typing import Any

__version__ = "2.20.0"
__all__ = ["contrib", "train"]


class _Settings:
    """How much TensorFlow would say, with which seeds and devices: it takes everything and has no devices."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> list:
        return []


class _Former:
    """tensorflow.compat, whose v1 and v2 have the same names."""

    def __getattr__(self, name: str) -> Any:
        return self if name in ("v1", "v2") else _named(name)


def _function(func: Any = None, **_: object) -> Any:
    """What is decorated is not compiled; it raises where it computes."""
    return _function if func is None else func


def _named(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "compat":
        return _Former()
    if name == "function":
        return _function
    if name in ("logging", "get_logger", "config", "random", "autograph", "set_random_seed", "disable_eager_execution"):
        return _Settings()
    if name in ("summary", "Summary"):
        from vramscope_absent import Inert

        return Inert(f"tensorflow.{name}")
    from vramscope_deferred import Name

    return Name(f"tensorflow.{name}", f"vramscope's stand-in for tensorflow does not have '{name}'")


def __getattr__(name: str) -> Any:
    if name in ("python", "contrib", "train"):
        raise AttributeError(name)
    return _named(name)
