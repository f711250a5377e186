"""Files that the real torch.save wrote, read by their structure: names, shapes, dtypes and devices, and the values of small tensors.

Two formats (torch/serialization.py, _save and _legacy_save): a zip archive with the objects in `data.pkl` and each storage in a file of
its own, and before 1.6 a row of pickles with the storages behind them.
"""

from __future__ import annotations

import pickle
import zipfile
from typing import TYPE_CHECKING

from ._bytes import numbers
from ._literals import give_values
from ._storage import UntypedStorage

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO

    import torch

    Read = Callable[[str, int], bytes | None]

# Values of larger storages are not read: they decide memory nowhere, and a checkpoint has many.
_MOST_READ = 1024
_LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
_LEGACY_START = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
STORAGES = {
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
    "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128",
    "UntypedStorage": "uint8",
}


class SavedStorage(UntypedStorage):
    """A storage out of a file, with the dtype that the file says."""

    def __init__(self, tensor: torch.Tensor) -> None:
        super().__init__(tensor)
        self.dtype = tensor.dtype


class Locations:
    """Where storages go: `map_location` as torch.load takes it (torch/serialization.py, _get_restore_location)."""

    def __init__(self, map_location: Any) -> None:
        self.map = map_location

    def device(self, location: str) -> torch.device | None:
        """The device for a storage that was saved from `location`; None where a function decides that."""
        import torch

        if callable(self.map) and not isinstance(self.map, torch.device):
            return None
        where = self.map.get(location, location) if isinstance(self.map, dict) else self.map
        device = torch.device(location if where is None else where)
        count = torch.cuda.device_count()
        if device.type == "cuda" and (device.index or 0) >= count:
            raise RuntimeError(
                f"Attempting to deserialize object on CUDA device {device.index} but torch.cuda.device_count() is {count}. "
                "Please use torch.load with map_location to map your storages to an existing device."
            )
        return device

    def placed(self, location: str, made: Callable[[Any], torch.Tensor]) -> SavedStorage:
        """A storage on its device; `made` makes it on the one that it is given."""
        device = self.device(location)
        if device is not None:
            return SavedStorage(made(device))
        storage = SavedStorage(made("cpu"))
        answer = self.map(storage, location)
        return Locations(None).placed(location, made) if answer is None else answer


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BinaryIO, locations: Locations, read: Read) -> None:
        super().__init__(file)
        self.locations, self.read, self.storages = locations, read, {}

    def find_class(self, module: str, name: str) -> Any:
        if module in ("torch", "torch.cuda", "torch.storage") and name in STORAGES:
            return name
        return super().find_class(module, name)

    def persistent_load(self, saved: tuple) -> Any:
        import torch

        if not isinstance(saved, tuple) or saved[0] != "storage":
            # the legacy format names the source of modules, too
            return saved[1]
        _, kind, key, location, numel = saved[:5]
        if key not in self.storages:
            dtype = getattr(torch, STORAGES[kind])

            def made(device: Any) -> torch.Tensor:
                tensor = torch.empty(numel, dtype=dtype, device=device)
                values = self._values(key, dtype, numel) if tensor.is_cpu else None
                if values is not None:
                    give_values(tensor, values)
                return tensor

            self.storages[key] = self.locations.placed(location, made)
        return self.storages[key]

    def _values(self, key: str, dtype: torch.dtype, numel: int) -> tuple | None:
        if not 0 < numel <= _MOST_READ:
            return None
        content = self.read(key, numel * dtype.itemsize)
        return None if content is None else numbers(content, dtype, numel)


def read_saved(file: BinaryIO, locations: Locations) -> tuple[bool, Any]:
    """Whether the file is one of these formats, and what it holds. Otherwise the file stands where it stood."""
    start = file.tell()
    if zipfile.is_zipfile(file):
        return True, _archive(zipfile.ZipFile(file), locations)
    file.seek(start)
    head = file.read(len(_LEGACY_START))
    file.seek(start)
    return (True, _legacy(file, locations)) if head == _LEGACY_START else (False, None)


def _archive(archive: zipfile.ZipFile, locations: Locations) -> Any:
    names = archive.namelist()
    objects = next((name for name in names if name == "data.pkl" or name.endswith("/data.pkl")), None)
    if objects is None:
        raise pickle.UnpicklingError("a zip archive without data.pkl is none that torch.save wrote")
    folder = objects[: -len("data.pkl")]
    if f"{folder}constants.pkl" in names:
        raise RuntimeError("vramscope does not read TorchScript archives (torch.jit.save); state dictionaries are read")
    order = f"{folder}byteorder"
    is_little = order not in names or archive.read(order) == b"little"

    def read(key: str, length: int) -> bytes | None:
        name = f"{folder}data/{key}"
        if not is_little or name not in names or archive.getinfo(name).file_size != length:
            return None
        return archive.read(name)

    with archive.open(objects) as file:
        return _Unpickler(file, locations, read).load()


def _legacy(file: BinaryIO, locations: Locations) -> Any:
    for _ in ("the magic number", "the protocol", "what machine wrote it"):
        pickle.load(file)
    # the storages lie behind the objects, with their numbers of elements: they are not read
    return _Unpickler(file, locations, lambda key, length: None).load()
