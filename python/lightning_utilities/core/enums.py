"""Enumerations of texts that compare without regard to case."""

from enum import Enum


class StrEnum(str, Enum):
    """Members are texts, and equal to them."""

    @classmethod
    def from_str(cls, value, source="key"):
        """The member of a name (`source` key), a value, or any; ValueError for none."""
        for member in cls:
            named = member.name.lower() == value.lower() and source in ("key", "any")
            if named or (str(member.value).lower() == value.lower() and source in ("value", "any")):
                return member
        raise ValueError(f"Invalid match: expected one of {[m.name for m in cls]}, but got {value}.")

    @classmethod
    def try_from_str(cls, value, source="key"):
        try:
            return cls.from_str(value, source)
        except ValueError:
            return None

    def __eq__(self, other):
        other = other.value if isinstance(other, Enum) else other
        return isinstance(other, str) and self.value.lower() == other.lower()

    def __hash__(self):
        return hash(self.value.lower())
