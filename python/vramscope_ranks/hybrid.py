"""Hybrids (core/models/hybrid): each layer is one of a mixer, attention, a feed-forward part or experts, by a letter of the pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .attention import Attention
from .mamba import MambaLayer
from .mlp import Mlp, add
from .model import Chunk
from .moe import Experts

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job


class Residual:
    """A part that returns its result and a bias, around which the input goes."""

    def __init__(self, job: Job, part: Any) -> None:
        self.job, self.part = job, part

    def forward(self, x: Any) -> Any:
        out, bias = self.part.forward(x)
        return add(self.job, out, bias, x)


def layer(job: Job, parameters: Any, number: int) -> Any:
    letter = job.pattern[number]
    if letter == "M":
        return MambaLayer(job, parameters)
    if letter == "*":
        return Residual(job, Attention(job, parameters.new))
    if letter == "E":
        return Residual(job, Experts(job, parameters))
    return Residual(job, Mlp(job, parameters.new, job.ffn))


class Block:
    """Layers of one depth of multi-token prediction, whose letters follow those of the model."""

    def __init__(self, job: Job, parameters: Any, _number: int) -> None:
        begin = len(job.pattern) - job.predicted_layers
        self.layers = [layer(job, parameters, begin + i) for i in range(job.predicted_layers)]

    def forward(self, x: Any) -> Any:
        for one in self.layers:
            x = one.forward(x)
        return x


class Hybrid(Chunk):
    layer_class = staticmethod(layer)
    block_class = Block
