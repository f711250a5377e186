"""torch.fx.passes.shape_prop: runs a graph and notes the geometry of each result in its node."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

import torch

from ..interpreter import Interpreter
from ..node import map_aggregate

if TYPE_CHECKING:
    from typing import Any

    from torch.fx.node import Node


TensorMetadata = namedtuple("TensorMetadata", "shape dtype requires_grad stride memory_format is_quantized qparams")


def _metadata(tensor):
    return TensorMetadata(
        tensor.shape,
        tensor.dtype,
        tensor.requires_grad,
        tensor.stride(),
        torch.contiguous_format if tensor.is_contiguous() else None,
        False,
        {},
    )


class ShapeProp(Interpreter):
    def __init__(self, gm: torch.fx.GraphModule, fake_mode: Any = None) -> None:
        super().__init__(gm)

    def run_node(self, n: Node) -> Any:
        result = super().run_node(n)
        found = []
        meta = map_aggregate(result, lambda v: (found.append(v), _metadata(v))[1] if isinstance(v, torch.Tensor) else v)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        return super().run(*args)
