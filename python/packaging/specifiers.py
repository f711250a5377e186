"""packaging.specifiers: which versions a requirement takes."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from .version import Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


__getattr__ = lacks("packaging.specifiers")
_FORM = re.compile(r"\s*(===|==|~=|!=|<=|>=|<|>)\s*(\S+?)\s*")
_COMPARES = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


class InvalidSpecifier(ValueError):
    """A text that is no specifier."""


class Specifier:
    """One comparison."""

    def __init__(self, spec: str = "", prereleases: bool | None = None) -> None:
        found = _FORM.fullmatch(spec)
        if found is None:
            raise InvalidSpecifier(f"Invalid specifier: {spec!r}")
        self.operator, self.version = found.groups()

    def contains(self, item: Any, prereleases: bool | None = None) -> bool:
        version = item if isinstance(item, Version) else Version(item)
        if self.operator == "===":
            return str(item).lower() == self.version.lower()
        if self.operator in ("==", "!="):
            return self._is_equal(version) is (self.operator != "!=")
        if self.operator == "~=":
            last = Version(self.version).release[:-1]
            return version >= Version(self.version) and version.release[: len(last)] == last
        wanted = Version(self.version)
        if self.operator == ">" and version.is_postrelease and not wanted.is_postrelease:
            if Version(version.base_version) == Version(wanted.base_version):
                return False  # what was mended of a release is not over it
        # a local part is none of the order, `2.14.0+cu130` is not over 2.14.0
        return _COMPARES[self.operator](Version(version.public), wanted)

    __contains__ = contains

    def _is_equal(self, version):
        if self.version.endswith(".*"):
            release = Version(self.version[:-2]).release
            return (*version.release, *(0,) * len(release))[: len(release)] == release
        wanted = Version(self.version)
        return (version if wanted.local else Version(version.public)) == wanted

    def __str__(self) -> str:
        return f"{self.operator}{self.version}"


class SpecifierSet:
    """Comparisons that must all hold."""

    def __init__(self, specifiers: Any = "", prereleases: bool | None = None) -> None:
        self._all = [Specifier(part) for part in str(specifiers).split(",") if part.strip()]

    def contains(self, item: Any, prereleases: bool | None = None, installed: bool | None = None) -> bool:
        return all(part.contains(item) for part in self._all)

    __contains__ = contains

    def filter(self, iterable: Iterable, prereleases: bool | None = None) -> Iterator:
        return (item for item in iterable if self.contains(item))

    def __iter__(self) -> Iterator:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __str__(self) -> str:
        return ",".join(sorted(map(str, self._all)))
