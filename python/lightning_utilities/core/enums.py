"""Enumerations of texts that compare without regard to case."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class StrEnum(str, Enum):
    """Members are texts, and equal to them."""

    @classmethod
    def from_str(cls, value: str, source: str = "key") -> Any:
        """The member of a name (`source` key), a value, or any; ValueError for none."""
        for member in cls:
            named = member.name.lower() == value.lower() and source in ("key", "any")
            if named or (str(member.value).lower() == value.lower() and source in ("value", "any")):
                return member
        raise ValueError(f"Invalid match: expected one of {[m.name for m in cls]}, but got {value}.")

    @classmethod
    def try_from_str(cls, value: Any, source: str = "key") -> Any:
        try:
            return cls.from_str(value, source)
        except ValueError:
            return None

    def __eq__(self, other: object) -> bool:
        other = other.value if isinstance(other, Enum) else other
        return isinstance(other, str) and self.value.lower() == other.lower()

    def __hash__(self) -> int:
        return hash(self.value.lower())
