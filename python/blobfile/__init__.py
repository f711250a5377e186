"""blobfile for paths of this machine; a bucket's are not reached."""

from __future__ import annotations

import glob as _glob
import os
import shutil
from os import listdir, makedirs, remove, stat  # noqa: F401
from os.path import basename, dirname, exists, isdir, join  # noqa: F401
from shutil import rmtree  # noqa: F401
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def BlobFile(
    path: str,
    mode: str = "r",
    streaming: Any = None,
    buffer_size: Any = None,
    cache_dir: str | None = None,
    file_size: Any = None,
    version: str | None = None,
) -> Any:
    if "://" in path:
        raise OSError(f"{path}: a simulated program reaches no network")
    return open(path, mode)


def copy(src: Any, dst: Any, overwrite: bool = False, **_: Any) -> None:
    shutil.copyfile(src, dst)


def glob(pattern: str, parallel: bool = False) -> Any:
    return iter(_glob.glob(pattern))


def walk(top: Any, topdown: bool = True) -> Any:
    return os.walk(top, topdown)
