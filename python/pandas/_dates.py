"""Moments: one, and a column of them with its parts."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING

from ._series import Series

if TYPE_CHECKING:
    from typing import Any, Self


class Timestamp(datetime):
    """A moment from an ISO text or another moment."""

    def __new__(cls, text: Any, *rest: Any, **options: Any) -> Self:
        if not isinstance(text, (str, datetime)):
            return super().__new__(cls, text, *rest, **options)
        at = datetime.fromisoformat(text) if isinstance(text, str) else text
        return super().__new__(cls, at.year, at.month, at.day, at.hour, at.minute, at.second, at.microsecond)

    dayofweek = day_of_week = property(datetime.weekday)
    dayofyear = day_of_year = property(lambda self: self.timetuple().tm_yday)
    week = weekofyear = property(lambda self: self.isocalendar().week)
    quarter = property(lambda self: (self.month + 2) // 3)


def _part(name):
    return property(lambda self: self._like([getattr(moment, name) for moment in self.values_list]))


class Moments(Series):
    """What an index of moments has, and a column of them under `dt`: their parts, as numbers."""

    weekday = _part("dayofweek")

    def isocalendar(self) -> SimpleNamespace:
        """Columns `year`, `week` and `day` of ISO 8601."""
        columns = zip(*(moment.isocalendar() for moment in self.values_list), strict=True)
        return SimpleNamespace(**dict(zip(("year", "week", "day"), map(self._like, columns))))

    def strftime(self, date_format: str) -> Series:
        return self._like([moment.strftime(date_format) for moment in self.values_list])

    def _kept(self, positions: list) -> Moments:
        return Moments([self.values_list[i] for i in positions], [self.index[i] for i in positions], self.name)


for _name in "year month day hour minute second dayofweek day_of_week dayofyear day_of_year week quarter".split():
    setattr(Moments, _name, _part(_name))
Series.dt = property(lambda self: Moments(self))


def to_datetime(arg: Any, **_: Any) -> Any:
    """A moment of a text, or moments of a column, an array or a list of texts or moments."""
    if isinstance(arg, (str, datetime)):
        return Timestamp(arg)
    moments = [Timestamp(v) for v in arg]
    return Moments(moments, arg.index, arg.name) if isinstance(arg, Series) else Moments(moments)
