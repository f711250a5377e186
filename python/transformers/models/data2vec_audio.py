"""data2vec-audio: wav2vec2 with a norm in every convolution, and positions from several convolutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..activations import ACT2FN
from ..cores.speech import SpeechConfig, SpeechEncoder
from ..cores.speech_features import FeatureEncoder, SamePad
from ..cores.speech_models import SpeechModel, speech_family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Data2VecAudioConfig(SpeechConfig):
    model_type = "data2vec-audio"
    conv_pos_kernel_size = 19
    num_conv_pos_embeddings = 5


class EveryNormed(FeatureEncoder):
    def norms(self, config: PreTrainedConfig) -> Any:
        return ["layer"] * config.num_feat_extract_layers


class PositionalConvLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        kernel = config.conv_pos_kernel_size
        self.conv = nn.Conv1d(
            *(config.hidden_size, config.hidden_size),
            kernel_size=kernel,
            padding=kernel // 2,
            groups=config.num_conv_pos_embedding_groups,
        )
        self.padding = SamePad(kernel)
        self.activation = ACT2FN[config.feat_extract_activation]
        self.layer_norm = nn.LayerNorm(config.hidden_size, elementwise_affine=False)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.conv(hidden_states)
        hidden_states = self.padding(hidden_states)
        hidden_states = hidden_states.transpose(1, 2)
        hidden_states = self.layer_norm(hidden_states)
        hidden_states = hidden_states.transpose(1, 2)
        hidden_states = self.activation(hidden_states)
        return hidden_states


class PositionalConvs(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(PositionalConvLayer(config) for _ in range(config.num_conv_pos_embeddings))

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = hidden_states.transpose(1, 2)
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        hidden_states = hidden_states.transpose(1, 2)
        return hidden_states


class Data2VecAudioEncoder(SpeechEncoder):
    positions_class = PositionalConvs


class Data2VecAudioCore(SpeechModel):
    features_class = EveryNormed
    encoder_class = stable_class = Data2VecAudioEncoder


speech_family("Data2VecAudio", "data2vec_audio", Data2VecAudioConfig, __name__, model=Data2VecAudioCore)
