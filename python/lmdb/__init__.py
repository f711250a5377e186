"""A stand-in for lmdb: what the program itself puts in comes back; of a database that nobody has, each entry is a picture or a count."""

from __future__ import annotations

import pickle
import re
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

__version__ = "1.7.5"
_ENTRIES = 1000
_COUNTS = re.compile(rb"len|num|count|size|total|entries", re.IGNORECASE)
_KEYS = re.compile(rb"keys", re.IGNORECASE)
_SIDE = re.compile(rb"^(\d{1,5})[-_]\d")  # a size before the number of a picture, as GANs name them


class Error(Exception):
    """What every error of lmdb is."""


class _Written(dict):
    """The entries that a program put into a database, by its path."""


_databases: dict[str, _Written] = {}


def _placeholder(key: bytes) -> bytes:
    """What a database that is not here holds under a key."""
    from vramscope_data import contents, readers

    pickled = readers.unpickles()
    if _KEYS.search(key) and pickled:
        return pickle.dumps([str(i).encode() for i in range(_ENTRIES)])
    if _COUNTS.search(key):
        return pickle.dumps(_ENTRIES) if pickled else str(_ENTRIES).encode()
    return contents.picture(int(found[1]) if (found := _SIDE.match(key)) else None)


class Environment:
    """A database. One that the program has not filled is taken to hold pictures."""

    def __init__(self, path: str, *args: Any, **options: Any) -> None:
        self._path = str(path)
        self._entries = _databases.setdefault(self._path, _Written())

    def begin(self, db: Any = None, parent: Any = None, write: bool = False, buffers: bool = False) -> Transaction:
        return Transaction(self)

    def stat(self, db: Any = None) -> dict:
        return {"entries": len(self._entries) or self._unknown()}

    def info(self) -> dict:
        return {"map_size": 2**40, "num_readers": 1, "last_pgno": 0, "last_txnid": 0}

    def _unknown(self) -> int:
        note("placeholder_folder", "file", self._path, what=f"{_ENTRIES} pictures in a database")
        return _ENTRIES

    def path(self) -> str:
        return self._path

    def open_db(self, key: bytes | None = None, *args: Any, **options: Any) -> Environment:
        return self

    def set_mapsize(self, size: int) -> None:
        """There is always room."""

    def sync(self, force: bool = False) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """It stays as it is."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


open = Environment


class Transaction:
    """Reads and writes of a database, done when they are asked for."""

    def __init__(self, env: Environment, *args: Any, **options: Any) -> None:
        self._env = env

    def get(self, key: bytes, default: Any = None, db: Any = None) -> Any:
        entries = self._env._entries
        if entries:
            return entries.get(bytes(key), default)
        self._env._unknown()
        return _placeholder(bytes(key))

    def put(self, key: bytes, value: bytes, *args: Any, **options: Any) -> bool:
        self._env._entries[bytes(key)] = bytes(value)
        return True

    def delete(self, key: bytes, *args: Any, **options: Any) -> bool:
        return self._env._entries.pop(bytes(key), None) is not None

    def stat(self, db: Any = None) -> dict:
        return self._env.stat()

    def cursor(self, db: Any = None) -> Cursor:
        return Cursor(self)

    def commit(self) -> None:
        """It is done."""

    abort = commit

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.commit()


class Cursor:
    """Goes through the entries of a database by their keys."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        known = transaction._env._entries
        self._keys = sorted(known) or [f"{i:08d}".encode() for i in range(transaction._env._unknown())]
        self._at = -1

    def __iter__(self) -> Iterator:
        return self.iternext()

    def iternext(self, keys: bool = True, values: bool = True) -> Iterator:
        for key in self._keys:
            value = self._transaction.get(key) if values else None
            yield (key, value) if keys and values else key if keys else value

    def _move(self, at: int) -> bool:
        self._at = at
        return 0 <= at < len(self._keys)

    def first(self) -> bool:
        return self._move(0)

    def last(self) -> bool:
        return self._move(len(self._keys) - 1)

    def next(self) -> bool:
        return self._move(self._at + 1)

    def set_key(self, key: bytes) -> bool:
        return self._move(self._keys.index(key) if key in self._keys else -1)

    def key(self) -> bytes:
        return self._keys[self._at]

    def value(self) -> Any:
        return self._transaction.get(self.key())

    def item(self) -> tuple:
        return self.key(), self.value()

    def close(self) -> None:
        """Nothing is held."""

    __enter__, __exit__ = Transaction.__enter__, lambda self, *_: None


__getattr__ = lacks(__name__)
