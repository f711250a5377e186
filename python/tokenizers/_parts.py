"""What a tokenizer is put together from: parts that remember how they were made and can be written as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import torch


class Part:
    """A part with its options. Text is not changed by it: only the number of tokens is told."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._args = args
        for name, value in options.items():
            setattr(self, name, value)

    def __getstate__(self) -> dict:
        return dict(self.__dict__)

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def _json(self):
        plain = {k: v for k, v in self.__dict__.items() if not k.startswith("_") and _is_plain(v)}
        return {"type": type(self).__name__, **plain}

    @classmethod
    def custom(cls, part: Any) -> Any:
        return part


def _is_plain(value):
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def kinds(module: torch.nn.Module, base: Any, names: Any) -> Any:
    """Classes of one sort of part, by name."""
    made = {base: type(base, (Part,), {"__module__": module})}
    for name in names.split():
        made[name] = type(name, (made[base],), {"__module__": module})
    return made
