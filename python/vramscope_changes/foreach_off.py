"""Optimizers go through parameters one by one."""

from __future__ import annotations

from ._optimizer_option import with_option


def apply() -> None:
    with_option("foreach", False, "fused")
