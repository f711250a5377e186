"""olmoe: many small experts, norms over all heads of queries and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.norms import RMSNorm
from ..cores.routers import SparseBlock, SparseLM, SparseModel

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class OlmoeConfig(DecoderConfig):
    model_type = "olmoe"
    attribute_map = {"num_local_experts": "num_experts"}
    vocab_size = 50304
    hidden_size = 2048
    intermediate_size = 2048
    num_hidden_layers = 16
    num_attention_heads = 16
    max_position_embeddings = 4096
    rms_norm_eps = 1e-5
    pad_token_id = 1
    eos_token_id = 50279
    clip_qkv = None
    num_experts_per_tok = 8
    num_experts = 64
    output_router_logits = False
    router_aux_loss_coef = 0.01
    norm_topk_prob = False


class OlmoeAttention(Attention):
    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        heads = config.hidden_size // config.num_attention_heads
        self.q_norm = RMSNorm(config.hidden_size, eps=config.rms_norm_eps)
        self.k_norm = RMSNorm(heads * config.num_key_value_heads, eps=config.rms_norm_eps)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_norm(self.q_proj(x))
        key = self.k_norm(self.k_proj(x))
        value = self.v_proj(x)
        limit = self.config.clip_qkv
        if limit is not None:
            for states in (query, key, value):
                states.clamp_(min=-limit, max=limit)
            del states
        query = query.view(*shape).transpose(1, 2)
        key = key.view(*shape).transpose(1, 2)
        value = value.view(*shape).transpose(1, 2)
        return query, key, value


class OlmoeSparseMoeBlock(SparseBlock):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config, config.num_experts, config.intermediate_size)


class OlmoeDecoderLayer(DecoderLayer):
    attention_class = OlmoeAttention
    mlp_class = OlmoeSparseMoeBlock


family("Olmoe", OlmoeConfig, __name__, model=SparseModel, lm=SparseLM, layer=OlmoeDecoderLayer, heads=False)
