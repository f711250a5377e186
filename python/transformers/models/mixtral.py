"""mixtral: mistral with eight experts in the place of the feed-forward part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..cores.decoder import DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..cores.routers import SparseBlock, SparseLM, SparseModel, TopKRouter
from .mistral import MistralModel

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class MixtralConfig(DecoderConfig):
    model_type = "mixtral"
    attribute_map = {"num_experts": "num_local_experts"}
    default_theta = 1000000.0
    intermediate_size = 14336
    num_key_value_heads = 8
    max_position_embeddings = 4096 * 32
    rms_norm_eps = 1e-5
    bos_token_id = 1
    eos_token_id = 2
    sliding_window = None
    num_experts_per_tok = 2
    num_local_experts = 8
    output_router_logits = False
    router_aux_loss_coef = 0.001
    router_jitter_noise = 0.0


class MixtralTopKRouter(TopKRouter):
    renormalised = True
    keeps_float = True


class MixtralSparseMoeBlock(SparseBlock):
    router_class = MixtralTopKRouter

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config, config.num_local_experts, config.intermediate_size)
        self.jitter_noise = config.router_jitter_noise

    def forward(self, states: Tensor) -> Tensor:
        if self.training and self.jitter_noise > 0:
            states *= torch.empty_like(states).uniform_(1.0 - self.jitter_noise, 1.0 + self.jitter_noise)
        return super().forward(states)


class MixtralDecoderLayer(DecoderLayer):
    mlp_class = MixtralSparseMoeBlock


class MixtralModel(SparseModel, MistralModel):
    pass


family("Mixtral", MixtralConfig, __name__, model=MixtralModel, lm=SparseLM, layer=MixtralDecoderLayer)
