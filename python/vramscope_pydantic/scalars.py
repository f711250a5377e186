"""Validators of numbers and texts."""

from __future__ import annotations

import datetime
import decimal
import enum
import math
import re
from typing import TYPE_CHECKING

from .errors import fail
from .state import LAX, STRICT, kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_TRUE = ("1", "on", "t", "true", "y", "yes")
_FALSE = ("0", "off", "f", "false", "n", "no")
_BOUNDS = (
    ("le", "less_than_equal", lambda value, bound: value <= bound),
    ("lt", "less_than", lambda value, bound: value < bound),
    ("ge", "greater_than_equal", lambda value, bound: value >= bound),
    ("gt", "greater_than", lambda value, bound: value > bound),
)


def bounded(schema: Any, read: Callable) -> Any:
    """`read`, and then the bounds that a schema sets."""
    bounds = [(key, error, holds, schema[key]) for key, error, holds in _BOUNDS if schema.get(key) is not None]
    if not bounds:
        return read

    def validate(value, state):
        found = read(value, state)
        for key, error, holds, bound in bounds:
            if not holds(found, bound):
                raise fail(error, value, **{key: str(bound) if isinstance(bound, datetime.date) else bound})
        return found

    return validate


@kind("any")
def _any(build, schema):
    def validate(value, state):
        state.floor(LAX)
        return value

    return validate


@kind("none")
def _none(build, schema):
    def validate(value, state):
        if value is not None:
            raise fail("none_required", value)
        return None

    return validate


@kind("bool")
def _bool(build, schema):
    strict = build.strict(schema)

    def validate(value, state):
        if isinstance(value, bool):
            return value
        if state.is_strict(strict) and state.mode != "strings":
            raise fail("bool_type", value)
        state.floor(LAX)
        if isinstance(value, (str, bytes)):
            text = (value.decode(errors="replace") if isinstance(value, bytes) else value).lower()
            if text in _TRUE or text in _FALSE:
                return text in _TRUE
            raise fail("bool_parsing", value)
        if isinstance(value, (int, float, decimal.Decimal)):
            if value in (0, 1):
                return value == 1
            raise fail("bool_parsing" if value == int(value) else "bool_type", value)
        raise fail("bool_type", value)

    return validate


_WHOLE = re.compile(r"[+-]?\d+(_\d+)*(\.0*)?$", re.ASCII)


def _read_int(strict):
    def read(value, state):
        if type(value) is int:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            state.floor(STRICT)
            return int(value)
        if state.is_strict(strict) and state.mode != "strings":
            raise fail("int_type", value)
        state.floor(LAX)
        if isinstance(value, (bool, enum.Enum)) and isinstance(getattr(value, "value", value), int):
            return int(getattr(value, "value", value))
        if isinstance(value, (str, bytes)):
            text = (value.decode(errors="replace") if isinstance(value, bytes) else value).strip()
            if not _WHOLE.match(text):
                raise fail("int_parsing", value)
            return int(text.partition(".")[0])
        if isinstance(value, float):
            if not math.isfinite(value):
                raise fail("finite_number", value)
            if value != int(value):
                raise fail("int_from_float", value)
            return int(value)
        if isinstance(value, decimal.Decimal):
            if value != int(value):
                raise fail("int_from_float", value)
            return int(value)
        if hasattr(type(value), "__index__"):
            return value.__index__()
        raise fail("int_type", value)

    return read


def _multiples(schema, read):
    step = schema.get("multiple_of")
    if step is None:
        return read

    def validate(value, state):
        found = read(value, state)
        left = found % step
        near = abs(found) / 1e9 if isinstance(found, float) else 0
        if abs(left) > near and abs(left - step) > near:
            raise fail("multiple_of", value, multiple_of=step)
        return found

    return validate


@kind("int")
def _int(build, schema):
    return bounded(schema, _multiples(schema, _read_int(build.strict(schema))))


def _float(build, schema):
    strict = build.strict(schema)
    infinite = schema.get("allow_inf_nan", build.config.get("allow_inf_nan", True))

    def read(value, state):
        if type(value) is float:
            found = value
        elif isinstance(value, (str, bytes)) and (not state.is_strict(strict) or state.mode == "strings"):
            state.floor(LAX)
            try:
                found = float(value)
            except ValueError:
                raise fail("float_parsing", value) from None
        elif (
            isinstance(value, bool)
            or isinstance(value, (str, bytes, complex))
            or not hasattr(value, "__float__")
            and not hasattr(value, "__index__")
        ):
            if not isinstance(value, bool) or state.is_strict(strict):
                raise fail("float_type", value)
            state.floor(LAX)
            found = float(value)
        elif isinstance(value, (int, float)):
            state.floor(STRICT)
            found = float(value)
        elif state.is_strict(strict):
            raise fail("float_type", value)
        else:
            state.floor(LAX)
            found = float(value)
        if not infinite and not math.isfinite(found):
            raise fail("finite_number", value)
        return found

    return bounded(schema, _multiples(schema, read))


kind("float")(_float)


@kind("complex")
def _complex(build, schema):
    def validate(value, state):
        if isinstance(value, complex):
            return value
        state.floor(LAX)
        if isinstance(value, str):
            try:
                return complex(value)
            except ValueError:
                pass
        elif isinstance(value, (int, float)):
            return complex(value)
        raise fail("complex_type", value)

    return validate


@kind("decimal")
def _decimal(build, schema):
    strict = build.strict(schema)
    infinite = schema.get("allow_inf_nan", build.config.get("allow_inf_nan", False))
    most_digits, most_places = schema.get("max_digits"), schema.get("decimal_places")

    def read(value, state):
        if isinstance(value, decimal.Decimal):
            found = value
        elif state.is_strict(strict) and state.mode == "python":
            raise fail("is_instance_of", value, **{"class": "Decimal"})
        elif isinstance(value, (int, float, str)) and not isinstance(value, bool):
            state.floor(LAX)
            try:
                found = decimal.Decimal(str(value).strip())
            except decimal.InvalidOperation:
                raise fail("decimal_parsing", value) from None
        else:
            raise fail("decimal_type", value)
        if not found.is_finite():
            if not infinite:
                raise fail("finite_number", value)
            return found
        _, digits, exponent = found.normalize().as_tuple()
        places = max(0, -exponent)
        count = max(len(digits) + max(0, exponent), places)
        if most_digits is not None and count > most_digits:
            raise fail("decimal_max_digits", value, max_digits=most_digits)
        if most_places is not None and places > most_places:
            raise fail("decimal_max_places", value, decimal_places=most_places)
        return found

    return bounded(schema, _multiples(schema, read))


@kind("str")
def _str(build, schema):
    strict, config = build.strict(schema), build.config
    shortest = schema.get("min_length", config.get("str_min_length"))
    longest = schema.get("max_length", config.get("str_max_length"))
    strip = schema.get("strip_whitespace", config.get("str_strip_whitespace"))
    lower, upper = (
        schema.get("to_lower", config.get("str_to_lower")),
        schema.get("to_upper", config.get("str_to_upper")),
    )
    numbers = schema.get("coerce_numbers_to_str", config.get("coerce_numbers_to_str"))
    pattern = schema.get("pattern")
    match = re.compile(pattern) if isinstance(pattern, str) else pattern

    def validate(value, state):
        if type(value) is str:
            found = value
        elif isinstance(value, str):
            state.floor(STRICT)
            found = str.__str__(value.value if isinstance(value, enum.Enum) else value)
        elif state.is_strict(strict):
            raise fail("string_type", value)
        elif isinstance(value, (bytes, bytearray)):
            state.floor(LAX)
            try:
                found = value.decode()
            except UnicodeDecodeError:
                raise fail("string_unicode", value) from None
        elif isinstance(value, enum.Enum) and isinstance(value.value, str):
            state.floor(LAX)
            found = value.value
        elif numbers and isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool):
            state.floor(LAX)
            found = str(value)
        else:
            raise fail("string_type", value)
        if strip:
            found = found.strip()
        if shortest is not None and len(found) < shortest:
            raise fail("string_too_short", value, min_length=shortest)
        if longest is not None and len(found) > longest:
            raise fail("string_too_long", value, max_length=longest)
        if match is not None and not match.search(found):
            raise fail("string_pattern_mismatch", value, pattern=match.pattern)
        return found.lower() if lower else found.upper() if upper else found

    return validate


@kind("bytes")
def _bytes(build, schema):
    strict, shortest, longest = build.strict(schema), schema.get("min_length"), schema.get("max_length")

    def validate(value, state):
        if isinstance(value, bytes):
            found = value
        elif isinstance(value, bytearray) and not state.is_strict(strict):
            found = bytes(value)
        elif isinstance(value, str) and (not state.is_strict(strict) or state.mode != "python"):
            found = value.encode()
        else:
            raise fail("bytes_type", value)
        if found is not value:
            state.floor(LAX)
        if shortest is not None and len(found) < shortest:
            raise fail("bytes_too_short", value, min_length=shortest)
        if longest is not None and len(found) > longest:
            raise fail("bytes_too_long", value, max_length=longest)
        return found

    return validate
