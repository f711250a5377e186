"""Where the program is: the user's innermost line with its callers, interned once per instruction.

The engine's functions arrive in `connect`; until then this module holds no JavaScript object.
"""

from __future__ import annotations

from sys import _getframe, gettrace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Sequence
    from typing import Any


_js = None  # the engine's functions, set by connect()


def connect(functions: Sequence[Callable]) -> None:
    """Takes the engine's functions for this run."""
    global _js
    _js = functions
    for table in (_frames, _chains, _callers, _nearest):
        table.clear()


_OURS, _USER, _BELOW, _MAIN = 0, 1, 2, 3  # kinds of code: ours, the program's, what started it, its main module
_kinds = {}  # id(code) -> kind
_kept = []  # the code objects, so that their ids stay theirs
_frames = {}  # (number of the callers' chain, id(code), instruction) -> frame index of the trace
_chains = {}  # the same of a caller -> number of the chain that it and its callers are
_callers = {}  # id(frame) of the program's frames that carry the mark -> number of their callers' chain
_nearest = {}  # id(frame) of our frames that carry the mark -> frame index of the user's line that called them
_RESUMED = 0x2A0  # flags of generators and coroutines: who resumes them is another one each time
_PLACES = ("/lib/vramscope/", "/lib/python3", "<frozen ", "<string>", "<vramscope")


def _kind(code):
    kind = _kinds.get(id(code))
    if kind is None:
        file = code.co_filename
        kind = _BELOW if file == "/lib/vramscope/vramscope_boot.py" else _OURS if file.startswith(_PLACES) else _USER
        _kinds[id(code)] = kind
        _kept.append(code)
    return kind


def main_module(code: types.CodeType) -> None:
    """Says which code is the program's main module."""
    _kinds[id(code)] = _MAIN
    _kept.append(code)


def here() -> int:
    """Index of the user's innermost line, with its callers. Whoever calls this is ours."""
    f = _getframe(2)
    passed = []
    while f is not None:
        if not f.f_trace_lines:
            index = _nearest.get(id(f))
            if index is not None:
                break
        c = f.f_code
        kind = _kinds.get(id(c))
        if kind is None:
            kind = _kind(c)
        if kind:
            if kind == 2:
                return -1
            key = (0 if kind == 3 else _callers_of(f), id(c), f.f_lasti)
            index = _frames.get(key)
            if index is None:
                index = _frames[key] = _intern_stack(f)
            break
        passed.append(f)
        f = f.f_back
    else:
        return -1
    if passed and gettrace() is None:
        for f in passed:
            if f.f_code.co_flags & _RESUMED:
                # who resumes it next is another one; those that it calls now stand still with it
                continue
            f.f_trace_lines = False
            _nearest[id(f)] = index
    return index


def _callers_of(f):
    """Number of the chain of a user frame's callers.

    While a frame runs, its callers stand still at their calls: they are looked for once. A frame for which that was done
    carries a mark, a flag that only tracing reads, and that a later frame at the same address does not have.
    """
    waiting = []
    while True:
        known = None if f.f_trace_lines else _callers.get(id(f))
        if known is not None:
            break
        waiting.append(f)
        f = f.f_back
        while f is not None and not _kind(f.f_code):
            f = f.f_back
        kind = 2 if f is None else _kind(f.f_code)
        if kind != 1:
            known = 0
            break
    # the callers of `f` are known, unless it is the main module or what started it: those have none
    for inner in reversed(waiting):
        if f is not None and _kind(f.f_code) != 2:
            known = _chains.setdefault((known, id(f.f_code), f.f_lasti), len(_chains) + 1)
        if not inner.f_code.co_flags & _RESUMED and gettrace() is None:
            inner.f_trace_lines = False
            _callers[id(inner)] = known
            # one of ours may have been at this address, and carried the same mark
            _nearest.pop(id(inner), None)
        f = inner
    return known


def _intern_stack(f):
    stack = []
    while f is not None:
        if _kind(f.f_code) in (_USER, _MAIN):
            stack.append((f.f_code.co_filename, f.f_lineno or 0, f.f_code.co_qualname))
        f = f.f_back
    index = -1
    for file, line, name in reversed(stack):
        index = _js.frame(index, file, line, name)
    return index


def reached(f: Callable, stop: Any) -> None:
    """Tells the recorder where the program is: `stop` when it was found there, else when it came there for the first time."""
    if _js is not None:
        _js.reached(_intern_stack(f), stop)
