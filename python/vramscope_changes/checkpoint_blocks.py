"""Every block of a model is checkpointed: the like members of a ModuleList or Sequential that consist of modules themselves."""

from __future__ import annotations

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from ._blocks import blocks_of


def apply() -> None:
    plain = nn.Module.__call__
    depth = inside = 0
    blocks = set()

    def checkpointed(block, args, kwargs):
        def run(*args, **kwargs):
            nonlocal inside
            inside += 1
            try:
                return plain(block, *args, **kwargs)
            finally:
                inside -= 1

        return checkpoint(run, *args, use_reentrant=False, **kwargs)

    def __call__(self, *args, **kwargs):
        nonlocal depth, blocks
        if inside or not torch.is_grad_enabled():
            return plain(self, *args, **kwargs)
        if depth == 0:
            blocks = {id(block) for block in blocks_of(self)}
        depth += 1
        try:
            return checkpointed(self, args, kwargs) if id(self) in blocks else plain(self, *args, **kwargs)
        finally:
            depth -= 1

    nn.Module.__call__ = __call__
