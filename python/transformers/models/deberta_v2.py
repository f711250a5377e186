"""deberta-v2 and -v3: distances in buckets, one projection for contents and distances, a convolution beside the first layer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cores.disentangled import (
    DisentangledAttention,
    DisentangledConfig,
    DisentangledEncoder,
    DisentangledLayer,
    DisentangledModel,
    root_of,
)
from ..cores.disentangled_heads import HEADS, DisentangledMultipleChoice
from ..cores.encoder_heads import family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class DebertaV2Config(DisentangledConfig):
    model_type = "deberta-v2"
    vocab_size = 128100
    hidden_size = 1536
    num_hidden_layers = 24
    num_attention_heads = 24
    intermediate_size = 6144


def log_bucket(distance: Any, size: int, longest: Any) -> Any:
    """Near distances as they are, far ones by their logarithm; each step's result dies with its last use."""
    sign = torch.sign(distance)
    middle = size // 2
    near = torch.tensor(middle - 1).type_as(distance)
    far = torch.where((distance < middle) & (distance > -middle), near, torch.abs(distance))
    del near
    logs = torch.ceil(torch.log(far / middle) / math.log((longest - 1) / middle) * (middle - 1)) + middle
    return torch.where(far <= middle, distance.type_as(logs), logs * sign)


def distances(states: Tensor, size: int, longest: Any) -> Any:
    """How far each token is from each other: [1, length, length]."""
    length = states.size(-2)
    queries = torch.arange(length, dtype=torch.long, device=states.device)
    keys = torch.arange(length, dtype=torch.long, device=states.device)
    result = queries[:, None] - keys[None, :]
    if size > 0 and longest > 0:
        result = log_bucket(result, size, longest)
    result = result.to(torch.long)
    return result.unsqueeze(0)


class DebertaV2SelfAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        size = config.hidden_size
        self.query_proj = nn.Linear(size, size)
        self.key_proj = nn.Linear(size, size)
        self.value_proj = nn.Linear(size, size)
        self.share_att_key = config.share_att_key
        self.kinds = config.pos_att_type or []
        self.relative_attention = config.relative_attention
        if self.relative_attention:
            self.span = config.position_buckets if config.position_buckets > 0 else config.farthest()
            self.pos_dropout = nn.Dropout(config.hidden_dropout_prob)
            if not self.share_att_key:
                if "c2p" in self.kinds:
                    self.pos_key_proj = nn.Linear(size, size)
                if "p2c" in self.kinds:
                    self.pos_query_proj = nn.Linear(size, size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def split(self, x: Tensor) -> Any:
        """[batch, length, hidden] to [batch x heads, length, size]."""
        x = x.view(x.size()[:-1] + (self.heads, -1))
        return x.permute(0, 2, 1, 3).contiguous().view(-1, x.size(1), x.size(-1))

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        relative_pos: Tensor | None = None,
        rel_embeddings: Tensor | None = None,
    ) -> tuple:
        query = self.split(self.query_proj(hidden_states))
        key = self.split(self.key_proj(hidden_states))
        value = self.split(self.value_proj(hidden_states))
        added = None
        factor = 1 + ("c2p" in self.kinds) + ("p2c" in self.kinds)
        scale = root_of(query.size(-1), factor)
        scores = torch.bmm(query, key.transpose(-1, -2) / scale.to(dtype=query.dtype))
        if self.relative_attention:
            rel_embeddings = self.pos_dropout(rel_embeddings)
            added = self.bias(query, key, relative_pos, rel_embeddings, factor)
        if added is not None:
            scores = scores + added
        scores = scores.view(-1, self.heads, scores.size(-2), scores.size(-1))
        attention_mask = attention_mask.bool()
        scores = scores.masked_fill(~attention_mask, torch.finfo(query.dtype).min)
        weights = F.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        output = torch.bmm(weights.view(-1, weights.size(-2), weights.size(-1)), value)
        output = output.view(-1, self.heads, output.size(-2), output.size(-1)).permute(0, 2, 1, 3).contiguous()
        output = output.view(output.size()[:-2] + (-1,))
        return output, weights

    def of_distances(self, projection: Any, table: Any, query: Tensor) -> Any:
        return self.split(projection(table)).repeat(query.size(0) // self.heads, 1, 1)

    def bias(
        self, query: Tensor, key: Tensor, relative_pos: Tensor, rel_embeddings: Tensor, factor: int | float
    ) -> Any:
        """Scores of contents with distances (c2p), and of distances with contents (p2c): [batch x heads, queries, keys]."""
        relative_pos = relative_pos.unsqueeze(1)
        span = self.span
        relative_pos = relative_pos.to(device=query.device, dtype=torch.long)
        rel_embeddings = rel_embeddings[0 : span * 2, :].unsqueeze(0)
        if self.share_att_key:
            pos_query = self.of_distances(self.query_proj, rel_embeddings, query)
            pos_key = self.of_distances(self.key_proj, rel_embeddings, query)
        else:
            if "c2p" in self.kinds:
                pos_key = self.of_distances(self.pos_key_proj, rel_embeddings, query)
            if "p2c" in self.kinds:
                pos_query = self.of_distances(self.pos_query_proj, rel_embeddings, query)
        score = 0
        if "c2p" in self.kinds:
            scale = root_of(pos_key.size(-1), factor)
            c2p = torch.bmm(query, pos_key.transpose(-1, -2))
            c2p_pos = torch.clamp(relative_pos + span, 0, span * 2 - 1)
            c2p = torch.gather(
                c2p, dim=-1, index=c2p_pos.squeeze(0).expand([query.size(0), query.size(1), relative_pos.size(-1)])
            )
            score += c2p / scale.to(dtype=c2p.dtype)
        if "p2c" in self.kinds:
            scale = root_of(pos_query.size(-1), factor)
            p2c_pos = torch.clamp(-relative_pos + span, 0, span * 2 - 1)
            p2c = torch.bmm(key, pos_query.transpose(-1, -2))
            p2c = torch.gather(
                p2c, dim=-1, index=p2c_pos.squeeze(0).expand([query.size(0), key.size(-2), key.size(-2)])
            ).transpose(-1, -2)
            score += p2c / scale.to(dtype=p2c.dtype)
        return score


class DebertaV2Attention(DisentangledAttention):
    self_class = DebertaV2SelfAttention


class DebertaV2Layer(DisentangledLayer):
    attention_class = DebertaV2Attention


class ConvLayer(nn.Module):
    """Neighbouring tokens mixed, added to what the first layer gives."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        kernel = config.conv_kernel_size
        size = config.hidden_size
        self.act_name = config.conv_act
        self.conv = nn.Conv1d(size, size, kernel, padding=(kernel - 1) // 2, groups=config.conv_groups)
        self.LayerNorm = nn.LayerNorm(size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states: Tensor, residual: Tensor, tokens: Any) -> Any:
        mixed = self.conv(hidden_states.permute(0, 2, 1).contiguous()).permute(0, 2, 1).contiguous()
        missing = (1 - tokens).bool()
        mixed.masked_fill_(missing.unsqueeze(-1).expand(mixed.size()), 0)
        mixed = ACT2FN[self.act_name](self.dropout(mixed))
        total = residual + mixed
        result = self.LayerNorm(total).to(total)
        tokens = tokens.unsqueeze(2)
        tokens = tokens.to(result.dtype)
        return result * tokens


class DebertaV2Encoder(DisentangledEncoder):
    layer_class = DebertaV2Layer

    def distances(self, config: PreTrainedConfig) -> Any:
        return config.position_buckets if config.position_buckets > 0 else config.farthest()

    def build(self, config: PreTrainedConfig) -> None:
        self.buckets, self.longest = config.position_buckets, config.farthest()
        self.norms_table = "layer_norm" in [kind.strip() for kind in config.norm_rel_ebd.lower().split("|")]
        if self.norms_table:
            self.LayerNorm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        if config.conv_kernel_size > 0:
            self.conv = ConvLayer(config)

    def relative_table(self) -> Any:
        table = super().relative_table()
        if table is not None and self.norms_table:
            table = self.LayerNorm(table)
        return table

    def relative_positions(self, states: Tensor) -> Any:
        return distances(states, self.buckets, self.longest)


family(
    *("DebertaV2", "deberta", DebertaV2Config, __name__),
    model=DisentangledModel,
    heads={**HEADS, "AutoModelForMultipleChoice": ("ForMultipleChoice", DisentangledMultipleChoice)},
    head_fields={"supports_sdpa": False},
    encoder_class=DebertaV2Encoder,
)
