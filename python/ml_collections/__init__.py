"""ml_collections: dictionaries of settings whose names are attributes, too, with their kinds kept."""

from __future__ import annotations

import copy
from contextlib import contextmanager
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

__all__ = ["ConfigDict", "FieldReference", "FrozenConfigDict", "config_dict", "config_flags"]


class FieldReference:
    """A value that several names share."""

    def __init__(self, default: Any, field_type: type | None = None, **_: Any) -> None:
        self._value = default

    def get(self) -> Any:
        return self._value

    def set(self, value: Any, type_safe: bool = True) -> None:
        self._value = value


class ConfigDict:
    """Names with values, and with further dictionaries; locked, it takes no new name, and a value keeps its kind."""

    def __init__(self, initial_dictionary: Any = None, type_safe: bool = True, **_: Any) -> None:
        self.__dict__.update(_fields={}, _locked=False, _type_safe=type_safe)
        items = initial_dictionary.items() if initial_dictionary is not None else ()
        for name, value in items:
            self[name] = value

    def __getitem__(self, name: str) -> Any:
        if name not in self._fields:
            raise KeyError(f"\"'{name}'\"")
        value = self._fields[name]
        return value.get() if isinstance(value, FieldReference) else value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._fields:
            raise AttributeError(f'"{name}"')
        return self[name]

    def __setitem__(self, name: str, value: Any) -> None:
        if type(value) is dict:
            value = type(self)(value)
        old = self._fields.get(name)
        if self._locked and name not in self._fields:
            raise KeyError(f'Key "{name}" does not exist and cannot be added since the config is locked.')
        if isinstance(old, FieldReference) and not isinstance(value, FieldReference):
            old.set(value)
            return
        kinds = (type(old), type(value))
        if self._type_safe and old is not None and value is not None and not isinstance(value, FieldReference):
            if kinds == (float, int):
                value = float(value)
            elif kinds in ((tuple, list), (list, tuple)):
                value = type(old)(value)
            elif not isinstance(value, type(old)):
                raise TypeError(
                    f"field '{name}': {value!r} is of type {kinds[1]} but original value has type {kinds[0]}"
                )
        self._fields[name] = value

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delitem__(self, name: str) -> None:
        del self._fields[name]

    __delattr__ = __delitem__

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def __iter__(self) -> Iterator:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConfigDict) and self.to_dict() == other.to_dict()

    __hash__ = None

    def keys(self) -> list:
        return sorted(self._fields)

    def values(self) -> list:
        return [self[name] for name in self]

    def items(self) -> list:
        return [(name, self[name]) for name in self]

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self else default

    def get_ref(self, key: str) -> FieldReference:
        if not isinstance(self._fields[key], FieldReference):
            self._fields[key] = FieldReference(self._fields[key])
        return self._fields[key]

    def update(self, *other: Any, **kwargs: Any) -> None:
        for source in (*other, kwargs):
            for name, value in source.items():
                if isinstance(self.get(name), ConfigDict) and isinstance(value, (dict, ConfigDict)):
                    self[name].update(value)
                else:
                    self[name] = value

    def update_from_flattened_dict(self, flattened_dict: dict, strip_prefix: str = "") -> None:
        for name, value in flattened_dict.items():
            *path, last = name.removeprefix(strip_prefix).split(".")
            node = self
            for part in path:
                node = node[part]
            node[last] = value

    def to_dict(self, **_: Any) -> dict:
        return {name: value.to_dict() if isinstance(value, ConfigDict) else value for name, value in self.items()}

    def copy_and_resolve_references(self, **_: Any) -> Self:
        return type(self)(copy.deepcopy(self.to_dict()))

    def __deepcopy__(self, memo: dict) -> Self:
        return self.copy_and_resolve_references()

    def _lock(self, locked: bool) -> Self:
        self.__dict__["_locked"] = locked
        for value in self.values():
            if isinstance(value, ConfigDict):
                value._lock(locked)
        return self

    def lock(self) -> Self:
        return self._lock(True)

    def unlock(self) -> Self:
        return self._lock(False)

    @property
    def is_locked(self) -> bool:
        return self._locked

    @contextmanager
    def unlocked(self) -> Iterator:
        was = self._locked
        self._lock(False)
        yield
        self._lock(was)

    def to_json(self, **kwargs: Any) -> str:
        import json

        return json.dumps(self.to_dict(), **kwargs)

    def to_yaml(self, **kwargs: Any) -> str:
        import yaml

        return yaml.safe_dump(self.to_dict(), **kwargs)

    def __str__(self) -> str:
        return self.to_yaml(default_flow_style=False)

    def __repr__(self) -> str:
        return self.to_yaml(default_flow_style=False)


class FrozenConfigDict(ConfigDict):
    """One that cannot be changed."""

    def __init__(self, initial_dictionary: Any = None, **_: Any) -> None:
        super().__init__(initial_dictionary)
        self.__dict__["_frozen"] = True

    def __setitem__(self, name: str, value: Any) -> None:
        if self.__dict__.get("_frozen"):
            raise AttributeError("FrozenConfigDict is immutable. Cannot call __setattr__().")
        super().__setitem__(name, value)

    def __hash__(self) -> int:
        return hash(repr(self))


from . import config_dict, config_flags  # noqa: E402 - they import the classes above

__getattr__ = lacks("ml_collections")
