"""Files of checkpoints for programs that take them apart or write them tensor by tensor, and the classes of storages that such files name.

litgpt and Lightning do so with PyTorch's own classes (caffe2/serialize/inline_container.cc). What a storage holds is nowhere, so its record is empty.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from ._saved_files import STORAGES
from ._storage import TypedStorage

if TYPE_CHECKING:
    from typing import Any

    import torch


class PyTorchFileReader:
    def __init__(self, source: Any) -> None:
        self._archive = zipfile.ZipFile(source)
        objects = next(name for name in self._archive.namelist() if name.rpartition("/")[2] == "data.pkl")
        self._folder = objects[: -len("data.pkl")]

    def get_all_records(self) -> list[str]:
        return [name[len(self._folder) :] for name in self._archive.namelist()]

    def has_record(self, name: str) -> bool:
        return self._folder + name in self._archive.namelist()

    def get_record(self, name: str) -> bytes:
        return self._archive.read(self._folder + name)

    def get_storage_from_record(self, name: str, numel: int, dtype: Any) -> torch.Tensor:
        """A tensor over the storage: so many bytes, or numbers of a dtype."""
        import torch

        return torch.empty(numel, dtype=dtype if isinstance(dtype, torch.dtype) else torch.uint8)


class PyTorchFileWriter:
    def __init__(self, file: Any, *_: Any) -> None:
        self._archive = zipfile.ZipFile(file, "w")

    def write_record(self, name: str, data: Any, size: int) -> None:
        self._archive.writestr(name, data if isinstance(data, (str, bytes)) else b"")

    def write_end_of_file(self) -> None:
        self._archive.close()


def storage_classes(dtypes: dict[str, torch.dtype]) -> dict[str, type]:
    """FloatStorage and the like."""
    kinds = {name: dtypes[dtype] for name, dtype in STORAGES.items() if name != "UntypedStorage"}
    return {name: type(name, (TypedStorage,), {"__module__": "torch", "_kind": dtype}) for name, dtype in kinds.items()}


def storage_name(dtype: torch.dtype) -> str:
    return next(name for name, kind in STORAGES.items() if str(dtype) == f"torch.{kind}")
