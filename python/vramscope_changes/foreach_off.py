"""Optimizers go through parameters one by one."""

from ._optimizer_option import with_option


def apply():
    with_option("foreach", False, "fused")
