"""Names of former NumPy: the 2.0 that took them away, and 1.24 before it, broke programs that are still run; the report says so once."""

from __future__ import annotations

import builtins
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# a former name -> what NumPy's own notes tell to write instead, in `numpy` unless it says builtins
_SAME = {
    "float": "builtins", "int": "builtins", "object": "builtins", "str": "builtins", "complex": "builtins",
    "unicode": "builtins.str", "object0": "builtins.object",
    "NINF": -float("inf"), "PINF": float("inf"), "infty": float("inf"), "NZERO": -0.0, "PZERO": 0.0,
    "complex_": "complex128", "singlecomplex": "complex64", "cfloat": "complex128", "longcomplex": "complex128",
    "clongfloat": "complex128", "longfloat": "float64", "string_": "bytes_", "unicode_": "str_", "round_": "round",
    "issubclass_": "builtins.issubclass", "disp": "builtins.print", "typeDict": "sctypeDict",
}  # fmt: skip


def _tables():
    import numpy as np

    return {
        "sctypes": {
            "int": [np.int8, np.int16, np.int32, np.int64],
            "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
            "float": [np.float16, np.float32, np.float64],
            "complex": [np.complex64, np.complex128],
            "others": [np.bool_, object, np.bytes_, np.str_, np.void],
        },
        "nbytes": {kind: np.dtype(kind).itemsize for kind in (np.float32, np.float64, np.int32, np.int64, np.uint8)},
        "msort": lambda a: np.sort(a, axis=0),
        "issctype": lambda kind: isinstance(kind, type) and issubclass(kind, np.generic),
        "obj2sctype": lambda kind, default=None: np.dtype(kind).type,
        "sctype2char": lambda kind: np.dtype(kind).char,
        "issubsctype": lambda first, second: np.issubdtype(np.dtype(first), np.dtype(second)),
        "find_common_type": lambda arrays, scalars=(): np.result_type(*arrays, *scalars),
        "deprecate": lambda *args, **options: args[0] if args and callable(args[0]) else lambda function: function,
    }


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    from torch._stand_ins import note

    note("former_name", library="numpy", name=name)
    if name not in _SAME:
        return _tables()[name]
    known = _SAME[name]
    if not isinstance(known, str):
        return known
    module, _, own = known.rpartition(".")
    if known == "builtins" or module == "builtins":
        return getattr(builtins, name if known == "builtins" else own)
    return getattr(importlib.import_module("numpy"), known)
