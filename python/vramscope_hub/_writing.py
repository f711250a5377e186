"""Writing to the hub: nothing leaves this machine, and a program that pushes what it trained goes on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ._asking import questions

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

USER = "user"
_MODULE = "huggingface_hub.hf_api"
_NO_COMMIT = "0" * 40


def _full(repo_id):
    repo_id = str(repo_id)
    return repo_id if "/" in repo_id else f"{USER}/{repo_id}"


def _url(repo_id, repo_type):
    folder = {"dataset": "datasets/", "space": "spaces/"}.get(repo_type, "")
    return f"https://huggingface.co/{folder}{_full(repo_id)}"


def _create_repo(self, repo_id, *, repo_type=None, **options):
    return sys.modules[_MODULE].RepoUrl(_url(repo_id, repo_type))


def _commit(
    self, repo_id, *, repo_type=None, commit_message=None, commit_description=None, run_as_future=False, **options
):
    info = sys.modules[_MODULE].CommitInfo(
        commit_url=f"{_url(repo_id, repo_type)}/commit/{_NO_COMMIT}",
        commit_message=commit_message or "",
        commit_description=commit_description or "",
        oid=_NO_COMMIT,
    )
    return _done(info) if run_as_future else info


def _upload(self, *args, repo_id, **options):
    return _commit(self, repo_id, **options)


def _whoami(self, token=None, **options):
    return {"type": "user", "name": USER, "fullname": USER, "orgs": [], "auth": {}}


def _nothing(self, *args, **options):
    return None


def _done(result):
    from concurrent.futures import Future

    future = Future()
    future.set_result(result)
    return future


# what each method that writes answers
_WRITES: dict[str, Callable] = {
    "create_repo": _create_repo,
    "create_commit": _commit,
    "upload_file": _upload,
    "upload_folder": _upload,
} | dict.fromkeys(
    """upload_large_folder delete_repo delete_file delete_files delete_folder update_repo_settings move_repo super_squash_history
    create_branch delete_branch create_tag delete_tag""".split(),
    _nothing,
)


def _noted(name, answer):
    def method(self, *args, **options):
        from torch._stand_ins import note

        note("hub_not_written", "name", str(options.get("repo_id") or (args[0] if args else name)))
        return answer(self, *args, **options)

    method.__name__ = name
    return method


_METHODS = {"whoami": _whoami} | {name: _noted(name, answer) for name, answer in _WRITES.items()}


def wrap_api(api: Any) -> Any:
    """The class of the hub's client, and the functions of its module that are methods of one client."""
    answers = {name: answer for name, answer in _METHODS.items() if hasattr(api, name)} | questions(api)
    for name, answer in answers.items():
        setattr(api, name, answer)
    module = sys.modules[_MODULE]
    for name in answers:
        if hasattr(module, name):
            setattr(module, name, getattr(module.api, name))
    return api


_LOGINS = ("login", "notebook_login", "interpreter_login")


def _logged_in(*args: Any, **options: Any) -> None:
    """Nobody is asked for a token, and none is kept: what a user may read is not asked here."""
    from torch._stand_ins import note

    note("hub_no_login")


def wrap_login(login: Callable) -> Callable:
    """The functions of the module that ask who the user is."""
    module = sys.modules[login.__module__]
    for name in _LOGINS:
        if hasattr(module, name):
            setattr(module, name, _logged_in)
    return _logged_in
