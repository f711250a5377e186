"""A layer of experts: router, dispatch, grouped products, combine (core/transformer/moe). Routing is taken as balanced, or by `load` as uneven."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .adapters import adapter, added
from .linear import Grouped, Norm, shared_buffer
from .mlp import Mlp, activate
from .recompute import again, recomputes, WithoutOutput

if TYPE_CHECKING:
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


class Move(torch.autograd.Function):
    """Tokens moved to `rows` rows and back: permutations and exchanges keep no tokens."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, rows: Tensor) -> Tensor:
        ctx.rows = x.shape[0]
        return torch.empty(rows, x.shape[1], dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        return torch.empty(ctx.rows, grad.shape[1], dtype=grad.dtype, device=grad.device), None


class GatherTokens(torch.autograd.Function):
    """Tokens of all ranks of the experts' group in Megatron-Core's global buffer (token_dispatcher.py, use_global_buffer)."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, rows: Tensor, job: Job) -> Tensor:
        ctx.rows = x.shape[0]
        return shared_buffer(job, "mpu", (rows, x.shape[1]))

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        return torch.empty(ctx.rows, grad.shape[1], dtype=grad.dtype, device=grad.device), None, None


class Weighted(torch.autograd.Function):
    """The activation times the router's probability, in one kernel."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, probs: Any, width: int) -> Tensor:
        ctx.save_for_backward(x, probs)
        return torch.empty(x.shape[0], width, dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        x, probs = ctx.saved_tensors
        return torch.empty_like(x), torch.empty_like(probs), None


class Route(torch.autograd.Function):
    """Logits, scores and the map of chosen experts, of all tokens."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, weight: Tensor, experts: Any, wide: Any) -> Tensor:
        tokens = x.shape[0]
        dtype = torch.float32 if wide else x.dtype
        logits = torch.empty(tokens, experts, dtype=dtype, device=x.device)
        probs = torch.empty(tokens, experts, dtype=dtype, device=x.device)
        chosen = torch.empty(tokens, experts, dtype=torch.bool, device=x.device)
        ctx.save_for_backward(x, weight, logits, probs, chosen)
        return torch.empty(tokens, experts, dtype=dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        x, weight, *_ = ctx.saved_tensors
        return torch.empty_like(x), torch.empty_like(weight), None, None


class Experts:
    """`job.moe`: experts, topk, ffn, shared_ffn (0: none), dispatcher (alltoall, allgather, flex), router_wide, latent, bias, grouped."""

    def __init__(self, job: Job, parameters: Any) -> None:
        self.job = job
        moe = self.moe = job.moe
        new = parameters.new
        self.norm = new(job.hidden)
        self.norm_bias = new(job.hidden) if job.layernorm else None
        self.router = new(moe["experts"], job.hidden)
        self.local = moe["experts"] // job.ep
        self.inner = moe["ffn"] // job.etp
        self.wide = self.inner * (2 if job.gated else 1)
        width = moe["latent"] or job.hidden
        self.down = [new(moe["latent"], job.hidden), new(job.hidden, moe["latent"])] if moe["latent"] else []
        self.fc1 = [new(self.wide, width, expert=True) for _ in range(self.local)]
        self.fc1_bias = [new(self.wide, expert=True) for _ in range(self.local)] if job.linear_bias else []
        self.fc2 = [new(width, self.inner, expert=True) for _ in range(self.local)]
        self.fc2_bias = [new(width, expert=True) for _ in range(self.local)] if job.linear_bias else []
        self.more_fc1 = adapter(job, new, "linear_fc1", width, self.wide, None, self.local)
        self.more_fc2 = adapter(job, new, "linear_fc2", self.inner, width, None, self.local)
        self.bias = torch.zeros(moe["experts"], dtype=torch.float32, device="cuda") if moe["bias"] else None
        self.shared = Mlp(job, new, moe["shared_ffn"], with_norm=False) if moe["shared_ffn"] else None
        self.gate = new(1, job.hidden) if moe["shared_gate"] else None

    def weighted(self, wide: Any, probs: Any) -> Any:
        """Activation and probability; without a fused kernel the product of the two is in float32 before it is cast."""
        if self.job.fused_bias_act:
            return Weighted.apply(wide, probs, self.inner)
        narrow = activate(self.job, wide, None, self.inner)
        return (narrow * probs).to(narrow.dtype)

    def experts(self, x: Tensor, probs: Any) -> Any:
        job = self.job
        wide = added(self.more_fc1, Grouped.apply(x, job, *self.fc1), x)
        del x
        return self.second(wide, probs)

    def second(self, wide: Any, probs: Any) -> Any:
        narrow = self.weighted(wide, probs)
        del wide
        return added(self.more_fc2, Grouped.apply(narrow, self.job, *self.fc2), narrow)

    def forward(self, x: Tensor) -> tuple:
        job = self.job
        norm = WithoutOutput(self.normed, x) if recomputes(job, "layernorm") else None
        out = again(job, "moe", self.routed, self.normed(x) if norm is None else norm.taken())
        if norm is not None:
            norm.discard(out)
        return out, None

    def normed(self, x: Tensor) -> Any:
        return Norm.apply(x, self.norm, self.norm_bias)

    def routed(self, normed: Tensor) -> Any:
        job, moe = self.job, self.moe
        shape = normed.shape
        flat = normed.view(-1, shape[-1])
        tokens = flat.shape[0]
        weights = Route.apply(flat, self.router, moe["experts"], moe["router_wide"])
        copies = int(tokens * moe["topk"] * moe.get("padded", 1))
        # what comes to this rank's experts from the ranks of their group, each of which sends its copies
        arrived = int(copies * moe.get("load", 1))
        received = arrived * job.etp
        moved = flat
        if moe["dispatcher"] == "allgather":
            everyone = tokens * job.ep * job.etp
            if everyone > tokens:
                moved = GatherTokens.apply(moved, everyone, job)
            received = int(everyone * moe["topk"] * moe.get("padded", 1) * moe.get("load", 1)) // job.ep
            moved = Move.apply(moved, received)
        else:
            moved = Move.apply(moved, copies)
            if job.ep > 1 or job.etp > 1:
                moved = Move.apply(moved, arrived)
            if job.etp > 1:
                moved = Move.apply(moved, received)
            if self.local > 1 and job.ep > 1:
                moved = Move.apply(moved, received)
        probs = torch.empty(received, 1, dtype=torch.float32, device="cuda", requires_grad=True)
        if recomputes(job, "moe_act"):
            moved = self.recomputed_experts(moved, probs)
        else:
            moved = self.experts(moved, probs)
        if moe["dispatcher"] == "allgather":
            moved = Move.apply(moved, everyone)
            if everyone > tokens:
                moved = Move.apply(moved, tokens)
        else:
            if self.local > 1 and job.ep > 1:
                moved = Move.apply(moved, received)
            if job.etp > 1:
                moved = Move.apply(moved, arrived)
            if job.ep > 1 or job.etp > 1:
                moved = Move.apply(moved, copies)
            moved = Move.apply(moved, tokens)
        out = moved.view(shape)
        del moved, weights
        if self.shared is not None:
            out = out + again(job, "shared_experts", self.shared.inner_part, normed)
        return out

    def recomputed_experts(self, x: Tensor, probs: Any) -> Any:
        """The activation's result is thrown away and made again before the backward pass of the second product."""
        wide = added(self.more_fc1, Grouped.apply(x, self.job, *self.fc1), x)
        return torch.utils.checkpoint.checkpoint(self.second, wide, probs, use_reentrant=True)
