"""Multi-latent attention: queries and keys-values through narrow layers (core/transformer/multi_latent_attention.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .adapters import adapter, added
from .attention import core_attention, rotate
from .linear import Column, Norm, Row
from .recompute import again, recomputes, WithoutOutput

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vramscope_ranks.job import Job
    from torch import Tensor


class LatentAttention:
    """`job.mla` has q_lora (null: queries straight), kv_lora, nope, rope and value widths per head."""

    def __init__(self, job: Job, new: Callable) -> None:
        self.job = job
        sizes = self.sizes = job.mla
        heads = job.local_heads
        width = sizes["nope"] + sizes["rope"]
        self.norm = new(job.hidden)
        self.proj = new(job.hidden, heads * sizes["value"])
        self.proj_bias = new(job.hidden) if job.linear_bias else None
        if sizes["q_lora"]:
            self.q_down = new(sizes["q_lora"], job.hidden)
            self.q_norm = new(sizes["q_lora"])
        self.q_up = new(heads * width, sizes["q_lora"] or job.hidden)
        self.kv_down = new(sizes["kv_lora"] + sizes["rope"], job.hidden)
        self.kv_norm = new(sizes["kv_lora"])
        up = heads * (sizes["nope"] + sizes["value"])
        self.kv_up = new(up, sizes["kv_lora"])
        down = sizes["kv_lora"] + sizes["rope"]
        narrow = sizes["q_lora"]
        its = self.more = {}
        for name, wide_in, wide_out, parallel in (
            ("linear_q_down_proj", job.hidden if narrow else 0, narrow, None),
            ("linear_q_up_proj" if narrow else "linear_q_proj", narrow or job.hidden, heads * width, "column"),
            ("linear_kv_down_proj", job.hidden, down, None),
            ("linear_kv_up_proj", sizes["kv_lora"], up, "column"),
            ("linear_proj", heads * sizes["value"], job.hidden, "row"),
        ):
            its[name.replace("q_proj", "q_up_proj")] = (
                adapter(job, new, name, wide_in, wide_out, parallel) if wide_in else None
            )

    def projections(self, q: Tensor, kv: Tensor, rope: Any) -> tuple:
        job, sizes, sp = self.job, self.sizes, self.job.sequence_parallel
        if sizes["q_lora"]:
            q = Norm.apply(q, self.q_norm, None)
        q = added(self.more["linear_q_up_proj"], Column.apply(q, self.q_up, None, job, job.te, sp), q)
        normed = Norm.apply(kv, self.kv_norm, None)
        kv = added(self.more["linear_kv_up_proj"], Column.apply(normed, self.kv_up, None, job, job.te, sp), normed)
        del normed
        rows, batch, _ = q.shape
        q = q.view(rows, batch, job.local_heads, -1)
        kv = kv.view(rows, batch, job.local_heads, -1)
        if sp:
            rope = torch.cat([rope] * job.tp)
        rope = rotate(job, rope.unsqueeze(2)).expand(-1, -1, job.local_heads, -1)
        plain, turned = torch.split(q, [sizes["nope"], sizes["rope"]], dim=-1)
        q = torch.cat([plain, rotate(job, turned)], dim=-1)
        keys, values = torch.split(kv, [sizes["nope"], sizes["value"]], dim=-1)
        return q, torch.cat([keys, rope], dim=-1), values.contiguous()

    def normed(self, x: Tensor) -> Any:
        return Norm.apply(x, self.norm, None)

    def forward(self, x: Tensor) -> tuple:
        job, sizes = self.job, self.sizes
        norm = WithoutOutput(self.normed, x) if recomputes(job, "layernorm") else None
        normed = self.normed(x) if norm is None else norm.taken()
        q = normed
        if sizes["q_lora"]:
            q = added(
                self.more["linear_q_down_proj"], Column.apply(normed, self.q_down, None, job, job.te, False), normed
            )
        down = Column.apply(normed, self.kv_down, None, job, job.te, False)
        down = added(self.more["linear_kv_down_proj"], down, normed)
        del normed
        kv, rope = torch.split(down, [sizes["kv_lora"], sizes["rope"]], dim=-1)
        kv = kv.contiguous()
        if recomputes(job, "mla_up_proj"):
            made = WithoutOutput(self.projections, q, kv, rope)
            context = again(job, "core_attn", core_attention, job, *made.taken())
        else:
            made = None
            context = again(job, "core_attn", core_attention, job, *self.projections(q, kv, rope))
        del q, kv, rope, down
        if made is not None:
            made.discard(context)
        out = Row.apply(context, self.proj, job, job.te, job.sequence_parallel)
        if norm is not None:
            norm.discard(out)
        return added(self.more["linear_proj"], out, context), self.proj_bias
