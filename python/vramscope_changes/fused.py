"""Optimizers use their fused kernel."""

from ._optimizer_option import with_option


def apply():
    with_option("fused", True, "foreach")
