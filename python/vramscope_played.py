"""Which release of a package its stand-in plays: a variable of the environment names it, and a table says what past releases did."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Release = tuple[int, ...]


def _numbers(text: str) -> Release | None:
    parts = text.split(".")[:3]
    return tuple(int(part) for part in parts) if len(parts) > 1 and all(part.isdigit() for part in parts) else None


class Played:
    """`past` names what a release did away with, and that release."""

    def __init__(self, package: str, oldest: Release, newest: Release, past: Mapping[str, Release]) -> None:
        self.package, self.oldest, self.newest, self.past = package, oldest, newest, past
        self.variable = f"VRAMSCOPE_{package.upper()}"

    def release(self) -> Release:
        """The release that is played, in numbers."""
        text = os.environ.get(self.variable, "")
        if not text:
            return self.newest
        found = _numbers(text)
        if found is None:
            raise ValueError(f"{self.variable} must be a release like {_text(self.newest)}, not {text!r}")
        if not self.oldest <= found[:2] <= self.newest:
            raise ValueError(f"vramscope knows {self.package} {_text(self.oldest)} to {_text(self.newest)}, not {text}")
        return found

    def is_past(self, name: str) -> bool:
        """Whether the release that is played comes before the one that did away with `name`."""
        return self.release() < self.past[name]


def _text(release: Release) -> str:
    return ".".join(map(str, release))
