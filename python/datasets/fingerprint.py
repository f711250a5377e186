"""datasets.fingerprint: names under which results are cached. The same value has the same name within one run."""

from __future__ import annotations

import hashlib
import pickle
import random
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def _text(value, depth=0):
    """What tells a value from others: its parts, the code of functions, the name and sizes of what cannot be pickled."""
    if depth < 8:
        if isinstance(value, dict):
            return f"{{{','.join(f'{_text(k, depth + 1)}:{_text(v, depth + 1)}' for k, v in value.items())}}}"
        if isinstance(value, (list, tuple)):
            return f"{type(value).__name__}({','.join(_text(item, depth + 1) for item in value)})"
        if isinstance(value, types.FunctionType):
            code = value.__code__
            return f"{code.co_name}{code.co_code.hex()}{_text(code.co_consts, depth + 1)}{_text(value.__defaults__, depth + 1)}"
    if isinstance(value, (str, int, float, bool, bytes, type(None))):
        return f"{type(value).__name__}{value!r}"
    parameters = getattr(value, "named_parameters", None)
    if callable(parameters):
        return f"{type(value).__qualname__}[{','.join(f'{name}{tuple(p.shape)}' for name, p in parameters())}]"
    try:
        return hashlib.md5(pickle.dumps(value), usedforsecurity=False).hexdigest()
    except Exception:  # what cannot be pickled is told by its type alone
        return type(value).__qualname__


class Hasher:
    """Hexadecimal digits of Python objects."""

    def __init__(self) -> None:
        self.m = hashlib.sha256()

    @classmethod
    def hash_bytes(cls, value: Any) -> Any:
        return hashlib.sha256(b"".join([value] if isinstance(value, bytes) else value)).hexdigest()[:16]

    @classmethod
    def hash(cls, value: Any) -> Any:
        return cls.hash_bytes(_text(value).encode())

    def update(self, value: Any) -> None:
        self.m.update(f"=={type(value)}=={_text(value)}".encode())

    def hexdigest(self) -> Any:
        return self.m.hexdigest()[:16]


_drawn = random.Random(0)


def generate_random_fingerprint(nbits: int = 64) -> str:
    return f"{_drawn.getrandbits(nbits):0{nbits // 4}x}"


def generate_fingerprint(dataset: Any) -> Any:
    return Hasher.hash([dataset.column_names, len(dataset)])


def update_fingerprint(fingerprint: Any, transform: Any, transform_args: Any) -> Any:
    return Hasher.hash([fingerprint, transform, transform_args])
