"""six, as far as programs for Python 3 still use it."""

from __future__ import annotations

import io
import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


PY2, PY3, PY34 = False, True, True
string_types, integer_types, class_types, text_type, binary_type, MAXSIZE = (
    (str,),
    (int,),
    (type,),
    str,
    bytes,
    sys.maxsize,
)
StringIO, BytesIO = io.StringIO, io.BytesIO
unichr, next, callable = chr, next, callable  # noqa: A001
iterkeys, itervalues, iteritems = (
    lambda d, name=name: iter(getattr(d, name)()) for name in ("keys", "values", "items")
)
viewkeys, viewvalues, viewitems = dict.keys, dict.values, dict.items


def add_metaclass(metaclass: Callable) -> Any:
    def wrapper(cls):
        names = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
        return metaclass(cls.__name__, cls.__bases__, names)

    return wrapper


def with_metaclass(meta: Callable, *bases: Any) -> Any:
    return meta("temporary_class", bases or (object,), {})


def ensure_str(s: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    return s.decode(encoding, errors) if isinstance(s, bytes) else s


ensure_text = ensure_str


def ensure_binary(s: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    return s.encode(encoding, errors) if isinstance(s, str) else s


def raise_from(value: Any, from_value: Any) -> NoReturn:
    raise value from from_value


def python_2_unicode_compatible(cls: Any) -> Any:
    return cls


_MOVED = {
    "cPickle": "pickle",
    "queue": "queue",
    "configparser": "configparser",
    "urllib": "urllib",
    "http_client": "http.client",
}


class _Moves(types.ModuleType):
    """What changed its place between Python 2 and 3."""

    __path__ = ()
    range, xrange, zip, map, filter, input, reload_module = range, range, zip, map, filter, input, None
    StringIO = cStringIO = io.StringIO

    def __getattr__(self, name: str) -> Any:
        import importlib

        if name == "reduce":
            from functools import reduce

            return reduce
        if name == "zip_longest":
            from itertools import zip_longest

            return zip_longest
        if name not in _MOVED:
            raise AttributeError(name)
        module = importlib.import_module(_MOVED[name])
        if name == "urllib":
            for part in ("request", "parse", "error"):
                sys.modules[f"six.moves.urllib.{part}"] = importlib.import_module(f"urllib.{part}")
        return module


moves = sys.modules["six.moves"] = _Moves("six.moves")


class _Urllib(types.ModuleType):
    __path__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(moves.urllib, name)


sys.modules["six.moves.urllib"] = _Urllib("six.moves.urllib")
