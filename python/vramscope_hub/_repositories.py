"""What is known of a repository of the hub: its files by name, each made when somebody asks for it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_found = {}
WEIGHTS = ("model", "pytorch_model", "diffusion_pytorch_model")


class Repository:
    """Files by name, each with a function that makes its bytes."""

    def __init__(self, files: Any) -> None:
        self.files = files

    def names(self, wanted: Callable) -> list:
        return [name for name in self.files if wanted(name)]

    def make(self, name: str) -> Any:
        data = self.files[name]()
        return data.encode() if isinstance(data, str) else data


def find(repo_id: str, folder: str) -> Any:
    """A Repository; None where nothing is known of the id. `folder`: where its snapshot lies or would lie."""
    if repo_id not in _found:
        _found[repo_id] = _look_up(repo_id, folder)
    repository = _found[repo_id]
    if repository is not None and hasattr(folder, "make"):
        folder.make()
    return repository


def _look_up(repo_id, folder):
    from . import _added, _originals, _pipelines, _published, _timm

    own = _added.repository(repo_id)
    if own is not None:
        return own
    if os.path.isdir(folder) and not hasattr(folder, "make"):
        return _partly_cached(folder)
    if repo_id.startswith("timm/"):
        return _timm.repository(repo_id)
    if repo_id in _pipelines.PIPELINES:
        return _pipelines.repository(repo_id)
    original = _originals.files(repo_id)
    if original is not None:
        return Repository(original)
    config = _published.config_of(repo_id)
    return None if config is None else of_config(repo_id, config)


def of_config(repo_id: str, config: Any) -> Repository:
    """The files of a model of transformers with this configuration."""
    from ._processors import processor_files
    from ._vocabulary import tokenizer_files

    files = {"config.json": lambda: json.dumps(config, indent=2), **_weights(repo_id, config)}
    return Repository({**files, **tokenizer_files(repo_id, config), **processor_files(repo_id, config)})


def _weights(repo_id, config):
    from ._weights import of_transformers

    return {"model.safetensors": lambda: of_transformers(repo_id, config)}


def _partly_cached(folder):
    """A repository in the person's own cache: what lies there is used; weights are made where only the configuration lies there."""
    names = os.listdir(folder)
    if "config.json" not in names or any(name.endswith((".safetensors", ".bin")) for name in names):
        return Repository({})
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    return Repository(
        _weights(os.path.basename(os.path.dirname(os.path.dirname(folder))), config) if "model_type" in config else {}
    )


def say(code: str, repo_id: str, **more: Any) -> None:
    """Notes in the report what was assumed of a repository."""
    note(code, "model", repo_id, **more)
