"""Files of repositories: those that are known here are made, of others a placeholder is where the program reads them."""

from __future__ import annotations

import fnmatch
import os
import types
from typing import TYPE_CHECKING

from . import constants
from .errors import EntryNotFoundError, LocalEntryNotFoundError

if TYPE_CHECKING:
    from typing import Any

__all__ = ["DDUFEntry", "cached_download", "file_exists", "hf_hub_download", "hf_hub_url", "list_repo_files", "dataset_info", "model_info", "read_dduf_file", "snapshot_download", "try_to_load_from_cache"]  # noqa: E501 # fmt: skip


def _folder(repo_id, repo_type, revision, cache_dir):
    kind = f"{repo_type or 'model'}s"
    name = "--".join([kind, *repo_id.split("/")])
    return os.path.join(os.fspath(cache_dir or constants.HF_HUB_CACHE), name, "snapshots", revision or "main")


def _known(repo_id, repo_type, folder):
    from vramscope_hub._repositories import find

    return find(repo_id, folder) if repo_type in (None, "model") else None


def _put(repository, name, path):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(repository.make(name))


def hf_hub_download(repo_id: str, filename: str, *, subfolder: str | None = None, repo_type: str | None = None, revision: str | None = None, cache_dir: Any = None, local_dir: Any = None, **_: Any) -> str:  # fmt: skip
    """The file's path; what nobody knows of is made by who reads it there."""
    name = f"{subfolder}/{filename}" if subfolder else filename
    folder = _folder(repo_id, repo_type, revision, cache_dir)
    repository = _known(repo_id, repo_type, folder)
    path = os.path.join(os.fspath(local_dir) if local_dir is not None else folder, name)
    if os.path.isfile(path):
        return path
    if repository is not None:
        if name not in repository.files:
            raise EntryNotFoundError(f"vramscope: {repo_id} has no file {name} here")
        _put(repository, name, path)
    elif repo_type in (None, "model") and os.path.basename(name) == "config.json":
        # no reader could make up what a model is
        raise LocalEntryNotFoundError(
            f"vramscope: nothing is fetched from the hub, and nothing is known of {repo_id}: "
            f"'vramscope models add {repo_id}' fetches its configuration, and no weights"
        )
    return path


def cached_download(url: str, **_: Any) -> str:
    """What it was called before there were repositories."""
    parts = url.partition("huggingface.co/")[2].split("/resolve/")
    return hf_hub_download(parts[0], parts[-1].partition("/")[2])


def snapshot_download(repo_id: str, *, repo_type: str | None = None, revision: str | None = None, cache_dir: Any = None, local_dir: Any = None, allow_patterns: Any = None, ignore_patterns: Any = None, **_: Any) -> str:  # fmt: skip
    """A folder with the files that are known of a repository and wanted."""
    own = _folder(repo_id, repo_type, revision, cache_dir)
    folder = os.fspath(local_dir) if local_dir is not None else own
    repository = _known(repo_id, repo_type, own)
    os.makedirs(folder, exist_ok=True)
    for name in (
        () if repository is None else repository.names(lambda name: _wants(name, allow_patterns, ignore_patterns))
    ):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            _put(repository, name, path)
    return folder


def _wants(name, allowed, ignored):
    def matches(patterns):
        return any(fnmatch.fnmatch(name, p) for p in ([patterns] if isinstance(patterns, str) else patterns))

    return (allowed is None or matches(allowed)) and not (ignored and matches(ignored))


def list_repo_files(repo_id: str, *, repo_type: str | None = None, revision: str | None = None, **_: Any) -> list[str]:
    repository = _known(repo_id, repo_type, _folder(repo_id, repo_type, revision, None))
    return [] if repository is None else list(repository.files)


def file_exists(repo_id: str, filename: str, **options: Any) -> bool:
    return filename in list_repo_files(repo_id, **options)


def model_info(repo_id: str, *, repo_type: str | None = None, revision: str | None = None, **_: Any) -> Any:
    """What is known of a repository: its files, and that anybody may read them."""
    names = list_repo_files(repo_id, repo_type=repo_type, revision=revision)
    return types.SimpleNamespace(
        id=repo_id, modelId=repo_id, sha=revision or "main", private=False, gated=False, downloads=0, likes=0, tags=[],
        library_name=None, pipeline_tag=None, card_data=None, siblings=[types.SimpleNamespace(rfilename=n) for n in names],
    )  # fmt: skip


def dataset_info(repo_id: str, **options: Any) -> Any:
    return model_info(repo_id, **{**options, "repo_type": "dataset"})


class DDUFEntry:
    """A file in an archive of a whole pipeline."""

    def __init__(self, filename: str, length: int, offset: int, dduf_path: Any) -> None:
        self.filename, self.length, self.offset, self.dduf_path = filename, length, offset, dduf_path


def read_dduf_file(dduf_path: Any) -> dict[str, DDUFEntry]:
    raise NotImplementedError("vramscope's short form of huggingface_hub reads no DDUF archives")


def try_to_load_from_cache(repo_id: str, filename: str, *_: Any, **__: Any) -> None:
    """Nothing lies there before it was asked for."""


def hf_hub_url(repo_id: str, filename: str, *, subfolder: str | None = None, repo_type: str | None = None, revision: str | None = None, **_: Any) -> str:  # fmt: skip
    name = f"{subfolder}/{filename}" if subfolder else filename
    kind = "" if repo_type in (None, "model") else f"{repo_type}s/"
    return f"{constants.ENDPOINT}/{kind}{repo_id}/resolve/{revision or 'main'}/{name}"
