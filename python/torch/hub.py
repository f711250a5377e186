"""torch.hub: nothing is downloaded; folders and addresses are as in PyTorch."""

from __future__ import annotations

import os
import re
from urllib.parse import urlparse as urlparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import torch


HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
MASTER_BRANCH = "master"
READ_DATA_CHUNK = 128 * 1024
_folder = None


def _get_torch_home():
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch")))


def get_dir() -> str:
    """The folder of downloads."""
    return _folder or os.path.join(_get_torch_home(), "hub")


def set_dir(d: Any) -> None:
    global _folder
    _folder = os.path.expanduser(d)


def _no_network(what):
    raise RuntimeError(f"vramscope has no network: torch.hub.{what}")


def load(
    repo_or_dir: Any,
    model: torch.nn.Module,
    *args: Any,
    source: str = "github",
    trust_repo: bool | None = None,
    force_reload: bool = False,
    verbose: bool = True,
    **kwargs: Any,
) -> Any:
    """Runs a function of a folder's hubconf.py, or of torchvision; nothing is fetched from another repository."""
    if source != "local" and repo_or_dir.partition(":")[0] == "pytorch/vision":
        import torchvision.models

        return getattr(torchvision.models, model)(*args, **kwargs)
    if source != "local":
        _no_network(f"load cannot fetch {repo_or_dir}")
    return getattr(_hubconf(repo_or_dir), model)(*args, **kwargs)


def _hubconf(folder):
    import importlib.util
    import sys

    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("hubconf", os.path.join(folder, "hubconf.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(folder)


def list(
    github: str,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: bool | None = None,
    verbose: bool = True,
) -> Any:
    """Names of models of a repository: those of torchvision; of another one none are known."""
    if github.partition(":")[0] == "pytorch/vision":
        import torchvision.models

        return torchvision.models.list_models()
    from torch._stand_ins import note

    note("placeholder_download", "url", github, what="no models")
    return []


def help(github: str, model: torch.nn.Module, *_: Any, **__: Any) -> None:
    _no_network(f"help cannot fetch {github}")


def download_url_to_file(url: str, dst: str, hash_prefix: str | None = None, progress: bool = True) -> None:
    """Nothing happens where the file is there already; a placeholder by the ending of its name stands in for another."""
    from vramscope_data import downloads

    if not os.path.exists(dst) and not downloads.keep(url, dst):
        _no_network(f"download_url_to_file cannot fetch {url}")


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> dict[str, Any]:
    """Reads the file where an earlier download left it."""
    import torch

    folder = model_dir if model_dir is not None else os.path.join(get_dir(), "checkpoints")
    path = os.path.join(folder, file_name or os.path.basename(urlparse(url).path))
    download_url_to_file(url, path)
    return torch.load(path, map_location=map_location, weights_only=weights_only)
