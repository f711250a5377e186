"""Repositories of which this machine has the configuration: what `vramscope models add` fetched, and the hub's own cache.

Files that lie there are used as they are. Weights are placeholders of the configuration's shapes, and so are vocabularies and image
processors where none lies there.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_ADDED = "/hub-models"  # src/python/host-place.ts mounts it
_VOCABULARY = re.compile(r"token|vocab|merges|spiece|sentencepiece")
_PROCESSOR = re.compile(r"processor")


def added(repo_id: str) -> str | None:
    """The folder of what was added of a hub id; None where nothing was."""
    return _snapshot(_ADDED, repo_id)


def cached(repo_id: str) -> str | None:
    """The folder of a hub id in the hub's cache of this machine; None where it has none."""
    cache = os.environ.get("HF_HUB_CACHE")
    return _snapshot(cache, repo_id) if cache else None


def _snapshot(cache, repo_id):
    storage = os.path.join(cache, "models--" + repo_id.replace("/", "--"))
    try:
        with open(os.path.join(storage, "refs", "main"), encoding="utf-8") as file:
            folder = os.path.join(storage, "snapshots", file.read().strip())
    except (OSError, UnicodeDecodeError):
        return None
    return folder if os.path.isdir(folder) else None


def config_in(folder: str | None) -> Any:
    """The config.json of a folder; None where there is none that says a type."""
    path = folder and os.path.join(folder, "config.json")
    if not path or not os.path.isfile(path):
        return None
    config = _json(path)
    return config if "model_type" in config else None


def _json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def repository(repo_id: str) -> Any:
    """The files of a model that was added, with placeholders for the rest; None where it was not."""
    from ._repositories import Repository, say

    folder = added(repo_id)
    if folder is None:
        return None
    say("hub_added", repo_id)
    real = {name: lambda path=path: _bytes(path) for name, path in _below(folder)}
    made = _made(repo_id, folder, real)
    for group in (_VOCABULARY, _PROCESSOR):
        # a vocabulary whose files say half is none: all of it is real, or all is made
        kept = {os.path.dirname(name) for name in real if group.search(os.path.basename(name))}
        made = {
            n: m for n, m in made.items() if os.path.dirname(n) not in kept or not group.search(os.path.basename(n))
        }
    return Repository({**made, **real})


def _made(repo_id, folder, real):
    from ._pipelines import part_files
    from ._repositories import of_config

    if "model_index.json" in real:
        files = {}
        for part, named in _json(os.path.join(folder, "model_index.json")).items():
            if isinstance(named, list) and len(named) == 2 and all(named):
                config = _config_of_part(os.path.join(folder, part))
                files.update(part_files(repo_id, f"{part}/", *named, config, "float32"))
        return files
    whole = _config_of_part(folder)
    if "_class_name" in whole:
        return part_files(repo_id, "", "diffusers", whole["_class_name"], whole, "float32")
    return of_config(repo_id, whole).files if "model_type" in whole else {}


def _config_of_part(folder):
    for name in ("config.json", "scheduler_config.json", "preprocessor_config.json"):
        if os.path.isfile(os.path.join(folder, name)):
            return _json(os.path.join(folder, name))
    return {}


def _below(folder):
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            yield os.path.relpath(path, folder), path


def _bytes(path):
    with open(path, "rb") as file:
        return file.read()
