"""distutils.version: versions that compare by their numbers and words."""

import functools
import re


@functools.total_ordering
class LooseVersion:
    """Numbers compare as numbers, the rest as text."""

    def __init__(self, vstring=None):
        self.vstring = vstring
        self.version = [
            int(p) if p.isdigit() else p for p in re.split(r"(\d+|[a-z]+|\.)", vstring or "") if p and p != "."
        ]

    def _key(self):
        return [(1, part, "") if isinstance(part, int) else (0, 0, part) for part in self.version]

    def __eq__(self, other):
        return self._key() == _made(other)._key()

    def __lt__(self, other):
        return self._key() < _made(other)._key()

    def __str__(self):
        return self.vstring

    def __repr__(self):
        return f"LooseVersion ('{self}')"


def _made(other):
    return other if isinstance(other, LooseVersion) else LooseVersion(other)


StrictVersion = LooseVersion
