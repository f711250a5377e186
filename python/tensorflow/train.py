"""Reading checkpoints: names and shapes are those of the published model whose settings lie beside them, values are zeros."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any

    import numpy


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    from vramscope_deferred import Name

    return Name(f"tensorflow.train.{name}", f"vramscope's stand-in for tensorflow.train does not have '{name}'")


def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """The checkpoint that the folder's state file names."""
    try:
        with open(os.path.join(checkpoint_dir, latest_filename or "checkpoint")) as file:
            state = file.read()
    except OSError:
        return None
    name = state.partition('model_checkpoint_path: "')[2].partition('"')[0]
    return os.path.join(checkpoint_dir, name) if name else None


def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    return list(_shapes(ckpt_dir_or_file).items())


def load_variable(ckpt_dir_or_file: str, name: str) -> numpy.ndarray:
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name)


def load_checkpoint(ckpt_dir_or_file: str) -> CheckpointReader:
    return CheckpointReader(ckpt_dir_or_file)


class CheckpointReader:
    def __init__(self, path: str) -> None:
        self._shapes = _shapes(path)

    def has_tensor(self, name: str) -> bool:
        return name in self._shapes

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        return dict(self._shapes)

    def get_variable_to_dtype_map(self) -> dict[str, str]:
        return dict.fromkeys(self._shapes, "float32")

    def get_tensor(self, name: str) -> numpy.ndarray:
        import numpy

        if name not in self._shapes:
            raise KeyError(f"Key {name} not found in checkpoint")
        return numpy.zeros(self._shapes[name], "float32")


NewCheckpointReader = CheckpointReader
_known = {}


def _shapes(path):
    """The variables of a checkpoint, by the settings beside it; a file that somebody really has is not read."""
    from vramscope_data import is_placeholder, published_gpt2

    folder = path if os.path.isdir(path) else os.path.dirname(path)
    if folder not in _known:
        index = os.path.join(folder, f"{published_gpt2.CHECKPOINT}.index")
        if os.path.exists(index) and os.path.getsize(index) > 0 and not is_placeholder(index):
            raise NotImplementedError(f"vramscope reads no files of TensorFlow: {index}")
        with open(os.path.join(folder, published_gpt2.SETTINGS)) as file:
            _known[folder] = published_gpt2.shapes(json.load(file))
        note("placeholder_file", "file", f"{path} (variables of the published model whose settings lie beside it)")
    return _known[folder]
