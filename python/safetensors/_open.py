"""safe_open: tensors of a file, one at a time, by its header."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torch._stand_ins import note

from ._format import SafetensorError, TORCH_NAME, read_header

if TYPE_CHECKING:
    from typing import Any, Self

    import torch


class safe_open:
    """An open file. Tensors have the shapes and dtypes of its header and unknown values."""

    def __init__(self, filename: Any, framework: Any, device: torch.device | str | int = "cpu", **_: Any) -> None:
        if framework not in ("pt", "torch", "pytorch", "np", "numpy"):
            raise SafetensorError(f"framework {framework} is not supported")
        self._numpy = framework in ("np", "numpy")
        self._device = device
        path = os.fspath(filename)
        try:
            with open(path, "rb") as file:
                header = read_header(file)
        except FileNotFoundError:
            raise FileNotFoundError(f"No such file or directory: {path}") from None
        self._metadata = header.pop("__metadata__", None)
        self._entries = header
        note("weights_placeholder", "library", "safetensors")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False

    def keys(self) -> list:
        return sorted(self._entries)

    def offset_keys(self) -> list:
        return sorted(self._entries, key=lambda name: self._entries[name]["data_offsets"][0])

    def metadata(self) -> Any:
        return self._metadata

    def _entry(self, name):
        if name not in self._entries:
            raise SafetensorError(f"File does not contain tensor {name}")
        return self._entries[name]

    def get_tensor(self, name: str) -> Any:
        import torch

        entry = self._entry(name)
        made = torch.empty(entry["shape"], dtype=getattr(torch, TORCH_NAME[entry["dtype"]]))
        if self._numpy:
            return made.numpy()
        return made if torch.device(self._device).type == "cpu" else made.to(self._device)

    def get_slice(self, name: str) -> _Slice:
        return _Slice(self, name)


class _Slice:
    """A tensor of which only a part will be read."""

    def __init__(self, file: Any, name: str) -> None:
        self._file, self._name = file, name

    def get_shape(self) -> list:
        return list(self._file._entry(self._name)["shape"])

    def get_dtype(self) -> Any:
        return self._file._entry(self._name)["dtype"]

    def __getitem__(self, index: Any) -> Any:
        import torch

        entry = self._file._entry(self._name)
        shape = torch.empty(entry["shape"], device="meta")[index].shape
        made = torch.empty(shape, dtype=getattr(torch, TORCH_NAME[entry["dtype"]]))
        device = torch.device(self._file._device)
        return made if device.type == "cpu" else made.to(device)
