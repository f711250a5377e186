"""Mamba's mixer (core/ssm/mamba_mixer.py) over the memory-efficient kernels of mamba_ssm, and the layer around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .linear import Column, Norm, Row
from .mlp import add

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


CHUNK = 128
TAPS = 4


def empty(like: Tensor, *shape: Any, dtype: torch.dtype | None = None) -> Tensor:
    return torch.empty(*shape, dtype=dtype or like.dtype, device=like.device)


class Scan(torch.autograd.Function):
    """Convolution and state-space scan (ssd_combined.py, MambaSplitConv1dScanCombinedFn): keeps what came in and the result before its gate."""

    @staticmethod
    def forward(ctx: FunctionCtx, mixed: Tensor, sizes: Any, *weights: Any) -> Tensor:
        batch, rows, _ = mixed.shape
        heads, width, state, groups = sizes
        chunks = -(-rows // CHUNK)
        wide = torch.float32
        convolved = empty(mixed, batch, rows, heads * width + 2 * groups * state)
        steps = [empty(mixed, batch, heads, chunks, CHUNK, dtype=wide) for _ in range(2)]
        states = empty(mixed, batch, chunks, heads, width, state, dtype=wide)
        passed = empty(mixed, batch, chunks, heads, width * state)
        final = empty(mixed, batch, heads, width * state, dtype=wide)
        del states
        products = empty(mixed, batch, chunks, groups, CHUNK, CHUNK, dtype=wide)
        out = empty(mixed, batch, rows, heads * width)
        before = torch.empty_like(out)
        ctx.save_for_backward(mixed, before, *weights)
        ctx.sizes = sizes
        del convolved, steps, passed, final, products
        return out

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        mixed, before, *weights = ctx.saved_tensors
        batch, rows, _ = mixed.shape
        heads, width, state, groups = ctx.sizes
        chunks = -(-rows // CHUNK)
        wide = torch.float32
        states_shape = (batch, chunks, heads, width * state)
        convolved = empty(mixed, batch, rows, heads * width + 2 * groups * state)
        dmixed = torch.empty_like(mixed)
        dconvolved = torch.empty_like(convolved)
        steps = [empty(mixed, batch, heads, chunks, CHUNK, dtype=wide) for _ in range(2)]
        products = empty(mixed, batch, chunks, groups, CHUNK, CHUNK, dtype=wide)
        states = empty(mixed, *states_shape, dtype=wide)
        states = empty(mixed, *states_shape, dtype=wide)
        dout = torch.empty_like(before)
        dstates = empty(mixed, *states_shape, dtype=wide)
        # both once more in the model's dtype, for the products of matrices that follow
        passed = empty(mixed, *states_shape), empty(mixed, *states_shape)
        del states, dstates
        parts = [empty(mixed, batch, rows, groups, state, dtype=wide) for _ in range(2)]
        dproducts = torch.empty_like(products)
        times = [torch.empty_like(one) for one in steps]
        del parts, dproducts, times, passed, products, steps, dout, dconvolved, convolved
        return dmixed, None, *[torch.empty_like(weight) for weight in weights]


class Gathered(torch.autograd.Function):
    """With context parallelism, heads are exchanged for rows: each part in a call of its own, then side by side (mamba_context_parallel.py)."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, rows: Tensor, width: int) -> Any:
        ctx.shape = x.shape
        parts = torch.empty(rows, x.shape[1], width, dtype=x.dtype, device=x.device)
        return parts.clone()

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        parts = torch.empty(ctx.shape, dtype=grad.dtype, device=grad.device)
        return parts.clone(), None, None


class MambaLayer:
    def __init__(self, job: Job, parameters: Any) -> None:
        new = parameters.new
        self.job, sizes = job, job.mamba
        self.heads, self.width, self.state = sizes["heads"] // job.tp, sizes["head_dim"], sizes["state"]
        self.groups = sizes["groups"] // job.tp
        inner = self.heads * self.width
        convolved = inner + 2 * self.groups * self.state
        self.bias, self.decay = new(self.heads), new(self.heads)
        self.skip = new(self.heads)
        self.convolution, self.convolution_bias = new(convolved, 1, TAPS), new(convolved)
        self.norm = new(job.hidden)
        self.norm_bias = new(job.hidden) if job.layernorm else None
        self.into = new(2 * inner + 2 * self.groups * self.state + self.heads, job.hidden)
        self.gated_norm = new(inner)
        self.out = new(job.hidden, inner)

    def forward(self, x: Tensor) -> Any:
        job, cp = self.job, self.job.cp
        normed = Norm.apply(x, self.norm, self.norm_bias)
        mixed = Column.apply(normed, self.into, None, job, job.te, job.sequence_parallel)
        del normed
        if cp > 1:
            mixed = Gathered.apply(mixed, mixed.shape[0] * cp, mixed.shape[2] // cp)
        mixed = mixed.transpose(0, 1).contiguous()
        sizes = self.heads // cp, self.width, self.state, max(1, self.groups // cp)
        y = Scan.apply(mixed, sizes, self.convolution, self.convolution_bias, self.bias, self.decay, self.skip)
        del mixed
        y = y.transpose(0, 1).contiguous()
        if cp > 1:
            y = Gathered.apply(y, y.shape[0] // cp, y.shape[2] * cp)
        y = Norm.apply(y, self.gated_norm, None)
        return add(job, Row.apply(y, self.out, job, job.te, job.sequence_parallel), None, x)
