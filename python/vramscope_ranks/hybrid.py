"""Hybrids (core/models/hybrid): each layer is one of a mixer, attention, a feed-forward part or experts, by a letter of the pattern."""

from .attention import Attention
from .mamba import MambaLayer
from .mlp import Mlp, add
from .model import Chunk
from .moe import Experts


class Residual:
    """A part that returns its result and a bias, around which the input goes."""

    def __init__(self, job, part):
        self.job, self.part = job, part

    def forward(self, x):
        out, bias = self.part.forward(x)
        return add(self.job, out, bias, x)


def layer(job, parameters, number):
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

    def __init__(self, job, parameters, _number):
        begin = len(job.pattern) - job.predicted_layers
        self.layers = [layer(job, parameters, begin + i) for i in range(job.predicted_layers)]

    def forward(self, x):
        for one in self.layers:
            x = one.forward(x)
        return x


class Hybrid(Chunk):
    layer_class = staticmethod(layer)
    block_class = Block
