"""save and load: what a run saves is geometry without values, in a format of our own (pickle of the object with tensors as shapes).

What the real torch.save wrote is read, too (_saved_files.py).
"""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from typing import TYPE_CHECKING

from ._checkpoint_answers import Checkpoint
from ._saved_files import Locations, read_saved
from ._shared_files import file_of_other_rank, tell_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import torch

DEFAULT_PROTOCOL = 2
# What torch.load takes to say where tensors go, and what it reads from: names for annotations.
MAP_LOCATION = FileLike = FILE_LIKE = object
LONG_SIZE, INT_SIZE, SHORT_SIZE = 8, 4, 2  # bytes of C's kinds


def rebuild_tensor(
    shape: Sequence[int], dtype: torch.dtype, device: torch.device | str | int, requires_grad: bool
) -> Any:
    import torch

    placed = _locations.placed(str(device), lambda place: torch.empty(shape, dtype=dtype, device=place))
    t = placed._tensor
    return t.requires_grad_() if requires_grad else t


def rebuild_storage(numel: int, dtype: torch.dtype, device: str) -> Any:
    import torch

    return _locations.placed(device, lambda place: torch.empty(numel, dtype=dtype, device=place))


def _shape_of(tensor):
    return rebuild_tensor, (tuple(tensor.shape), tensor.dtype, str(tensor.device), tensor.requires_grad)


def taken_apart(tensor: torch.Tensor) -> tuple:
    """As PyTorch pickles a tensor, for programs' own picklers."""
    import torch

    if tensor.layout is not torch.strided or tensor.is_meta:
        return _shape_of(tensor)
    place = tensor.storage_offset(), tuple(tensor.shape), tensor.stride()
    return torch._utils._rebuild_tensor_v2, (tensor.storage(), *place, tensor.requires_grad, OrderedDict())


class _Pickler(pickle.Pickler):
    """Writes tensors as shapes."""

    def reducer_override(self, obj: Any) -> Any:
        import torch

        is_plain = getattr(type(obj), "__reduce_ex__", None) is torch.Tensor.__reduce_ex__
        return _shape_of(obj) if is_plain else NotImplemented


_locations = Locations(None)


def save(
    obj: object,
    f: Any,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
) -> None:
    written = io.BytesIO()
    _Pickler(written).dump(obj)
    data = written.getvalue()
    if hasattr(f, "write"):
        f.write(data)
        return
    with open(f, "wb") as file:
        file.write(data)
    tell_file(f, data)


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
    if hasattr(f, "read"):
        return _load(f, str(getattr(f, "name", "")), map_location)
    import vramscope_data

    vramscope_data.supply_checkpoint(f)
    try:
        file = open(f, "rb")
    except FileNotFoundError:
        data = file_of_other_rank(f)
        if data is None:
            raise
        file = io.BytesIO(data)
    with file:
        return _load(file, str(f), map_location)


def _load(file, name, map_location):
    global _locations
    before, _locations = _locations, Locations(map_location)
    try:
        is_saved, loaded = read_saved(file, _locations) if file.seekable() else (False, None)
        if not is_saved:
            loaded = pickle.load(io.BytesIO(file.read()))
        if isinstance(loaded, Checkpoint):
            loaded.device = _locations.device("cpu")
            loaded.name = name or loaded.name
        return loaded
    except (pickle.UnpicklingError, EOFError, ValueError) as error:
        raise pickle.UnpicklingError(f"{name or 'the file'} is none that torch.save wrote: {error}") from None
    finally:
        _locations = before


def location_tag(storage: torch.UntypedStorage) -> str:
    return str(storage.device)


def normalize_storage_type(storage_type: type) -> type:
    import torch

    return getattr(torch, storage_type.__name__)


class safe_globals:
    def __init__(self, safe_globals: Any) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        pass


def add_safe_globals(safe_globals: list[Callable | tuple[Callable, str]]) -> None:
    pass
