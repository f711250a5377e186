"""Calls of models run under autocast to bfloat16."""

from __future__ import annotations

import torch

from ._outermost import around_outermost


def apply() -> None:
    def wrap(model, call):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return call()

    around_outermost(wrap)
