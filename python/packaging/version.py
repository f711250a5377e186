"""packaging.version: versions in the order of PEP 440."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("packaging.version")
_FORM = re.compile(
    r"v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?P<pre_n>\d*))?"
    r"(?:-(?P<post_bare>\d+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_n>\d*))?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_n>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE,
)
_PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
_LAST = (1,)  # behind all that is there


class InvalidVersion(ValueError):
    """A text that is no version."""


@functools.total_ordering
class Version:
    """A version, by the parts of PEP 440."""

    def __init__(self, version: str) -> None:
        found = _FORM.fullmatch(version.strip())
        if found is None:
            raise InvalidVersion(f"Invalid version: {version!r}")
        self.epoch = int(found["epoch"] or 0)
        self.release = tuple(map(int, found["release"].split(".")))
        kind = (found["pre"] or "").lower()
        self.pre = (_PRE.get(kind, kind), int(found["pre_n"] or 0)) if kind else None
        self.post = int(found["post_bare"] or found["post_n"] or 0) if found["post_bare"] or found["post"] else None
        self.dev = int(found["dev_n"] or 0) if found["dev"] else None
        self.local = re.sub("[-_]", ".", found["local"].lower()) if found["local"] else None

    major = property(lambda self: self.release[0])
    minor = property(lambda self: (*self.release, 0)[1])
    micro = property(lambda self: (*self.release, 0, 0)[2])
    is_prerelease = property(lambda self: self.dev is not None or self.pre is not None)
    is_devrelease = property(lambda self: self.dev is not None)
    is_postrelease = property(lambda self: self.post is not None)
    base_version = property(lambda self: f"{self.epoch}!" * bool(self.epoch) + ".".join(map(str, self.release)))

    @property
    def public(self) -> str:
        parts = [self.base_version]
        parts += ["".join(map(str, self.pre))] if self.pre else []
        parts += [f".post{self.post}"] if self.post is not None else []
        return "".join(parts + ([f".dev{self.dev}"] if self.dev is not None else []))

    @property
    def _key(self):
        release = self.release
        while len(release) > 1 and not release[-1]:
            release = release[:-1]
        # a development release comes before all others of its number, also before those that have no other part
        pre = (0, *self.pre) if self.pre else (-1,) if self.post is None and self.dev is not None else _LAST
        local = tuple(
            (1, int(part), "") if part.isdigit() else (0, 0, part) for part in (self.local or "").split(".") if part
        )
        return (
            self.epoch,
            release,
            pre,
            -1 if self.post is None else self.post,
            _LAST if self.dev is None else (0, self.dev),
            local,
        )

    def __eq__(self, other: object) -> Any:
        return self._key == other._key if isinstance(other, Version) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        return self._key < other._key if isinstance(other, Version) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return self.public if self.local is None else f"{self.public}+{self.local}"

    def __repr__(self) -> str:
        return f"<Version('{self}')>"


def parse(version: str) -> Version:
    return Version(version)
