"""gpt_oss: attention with a sink per head, windows in every other layer, experts with biases and a clipped gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..parts.attention import repeat_kv
from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.experts import Experts
from ..parts.norms import LateRMSNorm
from ..parts.rope import RotaryEmbedding
from ..cores.capturing import Recorded
from ..cores.routers import SparseLM, SparseModel
from ..cores.windows import WindowedModel, layer_kinds

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class GptOssConfig(DecoderConfig):
    model_type = "gpt_oss"
    attribute_map = {"num_experts": "num_local_experts"}
    default_theta = 150000.0
    num_hidden_layers = 36
    num_local_experts = 128
    vocab_size = 201088
    hidden_size = 2880
    intermediate_size = 2880
    head_dim = 64
    num_attention_heads = 64
    num_key_value_heads = 8
    sliding_window = 128
    max_position_embeddings = 131072
    rms_norm_eps = 1e-5
    num_experts_per_tok = 4
    router_aux_loss_coef = 0.001
    output_router_logits = False
    layer_types = None
    attention_bias = True
    rope_parameters = {
        "rope_type": "yarn",
        "factor": 32.0,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "truncate": False,
        "original_max_position_embeddings": 4096,
    }

    def complete(self) -> None:
        super().complete()
        if self.layer_types is None:
            self.layer_types = layer_kinds(self, lambda i: (i + 1) % 2)


class HalfAngles(RotaryEmbedding):
    """Each frequency once: both halves of a head turn by the same numbers."""

    def spread(self, angles: Any) -> Any:
        return angles


def _turn(states, cos, sin):
    first, second = torch.chunk(states, 2, dim=-1)
    turned_first = first * cos - second * sin
    turned_second = second * cos + first * sin
    return torch.cat((turned_first, turned_second), dim=-1)


def rotate_halves(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1) -> tuple:
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    turned_query = _turn(query, cos, sin)
    turned_key = _turn(key, cos, sin)
    return turned_query, turned_key


def sink_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float,
    dropout: float = 0.0,
    **_: Any,
) -> tuple:
    """The softmax has one more place per head, which takes attention and gives nothing."""
    keys = repeat_kv(key, module.num_key_value_groups)
    values = repeat_kv(value, module.num_key_value_groups)
    weights = torch.matmul(query, keys.transpose(2, 3)) * scaling
    if mask is not None:
        weights = weights + mask
    sinks = module.sinks.reshape(1, -1, 1, 1).expand(query.shape[0], -1, query.shape[-2], -1)
    together = torch.cat([weights, sinks], dim=-1)
    together = together - together.max(dim=-1, keepdim=True).values
    chances = F.softmax(together, dim=-1, dtype=together.dtype)
    scores = chances[..., :-1]
    weights = F.dropout(scores, p=dropout, training=module.training).to(values.dtype)
    output = torch.matmul(weights, values)
    output = output.transpose(1, 2).contiguous()
    return output, weights


class GptOssAttention(Attention):
    eager = staticmethod(sink_attention)
    rotate = staticmethod(rotate_halves)

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.sliding_window = (
            config.sliding_window if config.layer_types[self.layer_idx] == "sliding_attention" else None
        )
        self.sinks = nn.Parameter(torch.empty(config.num_attention_heads))

    def options(self) -> dict:
        return {"sliding_window": self.sliding_window, "s_aux": self.sinks}


class GptOssExperts(Experts):
    transposed = True
    biased = True
    alpha = 1.702
    limit = 7.0

    def _apply_gate(self, both):
        gate, up = both[..., ::2], both[..., 1::2]
        gate = gate.clamp(min=None, max=self.limit)
        up = up.clamp(min=-self.limit, max=self.limit)
        gated = gate * torch.sigmoid(gate * self.alpha)
        result = (up + 1) * gated
        return result

    def one(self, states: Tensor, number: int) -> Any:
        both = states @ self.gate_up_proj[number] + self.gate_up_proj_bias[number]
        gated = self._apply_gate(both)
        return gated @ self.down_proj[number] + self.down_proj_bias[number]


class GptOssTopKRouter(nn.Module):
    """A softmax over the best few only."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.top_k = config.num_experts_per_tok
        self.weight = nn.Parameter(torch.zeros(config.num_local_experts, config.hidden_size))
        self.bias = nn.Parameter(torch.zeros(config.num_local_experts))

    def forward(self, states: Tensor) -> tuple:
        logits = F.linear(states, self.weight, self.bias)
        best, index = torch.topk(logits, self.top_k, dim=-1)
        weights = F.softmax(best, dim=1, dtype=best.dtype)
        return logits, weights, index


class GptOssMLP(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.router = GptOssTopKRouter(config)
        self.experts = GptOssExperts(config, config.num_local_experts, config.intermediate_size)

    def forward(self, states: Tensor) -> tuple:
        batch, length, size = states.shape
        states = states.reshape(-1, size)
        _, weights, index = self.router(states)
        states = self.experts(states, index, weights)
        states = states.reshape(batch, length, size)
        return states, weights


class GptOssDecoderLayer(DecoderLayer):
    attention_class = GptOssAttention
    mlp_class = GptOssMLP
    norm_class = LateRMSNorm

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states, _ = self.mlp(hidden_states)
        hidden_states = residual + hidden_states
        return hidden_states


class GptOssModel(SparseModel, WindowedModel):
    supports_sdpa = False
    always = ("full_attention", "sliding_attention")
    records = {**SparseModel.records, "router_logits": Recorded(GptOssTopKRouter)}

    def masks(self, position_ids: Tensor | None = None, **kwargs: Any) -> Any:
        return super().masks(**kwargs)


family("GptOss", GptOssConfig, __name__, model=GptOssModel, lm=SparseLM, layer=GptOssDecoderLayer, rotary=HalfAngles)
