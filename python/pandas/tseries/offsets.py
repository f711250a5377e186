"""pandas.tseries.offsets: steps of time, of which only kind and count are known."""

from __future__ import annotations


class DateOffset:
    """`n` steps of its kind."""

    def __init__(self, n: int = 1) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.n == self.n

    def __hash__(self) -> int:
        return hash((type(self), self.n))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>" if self.n == 1 else f"<{self.n} * {type(self).__name__}s>"


class YearEnd(DateOffset): ...


class QuarterEnd(DateOffset): ...


class MonthEnd(DateOffset): ...


class Week(DateOffset): ...


class BusinessDay(DateOffset): ...


class Day(DateOffset): ...


class Hour(DateOffset): ...


class Minute(DateOffset): ...


class Second(DateOffset): ...
