"""T5 (core/models/T5): an encoder, and a decoder whose layers attend to its output, too. Megatron-LM does not cut it into stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .attention import core_attention
from .linear import Column, Norm, Row
from .loss import loss_of
from .mlp import add
from .model import Chunk, Layer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vramscope_ranks.job import Job
    from torch import Tensor


class CrossAttention:
    """Queries of the decoder, keys and values of the encoder's output."""

    def __init__(self, job: Job, new: Callable) -> None:
        self.job = job
        wide = job.local_heads * job.head_dim
        self.norm = new(job.hidden)
        self.norm_bias = new(job.hidden) if job.layernorm else None
        self.proj = new(job.hidden, wide)
        self.proj_bias = new(job.hidden) if job.linear_bias else None
        self.query = new(wide, job.hidden)
        self.query_bias = new(wide) if job.linear_bias else None
        self.pair = new(2 * wide, job.hidden)
        self.pair_bias = new(2 * wide) if job.linear_bias else None

    def forward(self, x: Tensor, encoded: Any) -> tuple:
        job = self.job
        x = Norm.apply(x, self.norm, self.norm_bias)
        pair = Column.apply(encoded, self.pair, self.pair_bias, job, job.te, job.sequence_parallel)
        heads = (job.local_heads, job.head_dim)
        k, v = pair.view(*pair.shape[:2], heads[0], 2 * heads[1]).split(heads[1], dim=3)
        k, v = k.contiguous(), v.contiguous()
        del pair
        q = Column.apply(x, self.query, self.query_bias, job, job.te, job.sequence_parallel)
        q = q.view(*q.shape[:2], *heads)
        context = core_attention(job, q, k, v, masked=True)
        del q, k, v, x
        return Row.apply(context, self.proj, job, job.te, job.sequence_parallel), self.proj_bias


class DecoderLayer(Layer):
    def __init__(self, job: Job, parameters: Any, number: int) -> None:
        super().__init__(job, parameters, number)
        self.cross = CrossAttention(job, parameters.new)

    def forward(self, x: Tensor, encoded: Any) -> Any:
        attended, bias = self.attention.forward(x)
        x = add(self.job, attended, bias, x)
        attended, bias = self.cross.forward(x, encoded)
        x = add(self.job, attended, bias, x)
        del attended
        out, bias = self.mlp.forward(x)
        return add(self.job, out, bias, x)


class EncoderDecoder(Chunk):
    def __init__(self, job: Job, layers: Any, first: Any, last: Any, frozen: bool = False) -> None:
        super().__init__(job, layers, first, last, frozen)
        new = self.parameters.new
        self.encoder = [Layer(job, self.parameters, number) for number in range(job.encoder_layers)]
        for layer in self.encoder:
            layer.attention.masked = True
        self.encoder_norm = new(job.hidden)
        self.encoder_norm_bias = new(job.hidden) if job.layernorm else None
        self.head_bias = new(job.local_vocab) if job.tied else None

    layer_class = DecoderLayer

    def batch(self) -> dict:
        """Everything comes as one tensor of int64 (core/tensor_parallel/data.py, broadcast_data)."""
        job = self.job
        long, short = job.local_seq, job.decoder_seq
        flat = torch.empty(job.batch * (2 * long + 4 * short), dtype=torch.int64, device="cuda")
        rows, start = [], 0
        for size in (long, short, short, short, long, short):
            rows.append(flat[start : start + job.batch * size].view(job.batch, size))
            start += job.batch * size
        tokens, decoded, labels, mask, encoder_mask, decoder_mask = rows
        made = {"tokens": tokens, "decoded": decoded, "labels": labels, "mask": mask.float()}
        masks = [encoder_mask < 0.5, decoder_mask < 0.5]
        if not job.te:
            pairs = (tokens, tokens), (decoded, decoded), (decoded, tokens)
            masks = [(one.unsqueeze(2) * other.unsqueeze(1)).unsqueeze(1) < 0.5 for one, other in pairs]
        made["attention"] = masks
        return made

    def position_ids(self, tokens: Tensor) -> Any:
        return torch.arange(tokens.shape[1], device="cuda").unsqueeze(0).expand_as(tokens)

    def forward(self, x: Tensor, batch: int) -> Tensor:
        job = self.job
        encoded = self.embed(batch["tokens"], self.position_ids(batch["tokens"]))
        for layer in self.encoder:
            encoded = layer.forward(encoded)
        encoded = Norm.apply(encoded, self.encoder_norm, self.encoder_norm_bias)
        x = self.embed(batch["decoded"], self.position_ids(batch["decoded"]))
        for layer in self.layers:
            x = layer.forward(x, encoded)
        del encoded
        x = Norm.apply(x, self.norm, self.norm_bias)
        logits = Column.apply(x, self.head, None, job, False, job.sequence_parallel)
        if self.head_bias is not None:
            logits = logits + self.head_bias
        loss = loss_of(job, logits, batch["labels"].transpose(0, 1).contiguous())
        return loss.transpose(0, 1).contiguous()
