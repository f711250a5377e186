"""Optimizers use their fused kernel."""

from __future__ import annotations

from ._optimizer_option import with_option


def apply() -> None:
    with_option("fused", True, "foreach")
