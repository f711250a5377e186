"""Modules of the program's own project that lie on nobody's path: who runs it installed the project, or set PYTHONPATH."""

from __future__ import annotations

import functools
import importlib.machinery
import os
import sys
from typing import TYPE_CHECKING

import vramscope_absent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


HOME = "/home/user"
_DEEPEST = 2
_FOREIGN = ("/lib/", "/site-packages/", "/python-path/", "<frozen ", "<vramscope")


class Finder:
    """Asked when no folder of sys.path has a module that the program imports; what it finds is on the path from then on."""

    @staticmethod
    def find_spec(fullname: Any, path: str | None = None, target: Any = None) -> Any:
        if path is not None or not _program_imports() or vramscope_absent.only_asked():
            return None
        folder = _folder_of(fullname)
        if folder is None:
            return None
        sys.path.append(folder)
        from torch._stand_ins import note

        note("project_on_path", "file", os.path.relpath(folder, HOME), library=fullname)
        return importlib.machinery.PathFinder.find_spec(fullname, [folder])

    @staticmethod
    def find_distributions(context: Any) -> Iterator[Any]:
        """The project itself, which who runs it installed, by what its pyproject.toml says."""
        if context.name is None:
            return
        import vramscope_distributions

        wanted = vramscope_distributions.normal(context.name)
        for folder in folders_above():
            name, version = _said_by(f"{folder}/pyproject.toml")
            if name and vramscope_distributions.normal(name) == wanted:
                yield vramscope_distributions.Distribution(name, version)


def _said_by(path):
    """(name, version) of a project."""
    try:
        seen = os.stat(path)
    except OSError:
        return None, ""
    return _read(path, seen.st_mtime, seen.st_size)


@functools.cache
def _read(path, _changed, _bytes):
    """Packages ask for dozens of versions while they are imported: one state of a file is read once."""
    # few programs ask, and a frozen interpreter would keep it
    import tomllib

    try:
        with open(path, "rb") as file:
            said = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError):
        return None, ""
    found = said.get("project") or said.get("tool", {}).get("poetry", {})
    return found.get("name"), str(found.get("version", "0"))


def folders_above() -> Iterator[str]:
    """The script's folder and those above it, to the project's."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    folder = os.path.dirname(script) if script and script.startswith(f"{HOME}/") else HOME
    yield folder
    while folder != HOME:
        folder = os.path.dirname(folder)
        yield folder


def _program_imports():
    """Whether the import stands in the program, not in a package."""
    frame = sys._getframe(2)
    while frame is not None and "importlib" in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None and not frame.f_code.co_filename.startswith(_FOREIGN)


def _folder_of(name):
    """The nearest folder of the project that holds a module: those above the script, their `src`, then the project's others."""
    for above in folders_above():
        for folder in (above, f"{above}/src"):
            if _holds(folder, name) or _is_plain_package(f"{folder}/{name}"):
                return folder
    waiting = [HOME]
    for _ in range(_DEEPEST):
        waiting = [f"{folder}/{inner}" for folder in waiting for inner in _folders_in(folder)]
        for folder in waiting:
            if _holds(folder, name):
                return folder
    return None


def has_package(name: str) -> bool:
    """Whether the project is where a package is developed: then a short form of ours does not stand before it."""
    return any(is_package(f"{folder}/{name}") for folder in (HOME, f"{HOME}/src"))


def is_package(folder: str) -> bool:
    return os.path.isfile(f"{folder}/__init__.py")


def _holds(folder, name):
    return os.path.isfile(f"{folder}/{name}.py") or is_package(f"{folder}/{name}")


def _is_plain_package(folder):
    """A folder of modules without an __init__.py, or of such folders."""
    return any(has_modules(inner) for inner in (folder, *(f"{folder}/{name}" for name in _folders_in(folder))))


def has_modules(folder: str) -> bool:
    return os.path.isdir(folder) and any(name.endswith(".py") for name in os.listdir(folder))


def _folders_in(folder):
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    except OSError:
        return []
