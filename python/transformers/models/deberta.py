"""deberta: every distance has a row of its own, one projection makes queries, keys and values, norms in plain operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.disentangled import (
    DisentangledAddNorm,
    DisentangledAttention,
    DisentangledConfig,
    DisentangledEmbeddings,
    DisentangledEncoder,
    DisentangledLayer,
    DisentangledModel,
    root_of,
)
from ..cores.disentangled_heads import HEADS
from ..cores.encoder_heads import family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class DebertaConfig(DisentangledConfig):
    model_type = "deberta"
    vocab_size = 50265
    hidden_size = 768
    num_hidden_layers = 12
    num_attention_heads = 12
    intermediate_size = 3072


class DebertaLayerNorm(nn.Module):
    def __init__(self, size: int, eps: float = 1e-12) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))
        self.variance_epsilon = eps

    def forward(self, x: Tensor) -> Any:
        dtype = x.dtype
        x = x.float()
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).pow(2).mean(-1, keepdim=True)
        x = (x - mean) / torch.sqrt(variance + self.variance_epsilon)
        x = x.to(dtype)
        result = self.weight * x + self.bias
        return result


class DebertaSelfAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        size = config.hidden_size
        self.in_proj = nn.Linear(size, size * 3, bias=False)
        self.q_bias = nn.Parameter(torch.zeros(size, dtype=torch.float))
        self.v_bias = nn.Parameter(torch.zeros(size, dtype=torch.float))
        self.kinds = config.pos_att_type or []
        self.relative_attention = config.relative_attention
        self.head_logits_proj = self.head_weights_proj = None
        if config.talking_head:
            self.head_logits_proj = nn.Linear(self.heads, self.heads, bias=False)
            self.head_weights_proj = nn.Linear(self.heads, self.heads, bias=False)
        if self.relative_attention:
            self.longest = config.farthest()
            self.pos_dropout = nn.Dropout(config.hidden_dropout_prob)
            if "c2p" in self.kinds:
                self.pos_proj = nn.Linear(size, size, bias=False)
            if "p2c" in self.kinds:
                self.pos_q_proj = nn.Linear(size, size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def split(self, x: Tensor) -> Any:
        """[batch, length, heads x size] to [batch, heads, length, size]."""
        x = x.view(x.size()[:-1] + (self.heads, -1))
        return x.permute(0, 2, 1, 3)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        relative_pos: Tensor | None = None,
        rel_embeddings: Tensor | None = None,
    ) -> tuple:
        projected = self.in_proj(hidden_states)
        query, key, value = self.split(projected).chunk(3, dim=-1)
        query = query + self.split(self.q_bias[None, None, :])
        value = value + self.split(self.v_bias[None, None, :])
        added = 0
        factor = 1 + len(self.kinds)
        scale = root_of(query.size(-1), factor)
        query = query / scale.to(dtype=query.dtype)
        scores = torch.matmul(query, key.transpose(-1, -2))
        if self.relative_attention:
            rel_embeddings = self.pos_dropout(rel_embeddings)
            added = self.bias(query, key, relative_pos, rel_embeddings, factor)
        scores = scores + added
        if self.head_logits_proj is not None:
            scores = self.head_logits_proj(scores.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        attention_mask = attention_mask.bool()
        scores = scores.masked_fill(~attention_mask, torch.finfo(query.dtype).min)
        weights = F.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        if self.head_weights_proj is not None:
            weights = self.head_weights_proj(weights.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        output = torch.matmul(weights, value)
        output = output.permute(0, 2, 1, 3).contiguous()
        output = output.view(output.size()[:-2] + (-1,))
        return output, weights

    def bias(
        self, query: Tensor, key: Tensor, relative_pos: Tensor, rel_embeddings: Tensor, factor: int | float
    ) -> Any:
        """Scores of contents with distances (c2p), and of distances with contents (p2c): [batch, heads, queries, keys]."""
        relative_pos = relative_pos.unsqueeze(1)
        length = key.size(-2)
        span = min(length, self.longest)
        relative_pos = relative_pos.long()
        rel_embeddings = rel_embeddings[self.longest - span : self.longest + span, :].unsqueeze(0)
        spread = [*query.size()[:2], length, relative_pos.size(-1)]
        score = 0
        if "c2p" in self.kinds:
            pos_key = self.pos_proj(rel_embeddings)
            pos_key = self.split(pos_key)
            c2p = torch.matmul(query, pos_key.transpose(-1, -2))
            c2p_pos = torch.clamp(relative_pos + span, 0, span * 2 - 1)
            c2p = torch.gather(c2p, dim=-1, index=c2p_pos.expand(spread))
            score += c2p
        if "p2c" in self.kinds:
            pos_query = self.pos_q_proj(rel_embeddings)
            pos_query = self.split(pos_query)
            pos_query /= root_of(pos_query.size(-1), factor)
            p2c_pos = torch.clamp(-relative_pos + span, 0, span * 2 - 1)
            p2c = torch.matmul(key, pos_query.transpose(-1, -2).to(dtype=key.dtype))
            p2c = torch.gather(p2c, dim=-1, index=p2c_pos.expand(spread)).transpose(-1, -2)
            score += p2c
        return score


class DebertaEmbeddings(DisentangledEmbeddings):
    norm_class = DebertaLayerNorm


class DebertaAddNorm(DisentangledAddNorm):
    norm_class = DebertaLayerNorm


class DebertaAttention(DisentangledAttention):
    self_class = DebertaSelfAttention
    add_class = DebertaAddNorm


class DebertaLayer(DisentangledLayer):
    attention_class = DebertaAttention
    add_class = DebertaAddNorm


class DebertaEncoder(DisentangledEncoder):
    layer_class = DebertaLayer

    def relative_positions(self, states: Tensor) -> Any:
        length = states.size(-2)
        queries = torch.arange(length, dtype=torch.long, device=states.device)
        keys = torch.arange(length, dtype=torch.long, device=states.device)
        result = queries[:, None] - keys.view(1, -1).repeat(length, 1)
        result = result[:length, :]
        return result.unsqueeze(0)


family(
    *("Deberta", "deberta", DebertaConfig, __name__),
    model=DisentangledModel,
    heads=HEADS,
    head_fields={"supports_sdpa": False},
    embeddings_class=DebertaEmbeddings,
    encoder_class=DebertaEncoder,
)
