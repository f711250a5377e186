"""Tables that a program has datasets write into its cache and reads again: kept by the name of their file, which holds nothing."""

from __future__ import annotations

import os
import tempfile
from typing import Any

_TABLES = {}


def path_of(fingerprint: str) -> str:
    return os.path.join(tempfile.gettempdir(), f"cache-{fingerprint}.arrow")


def keep(path: Any, table: Any) -> None:
    _TABLES[os.path.abspath(path)] = table
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "wb"):
        pass


def kept(path: Any) -> Any:
    """The table that was written under a name."""
    found = _TABLES.get(os.path.abspath(path))
    if found is None:
        raise FileNotFoundError(f"vramscope reads no Arrow files: {path} was not written in this run")
    return found
