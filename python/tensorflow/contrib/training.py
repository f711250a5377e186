"""tensorflow.contrib.training: settings by name, which a text of NAME=VALUE changes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any, Self

_ASSIGNMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(\[[^\]]*\]|[^,]*)\s*(?:,|$)")
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def _like(before: Any, text: str) -> Any:
    """A value that a text says, of the type of the value before it."""
    if isinstance(before, (list, tuple)):
        parts = [part.strip() for part in text.strip("[]").split(",") if part.strip()]
        return [_like(before[0] if before else "", part) for part in parts]
    if isinstance(before, bool):
        if text.lower() not in _TRUTHS:
            raise ValueError(f"Could not parse hparam of type 'bool' from {text!r}")
        return _TRUTHS[text.lower()]
    return text if before is None else type(before)(text)


class HParams:
    def __init__(self, **values: Any) -> None:
        self._names = list(values)
        self.__dict__.update(values)

    def add_hparam(self, name: str, value: Any) -> None:
        if name in self._names:
            raise ValueError(f"Hyperparameter name already in use: {name}")
        self._names.append(name)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise KeyError(name)
        setattr(self, name, value)

    def del_hparam(self, name: str) -> None:
        self._names.remove(name)
        delattr(self, name)

    def parse(self, values: str) -> Self:
        at = 0
        while at < len(values):
            found = _ASSIGNMENT.match(values, at)
            if found is None:
                raise ValueError(f"Malformed hyperparameter value: {values[at:]}")
            name, text = found[1], found[2].strip()
            if name not in self._names:
                raise ValueError(f"Unknown hyperparameter type for {name}")
            setattr(self, name, _like(getattr(self, name), text))
            at = found.end()
        return self

    def override_from_dict(self, values: dict) -> Self:
        for name, value in values.items():
            self.set_hparam(name, value)
        return self

    def parse_json(self, text: str) -> Self:
        return self.override_from_dict(json.loads(text))

    def values(self) -> dict:
        return {name: getattr(self, name) for name in self._names}

    def get(self, key: str, default: Any = None) -> Any:
        return getattr(self, key) if key in self._names else default

    def to_json(self, **options: Any) -> str:
        return json.dumps(self.values(), **options)

    def __contains__(self, key: object) -> bool:
        return key in self._names


__getattr__ = lacks(__name__)
