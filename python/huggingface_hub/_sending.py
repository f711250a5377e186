"""Logging in and sending: nobody is there, so that all of it is done at once and goes nowhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torch._stand_ins import note

from . import _files

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ACTS = (
    "login logout notebook_login interpreter_login create_branch create_commit create_tag delete_file delete_folder delete_repo "
    "delete_tag update_repo_settings update_repo_visibility add_collection_item set_access_token"
).split()
_LISTS = "list_models list_datasets list_spaces list_repo_refs list_repo_commits list_repo_tree".split()
__all__ = [
    *_ACTS, *_LISTS, "HfApi", "HfFolder", "Repository", "create_repo", "get_full_repo_name", "get_token", "repo_exists",
    "upload_file", "upload_folder", "whoami",
]  # fmt: skip

_USER = "user"


def said() -> None:
    note("absent_talks", "library", "huggingface_hub")


def _acts(name: str) -> Callable:
    def act(*_: Any, **__: Any) -> None:
        said()

    act.__name__ = name
    return act


def _lists(name: str) -> Callable:
    def find(*_: Any, **__: Any) -> list:
        said()
        return []

    find.__name__ = name
    return find


for _name in _ACTS:
    globals()[_name] = _acts(_name)
for _name in _LISTS:
    globals()[_name] = _lists(_name)


def get_token() -> str | None:
    return os.environ.get("HF_TOKEN")


def whoami(token: Any = None) -> dict:
    said()
    return {"type": "user", "name": _USER, "fullname": _USER, "orgs": []}


def get_full_repo_name(model_id: str, *, organization: str | None = None, token: Any = None) -> str:
    return f"{organization or _USER}/{model_id}"


class RepoUrl(str):
    """An address, and what it is made of."""

    __slots__ = ()

    repo_id = property(lambda self: "/".join(self.rsplit("/", 2)[-2:]))
    repo_name = property(lambda self: self.rsplit("/", 1)[-1])
    namespace = property(lambda self: self.rsplit("/", 2)[-2])


def create_repo(repo_id: str, *_: Any, **__: Any) -> RepoUrl:
    said()
    return RepoUrl(f"https://huggingface.co/{repo_id if '/' in repo_id else f'{_USER}/{repo_id}'}")


def _uploaded(*_: Any, repo_id: str = "", **__: Any) -> str:
    said()
    return f"https://huggingface.co/{repo_id}"


upload_file = upload_folder = _uploaded


def repo_exists(repo_id: str, **_: Any) -> bool:
    return bool(_files.list_repo_files(repo_id))


class HfApi:
    """All of it as methods of an object."""

    def __init__(self, endpoint: str | None = None, token: Any = None, **_: Any) -> None:
        self.endpoint, self.token = endpoint or "https://huggingface.co", token

    def __getattr__(self, name: str) -> Any:
        import huggingface_hub

        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(huggingface_hub, name)


class HfFolder:
    """The token of whoever logged in, as it was kept before."""

    save_token = delete_token = staticmethod(_acts("save_token"))
    get_token = staticmethod(get_token)


class Repository:
    """A folder that would be a clone."""

    def __init__(self, local_dir: Any, clone_from: Any = None, **_: Any) -> None:
        self.local_dir, self.clone_from = str(local_dir), clone_from
        os.makedirs(local_dir, exist_ok=True)
        said()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _acts(name)
