"""Headers, whose names have no case."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


class CaseInsensitiveDict(dict):
    """A dict of headers; names keep how they were written and are found in any case."""

    def __init__(self, data: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = (), **more: Any) -> None:
        super().__init__()
        self.update(data, **more)

    def _written(self, key):
        return next((own for own in super().keys() if own.lower() == key.lower()), key)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(self._written(key), value)

    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(self._written(key))

    def __delitem__(self, key: str) -> None:
        super().__delitem__(self._written(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(self._written(key))

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(self._written(key), default)

    def update(self, data: tuple = (), **more: Any) -> None:
        for key, value in {**dict(data), **more}.items():
            self[key] = value
