"""Key-value stores. One process alone holds its own; ranks that run together share one through the host."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from . import _exchange

if TYPE_CHECKING:
    from typing import Any


class Store:
    """Keys with bytes, a counter per key, and waiting for keys."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._timeout = timedelta(seconds=300)
        self._prefix = ""

    @property
    def _data(self):
        return _exchange.local_keys

    def set(self, key: str, value: str) -> None:
        _exchange.store_set(self._prefix + key, value.encode() if isinstance(value, str) else bytes(value))

    def get(self, key: str) -> bytes:
        return _exchange.store_get(self._prefix + key)

    def add(self, key: str, amount: int | float) -> int:
        return _exchange.store_add(self._prefix + key, amount)

    def compare_set(self, key: str, expected: Any, desired: Any) -> bytes:
        return _exchange.store_compare_set(self._prefix + key, expected.encode(), desired.encode())

    def wait(self, keys: list[str], timeout: Any = None) -> None:
        for key in keys:
            self.get(key)

    def check(self, keys: list[str]) -> bool:
        return all(_exchange.store_has(self._prefix + key) for key in keys)

    def delete_key(self, key: str) -> bool:
        return _exchange.store_delete(self._prefix + key)

    def num_keys(self) -> int:
        return len(self._data)

    def append(self, key: Any, value: Any) -> None:
        before = self.get(key) if _exchange.store_has(self._prefix + key) and not self._lacks(key) else b""
        self.set(key, before + (value.encode() if isinstance(value, str) else value))

    def _lacks(self, key):
        return not _exchange.together() and self._prefix + key not in self._data

    def multi_get(self, keys: list[str]) -> list[bytes]:
        return [self.get(key) for key in keys]

    def multi_set(self, keys: Any, values: Any) -> None:
        for key, value in zip(keys, values):
            self.set(key, value)

    def has_extended_api(self) -> bool:
        return True

    def set_timeout(self, timeout: Any) -> None:
        self._timeout = timeout

    @property
    def timeout(self) -> Any:
        return self._timeout

    def clone(self) -> Store:
        return self


class HashStore(Store):
    """A store of one process."""


class FileStore(Store):
    """A store in a file, which here is shared like any other."""

    def __init__(self, file_name: Any = None, world_size: int = -1) -> None:
        super().__init__()
        self.path = file_name


class TCPStore(Store):
    """A store on the first rank."""

    def __init__(
        self,
        host_name: str = "localhost",
        port: int = 0,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: Any = None,
        **_: Any,
    ) -> None:
        super().__init__()
        self.host, self.port = host_name, port


class PrefixStore(Store):
    """Another store's keys under a prefix."""

    def __init__(self, prefix: str, store: Store) -> None:
        super().__init__()
        self._prefix = f"{getattr(store, '_prefix', '')}{prefix}/"
        self.underlying_store = store


_default = None


def default_store() -> Any:
    global _default
    if _default is None:
        _default = PrefixStore("default_pg", TCPStore())
    return _default
