"""distutils.version: versions that compare by their numbers and words."""

from typing import Any

import functools
import re


@functools.total_ordering
class LooseVersion:
    """Numbers compare as numbers, the rest as text."""

    def __init__(self, vstring: str | None = None) -> None:
        self.vstring = vstring
        self.version = [
            int(p) if p.isdigit() else p for p in re.split(r"(\d+|[a-z]+|\.)", vstring or "") if p and p != "."
        ]

    def _key(self):
        return [(1, part, "") if isinstance(part, int) else (0, 0, part) for part in self.version]

    def __eq__(self, other: Any) -> bool:
        return self._key() == _made(other)._key()

    def __lt__(self, other: Any) -> bool:
        return self._key() < _made(other)._key()

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"LooseVersion ('{self}')"


def _made(other):
    return other if isinstance(other, LooseVersion) else LooseVersion(other)


StrictVersion = LooseVersion
