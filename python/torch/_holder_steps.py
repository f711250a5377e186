"""What an object holds, each with the step that leads there: a list of a kind and what it needs.

Nothing here may free a tensor or call the engine: it runs in the middle of an engine call.
"""

from __future__ import annotations

import collections
import functools
import gc
import types
import weakref
from typing import TYPE_CHECKING

from ._tensor import Tensor
from .nn import Module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


PLAIN = (
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type,
    types.CodeType,
    types.BuiltinFunctionType,
    weakref.ref,
    types.ModuleType,
)
_SLOTS = (types.MemberDescriptorType,)


def _key(key):
    """How a dictionary's key is written, and whether it is a tensor."""
    if issubclass(type(key), Tensor):
        return ["tensor_key", key._h]
    if type(key) in (str, int, float, bool):
        return ["key", repr(key)[:80]]
    return ["key", type(key).__name__]


def locals_of(frame: types.FrameType) -> Iterator:
    code = frame.f_code
    place = [code.co_qualname, code.co_filename, frame.f_lineno or code.co_firstlineno]
    for name, value in frame.f_locals.items():
        yield ["local", name, *place], value


def _attributes(obj):
    kind = type(obj)
    try:
        own = object.__getattribute__(obj, "__dict__")
    except AttributeError:
        own = None
    if type(own) is dict:
        for name, value in own.items():
            yield ["attribute", str(name)], value
    for base in kind.__mro__:
        for name, member in vars(base).items():
            if type(member) in _SLOTS and name not in ("__dict__", "__weakref__"):
                try:
                    yield ["attribute", name], member.__get__(obj)
                except AttributeError:
                    pass


def _module(obj):
    for name, value in object.__getattribute__(obj, "__dict__").items():
        if name in ("_parameters", "_buffers", "_modules") and isinstance(value, dict):
            for key, part in value.items():
                yield (["item", int(key)] if str(key).isdigit() else ["attribute", str(key)]), part
        else:
            yield ["attribute", name], value


def _function(f):
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or ()):
        try:
            yield ["closure", name], cell.cell_contents
        except ValueError:
            pass
    count = len(f.__defaults__ or ())
    if count:
        names = f.__code__.co_varnames[f.__code__.co_argcount - count : f.__code__.co_argcount]
        for name, value in zip(names, f.__defaults__):
            yield ["default", name], value
    for name, value in (f.__kwdefaults__ or {}).items():
        yield ["default", name], value
    for name, value in f.__dict__.items():
        yield ["attribute", name], value


def steps_from(obj: Any) -> Iterator:
    """The objects that `obj` holds, each with the step that leads there."""
    kind = type(obj)
    if issubclass(kind, Tensor):
        for step, value in _attributes(obj):
            if step[1] not in ("_h", "_m"):
                yield step, value
    elif issubclass(kind, Module):
        yield from _module(obj)
    elif issubclass(kind, types.FunctionType):
        yield from _function(obj)
    elif issubclass(kind, types.MethodType):
        yield ["attribute", "__self__"], obj.__self__
        yield ["attribute", "__func__"], obj.__func__
    elif issubclass(kind, functools.partial):
        yield ["attribute", "func"], obj.func
        for i, value in enumerate(obj.args):
            yield ["argument", str(i)], value
        for name, value in obj.keywords.items():
            yield ["argument", name], value
    elif kind in (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType):
        frame = getattr(obj, "gi_frame", None) or getattr(obj, "cr_frame", None) or getattr(obj, "ag_frame", None)
        named = [frame, obj.__class__]
        if frame is not None:
            for step, value in locals_of(frame):
                named.append(value)
                yield step, value
        yield from _unnamed(obj, named)
    elif kind is types.FrameType:
        if obj.f_code.co_name != "<module>":  # a module's variables are its globals
            yield from locals_of(obj)
    elif kind is types.TracebackType:
        yield ["frame"], obj.tb_frame
        yield ["next"], obj.tb_next
    elif issubclass(kind, BaseException):
        for name in ("__traceback__", "__context__", "__cause__", "args"):
            yield ["attribute", name], getattr(obj, name)
        yield from _attributes(obj)
    elif kind is types.CellType:
        try:
            yield ["contents"], obj.cell_contents
        except ValueError:
            pass
    else:
        yield from _container(obj, kind)


def _container(obj, kind):
    if issubclass(kind, dict):
        for key, value in dict.items(obj):
            yield _key(key), value
            if not issubclass(type(key), PLAIN):
                yield ["key_itself"], key
    elif issubclass(kind, (list, tuple)):
        fields = getattr(kind, "_fields", None)
        for i, value in enumerate((tuple if issubclass(kind, tuple) else list).__iter__(obj)):
            yield (["attribute", fields[i]] if fields and i < len(fields) else ["item", i]), value
    elif issubclass(kind, collections.deque):
        for i, value in enumerate(collections.deque.__iter__(obj)):
            yield ["item", i], value
    elif issubclass(kind, (set, frozenset)):
        for value in (set if issubclass(kind, set) else frozenset).__iter__(obj):
            yield ["element"], value
    named = []
    for step, value in _attributes(obj):
        named.append(value)
        yield step, value
    if not issubclass(kind, (dict, list, tuple, set, frozenset, collections.deque)):
        yield from _unnamed(obj, named)


def _unnamed(obj, named):
    """What an object holds besides, where no rule knows names: the values of an iterator, the cache of a decorator."""
    known = {id(value) for value in named}
    known.add(id(type(obj)))
    try:
        known.add(id(object.__getattribute__(obj, "__dict__")))
    except AttributeError:
        pass
    for value in gc.get_referents(obj):
        if id(value) not in known:
            yield ["inside", type(obj).__name__], value
