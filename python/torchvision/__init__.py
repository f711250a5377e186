"""Stand-in for torchvision: transforms, data sets of placeholders, and some models."""

from torch._stand_ins import lacks

from . import _compiled, datasets, models, transforms

__version__ = "0.29.0"
_lacks = lacks("torchvision")
_backend = "PIL"


def set_image_backend(backend):
    """Images are placeholders whatever reads them."""


def get_image_backend():
    return _backend


def disable_beta_transforms_warning():
    """Nothing warns."""


def is_tracing():
    return False


_is_tracing = is_tracing


def __getattr__(name):
    if name in ("ops", "utils", "io", "tv_tensors", "extension", "version"):
        import importlib

        return importlib.import_module(f"torchvision.{name}")
    return _lacks(name)
