"""Values as JSON and as plain Python: what serializers do where no schema says more."""

from __future__ import annotations

import base64
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import re
import uuid
from typing import TYPE_CHECKING

from .errors import PydanticSerializationError
from .values import Url

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _iso_delta(value):
    total = value.total_seconds()
    sign, value = ("-", -value) if total < 0 else ("", value)
    hours, left = divmod(value.seconds, 3600)
    minutes, seconds = divmod(left, 60)
    seconds = f"{seconds}.{value.microseconds:06}".rstrip("0").rstrip(".") if value.microseconds else str(seconds)
    clock = "".join(
        f"{number}{letter}"
        for number, letter in ((hours, "H"), (minutes, "M"), (seconds, "S"))
        if number not in (0, "0")
    )
    days = f"{value.days}D" if value.days else ""
    if not days and not clock:
        return f"{sign}PT0S"
    return f"{sign}P{days}{'T' + clock if clock else ''}"


def _moment(value):
    text = value.isoformat()
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def plain(value: Any, options: Any, nested: Callable) -> Any:
    """A value of no known schema; `nested` writes what lies inside."""
    if value is None or type(value) in (bool, int, str, float):
        return value
    serializer = getattr(type(value), "__pydantic_serializer__", None)
    if serializer is not None and hasattr(serializer, "written"):
        return serializer.written(value, options)
    text = options.mode == "json"
    if isinstance(value, dict):
        return {(key_text(key, options) if text else key): nested(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)) or (
        isinstance(value, collections.abc.Collection) and type(value).__name__ == "deque"
    ):
        items = [nested(item) for item in value]
        if text or isinstance(value, list):
            return items
        return (
            type(value)(items)
            if type(value) in (tuple, set, frozenset)
            else tuple(items)
            if isinstance(value, tuple)
            else items
        )
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: nested(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if not text:
        return value
    if isinstance(value, enum.Enum):
        return nested(value.value)
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, datetime.timedelta):
        return value.total_seconds() if options.config.get("ser_json_timedelta") == "float" else _iso_delta(value)
    if isinstance(value, datetime.datetime):
        return _moment(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return _moment(value)
    if isinstance(value, (bytes, bytearray)):
        how = options.config.get("ser_json_bytes", "utf8")
        if how == "base64":
            return base64.urlsafe_b64encode(value).decode()
        return bytes(value).hex() if how == "hex" else bytes(value).decode()
    if isinstance(value, (decimal.Decimal, uuid.UUID, pathlib.PurePath, Url)):
        return str(value)
    if isinstance(value, complex):
        return str(value).strip("()")
    if isinstance(value, re.Pattern):
        return value.pattern
    if isinstance(value, collections.abc.Iterator):
        return [nested(item) for item in value]
    if options.fallback is not None:
        return nested(options.fallback(value))
    if options.unknown is not None:
        return options.unknown(value)
    raise PydanticSerializationError(f"Unable to serialize unknown type: {type(value)!r}")


def key_text(key: Any, options: Any) -> Any:
    if isinstance(key, str) and not isinstance(key, enum.Enum):
        return key
    if key is None:
        return "None"
    if isinstance(key, bool):
        return "true" if key else "false"
    found = plain(key, options, lambda item: plain(item, options, key_text))
    return ",".join(map(str, found)) if isinstance(found, list) else str(found)


class Options:
    """How a value is written."""

    def __init__(self, mode: str = "python", config: Any = None, **kwargs: Any) -> None:
        self.mode, self.config = mode or "python", config or {}
        self.by_alias, self.include, self.exclude = kwargs.get("by_alias"), kwargs.get("include"), kwargs.get("exclude")
        self.exclude_unset, self.exclude_defaults = (
            kwargs.get("exclude_unset", False),
            kwargs.get("exclude_defaults", False),
        )
        self.exclude_none, self.round_trip = kwargs.get("exclude_none", False), kwargs.get("round_trip", False)
        self.exclude_computed_fields = kwargs.get("exclude_computed_fields", False)
        self.warnings, self.fallback = kwargs.get("warnings", True), kwargs.get("fallback")
        self.serialize_as_any, self.context = kwargs.get("serialize_as_any", False), kwargs.get("context")
        self.unknown = kwargs.get("unknown")


def json_text(value: Any, indent: Any = None, ensure_ascii: bool = False, **kwargs: Any) -> Any:
    """JSON as pydantic lays it out: nothing between parts unless an indent is asked for."""
    options = Options("json", **kwargs)
    return dumped(written(value, options), indent, ensure_ascii)


def dumped(found: Any, indent: Any = None, ensure_ascii: bool = False, inf_nan: str = "null") -> Any:
    if inf_nan == "null":
        found = _without_infinities(found)
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(found, indent=indent, ensure_ascii=ensure_ascii, separators=separators)


def _without_infinities(found):
    if isinstance(found, float) and (found != found or found in (float("inf"), float("-inf"))):
        return None
    if isinstance(found, dict):
        return {key: _without_infinities(item) for key, item in found.items()}
    return [_without_infinities(item) for item in found] if isinstance(found, list) else found


def written(value: Any, options: Any) -> Any:
    return plain(value, options, lambda item: written(item, options))
