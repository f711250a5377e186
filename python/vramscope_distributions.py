"""What importlib.metadata says of packages that stand-ins stand for: their names and versions."""

from __future__ import annotations

import importlib.metadata as metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


# Versions by the names that pip uses; torch's is the simulated one.
VERSIONS = {
    "torch": None, "torchvision": "0.29.0", "torchaudio": "2.11.0", "numpy": "2.3.5", "tokenizers": "0.23.1", "safetensors": "0.8.0",
    "regex": "2026.7.19", "psutil": "7.2.2", "tqdm": "4.70.1", "einops": "0.8.2", "triton": "3.6.0", "xformers": "0.0.30",
}  # fmt: skip


class Distribution(metadata.Distribution):
    """A distribution of which only name and version are known."""

    def __init__(self, name: str, version: str) -> None:
        self._name, self._version_text = name, version

    def read_text(self, filename: str) -> str | None:
        if filename in ("METADATA", "PKG-INFO"):
            return f"Metadata-Version: 2.1\nName: {self._name}\nVersion: {self._version_text}\n"
        return None

    def locate_file(self, path: str) -> Any:
        return path


def normal(name: str) -> str:
    """A distribution's name as others of it are compared."""
    return metadata.Prepared(name).normalized


def find(context: Any) -> Iterator[Any]:
    """Distributions of stand-ins: the one that is asked for, or all."""
    import torch

    wanted = None if context.name is None else normal(context.name)
    for name, version in VERSIONS.items():
        if wanted is None or normal(name) == wanted:
            yield Distribution(name, version or str(torch.__version__))
