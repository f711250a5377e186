"""dinov2: a factor per channel after each part, attention in nested modules, the mean of patches beside the class token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cores.capturing import collects
from ..cores.encoder import eager_plain
from ..modeling_utils import BLOCK_RECORDS, Block, register
from ..modeling_outputs import BaseModelOutput, BaseModelOutputWithPooling, beside
from ..cores.vision import (
    ImageClassifier,
    PatchedEmbeddings,
    VisionConfig,
    VisionModelBase,
    drop_path,
    resized,
    run_layers,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class Dinov2Config(VisionConfig):
    model_type = "dinov2"
    mlp_ratio = 4
    layer_norm_eps = 1e-6
    patch_size = 14
    layerscale_value = 1.0
    drop_path_rate = 0.0
    use_swiglu_ffn = False
    apply_layernorm = True
    reshape_hidden_states = True
    use_mask_token = True


class Dinov2Embeddings(PatchedEmbeddings):
    antialias = False

    def build_tokens(self, config: PreTrainedConfig, use_mask_token: Any) -> None:
        if config.use_mask_token:
            self.mask_token = nn.Parameter(torch.zeros(1, config.hidden_size))

    def masked(self, embeddings: Tensor, hidden: Any) -> Any:
        return torch.where(hidden.unsqueeze(-1), self.mask_token.to(embeddings.dtype).unsqueeze(0), embeddings)

    def positions(self, patches: Any, height: int, width: int, interpolate: bool) -> Any:
        return resized(
            self.position_embeddings, patches - 1, height, width, self.patch_size, wide=True, antialias=self.antialias
        )

    def forward(self, pixel_values: Tensor, bool_masked_pos: Tensor | None = None) -> Tensor:
        dtype = self.patch_embeddings.projection.weight.dtype
        batch, _, height, width = pixel_values.shape
        embeddings = self.patch_embeddings(pixel_values.to(dtype=dtype))
        if bool_masked_pos is not None and self.config.use_mask_token:
            embeddings = self.masked(embeddings, bool_masked_pos)
        tokens = self.cls_token.expand(batch, -1, -1)
        embeddings = torch.cat((tokens, embeddings), dim=1)
        embeddings = embeddings + self.positions(embeddings.shape[1], height, width, True)
        embeddings = self.finish(embeddings, batch)
        embeddings = self.dropout(embeddings)
        return embeddings

    def finish(self, embeddings: Tensor, batch: int) -> Tensor:
        """Tokens that get no position enter here."""
        return embeddings


class SelfAttention(HeadedModule):
    """Keys are projected first, then values, then queries."""

    eager = staticmethod(eager_plain)

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        self.all_head_size = self.num_attention_heads * self.attention_head_size
        self.dropout_prob = config.attention_probs_dropout_prob
        self.scaling = self.attention_head_size**-0.5
        self.is_causal = False
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(config.hidden_size, self.all_head_size, bias=config.qkv_bias))

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> tuple:
        shape = (hidden_states.shape[0], -1, self.num_attention_heads, self.attention_head_size)
        key = self.key(hidden_states).view(*shape).transpose(1, 2)
        value = self.value(hidden_states).view(*shape).transpose(1, 2)
        query = self.query(hidden_states).view(*shape).transpose(1, 2)
        output, weights = self.attention_function()(
            *(self, query, key, value, None),
            is_causal=self.is_causal,
            scaling=self.scaling,
            dropout=self.dropout_prob if self.training else 0.0,
            **kwargs,
        )
        output = output.reshape(output.size()[:-2] + (self.all_head_size,))
        return output, weights


class SelfOutput(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states: Tensor, before: Any) -> Any:
        hidden_states = self.dense(hidden_states)
        hidden_states = self.dropout(hidden_states)
        return hidden_states


class NestedAttention(nn.Module):
    attention_class = SelfAttention

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attention = self.attention_class(config)
        self.output = SelfOutput(config)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Any:
        attended, _ = self.attention(hidden_states, **kwargs)
        output = self.output(attended, hidden_states)
        return output


class LayerScale(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.lambda1 = nn.Parameter(config.layerscale_value * torch.ones(config.hidden_size))

    def forward(self, hidden_state: Tensor) -> Any:
        return hidden_state * self.lambda1


class Dinov2MLP(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = int(config.hidden_size * config.mlp_ratio)
        self.fc1 = nn.Linear(config.hidden_size, size)
        self.activation = ACT2FN[config.hidden_act]
        self.fc2 = nn.Linear(size, config.hidden_size)

    def forward(self, hidden_state: Tensor) -> Tensor:
        hidden_state = self.fc1(hidden_state)
        hidden_state = self.activation(hidden_state)
        hidden_state = self.fc2(hidden_state)
        return hidden_state


class SwiGLU(nn.Module):
    """The gate and what it gates come out of one projection."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = int(config.hidden_size * config.mlp_ratio)
        size = (int(size * 2 / 3) + 7) // 8 * 8
        self.weights_in = nn.Linear(config.hidden_size, 2 * size)
        self.weights_out = nn.Linear(size, config.hidden_size)

    def forward(self, hidden_state: Tensor) -> Any:
        hidden_state = self.weights_in(hidden_state)
        first, second = hidden_state.chunk(2, dim=-1)
        gated = F.silu(first) * second
        return self.weights_out(gated)


class Dinov2Layer(Block):
    def __init__(self, config: Dinov2Config) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.attention = NestedAttention(config)
        self.layer_scale1 = LayerScale(config)
        self.drop_path = drop_path(config.drop_path_rate)
        self.norm2 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.mlp = SwiGLU(config) if config.use_swiglu_ffn else Dinov2MLP(config)
        self.layer_scale2 = LayerScale(config)

    def forward(self, hidden_states: Tensor) -> Tensor:
        normed = self.norm1(hidden_states)
        attended = self.attention(normed)
        attended = self.layer_scale1(attended)
        hidden_states = self.drop_path(attended) + hidden_states
        output = self.norm2(hidden_states)
        output = self.mlp(output)
        output = self.layer_scale2(output)
        output = self.drop_path(output) + hidden_states
        return output


class Dinov2Encoder(VisionModelBase):
    records = BLOCK_RECORDS

    def __init__(self, config: Dinov2Config) -> None:
        super().__init__(config)
        self.layer = nn.ModuleList(Dinov2Layer(config) for _ in range(config.num_hidden_layers))
        self.post_init()

    @collects(ties_last=False)
    def forward(self, hidden_states: Tensor, **kwargs: Any) -> ModelOutput:
        hidden_states = run_layers(self.layer, hidden_states)
        return BaseModelOutput(last_hidden_state=hidden_states)


class Dinov2Model(VisionModelBase):
    base_model_prefix = "dinov2"
    embeddings_class = Dinov2Embeddings

    def __init__(self, config: Dinov2Config) -> None:
        super().__init__(config)
        self.embeddings = self.embeddings_class(config)
        self.encoder = Dinov2Encoder(config)
        self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.patch_embeddings

    def forward(
        self,
        pixel_values: Tensor | None = None,
        bool_masked_pos: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        embedded = self.embeddings(pixel_values, bool_masked_pos=bool_masked_pos)
        encoded = self.encoder(embedded, **kwargs)
        last = encoded.last_hidden_state
        last = self.layernorm(last)
        pooled = last[:, 0, :]
        return BaseModelOutputWithPooling(last_hidden_state=last, pooler_output=pooled, **beside(encoded))


class Dinov2ForImageClassification(ImageClassifier):
    base_model_prefix = "dinov2"
    model_class = Dinov2Model

    def special(self, config: PreTrainedConfig) -> int:
        """How many tokens come before the patches."""
        return 1

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)

    def width(self, config: PreTrainedConfig) -> Any:
        return config.hidden_size * 2

    def feature(self, outputs: Any) -> Any:
        """The class token and the mean of the patches [batch, 2 * size]."""
        last = outputs.last_hidden_state
        return torch.cat([last[:, 0], last[:, self.special(self.config) :].mean(dim=1)], dim=1)


register(Dinov2Config, AutoModel=Dinov2Model, AutoModelForImageClassification=Dinov2ForImageClassification)
