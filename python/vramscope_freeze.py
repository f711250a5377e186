"""Imports a program's packages before its interpreter is frozen, so that a restored one has them."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import shutil
import sys
from types import ModuleType
from typing import TYPE_CHECKING

import vramscope_ctypes
import vramscope_doors
import vramscope_loops
import vramscope_packages

if TYPE_CHECKING:
    from typing import Any


# What was asked of the engine meanwhile, as src/python/recorded-calls.ts reads it: the next engine is asked for the same.
calls = "[]"


def load(text: str, engine: Any) -> Any:
    """Runs import statements as the program of a request would; the files of what was imported, as JSON."""
    from torch import _C, _release

    r = json.loads(text)
    _release.configure(r["release"])
    # as in an interpreter that was restored: what was not imported lies on the shelf
    shutil.rmtree(vramscope_packages.ROOT, ignore_errors=True)
    importlib.invalidate_caches()
    kept_path, kept_environment = list(sys.path), dict(os.environ)
    os.environ.clear()
    os.environ.update(r["env"])
    sys.path[:] = [*r["searchPath"], *[p for p in sys.path if p]]
    vramscope_packages.choose(r["searchPath"], r["packages"])
    open_doors = _close_doors()
    _C.connect(engine)
    vramscope_loops.prepare()
    try:
        for statement in r["imports"]:
            _try(statement)
    finally:
        vramscope_loops.prepared()
        open_doors()
        sys.path[:] = kept_path
        os.environ.clear()
        os.environ.update(kept_environment)
    # not by getattr: a module that loads its parts when they are asked for may fail at it
    files = [module.__dict__.get("__file__") for module in list(sys.modules.values()) if isinstance(module, ModuleType)]
    _close_files()
    gc.collect()
    _C.disconnect()
    # should a package have found a way to JavaScript, it is closed with the others before a program runs
    vramscope_doors.find()
    gc.freeze()
    return json.dumps([f for f in files if isinstance(f, str) and f.startswith(vramscope_packages.INSTALLED)])


def _try(statement):
    try:
        exec(statement, {"__name__": "__main__"})
    except BaseException:
        # the program will meet the same error, in its own line; what an installed package left half imported goes
        name = statement.split()[1].partition(".")[0]
        if not vramscope_packages.is_ours(sys.modules.get(name)):
            vramscope_packages.forget(name)


def _close_files():
    """Files that packages left open are not open in a restored interpreter, where their numbers belong to a program's own files."""
    importlib.import_module(
        "importlib.metadata"
    ).MetadataPathFinder.invalidate_caches()  # keeps the standard library's archive
    kinds = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom, io.FileIO)  # what writes out first comes first
    for opened in sorted(
        (one for one in gc.get_objects() if isinstance(one, kinds)), key=lambda one: isinstance(one, io.FileIO)
    ):
        with contextlib.suppress(OSError, ValueError):  # no file, or closed already
            if opened.fileno() > 2:
                opened.close()


def _close_doors():
    """While packages are imported there is no way to JavaScript; the frozen interpreter needs it again, to get its engine."""
    leads_out, blocked = vramscope_doors.leads_out, vramscope_doors._BLOCKED
    modules = {name: module for name, module in sys.modules.items() if leads_out(name)}
    finders = [finder for finder in sys.meta_path if leads_out(type(finder).__module__)]
    for name in {*modules, *blocked}:
        sys.modules[name] = None
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder not in finders]
    vramscope_ctypes.install()

    def open_again():
        for name in blocked:
            sys.modules.pop(name, None)
        sys.modules.update(modules)
        sys.meta_path.extend(finders)

    return open_again
