"""What a program fetches: nothing is, and a placeholder by the ending of the address stands in for it."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

from . import contents, remote

if TYPE_CHECKING:
    from typing import Any

    import torch


def fetch(url: str) -> Any:
    """(bytes, words) for an address whose ending says what it holds, else None; the report is told."""
    path = url.partition("?")[0].partition("#")[0]
    made = contents.of(path, None) if "://" in path else None
    if made is None and "://" in path and contents.decides_nothing(path):
        made = b"", "an empty file"
    if made is not None:
        from torch._stand_ins import note

        note("placeholder_download", "url", url, what=made[1])
    return made


# what stands in for the content of an address that does not say what it holds, until the name of the file that it is put into does
UNTOLD = b"vramscope: what this address holds is not here\n"
_untold = False


def untold(url: str) -> bytes:
    """Content for an address without an ending: a file that it is written into is a placeholder by the file's own ending."""
    global _untold
    _untold = True
    from torch._stand_ins import note

    note("placeholder_download", "url", url, what="told by the file that it is put into")
    return UNTOLD


def is_untold(path: str) -> bool:
    """Whether a file holds nothing but such content."""
    if not _untold:
        return False
    try:
        if os.path.getsize(path) != len(UNTOLD):
            return False
        with io.FileIO(path) as file:
            return file.read() == UNTOLD
    except OSError:
        return False


def keep(url: str, path: str) -> bool:
    """Puts the placeholder of an address into a file; whether there is one."""
    made = fetch(url)
    if made is None:
        return False
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(made[0])
    return True


class _Answer(io.BytesIO):
    """What urlopen gives."""

    def __init__(self, url: str, data: Any) -> None:
        super().__init__(data)
        self.url, self.status, self.code, self.reason = url, 200, 200, "OK"
        self.headers = self.msg = {"Content-Length": str(len(data)), "content-length": str(len(data))}

    def geturl(self) -> Any:
        return self.url

    def getcode(self) -> int:
        return 200

    def info(self) -> Any:
        return self.headers

    def getheader(self, name: str, default: Any = None) -> Any:
        return self.headers.get(name, default)


def begin() -> None:
    """Fetching answers from now on; urllib is loaded by whoever needs it."""
    import sys

    import urllib

    # torch imports these, and programs name them without an import of their own
    urllib.__getattr__ = _part_of_urllib
    if _Patch not in sys.meta_path:
        sys.meta_path.insert(0, _Patch)
    for name, patch in _PATCHED.items():
        if name in sys.modules:
            patch(sys.modules[name])


def _part_of_urllib(name):
    if name not in ("error", "parse", "request", "response"):
        raise AttributeError(f"module 'urllib' has no attribute '{name}'")
    import importlib

    return importlib.import_module(f"urllib.{name}")


def _patch(module):
    if getattr(module.urlopen, "_stands_in", False):
        return
    plain = module.urlopen

    def urlopen(url, *rest, **options):
        address = url if isinstance(url, str) else url.full_url
        made = fetch(address)
        return plain(url, *rest, **options) if made is None else _Answer(address, made[0])

    def urlretrieve(url, filename=None, reporthook=None, data=None):
        name = filename or f"/tmp/{os.path.basename(url.partition('?')[0])}"
        with urlopen(url) as answer, open(name, "wb") as file:
            file.write(answer.read())
        return name, answer.headers

    urlopen._stands_in = True
    module.urlopen, module.urlretrieve = urlopen, urlretrieve


_PATCHED = {"urllib.request": _patch, "fsspec.registry": remote.register}


class _Patch:
    """Sees modules that fetch being imported."""

    @staticmethod
    def find_spec(fullname: Any, path: str | None = None, target: Any = None) -> Any:
        if fullname not in _PATCHED:
            return None
        import importlib.machinery

        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader:
    """Runs a module as its own loader would, then puts ours in its place."""

    def __init__(self, plain: Any) -> None:
        self._plain = plain

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: torch.nn.Module) -> None:
        exec(self._plain.get_code(module.__name__), module.__dict__)
        _PATCHED[module.__name__](module)
