"""PIL.features: nothing compiled is there."""

from __future__ import annotations


def check(feature: str) -> bool | None:
    return False


version = check
