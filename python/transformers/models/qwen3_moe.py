"""qwen3_moe: qwen3 with experts; a window for every layer, if the config has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import DecoderConfig
from ..cores.decoder_heads import family
from ..parts.experts import Experts
from ..cores.routers import SparseBlock, SparseLM, TopKRouter
from .mixtral import MixtralModel
from .qwen2_moe import Qwen2MoeDecoderLayer
from .qwen3 import Qwen3Attention

if TYPE_CHECKING:
    from typing import Any

    from transformers.configuration_utils import PreTrainedConfig


class Qwen3MoeConfig(DecoderConfig):
    model_type = "qwen3_moe"
    attribute_map = {"num_local_experts": "num_experts"}
    vocab_size = 151936
    hidden_size = 2048
    intermediate_size = 6144
    num_hidden_layers = 24
    num_key_value_heads = 4
    max_position_embeddings = 32768
    use_sliding_window = False
    sliding_window = 4096
    decoder_sparse_step = 1
    moe_intermediate_size = 768
    num_experts_per_tok = 8
    num_experts = 128
    norm_topk_prob = False
    output_router_logits = False
    router_aux_loss_coef = 0.001
    mlp_only_layers = None

    def complete(self) -> None:
        super().complete()
        self.mlp_only_layers = [] if self.mlp_only_layers is None else self.mlp_only_layers
        self.sliding_window = self.sliding_window if self.use_sliding_window else None


class Qwen3MoeSparseMoeBlock(SparseBlock):
    def __init__(self, config: Qwen3MoeConfig) -> None:
        super().__init__(config, config.num_experts, config.moe_intermediate_size)

    def build(self, config: PreTrainedConfig, count: int, intermediate_size: Any) -> None:
        self.experts = Experts(config, count, intermediate_size)
        self.gate = TopKRouter(config, count)


class Qwen3MoeDecoderLayer(Qwen2MoeDecoderLayer):
    attention_class = Qwen3Attention
    sparse_class = Qwen3MoeSparseMoeBlock


family("Qwen3Moe", Qwen3MoeConfig, __name__, model=MixtralModel, lm=SparseLM, layer=Qwen3MoeDecoderLayer)
