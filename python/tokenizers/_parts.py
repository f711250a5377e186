"""What a tokenizer is put together from: parts that remember how they were made and can be written as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class _State(bytes):
    """The JSON that tokenizers' parts give as their state; `fields` has what JSON cannot say, too."""

    fields: dict


class Part:
    """A part with its options, which tokenizer.json calls as the constructor does."""

    _fields = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        for name, value in [*zip(self._fields, args), *options.items()]:
            setattr(self, name, value)

    def __getstate__(self) -> bytes:
        state = _State(json.dumps(self._json()).encode())
        state.fields = dict(self.__dict__)
        return state

    def __setstate__(self, state: bytes) -> None:
        fields = state.fields if isinstance(state, _State) else json.loads(state)
        self.__dict__.update(fields)
        self.__dict__.pop("type", None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def _json(self):
        plain = {k: _written(k, v) for k, v in self.__dict__.items() if not k.startswith("_")}
        return {"type": type(self).__name__, **{k: v for k, v in plain.items() if _is_plain(v)}}

    @classmethod
    def custom(cls, part: Any) -> Any:
        return part


def state_of(part: Any) -> Any:
    """A part as tokenizer.json describes it; None where there is none."""
    return part._json() if isinstance(part, Part) else part


def _written(name, value):
    if isinstance(value, (list, tuple)):
        return [state_of(one) for one in value]
    if name == "pattern":
        return (
            {"String": value}
            if isinstance(value, str)
            else {"Regex": value.pattern}
            if hasattr(value, "pattern")
            else value
        )
    return value


def _is_plain(value):
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def kinds(module: str, base: str, fields: dict[str, str], plain: str = "") -> Any:
    """Classes of one sort of part by name: those with the names of their constructor's places, and `plain` ones without any."""
    made = {base: type(base, (Part,), {"__module__": module})}
    for name, places in {**dict.fromkeys(plain.split(), ""), **fields}.items():
        made[name] = type(name, (made[base],), {"__module__": module, "_fields": tuple(places.split())})
    return made
