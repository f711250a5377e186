"""Questions about a repository of the hub, answered by the files that are known of it here; of another one they find no connection."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _names(repo_id, repo_type, revision):
    """The names of its files and the commit that they are of; None where nothing is known of it."""
    from ._cache import repository_of

    folder, repository = repository_of(repo_id, repo_type, revision, {})
    if repository is None:
        return None
    own = [os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names]
    return sorted({*own, *repository.names(lambda name: True)}), os.path.basename(folder)


def _model_info(module, repo_id, names, commit, **options):
    return module.ModelInfo(
        id=repo_id, sha=commit, private=False, gated=False, downloads=0, likes=0, tags=[], siblings=[{"rfilename": name} for name in names]
    )  # fmt: skip


def _list_repo_files(module, repo_id, names, commit, **options):
    return names


def _file_exists(module, repo_id, names, commit, filename, **options):
    return filename in names


def _repo_exists(module, repo_id, names, commit, **options):
    return True


_ANSWERS: dict[str, Callable] = {
    "model_info": _model_info,
    "list_repo_files": _list_repo_files,
    "file_exists": _file_exists,
    "repo_exists": _repo_exists,
}


def _asked(real, answer):
    @functools.wraps(real)
    def method(self, repo_id, *args, repo_type=None, revision=None, **options):
        found = _names(repo_id, repo_type, revision)
        if found is not None:
            return answer(sys.modules["huggingface_hub.hf_api"], repo_id, *found, *args, **options)
        more = options if repo_type is None else {**options, "repo_type": repo_type}
        return real(self, repo_id, *args, **(more if revision is None else {**more, "revision": revision}))

    return method


def questions(api: Any) -> dict:
    """What the class of the hub's client answers instead of asking, by the names of its methods."""
    return {name: _asked(getattr(api, name), answer) for name, answer in _ANSWERS.items() if hasattr(api, name)}
