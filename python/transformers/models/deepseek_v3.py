"""deepseek_v3: latent attention, and experts in groups after the first few layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..cores.decoder import DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.latent import LatentAttention
from ..parts.rope import rotate, yarn_scale
from ..cores.routers import GroupedSparseBlock

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class DeepseekV3Config(DecoderConfig):
    model_type = "deepseek_v3"
    attribute_map = {"num_local_experts": "n_routed_experts"}
    vocab_size = 129280
    hidden_size = 7168
    intermediate_size = 18432
    moe_intermediate_size = 2048
    num_hidden_layers = 61
    num_attention_heads = 128
    num_key_value_heads = 128
    n_shared_experts = 1
    n_routed_experts = 256
    routed_scaling_factor = 2.5
    kv_lora_rank = 512
    q_lora_rank = 1536
    qk_rope_head_dim = 64
    v_head_dim = 128
    qk_nope_head_dim = 128
    n_group = 8
    topk_group = 4
    num_experts_per_tok = 8
    first_k_dense_replace = 3
    norm_topk_prob = True
    max_position_embeddings = 4096
    bos_token_id = 0
    eos_token_id = 1
    pretraining_tp = 1
    rope_interleave = True

    def complete(self) -> None:
        super().complete()
        self.qk_head_dim = self.qk_nope_head_dim + self.qk_rope_head_dim
        self.head_dim = self.qk_rope_head_dim


def rotate_neighbours(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Turns neighbours, and leaves them in two halves."""
    cos = cos[..., : cos.shape[-1] // 2].unsqueeze(unsqueeze_dim)
    sin = sin[..., : sin.shape[-1] // 2].unsqueeze(unsqueeze_dim)
    first_query, second_query = query[..., 0::2], query[..., 1::2]
    first_key, second_key = key[..., 0::2], key[..., 1::2]
    turned_query = torch.cat([first_query * cos - second_query * sin, second_query * cos + first_query * sin], dim=-1)
    turned_key = torch.cat([first_key * cos - second_key * sin, second_key * cos + first_key * sin], dim=-1)
    return turned_query, turned_key


class DeepseekV3Attention(LatentAttention):
    def scale(self, config: PreTrainedConfig) -> float:
        scaling = super().scale(config)
        part = config.rope_parameters
        if part.get("rope_type", "default") != "default" and part.get("mscale_all_dim"):
            scaling *= yarn_scale(part["factor"], part["mscale_all_dim"]) ** 2
        return scaling

    def turn(self, query: Tensor, key: Tensor, positions: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        cos, sin = positions
        return (rotate_neighbours if self.config.rope_interleave else rotate)(query, key, cos, sin)


class LateSparseLayer(DecoderLayer):
    """Experts from layer `first_k_dense_replace` on."""

    sparse_class = GroupedSparseBlock

    def make_mlp(self, config: PreTrainedConfig, layer_idx: int) -> torch.nn.Module:
        return self.sparse_class(config) if layer_idx >= config.first_k_dense_replace else self.mlp_class(config)


class DeepseekV3DecoderLayer(LateSparseLayer):
    attention_class = DeepseekV3Attention


family("DeepseekV3", DeepseekV3Config, __name__, layer=DeepseekV3DecoderLayer)
