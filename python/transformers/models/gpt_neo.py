"""gpt_neo: learned positions; every second layer sees a window, cut out of a square of booleans that each layer owns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cores.blocks import BlockMLP, PositionedModel, block_family
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache


class GPTNeoConfig(PreTrainedConfig):
    model_type = "gpt_neo"
    attribute_map = {"num_attention_heads": "num_heads", "num_hidden_layers": "num_layers"}
    vocab_size = 50257
    max_position_embeddings = 2048
    hidden_size = 2048
    num_layers = 24
    attention_types = None
    num_heads = 16
    intermediate_size = None
    window_size = 256
    activation_function = "gelu_new"
    resid_dropout = 0.0
    embed_dropout = 0.0
    attention_dropout = 0.0
    classifier_dropout = 0.1
    layer_norm_epsilon = 1e-5
    initializer_range = 0.02
    use_cache = True
    bos_token_id = 50256
    eos_token_id = 50256

    def complete(self) -> None:
        if self.attention_types is None:
            self.attention_types = [[["global", "local"], 12]]
        self.attention_layers = [kind for kinds, times in self.attention_types for _ in range(times) for kind in kinds]
        if len(self.attention_layers) != self.num_layers:
            raise ValueError(
                f"attention_types describes {len(self.attention_layers)} layers, num_layers says {self.num_layers}"
            )


class GPTNeoSelfAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, kind: str, layer_id: int) -> None:
        super().__init__()
        self.config = config
        count = config.max_position_embeddings
        seen = torch.tril(torch.ones((count, count), dtype=torch.bool)).view(1, 1, count, count)
        if kind == "local":
            seen = torch.bitwise_xor(seen, torch.tril(seen, -config.window_size))
        self.register_buffer("bias", seen, persistent=False)
        self.attn_dropout = nn.Dropout(float(config.attention_dropout))
        self.resid_dropout = nn.Dropout(float(config.resid_dropout))
        self.layer_id = layer_id
        size = config.hidden_size
        self.head_dim = size // config.num_heads
        self.k_proj = nn.Linear(size, size, bias=False)
        self.v_proj = nn.Linear(size, size, bias=False)
        self.q_proj = nn.Linear(size, size, bias=False)
        self.out_proj = nn.Linear(size, size)

    def _heads(self, x):
        return x.view(x.shape[:-1] + (self.config.num_heads, self.head_dim)).permute(0, 2, 1, 3)

    def _attend(self, query, key, value, attention_mask):
        query = query.to(torch.float32)
        key = key.to(torch.float32)
        weights = torch.matmul(query, key.transpose(-1, -2))
        queries, keys = query.shape[-2], key.shape[-2]
        seen = self.bias[:, :, keys - queries : keys, :keys]
        lowest = torch.tensor(torch.finfo(weights.dtype).min, dtype=weights.dtype, device=weights.device)
        weights = torch.where(seen, weights, lowest)
        if attention_mask is not None:
            weights = weights + attention_mask
        weights = F.softmax(weights, dim=-1)
        weights = weights.to(value.dtype)
        weights = self.attn_dropout(weights)
        output = torch.matmul(weights, value)
        return output, weights

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, layer_past: Cache | None = None, **_: Any
    ) -> tuple[Tensor, Tensor]:
        query = self.q_proj(hidden_states)
        key = self.k_proj(hidden_states)
        value = self.v_proj(hidden_states)
        query = self._heads(query)
        key = self._heads(key)
        value = self._heads(value)
        if layer_past is not None:
            key, value = layer_past.update(key, value, self.layer_id)
        output, weights = self._attend(query, key, value, attention_mask)
        output = output.permute(0, 2, 1, 3).contiguous().flatten(-2)
        output = self.out_proj(output)
        output = self.resid_dropout(output)
        return output, weights


class GPTNeoAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_id: int) -> None:
        super().__init__()
        self.attention = GPTNeoSelfAttention(config, config.attention_layers[layer_id], layer_id)

    def forward(
        self, hidden_states: Tensor, layer_past: Cache | None = None, attention_mask: Tensor | None = None, **_: Any
    ) -> tuple[Tensor, Tensor]:
        return self.attention(hidden_states, attention_mask=attention_mask, layer_past=layer_past)


class GPTNeoBlock(Block):
    def __init__(self, config: PreTrainedConfig, layer_id: int) -> None:
        super().__init__()
        size = config.hidden_size
        inner = config.intermediate_size if config.intermediate_size is not None else 4 * size
        self.ln_1 = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.attn = GPTNeoAttention(config, layer_id)
        self.ln_2 = nn.LayerNorm(size, eps=config.layer_norm_epsilon)
        self.mlp = BlockMLP(config, inner, ACT2FN[config.activation_function], float(config.resid_dropout))

    def forward(
        self, hidden_states: Tensor, layer_past: Cache | None = None, attention_mask: Tensor | None = None, **_: bool
    ) -> tuple[Tensor, Tensor]:
        residual = hidden_states
        hidden_states = self.ln_1(hidden_states)
        attended, weights = self.attn(hidden_states, layer_past=layer_past, attention_mask=attention_mask)
        hidden_states = attended + residual
        residual = hidden_states
        hidden_states = self.ln_2(hidden_states)
        fed_forward = self.mlp(hidden_states)
        hidden_states = residual + fed_forward
        return hidden_states, weights


class GPTNeoModel(PositionedModel):
    def build(self, config: PreTrainedConfig) -> None:
        size = config.hidden_size
        self.wte = nn.Embedding(config.vocab_size, size)
        self.wpe = nn.Embedding(config.max_position_embeddings, size)
        self.drop = nn.Dropout(float(config.embed_dropout))
        self.h = nn.ModuleList(GPTNeoBlock(config, index) for index in range(config.num_layers))
        self.ln_f = nn.LayerNorm(size, eps=config.layer_norm_epsilon)


block_family("GPTNeo", GPTNeoConfig, GPTNeoModel)
