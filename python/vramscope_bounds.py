"""What Python reads whole of a package without being asked, a module or a distribution's own files, has a largest size here."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.metadata
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


# The largest module and the longest list of files that published packages have are a tenth of it.
MOST_BYTES = 64 << 20


def bound() -> None:
    """Lets modules and metadata of more bytes end in one error, where reading them would go on until memory or time end."""
    loader = importlib.machinery.SourceFileLoader.__mro__[1]
    loader.get_data = _bounded(loader.get_data, lambda loader, path: path, ImportError)
    installed = importlib.metadata.PathDistribution
    installed.read_text = _bounded(installed.read_text, lambda one, name: one._path / name, OSError)


def _bounded(read: Callable, place: Callable, kind: type[Exception]) -> Callable:
    if hasattr(read, "__wrapped__"):
        return read

    @functools.wraps(read)
    def bounded(self: Any, name: Any) -> Any:
        path = str(place(self, name))
        try:
            size = os.stat(path).st_size
        except OSError:
            size = 0
        if size > MOST_BYTES:
            raise kind(f"{path} has {size} bytes; of a package's own files Python reads at most {MOST_BYTES} here")
        return read(self, name)

    return bounded
