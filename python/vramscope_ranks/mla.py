"""Multi-latent attention: queries and keys-values through narrow layers (core/transformer/multi_latent_attention.py)."""

import torch

from .attention import core_attention, rotate
from .linear import Column, Norm, Row


class LatentAttention:
    """`job.mla` has q_lora (null: queries straight), kv_lora, nope, rope and value widths per head."""

    def __init__(self, job, new):
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
        self.kv_up = new(heads * (sizes["nope"] + sizes["value"]), sizes["kv_lora"])

    def projections(self, q, kv, rope):
        job, sizes, sp = self.job, self.sizes, self.job.sequence_parallel
        if sizes["q_lora"]:
            q = Norm.apply(q, self.q_norm, None)
        q = Column.apply(q, self.q_up, None, job, job.te, sp)
        kv = Column.apply(Norm.apply(kv, self.kv_norm, None), self.kv_up, None, job, job.te, sp)
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

    def forward(self, x):
        job, sizes = self.job, self.sizes
        normed = Norm.apply(x, self.norm, None)
        q = Column.apply(normed, self.q_down, None, job, job.te, False) if sizes["q_lora"] else normed
        down = Column.apply(normed, self.kv_down, None, job, job.te, False)
        del normed
        kv, rope = torch.split(down, [sizes["kv_lora"], sizes["rope"]], dim=-1)
        again = job.recompute == "selective"

        def attend(q, kv, rope):
            return core_attention(job, *self.projections(q, kv.contiguous(), rope))

        if again and {"mla_up_proj", "core_attn"} <= set(job.recompute_modules):
            context = torch.utils.checkpoint.checkpoint(attend, q, kv, rope, use_reentrant=True)
        elif again and "mla_up_proj" in job.recompute_modules:
            # projections are computed again for the backward pass; attention keeps its result
            context = torch.utils.checkpoint.checkpoint(attend, q, kv, rope, use_reentrant=True)
        else:
            context = attend(q, kv, rope)
        del q, kv, rope, down
        return Row.apply(context, self.proj, job, job.te, job.sequence_parallel), self.proj_bias
