"""Stand-in for torchvision: transforms, data sets of placeholders, and some models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from . import _compiled, datasets, models, transforms

if TYPE_CHECKING:
    from typing import Any


__version__ = "0.29.0"
_lacks = lacks("torchvision")
_backend = "PIL"


def set_image_backend(backend: Any) -> None:
    """Images are placeholders whatever reads them."""


def get_image_backend() -> Any:
    return _backend


def disable_beta_transforms_warning() -> None:
    """Nothing warns."""


def is_tracing() -> bool:
    return False


_is_tracing = is_tracing


def __getattr__(name: str) -> Any:
    if name in ("ops", "utils", "io", "tv_tensors", "extension", "version"):
        import importlib

        return importlib.import_module(f"torchvision.{name}")
    return _lacks(name)
