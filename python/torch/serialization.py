"""save and load: geometry without values, in a format of our own (pickle of the object with tensors as shapes)."""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING

from ._checkpoint_answers import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch


def rebuild_tensor(
    shape: Sequence[int], dtype: torch.dtype, device: torch.device | str | int, requires_grad: bool
) -> Any:
    import torch

    t = torch.empty(shape, dtype=dtype, device=_load_device or device)
    return t.requires_grad_() if requires_grad else t


_load_device = None


def save(
    obj: object,
    f: Any,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
) -> None:
    data = pickle.dumps(obj)
    if hasattr(f, "write"):
        f.write(data)
        return
    with open(f, "wb") as file:
        file.write(data)


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **_: Any,
) -> Any:
    """Tensors come back on the device that they were saved from, or on map_location."""
    global _load_device
    data = f.read() if hasattr(f, "read") else _read(f)
    _load_device = (
        str(map_location)
        if map_location is not None and not callable(map_location) and not isinstance(map_location, dict)
        else None
    )
    try:
        loaded = pickle.load(io.BytesIO(data))
        if isinstance(loaded, Checkpoint):
            loaded.device = _load_device
            loaded.name = loaded.name if hasattr(f, "read") else str(f)
        return loaded
    except (pickle.UnpicklingError, EOFError, ValueError) as error:
        raise pickle.UnpicklingError(
            f"vramscope reads only files that torch.save wrote in the same simulated program: {error}"
        ) from None
    finally:
        _load_device = None


def _read(path):
    with open(path, "rb") as file:
        return file.read()


class safe_globals:
    def __init__(self, *_: Any) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        pass


def add_safe_globals(_: Any) -> None:
    pass
