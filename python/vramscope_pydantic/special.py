"""Validators of moments, of values out of a given few, of addresses, and of Python's own objects."""

import datetime
import enum
import re
import uuid

from .errors import fail
from .scalars import bounded
from .state import LAX, kind
from .values import MultiHostUrl, TzInfo, Url


def _seconds(value):
    moment = value / 1000 if abs(value) > 2e10 else value
    return datetime.datetime(1970, 1, 1, tzinfo=TzInfo(0)) + datetime.timedelta(seconds=moment)


def _as_datetime(text):
    found = datetime.datetime.fromisoformat(text.strip().replace("z", "Z"))
    offset = found.utcoffset()
    return found if offset is None else found.replace(tzinfo=TzInfo(offset.total_seconds()))


def _as_delta(value):
    if isinstance(value, (int, float)):
        return datetime.timedelta(seconds=value)
    match = re.fullmatch(r"([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", value)
    if match is None:
        match = re.fullmatch(r"([+-])?()(?:(\d+) days?,? ?)?(?:(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?)?", value)
        if match is None or not value:
            raise ValueError("invalid digit in duration")
    weeks, days, hours, minutes, seconds = (float(part or 0) for part in match.groups()[1:])
    found = datetime.timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -found if match[1] == "-" else found


def _as_date(value):
    if isinstance(value, str):
        found = _as_datetime(value) if len(value) > 10 else datetime.date.fromisoformat(value)
        return found.date() if isinstance(found, datetime.datetime) else found
    return _seconds(value).date()


_MOMENTS = {
    "date": (datetime.date, "date_type", "date_from_datetime_parsing", _as_date),
    "time": (datetime.time, "time_type", "time_parsing", lambda v: datetime.time.fromisoformat(v) if isinstance(v, str) else _seconds(v).time()),
    "datetime": (datetime.datetime, "datetime_type", "datetime_from_date_parsing", lambda v: _as_datetime(v) if isinstance(v, str) else _seconds(v)),
    "timedelta": (datetime.timedelta, "time_delta_type", "time_delta_parsing", _as_delta),
}  # fmt: skip


def _why(value, text):
    """The reason in pydantic's words where they are known, else in Python's."""
    if text.startswith("invalid digit"):
        return text
    return (
        "input is too short" if isinstance(value, (str, bytes)) and len(value) < 10 and ":" not in str(value) else text
    )


@kind("date", "time", "datetime", "timedelta")
def _moment(build, schema):
    strict = build.strict(schema)
    cls, wrong, unread, parse = _MOMENTS[schema["type"]]

    def read(value, state):
        if isinstance(value, cls) and not (cls is datetime.date and isinstance(value, datetime.datetime)):
            return value
        if state.is_strict(strict) and state.mode == "python":
            raise fail(wrong, value)
        state.floor(LAX)
        if cls is datetime.date and isinstance(value, datetime.datetime):
            return value.date()
        if cls is datetime.datetime and isinstance(value, datetime.date):
            return datetime.datetime(value.year, value.month, value.day)
        if isinstance(value, bool) or not isinstance(value, (str, bytes, int, float)):
            raise fail(wrong, value)
        try:
            return parse(value.decode() if isinstance(value, bytes) else value)
        except (ValueError, OverflowError) as error:
            raise fail(unread, value, error=_why(value, str(error))) from None

    return bounded(schema, read)


def _listed(values):
    words = [repr(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


@kind("literal")
def _literal(build, schema):
    expected = schema["expected"]

    def validate(value, state):
        for one in expected:
            if one is value or (type(one) is type(value) and one == value):
                return one
        for one in expected:
            # written as JSON or as text, members of enums are their values
            if isinstance(one, enum.Enum) and state.mode != "python" and one.value == value:
                return one
            exact = isinstance(one, (str, int)) and not isinstance(one, bool)
            if (_same(one, value) if exact else _equal(one, value)) and not (exact and isinstance(value, bool)):
                return one
        shown = [one.value if isinstance(one, enum.Enum) and state.mode != "python" else one for one in expected]
        raise fail("literal_error", value, expected=_listed(shown))

    return validate


def _same(one, value):
    return _equal(one, value) and isinstance(value, type(one))


def _equal(one, value):
    try:
        return bool(one == value)
    except Exception:  # a foreign comparison says nothing
        return False


@kind("enum")
def _enum(build, schema):
    cls, members, missing = schema["cls"], schema["members"], schema.get("missing")
    strict = build.strict(schema)
    by_text = {"int": int, "float": float}.get(schema.get("sub_type"))

    def validate(value, state):
        if isinstance(value, cls):
            return value
        if state.is_strict(strict) and state.mode == "python":
            raise fail("is_instance_of", value, **{"class": cls.__qualname__})
        state.floor(LAX)
        tried = [value]
        if by_text is not None and isinstance(value, (str, float)):
            try:
                tried.append(by_text(value))
            except ValueError:
                pass
        for one in tried:
            for member in members:
                if type(member.value) is type(one) and member.value == one or _same(member.value, one):
                    return member
        if missing is not None and (found := missing(value)) is not None:
            return found
        raise fail("enum", value, expected=_listed([member.value for member in members]))

    return validate


@kind("uuid")
def _uuid(build, schema):
    strict = build.strict(schema)

    def validate(value, state):
        if isinstance(value, uuid.UUID):
            return value
        if state.is_strict(strict) and state.mode == "python":
            raise fail("is_instance_of", value, **{"class": "UUID"})
        state.floor(LAX)
        if not isinstance(value, (str, bytes)):
            raise fail("uuid_type", value)
        try:
            return (
                uuid.UUID(value)
                if isinstance(value, str)
                else uuid.UUID(bytes=value)
                if len(value) == 16
                else uuid.UUID(value.decode())
            )
        except ValueError as error:
            raise fail("uuid_parsing", value, error=str(error)) from None

    return validate


@kind("url", "multi-host-url")
def _url(build, schema):
    cls = Url if schema["type"] == "url" else MultiHostUrl
    schemes = schema.get("allowed_schemes")

    def validate(value, state):
        if isinstance(value, cls):
            return value
        if not isinstance(value, str) and not isinstance(value, Url):
            raise fail("url_type", value)
        try:
            found = cls(value)
        except ValueError as error:
            raise fail("url_parsing", value, error=str(error)) from None
        if schemes is not None and found.scheme not in schemes:
            raise fail("url_scheme", value, expected_schemes=_listed(schemes))
        return found

    return validate


@kind("is-instance")
def _is_instance(build, schema):
    cls = schema["cls"]
    shown = schema.get("cls_repr") or getattr(cls, "__qualname__", None) or str(cls)

    def validate(value, state):
        if state.mode != "python":
            raise fail("needs_python_object", value, method_name="isinstance")
        if not isinstance(value, cls):
            raise fail("is_instance_of", value, **{"class": shown})
        return value

    return validate


@kind("is-subclass")
def _is_subclass(build, schema):
    cls = schema["cls"]

    def validate(value, state):
        if not isinstance(value, type) or not issubclass(value, cls):
            raise fail("is_subclass_of", value, **{"class": schema.get("cls_repr") or cls.__qualname__})
        return value

    return validate


@kind("callable")
def _callable(build, schema):
    def validate(value, state):
        state.floor(LAX)
        if not callable(value):
            raise fail("callable_type", value)
        return value

    return validate


@kind("missing-sentinel")
def _missing(build, schema):
    import pydantic_core

    def validate(value, state):
        if value is not pydantic_core.MISSING:
            raise fail("missing_sentinel_error", value)
        return value

    return validate
