"""Takes out of Python what leads to JavaScript, before a program runs: modules, import hooks, classes, functions, objects."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import types

import vramscope_ctypes

# Modules that lead out of the interpreter, with everything below them.
_BLOCKED = (
    "js",
    "pyodide_js",
    "pyodide",
    "_pyodide",
    "_pyodide_core",
    "micropip",
    "ctypes",
    "_ctypes",
)


def leads_out(name: object) -> bool:
    """Whether a module of this name leads out of the interpreter; `close` puts nothing, or one without powers, in its place."""
    return isinstance(name, str) and name.partition(".")[0] in _BLOCKED


def _is_foreign(thing):
    """Whether an object is JavaScript's, or a built-in function that takes or makes such objects."""
    kind = type(thing)
    if leads_out(kind.__module__):
        return True
    return kind is types.BuiltinFunctionType and leads_out(thing.__module__)


def _holds_foreign(holder):
    """Whether an object holds a foreign one in a way that can be undone."""
    # by the built-in types' own methods: those of a package's class may load what they name, and those of a program's may hide it
    if isinstance(holder, dict):
        return any(_is_foreign(value) or _is_foreign(key) for key, value in dict.items(holder))
    if isinstance(holder, list):
        return any(map(_is_foreign, list.__iter__(holder)))
    if isinstance(holder, set):
        return any(map(_is_foreign, set.__iter__(holder)))
    if isinstance(holder, types.CellType):
        try:
            return _is_foreign(holder.cell_contents)
        except ValueError:
            return False
    return False


def _let_go(holder):
    """Takes foreign objects out of what holds them."""
    if isinstance(holder, dict):
        for key in [key for key, value in dict.items(holder) if _is_foreign(value) or _is_foreign(key)]:
            if _is_a_mark(holder, key):
                dict.__setitem__(holder, key, _NOBODYS)
            else:
                dict.__delitem__(holder, key)
    elif isinstance(holder, list):
        list.__setitem__(holder, slice(None), [value for value in list.__iter__(holder) if not _is_foreign(value)])
    elif isinstance(holder, set):
        for value in [value for value in set.__iter__(holder) if _is_foreign(value)]:
            set.discard(holder, value)
    elif _holds_foreign(holder):
        del holder.cell_contents


# Stands where a module compares with an object of JavaScript's, as json does with null: the name stays, and nothing is it.
_NOBODYS = object()


def _is_a_mark(holder, key):
    """Whether a name of a module is a foreign object that does nothing."""
    return dict.__contains__(holder, "__spec__") and isinstance(key, str) and not callable(dict.get(holder, key))


def _find():
    """What is to be emptied: what holds foreign objects, and what came with them."""
    objects = gc.get_objects()
    return (
        [thing for thing in objects if _holds_foreign(thing)],
        [thing for thing in objects if _is_foreign(thing) or _is_theirs(thing)],
    )


def _is_theirs(thing):
    return isinstance(thing, (type, types.FunctionType)) and leads_out(thing.__module__)


_found = None


def find() -> None:
    """Called before the interpreter is frozen, because to look at all objects takes long; `close` looks at what came later."""
    global _found
    found = _find()
    # what was frozen before is not found again
    _found = found if _found is None else tuple(old + new for old, new in zip(_found, found, strict=True))


def _empty_modules():
    """Modules lose their contents: a function that nobody holds is not found by walking over all objects, either."""
    for name in [name for name in sys.modules if leads_out(name)]:
        module = sys.modules.pop(name)
        if isinstance(module, types.ModuleType):
            vars(module).clear()
    for name in _BLOCKED:
        sys.modules[name] = None


# By these Pyodide's own C code knows what to give back when one of its objects dies.
_FLAGS = "_js_type_flags"


def _empty(thing):
    """A class, a function or an object loses what it does and has, as far as it is written in Python."""
    if isinstance(thing, type):
        for key in list(vars(thing)):
            if key == _FLAGS:
                continue
            try:
                type.__delattr__(thing, key)
            except (AttributeError, TypeError):
                pass  # what Python itself needs of a class
    elif isinstance(thing, types.FunctionType):
        if not thing.__code__.co_freevars:
            thing.__code__ = _nothing.__code__
        thing.__defaults__ = thing.__kwdefaults__ = None
    else:
        try:
            object.__getattribute__(thing, "__dict__").clear()
        except AttributeError:
            pass  # it has none


def _nothing(*args, **kwargs):
    raise ImportError("this part of the interpreter is not there for programs")


def _no_process(command):
    raise OSError(138, "a simulated program starts no processes")


def close() -> None:
    """Irreversible. Who calls this from JavaScript keeps what is still to be called."""
    global _found
    os.urandom(1)  # what gives random bytes is looked up at the first call
    sys.meta_path[:] = [finder for finder in sys.meta_path if not leads_out(type(finder).__module__)]
    asyncio.events._set_event_loop_policy(None)
    asyncio.events._set_running_loop(None)
    os.system = _no_process
    # of what was there when the interpreter was frozen, these hold what was put into them later
    parts = [_find()] if _found is None else [_found, _find()]
    _found = None
    _empty_modules()
    vramscope_ctypes.install()
    for holders, theirs in parts:
        for holder in holders:
            _let_go(holder)
        for thing in theirs:
            _empty(thing)
    del parts, holders, holder, theirs, thing
    gc.collect()
    gc.freeze()
