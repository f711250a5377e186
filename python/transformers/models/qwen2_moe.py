"""qwen2_moe: qwen2 with experts, and beside them one that every token passes, weighed by a gate of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional as F

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer, GatedMLP
from ..cores.decoder_heads import family
from ..cores.routers import SparseBlock, SparseLM, SparseModel
from ..cores.windows import WindowedModel, layer_kinds

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Qwen2MoeConfig(DecoderConfig):
    model_type = "qwen2_moe"
    vocab_size = 151936
    hidden_size = 2048
    intermediate_size = 5632
    num_hidden_layers = 24
    num_attention_heads = 16
    num_key_value_heads = 16
    max_position_embeddings = 32768
    use_sliding_window = False
    sliding_window = 4096
    max_window_layers = 28
    decoder_sparse_step = 1
    moe_intermediate_size = 1408
    shared_expert_intermediate_size = 5632
    num_experts_per_tok = 4
    num_experts = 60
    norm_topk_prob = False
    output_router_logits = False
    router_aux_loss_coef = 0.001
    mlp_only_layers = None
    qkv_bias = True
    layer_types = None

    def complete(self) -> None:
        super().complete()
        self.mlp_only_layers = [] if self.mlp_only_layers is None else self.mlp_only_layers
        self.sliding_window = self.sliding_window if self.use_sliding_window else 0
        if self.layer_types is None:
            self.layer_types = layer_kinds(
                self, lambda i: self.use_sliding_window and i % 2 == 0 and i < self.max_window_layers
            )


class Qwen2MoeAttention(Attention):
    out_biased = False

    def build(self, config: PreTrainedConfig) -> None:
        self.biased = config.qkv_bias
        super().build(config)


class Qwen2MoeSparseMoeBlock(SparseBlock):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config, config.num_experts, config.moe_intermediate_size)
        self.shared_expert = GatedMLP(config, config.shared_expert_intermediate_size)
        self.shared_expert_gate = nn.Linear(config.hidden_size, 1, bias=False)

    def forward(self, states: Tensor) -> Tensor:
        batch, length, size = states.shape
        flat = states.view(-1, size)
        shared = self.shared_expert(flat)
        _, weights, index = self.gate(flat)
        result = self.experts(flat, index, weights)
        shared = F.sigmoid(self.shared_expert_gate(flat)) * shared
        result = result + shared
        result = result.reshape(batch, length, size)
        return result


def is_sparse(config: PreTrainedConfig, layer_idx: int) -> bool:
    """Whether a layer has experts."""
    stepped = config.num_experts > 0 and (layer_idx + 1) % config.decoder_sparse_step == 0
    return stepped and layer_idx not in config.mlp_only_layers


class Qwen2MoeDecoderLayer(DecoderLayer):
    attention_class = Qwen2MoeAttention
    sparse_class = Qwen2MoeSparseMoeBlock

    def make_mlp(self, config: PreTrainedConfig, layer_idx: int) -> torch.nn.Module:
        return self.sparse_class(config) if is_sparse(config, layer_idx) else self.mlp_class(config)


class Qwen2MoeModel(SparseModel, WindowedModel):
    always = ("full_attention", "sliding_attention")


family("Qwen2Moe", Qwen2MoeConfig, __name__, model=Qwen2MoeModel, lm=SparseLM, layer=Qwen2MoeDecoderLayer)
