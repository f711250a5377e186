"""phi3: one projection for queries, keys and values, one for gate and up; a window for every layer, if any; long angles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer, FusedGatedMLP
from ..cores.decoder_heads import family
from ..parts.rope import rotate_part_at_once
from .mistral import MistralModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Phi3Config(DecoderConfig):
    model_type = "phi3"
    vocab_size = 32064
    hidden_size = 3072
    intermediate_size = 8192
    max_position_embeddings = 4096
    original_max_position_embeddings = 4096
    rms_norm_eps = 1e-5
    resid_pdrop = 0.0
    embd_pdrop = 0.0
    bos_token_id = 1
    eos_token_id = 32000
    pad_token_id = 32000
    sliding_window = None

    def _complete_rope_part(self, part, theta):
        super()._complete_rope_part(part, theta)
        part.setdefault("partial_rotary_factor", 1.0)
        if part["rope_type"] in ("su", "yarn"):
            part["rope_type"] = "longrope"
            part.setdefault("original_max_position_embeddings", self.original_max_position_embeddings)


class Phi3Attention(Attention):
    rotate = staticmethod(rotate_part_at_once)

    def build(self, config: PreTrainedConfig) -> None:
        size = config.num_attention_heads * self.head_dim
        self.o_proj = nn.Linear(size, config.hidden_size, bias=False)
        self.qkv_proj = nn.Linear(config.hidden_size, size + 2 * config.num_key_value_heads * self.head_dim, bias=False)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        shape = (*x.shape[:-1], -1, self.head_dim)
        both = self.qkv_proj(x)
        queries = self.config.num_attention_heads * self.head_dim
        keys = queries + self.config.num_key_value_heads * self.head_dim
        parts = both[..., :queries], both[..., queries:keys], both[..., keys:]
        return both, *(part.view(shape).transpose(1, 2) for part in parts)

    def options(self) -> dict[str, None]:
        return {"sliding_window": self.config.sliding_window}


class Phi3DecoderLayer(DecoderLayer):
    attention_class = Phi3Attention
    mlp_class = FusedGatedMLP

    def build_norms(self, config: PreTrainedConfig) -> None:
        super().build_norms(config)
        self.resid_attn_dropout = nn.Dropout(config.resid_pdrop)
        self.resid_mlp_dropout = nn.Dropout(config.resid_pdrop)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + self.resid_attn_dropout(hidden_states)
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = residual + self.resid_mlp_dropout(hidden_states)
        return hidden_states


family("Phi3", Phi3Config, __name__, model=MistralModel, layer=Phi3DecoderLayer)
