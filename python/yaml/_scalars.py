"""What a plain word means: YAML 1.1 as PyYAML resolves it."""

from __future__ import annotations

import datetime
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_BOOLS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_INT = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*)$")
_FLOAT = re.compile(r"[-+]?(\d[\d_]*\.[\d_]*([eE][-+]\d+)?|\.\d[\d_]*([eE][-+]\d+)?)$")
_SPECIAL = re.compile(r"([-+]?)\.(inf|Inf|INF)$|\.(nan|NaN|NAN)$")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)$")


def resolve(text: str, resolvers: Sequence = ()) -> Any:
    """The value of a plain scalar."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    word = text.lower()
    if word in _BOOLS and text in (word, word.capitalize(), word.upper()):
        return _BOOLS[word]
    if _INT.match(text):
        return _integer(text.replace("_", ""))
    if _FLOAT.match(text):
        return float(text.replace("_", ""))
    special = _SPECIAL.match(text)
    if special:
        return math.nan if special[3] else -math.inf if special[1] == "-" else math.inf
    date = _DATE.match(text)
    if date:
        return datetime.date(*map(int, date.groups()))
    for tag, pattern in resolvers:
        if tag.endswith(":float") and pattern.match(text):
            return float(text.replace("_", ""))
    return text


def _integer(text):
    sign = -1 if text[0] == "-" else 1
    digits = text.lstrip("+-")
    if digits[:2] in ("0b", "0x"):
        return sign * int(digits, 0)
    return sign * int(digits, 8 if len(digits) > 1 and digits[0] == "0" else 10)


def tagged(tag: str, value: Any, loader: Any) -> Any:
    """A value under a tag."""
    own = loader.yaml_constructors.get(tag)
    if own is not None:
        return own(loader, Node(value)) if not isinstance(loader, type) else own(loader(), Node(value))
    name = tag.removeprefix("!!").removeprefix("tag:yaml.org,2002:")
    if name == "str":
        return "" if value is None else str(value)
    if name in ("int", "float", "bool") and value is not None:
        return {"int": int, "float": float, "bool": bool}[name](value)
    return tuple(value) if name == "python/tuple" else value


class Node:
    """What a constructor is given."""

    def __init__(self, value: Any) -> None:
        self.value, self.tag = value, ""


_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b", " ": " ", '"': '"',
    "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_ESCAPED = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\n\s*|.)", re.S)


def double_quoted(text: str) -> Any:
    """The text between double quotes, its lines folded."""
    joined = _ESCAPED.sub(lambda m: m[0] if m[1][0] != "\n" else "", text)
    return _ESCAPED.sub(
        lambda m: _ESCAPES.get(m[1]) or chr(int(m[1][1:], 16)) if len(m[1]) > 1 else _ESCAPES.get(m[1], m[0]),
        fold(joined),
    )


def fold(text: str) -> Any:
    """Line breaks in a flow scalar become spaces, empty lines become breaks."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    middle = [line.strip() for line in lines[1:-1]]
    lines = [lines[0].rstrip(), *middle, lines[-1].lstrip()]
    made, breaks = lines[0], 0
    for line in lines[1:]:
        if line == "" and line is not lines[-1]:
            breaks += 1
            continue
        made += ("\n" * breaks if breaks else " ") + line
        breaks = 0
    return made
