"""torchvision.datasets.utils: downloads, which there are none of."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def _no_network(url, *_, **__):
    raise RuntimeError(f"vramscope has no network: {url} cannot be downloaded")


download_file_from_google_drive = _no_network


def download_url(
    url: str,
    root: str | os.PathLike,
    filename: str | os.PathLike | None = None,
    md5: str | None = None,
    max_redirect_hops: int = 3,
) -> None:
    """A placeholder by the ending of the address stands in for what it leads to."""
    from vramscope_data import downloads

    path = os.path.join(os.path.expanduser(root), filename or os.path.basename(url))
    if not os.path.exists(path) and not downloads.keep(url, path):
        _no_network(url)


def download_and_extract_archive(
    url: str,
    download_root: str | os.PathLike,
    extract_root: str | os.PathLike | None = None,
    filename: str | os.PathLike | None = None,
    md5: str | None = None,
    remove_finished: bool = False,
) -> None:
    """Nothing is fetched; what is read of the folder afterwards is made as for other folders that are not there."""
    from torch._stand_ins import note

    os.makedirs(os.path.expanduser(extract_root or download_root), exist_ok=True)
    note("placeholder_download", "url", url, what="an archive of nothing")


def check_integrity(fpath: str | os.PathLike, md5: str | None = None) -> bool:
    return os.path.isfile(fpath)


def extract_archive(
    from_path: str | os.PathLike, to_path: str | os.PathLike | None = None, remove_finished: bool = False
) -> str | os.PathLike:
    """Nothing is unpacked: files of a folder that is not there are made when they are read."""
    to_path = os.path.dirname(from_path) if to_path is None else to_path
    os.makedirs(to_path, exist_ok=True)
    return to_path


def iterable_to_str(iterable: Iterable) -> str:
    return "'" + "', '".join(str(item) for item in iterable) + "'"


def verify_str_arg(
    value: Any, arg: str | None = None, valid_values: Iterable | None = None, custom_msg: str | None = None
) -> Any:
    if valid_values is not None and value not in valid_values:
        raise ValueError(custom_msg or f"Unknown value '{value}' for argument {arg}.")
    return value
