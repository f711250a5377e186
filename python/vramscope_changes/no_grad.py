"""Calls of models in evaluation mode record no graph."""

from __future__ import annotations

import torch

from ._outermost import around_outermost


def apply() -> None:
    def wrap(model, call):
        if model.training:
            return call()
        with torch.no_grad():
            return call()

    around_outermost(wrap)
