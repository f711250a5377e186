"""datetime64 and timedelta64: one moment or one span in nanoseconds; arrays of them hold the objects."""

from __future__ import annotations

import datetime as _datetime
from typing import TYPE_CHECKING

from ._dtypes import bool_, generic, signedinteger

if TYPE_CHECKING:
    from typing import Any

_NANOSECONDS = {
    "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9, "D": 86400 * 10**9,
    "W": 7 * 86400 * 10**9,
}  # fmt: skip
_NAT = -(2**63)  # no moment
_EPOCH = _datetime.datetime(1970, 1, 1)


def _since_epoch(moment: _datetime.datetime) -> int:
    gone = moment.replace(tzinfo=None) - _EPOCH
    return ((gone.days * 86400 + gone.seconds) * 10**6 + gone.microseconds) * 1000


class timedelta64(int, signedinteger):
    _python, _kind, _itemsize = int, "m", 8

    def __new__(cls, value: Any = 0, unit: str = "ns") -> timedelta64:
        if isinstance(value, _datetime.timedelta):
            value = ((value.days * 86400 + value.seconds) * 10**6 + value.microseconds) * 1000
            unit = "ns"
        return int.__new__(cls, int(value) * _NANOSECONDS.get(unit, 1))

    def __truediv__(self, other: Any) -> Any:
        return int(self) / int(other) if isinstance(other, timedelta64) else timedelta64(int(self) / other)

    def __add__(self, other: Any) -> Any:
        return datetime64(int(self) + int(other)) if isinstance(other, datetime64) else timedelta64(int(self) + other)

    __radd__ = __add__

    def astype(self, kind: Any) -> Any:
        word = str(kind)
        unit = word.partition("[")[2].rstrip("]")
        return int(self) // _NANOSECONDS.get(unit, 1)

    def item(self) -> _datetime.timedelta:
        return _datetime.timedelta(microseconds=int(self) / 1000)


class datetime64(int, generic):
    _python, _kind, _itemsize = int, "M", 8

    def __new__(cls, value: Any = "NaT", unit: str = "ns") -> datetime64:
        if isinstance(value, str):
            parts = value.replace("Z", "").split("-")
            if value == "now":
                value = _since_epoch(_datetime.datetime.now())
            elif value == "NaT":
                value = _NAT
            else:
                whole = (
                    "-".join([*parts, *["01"] * (3 - len(parts))]) if "T" not in value and " " not in value else value
                )
                value = _since_epoch(_datetime.datetime.fromisoformat(whole.replace("Z", "")))
        elif isinstance(value, _datetime.datetime):
            value = _since_epoch(value)
        elif isinstance(value, _datetime.date):
            value = _since_epoch(_datetime.datetime(value.year, value.month, value.day))
        else:
            value = int(value) * _NANOSECONDS.get(unit, 1)
        return int.__new__(cls, value)

    def __sub__(self, other: Any) -> Any:
        return (
            timedelta64(int(self) - int(other)) if isinstance(other, datetime64) else datetime64(int(self) - int(other))
        )

    def __add__(self, other: Any) -> datetime64:
        return datetime64(int(self) + int(other))

    __radd__ = __add__

    def item(self) -> _datetime.datetime:
        return _EPOCH + _datetime.timedelta(microseconds=int(self) // 1000)

    def astype(self, kind: Any) -> Any:
        if kind in (_datetime.datetime, "O", object):
            return self.item()
        unit = str(kind).partition("[")[2].rstrip("]")
        return self if "64[" in str(kind) else int(self) // _NANOSECONDS.get(unit, 1)

    def __str__(self) -> str:
        return self.item().isoformat()

    __repr__ = __str__


def isnat(x: Any) -> Any:
    if isinstance(x, (datetime64, timedelta64)):
        return bool_(x == _NAT)
    from ._make import asarray

    return asarray([v == _NAT for v in x])


for _kind in (timedelta64, datetime64):
    _kind.__module__ = "numpy"
