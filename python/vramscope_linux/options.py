"""A program's own option that puts its tensors on the GPU: what the report names where all of them stayed on the CPU."""

from __future__ import annotations

import argparse
import re

_DEVICE = re.compile(
    r"--?(?:(?:use|enable|with|n|num)[-_]?)?(?:cuda|gpus?|devices?|accel|accelerator)(?:[-_](?:ids?|num|idx))?"
)
_REFUSING = re.compile(r"no|disable|without")


def added(action: argparse.Action) -> None:
    """Told of each option; the first that asks for the GPU, and is not given by itself, is kept."""
    from torch import _C

    if _C._js is None or not action.option_strings:
        return
    option = action.option_strings[-1]
    if not _DEVICE.fullmatch(option) or _REFUSING.search(option):
        return
    default = str(action.default or "").lower()
    if action.nargs == 0:
        words = "" if action.const is False or action.default is True else option
    elif default.startswith(("cuda", "gpu")) or default.isdigit():
        words = ""  # it is asked for, or the first card is named already
    else:
        words = f"{option} cuda" if "device" in option and action.type is not int else option
    if words:
        _C._js.deviceOption(words)
