"""Files placed where huggingface_hub looks for them, in the layout of its cache, before it looks."""

from __future__ import annotations

import fnmatch
import functools
import hashlib
import os
from typing import TYPE_CHECKING

from ._slow import wrap_slow
from ._writing import wrap_api, wrap_login

if TYPE_CHECKING:
    from typing import Any


_unknown = set()  # ids that were asked for and are not known here


def advice(error: Any) -> str:
    """What to do where an error came of an id that is not known here; empty for other errors."""
    while error is not None:
        if type(error).__name__ in ("LocalEntryNotFoundError", "OfflineModeIsEnabled") and _unknown:
            names = ", ".join(sorted(_unknown))
            first = min(_unknown)
            return (
                f"vramscope: nothing is fetched from the hub. Not bundled, and not in the hub's cache of this machine: {names}. "
                f"'vramscope models add {first}' fetches its configuration, and no weights; or name a folder with it."
            )
        error = error.__cause__ or error.__context__
    return ""


def _wrap_download(real):
    @functools.wraps(real)
    def hf_hub_download(repo_id, filename, *args, subfolder=None, repo_type=None, revision=None, **more):
        if subfolder:
            filename = f"{subfolder}/{filename}"
        if _is_folder(repo_id):
            if not os.path.exists(found := os.path.join(os.path.expanduser(repo_id), filename)):
                raise _no_such_file(repo_id, filename)
            return found
        known = _place(repo_id, repo_type, revision, more, lambda name: name == filename)
        more |= _NO_CONNECTION
        if more.get("token") is True:  # nobody is asked who they are, and without a login that would be the end
            more["token"] = None
        try:
            return real(repo_id, filename, *args, repo_type=repo_type, revision=revision, **more)
        except Exception as error:
            if type(error).__name__ != "LocalEntryNotFoundError":
                raise
            if known:
                raise _no_such_file(repo_id, filename) from None
            made = _checkpoint(repo_id, filename, revision, more) if repo_type in (None, "model") else None
            if made is None:
                raise
            return made

    return hf_hub_download


def _is_folder(repo_id):
    """Whether a path stands for an id, and is a folder now: that of a model which is known here."""
    from vramscope_data import models

    return models.is_path(repo_id) and models.fill(repo_id)


def _checkpoint(repo_id, filename, revision, more):
    """A checkpoint that the program's own model answers for, of an id of which nothing is known; None for other files.

    What transformers and diffusers save under their own names comes after a configuration, which is not here.
    """
    from vramscope_data import contents

    from torch._stand_ins import note

    from ._repositories import WEIGHTS

    stem, ending = os.path.splitext(os.path.basename(filename))
    if ending not in (*contents.CHECKPOINTS, ".bin") or stem in WEIGHTS:
        return None
    folder = _folder(repo_id, revision, more)
    if hasattr(folder, "make"):
        folder.make()
    path = os.path.join(folder, filename)
    if not os.path.exists(path):
        data, what = contents.of("checkpoint.pt", None)
        _write(path, data)
        note("placeholder_download", "url", f"{repo_id}/{filename}", what=what)
    return path


def _wrap_snapshot(real):
    @functools.wraps(real)
    def snapshot_download(repo_id, *, repo_type=None, revision=None, allow_patterns=None, ignore_patterns=None, **more):
        def wanted(name):
            return (allow_patterns is None or _matches(name, allow_patterns)) and not (
                ignore_patterns and _matches(name, ignore_patterns)
            )

        if _is_folder(repo_id):
            return repo_id
        _place(repo_id, repo_type, revision, more, wanted)
        more |= _NO_CONNECTION
        return real(
            repo_id,
            repo_type=repo_type,
            revision=revision,
            allow_patterns=allow_patterns,
            ignore_patterns=ignore_patterns,
            **more,
        )

    return snapshot_download


def _wrap_session(real):
    def get_session(*args, **more):
        from huggingface_hub import errors

        raise errors.OfflineModeIsEnabled("vramscope: nothing is fetched from the hub")

    return get_session


WRAPPERS = {
    "hf_hub_download": _wrap_download,
    "snapshot_download": _wrap_snapshot,
    "get_session": _wrap_session,
    "HfApi": wrap_api,
    "login": wrap_login,
    "PreTrainedTokenizer": wrap_slow,
}
_NO_CONNECTION = {"local_files_only": True, "force_download": False}


def _matches(name, patterns):
    patterns = [patterns] if isinstance(patterns, str) else patterns
    return any(fnmatch.fnmatch(name, p + "*" if p.endswith("/") else p) for p in patterns)


def _no_such_file(repo_id, filename):
    from huggingface_hub import utils

    return utils.EntryNotFoundError(f"vramscope: {repo_id} has no file {filename} here")


def repository_of(repo_id: str, repo_type: str | None, revision: str | None, more: dict) -> tuple:
    """Where its snapshot lies or would lie, and what is known of it here; None, and the id is remembered, where nothing is."""
    if repo_type not in (None, "model") or not isinstance(repo_id, str):
        return None, None
    from ._repositories import find

    folder = _folder(repo_id, revision, more)
    repository = find(repo_id, folder)
    if repository is None:
        _unknown.add(repo_id)
    return folder, repository


def _place(repo_id, repo_type, revision, more, wanted):
    """Writes the wanted files of a repository that is known here; False where it is not."""
    folder, repository = repository_of(repo_id, repo_type, revision, more)
    if repository is None:
        return False
    for name in repository.names(wanted):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            _write(path, repository.make(name))
    return True


def _write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def _folder(repo_id, revision, more):
    """Where a snapshot of the repository lies, made with the name of its revision where there is none."""
    if more.get("local_dir"):
        os.makedirs(more["local_dir"], exist_ok=True)
        return os.fspath(more["local_dir"])
    cache = more.get("cache_dir")
    if cache is None:
        from huggingface_hub import constants

        # the older of the two names is the only one before huggingface_hub 0.19
        cache = getattr(constants, "HF_HUB_CACHE", None) or constants.HUGGINGFACE_HUB_CACHE
    revision = revision or "main"
    storage = os.path.join(os.path.expanduser(os.fspath(cache)), "models--" + repo_id.replace("/", "--"))
    direct = os.path.join(storage, "snapshots", revision)
    if os.path.isdir(direct):
        return direct
    name = os.path.join(storage, "refs", revision)
    try:
        with open(name) as file:
            commit = file.read().strip()
    except OSError:
        commit = hashlib.sha1(repo_id.encode()).hexdigest()
        return _Unmade(name, commit, os.path.join(storage, "snapshots", commit))
    return os.path.join(storage, "snapshots", commit)


class _Unmade(str):
    """A folder of a snapshot that is named when the first file is written."""

    def __new__(cls, name: str, commit: Any, path: str) -> Any:
        made = super().__new__(cls, path)
        made.name, made.commit = name, commit
        return made

    def make(self) -> None:
        os.makedirs(os.path.dirname(self.name), exist_ok=True)
        with open(self.name, "w") as file:
            file.write(self.commit)
        os.makedirs(self, exist_ok=True)
