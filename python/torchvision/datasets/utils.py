"""torchvision.datasets.utils: downloads, which there are none of."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def _no_network(url, *_, **__):
    raise RuntimeError(f"vramscope has no network: {url} cannot be downloaded")


download_and_extract_archive = download_file_from_google_drive = _no_network


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


def check_integrity(fpath: str | os.PathLike, md5: str | None = None) -> bool:
    return os.path.isfile(fpath)


def extract_archive(
    from_path: str | os.PathLike, to_path: str | os.PathLike | None = None, remove_finished: bool = False
) -> str | os.PathLike:
    raise RuntimeError("vramscope unpacks no archives of data sets")


def iterable_to_str(iterable: Iterable) -> str:
    return "'" + "', '".join(str(item) for item in iterable) + "'"


def verify_str_arg(
    value: Any, arg: str | None = None, valid_values: Iterable | None = None, custom_msg: str | None = None
) -> Any:
    if valid_values is not None and value not in valid_values:
        raise ValueError(custom_msg or f"Unknown value '{value}' for argument {arg}.")
    return value
