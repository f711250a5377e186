"""Loops that end by themselves: once the passes of a loop repeat, it is left, and the program goes on behind it.

`compile_program` compiles a source text so that its loops tell when a pass ends (`rewrite`); `passes` decides what then
happens; `guards` finds the passes in which lines would run that have not run yet.
"""

from __future__ import annotations

import builtins
import re
from importlib.machinery import SourceFileLoader
from typing import TYPE_CHECKING

from torch import _ranked

from . import handing, listing, passes, rewrite

if TYPE_CHECKING:
    from typing import Any


def compile_program(source: str, path: str, tree: Any = None) -> Any:
    """The code of a module of the program, its loops watched; `tree`: its syntax tree, where something changed it."""
    if _ranked.alike:
        tree = _alike().rewritten(source, path, tree)
    if not passes.watching() or (tree is None and not rewrite.has_loops(source)):
        return compile(source if tree is None else tree, path, "exec", dont_inherit=True)
    return rewrite.code_of(source, path, tree)


_PROJECT = "/home/user/"
_LIBRARIES = "/lib/"  # the standard library and what is ours
# A package is large, and most of its loops are not a program's: those that drive one lie in files with such words.
_DRIVES = re.compile(rb"epoch|optimizer|max_steps|max_num_steps|max_iter|num_inference_steps")


def _is_watched(path, data):
    if not (passes.watching() or passes.prepares()) or path.startswith(_LIBRARIES) or not isinstance(data, bytes):
        return False
    return rewrite.has_loops(data) and (path.startswith(_PROJECT) or _DRIVES.search(data) is not None)


def _alike():
    import vramscope_alike

    return vramscope_alike


_SOURCE_TO_CODE = SourceFileLoader.source_to_code


def _watch_imports():
    """Modules of the program and of packages are compiled with their loops watched from now on."""
    plain = _SOURCE_TO_CODE

    def source_to_code(self, data, path, *rest, **options):
        path = str(path)
        if _ranked.alike and path.startswith(_PROJECT) and isinstance(data, bytes):
            return compile_program(data, path)
        if _is_watched(path, data):
            return rewrite.code_of(data, path)
        return plain(self, data, path, *rest, **options)

    SourceFileLoader.source_to_code = source_to_code


def begin(policy: Any) -> None:
    """Before a program: `policy` is `auto`, `all` or a number of passes."""
    passes.begin(policy)
    if passes.watching() or _ranked.alike:
        _watch_imports()
        builtins._vramscope_for, builtins._vramscope_while = passes.over, passes.again
        builtins._vramscope_items, builtins._vramscope_list = listing.listed, listing.whole
        builtins._vramscope_from = handing.handing
    else:
        _run_as_they_are()


def prepare() -> None:
    """Before packages are imported for programs to come: their loops are compiled watched, and run as they are until one begins."""
    passes.prepare()
    _watch_imports()
    _run_as_they_are()


def prepared() -> None:
    """What was compiled since `prepare` stays watched."""
    passes.prepared()


def _run_as_they_are():
    def unwatched(goes_on=True):
        return goes_on

    builtins._vramscope_for, builtins._vramscope_while = lambda items, number: items, lambda number: unwatched
    builtins._vramscope_items = builtins._vramscope_list = builtins._vramscope_from = lambda given, number: given
