"""hubert: wav2vec2 whose features may go unnormalised, and whose positions may have a batch norm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..modeling_outputs import BaseModelOutput
from ..cores.speech import SpeechConfig, SpeechEncoder, StableEncoder
from ..cores.speech_features import FeatureProjection, PositionalConv
from ..cores.speech_models import SpeechModel, speech_family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class HubertConfig(SpeechConfig):
    model_type = "hubert"
    feat_proj_layer_norm = True
    conv_pos_batch_norm = False


class HubertPositionalConv(PositionalConv):
    def normalise(self, config: PreTrainedConfig) -> None:
        self.batch_norm = None
        if config.conv_pos_batch_norm:
            self.batch_norm = nn.BatchNorm1d(config.hidden_size)
        else:
            super().normalise(config)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = hidden_states.transpose(1, 2)
        if self.batch_norm is not None:
            hidden_states = self.batch_norm(hidden_states)
        hidden_states = self.conv(hidden_states)
        hidden_states = self.padding(hidden_states)
        hidden_states = self.activation(hidden_states)
        hidden_states = hidden_states.transpose(1, 2)
        return hidden_states


class HubertFeatureProjection(FeatureProjection):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.feat_proj_layer_norm = config.feat_proj_layer_norm
        if not self.feat_proj_layer_norm:
            del self.layer_norm

    def forward(self, hidden_states: Tensor) -> Any:
        if self.feat_proj_layer_norm:
            hidden_states = self.layer_norm(hidden_states)
        hidden_states = self.projection(hidden_states)
        hidden_states = self.dropout(hidden_states)
        return hidden_states


class HubertEncoder(SpeechEncoder):
    positions_class = HubertPositionalConv


class HubertStableEncoder(StableEncoder):
    positions_class = HubertPositionalConv


class HubertCore(SpeechModel):
    projection_class = HubertFeatureProjection
    encoder_class = HubertEncoder
    stable_class = HubertStableEncoder
    output_class = BaseModelOutput

    def project(self, features: Any) -> tuple:
        return self.feature_projection(features), features


speech_family("Hubert", "hubert", HubertConfig, __name__, model=HubertCore)
