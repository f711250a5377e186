"""dinov2_with_registers: dinov2 with tokens that belong to no patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..modeling_utils import register
from .dinov2 import Dinov2Config, Dinov2Embeddings, Dinov2ForImageClassification, Dinov2Model

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Dinov2WithRegistersConfig(Dinov2Config):
    model_type = "dinov2_with_registers"
    patch_size = 16
    num_register_tokens = 4


class RegisterEmbeddings(Dinov2Embeddings):
    antialias = True

    def build_tokens(self, config: PreTrainedConfig, use_mask_token: Any) -> None:
        self.mask_token = nn.Parameter(torch.zeros(1, config.hidden_size))
        self.register_tokens = nn.Parameter(torch.zeros(1, config.num_register_tokens, config.hidden_size))

    def finish(self, embeddings: Tensor, batch: int) -> Any:
        return torch.cat((embeddings[:, :1], self.register_tokens.expand(batch, -1, -1), embeddings[:, 1:]), dim=1)


class Dinov2WithRegistersModel(Dinov2Model):
    base_model_prefix = "dinov2_with_registers"
    embeddings_class = RegisterEmbeddings


class Dinov2WithRegistersForImageClassification(Dinov2ForImageClassification):
    base_model_prefix = "dinov2_with_registers"
    model_class = Dinov2WithRegistersModel

    def special(self, config: PreTrainedConfig) -> Any:
        return 1 + config.num_register_tokens


register(
    Dinov2WithRegistersConfig,
    AutoModel=Dinov2WithRegistersModel,
    AutoModelForImageClassification=Dinov2WithRegistersForImageClassification,
)
