"""The blocks of a model: the like members of a ModuleList or Sequential that consist of modules themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from collections.abc import Iterator


def blocks_of(model: nn.Module) -> Iterator[nn.Module]:
    """In the order of `model.modules()`, so an outer block comes before those in it."""
    for parent in model.modules():
        if not isinstance(parent, (nn.ModuleList, nn.Sequential)):
            continue
        kinds = [type(child) for child in parent.children() if next(child.children(), None) is not None]
        for child in parent.children():
            if kinds.count(type(child)) > 1:
                yield child


def outermost_blocks_of(model: nn.Module) -> list[nn.Module]:
    """Those that lie in no other one."""
    found, inside = [], set()
    for block in blocks_of(model):
        if id(block) not in inside:
            found.append(block)
            inside.update(id(module) for module in block.modules())
    return found
