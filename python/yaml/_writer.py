"""YAML from values, in PyYAML's layout."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from . import _scalars

if TYPE_CHECKING:
    from typing import Any


_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`][^\n]*$|[-?:][^\s,\[\]{}][^\n]*$")


def _scalar(value):
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, float):
        text = repr(float(value))
        if text in ("inf", "-inf", "nan"):
            return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}[text]
        return re.sub(r"^(-?\d+)e", r"\1.0e", text)
    if isinstance(value, int):
        return str(int(value))
    text = str(value)
    needs = (
        not _PLAIN.match(text) or text != text.strip() or ": " in text or " #" in text or text.endswith(":")
        or not isinstance(_scalars.resolve(text), str)
    )  # fmt: skip
    if not needs:
        return text
    if re.search(r"[\n\t\x00-\x1f]", text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'
    return "'" + text.replace("'", "''") + "'"


def _plain_value(value, dumper):
    """A value as dictionaries, lists and scalars."""
    for kind, represent in dumper.yaml_representers.items():
        if type(value) is kind:
            return represent(dumper(), value)
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        return value.item()
    if isinstance(value, (set, tuple)) or hasattr(value, "tolist"):
        return list(value) if isinstance(value, (set, tuple)) else value.tolist()
    if isinstance(value, (dict, list, str, int, float)) or value is None:
        return value
    return dict(vars(value)) if hasattr(value, "__dict__") else str(value)


def _flow(value, dumper, sort):
    value = _plain_value(value, dumper)
    if isinstance(value, dict):
        rows = sorted(value.items(), key=lambda r: str(r[0])) if sort else value.items()
        return "{" + ", ".join(f"{_scalar(k)}: {_flow(v, dumper, sort)}" for k, v in rows) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(v, dumper, sort) for v in value) + "]"
    return _scalar(value)


def _block(value, dumper, sort, indent, step, leaves):
    value = _plain_value(value, dumper)
    pad = " " * indent
    if isinstance(value, dict) and value:
        rows = sorted(value.items(), key=lambda r: str(r[0])) if sort else value.items()
        return "".join(f"{pad}{_scalar(k)}:{_below(v, dumper, sort, indent, step, leaves)}" for k, v in rows)
    if isinstance(value, list) and value:
        made = ""
        for item in value:
            text = (
                _block(item, dumper, sort, indent + 2, step, leaves)
                if _is_many(item, dumper)
                else f"{_flow(item, dumper, sort)}\n"
            )
            made += f"{pad}- {text.lstrip(' ')}"
        return made
    return f"{pad}{_flow(value, dumper, sort)}\n"


def _is_many(value, dumper):
    value = _plain_value(value, dumper)
    return isinstance(value, (dict, list)) and len(value) > 0


def _below(value, dumper, sort, indent, step, leaves):
    plain = _plain_value(value, dumper)
    if not _is_many(plain, dumper):
        return f" {_flow(plain, dumper, sort)}\n"
    rows = plain.values() if isinstance(plain, dict) else plain
    if leaves and not any(_is_many(v, dumper) for v in rows):
        return f" {_flow(plain, dumper, sort)}\n"
    return "\n" + _block(plain, dumper, sort, indent + (step if isinstance(plain, dict) else 0), step, leaves)


def dump_text(
    value: Any, dumper: Any, flow_style: bool = False, sort_keys: bool = True, indent: Any = None, **_: Any
) -> Any:
    """`flow_style`: True for one line, None for flow collections of scalars only."""
    if flow_style:
        return f"{_flow(value, dumper, sort_keys)}\n"
    plain = _plain_value(value, dumper)
    end = "...\n" if not isinstance(plain, (dict, list)) and not isinstance(plain, str) else ""
    return _block(plain, dumper, sort_keys, 0, indent or 2, flow_style is None) + end
