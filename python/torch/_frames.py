"""Where the program is: the user's innermost line with its callers, interned once per instruction.

The engine's functions arrive in `connect`; until then this module holds no JavaScript object.
"""

from sys import _getframe

_js = None  # the engine's functions, set by connect()


def connect(functions):
    """Takes the engine's functions for this run."""
    global _js
    _js = functions
    _frames.clear()


_OURS, _USER, _BELOW, _MAIN = 0, 1, 2, 3  # kinds of code: ours, the program's, what started it, its main module
_kinds = {}  # id(code) -> kind
_kept = []  # the code objects, so that their ids stay theirs
_frames = {}  # user frames from inside out as (id(code), instruction) pairs -> frame index of the trace
_PLACES = ("/lib/vramscope/", "/lib/python3", "<frozen ", "<string>", "<vramscope")


def _kind(code):
    kind = _kinds.get(id(code))
    if kind is None:
        file = code.co_filename
        kind = _BELOW if file == "/lib/vramscope/vramscope_boot.py" else _OURS if file.startswith(_PLACES) else _USER
        _kinds[id(code)] = kind
        _kept.append(code)
    return kind


def main_module(code):
    """Says which code is the program's main module."""
    _kinds[id(code)] = _MAIN
    _kept.append(code)


def here():
    """Index of the user's innermost line, with its callers. Whoever calls this is ours."""
    f = _getframe(2)
    c = f.f_code
    if _kinds.get(id(c)) == 3:  # straight from the main module: nothing of the program called it
        key = (id(c), f.f_lasti)
        index = _frames.get(key)
        if index is None:
            index = _frames[key] = _intern_stack(f)
        return index
    key = []
    while f is not None:
        c = f.f_code
        kind = _kinds.get(id(c))
        if kind is None:
            kind = _kind(c)
        if kind == 1:
            key.append(id(c))
            key.append(f.f_lasti)
        elif kind == 2:
            break
        elif kind == 3:
            key.append(id(c))
            key.append(f.f_lasti)
            break
        f = f.f_back
    key = tuple(key)
    index = _frames.get(key)
    if index is None:
        index = _frames[key] = _intern_stack(_getframe(1))
    return index


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


def reached(f, stop):
    """Tells the recorder where the program is: `stop` when it was found there, else when it came there for the first time."""
    if _js is not None:
        _js.reached(_intern_stack(f), stop)
