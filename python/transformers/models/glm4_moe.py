"""glm4_moe: half of each head turns, norms per head in some sizes, experts in groups after the first layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig
from ..cores.decoder_heads import family
from ..parts.norms import RMSNorm
from ..parts.rope import rotate_part
from .deepseek_v3 import LateSparseLayer

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Glm4MoeConfig(DecoderConfig):
    model_type = "glm4_moe"
    attribute_map = {"num_local_experts": "n_routed_experts"}
    vocab_size = 151552
    intermediate_size = 10944
    num_hidden_layers = 46
    num_attention_heads = 96
    num_key_value_heads = 8
    max_position_embeddings = 131072
    rms_norm_eps = 1e-5
    moe_intermediate_size = 1408
    num_experts_per_tok = 8
    n_shared_experts = 1
    n_routed_experts = 128
    routed_scaling_factor = 1.0
    n_group = 1
    topk_group = 1
    first_k_dense_replace = 1
    norm_topk_prob = True
    use_qk_norm = False
    partial_rotary_factor = 0.5


class Glm4MoeAttention(Attention):
    out_biased = False
    rotate = staticmethod(rotate_part)

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        if config.use_qk_norm:
            self.q_norm = RMSNorm(self.head_dim, eps=config.rms_norm_eps)
            self.k_norm = RMSNorm(self.head_dim, eps=config.rms_norm_eps)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_proj(x).view(shape)
        key = self.k_proj(x).view(shape)
        value = self.v_proj(x).view(shape)
        if self.config.use_qk_norm:
            query = self.q_norm(query)
            key = self.k_norm(key)
        return query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)


class Glm4MoeDecoderLayer(LateSparseLayer):
    attention_class = Glm4MoeAttention


family("Glm4Moe", Glm4MoeConfig, __name__, layer=Glm4MoeDecoderLayer, heads=False)
