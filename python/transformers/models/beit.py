"""beit: positions in the scores of each layer or of all, factors per channel, the mean of patches instead of a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.capturing import collects
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import BLOCK_RECORDS, register
from ..modeling_outputs import BaseModelOutputWithPooling, MaskedLMOutput
from ..cores.vision import (
    ImageClassifier,
    PatchedEmbeddings,
    VisionAttention,
    VisionConfig,
    VisionLayer,
    VisionModelBase,
    drop_path,
    pair,
    resized,
    run_layers,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class BeitConfig(VisionConfig):
    model_type = "beit"
    vocab_size = 8192
    use_mask_token = False
    use_absolute_position_embeddings = False
    use_relative_position_bias = False
    use_shared_relative_position_bias = False
    layer_scale_init_value = 0.1
    drop_path_rate = 0.1
    use_mean_pooling = True


class BeitEmbeddings(PatchedEmbeddings):
    def build_tokens(self, config: PreTrainedConfig, use_mask_token: bool) -> None:
        super().build_tokens(config, config.use_mask_token)

    def build_positions(self, config: PreTrainedConfig) -> None:
        self.position_embeddings = None
        if config.use_absolute_position_embeddings:
            super().build_positions(config)

    def forward(self, pixel_values: Tensor, bool_masked_pos: Tensor | None = None) -> Tensor:
        _, _, height, width = pixel_values.shape
        embeddings = self.patch_embeddings(pixel_values)
        batch = embeddings.shape[0]
        if bool_masked_pos is not None:
            embeddings = self.masked(embeddings, bool_masked_pos)
        tokens = self.cls_token.expand(batch, -1, -1)
        embeddings = torch.cat((tokens, embeddings), dim=1)
        if self.position_embeddings is not None:
            position_embeds = resized(self.position_embeddings, embeddings.shape[1] - 1, height, width, self.patch_size)
            embeddings = embeddings + position_embeds
        embeddings = self.dropout(embeddings)
        return embeddings


def relative_index(height: int, width: int) -> Any:
    """For each pair of places in a window, and of the class token, the row of the table [places + 1, places + 1]."""
    rows = (2 * height - 1) * (2 * width - 1) + 3
    coordinates = torch.flatten(
        torch.stack(torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")), start_dim=1
    )
    apart = (coordinates[:, :, None] - coordinates[:, None, :]).permute(1, 2, 0).contiguous()
    apart[:, :, 0] += height - 1
    apart[:, :, 1] += width - 1
    apart[:, :, 0] *= 2 * width - 1
    index = torch.zeros(size=(height * width + 1,) * 2, dtype=apart.dtype)
    index[1:, 1:] = apart.sum(-1)
    index[0, 0:] = rows - 3
    index[0:, 0] = rows - 2
    index[0, 0] = rows - 1
    return index


class RelativeBias(nn.Module):
    """A number per head and distance, [1, heads, places + 1, places + 1]."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.window = tuple(side // config.patch_size for side in pair(config.image_size))
        self.rows = (2 * self.window[0] - 1) * (2 * self.window[1] - 1) + 3
        self.relative_position_bias_table = nn.Parameter(torch.zeros(self.rows, config.num_attention_heads))

    def forward(self, window: int, interpolate: bool = False, dim_size: Any = None) -> Any:
        old_height, old_width = 2 * self.window[0] - 1, 2 * self.window[1] - 1
        new_height, new_width = 2 * window[0] - 1, 2 * window[1] - 1
        table = self.relative_position_bias_table
        old = table[: self.rows - 3]
        old = old.reshape(1, old_width, old_height, -1).permute(0, 3, 1, 2)
        new = F.interpolate(old, size=(new_height, new_width), mode="bilinear")
        new = new.permute(0, 2, 3, 1).reshape(new_height * new_width, -1)
        whole = torch.cat([new, table[self.rows - 3 :]])
        index = relative_index(*window)
        bias = whole[index.view(-1)]
        tokens = window[0] * window[1] + 1
        bias = bias.view(tokens, tokens, -1)
        bias = bias.permute(2, 0, 1).contiguous()
        if interpolate:
            bias = F.interpolate(
                bias.unsqueeze(1), size=(dim_size, dim_size), mode="bilinear", align_corners=False
            ).squeeze(1)
        return bias.unsqueeze(0)


class BeitAttention(VisionAttention):
    def biased(self, config: PreTrainedConfig, name: str) -> bool:
        return name != "k_proj"


class BeitLayer(VisionLayer):
    attention_class = BeitAttention

    def __init__(self, config: BeitConfig, drop: float = 0.0) -> None:
        super().__init__(config)
        self.patch_size = config.patch_size
        self.drop_path = drop_path(drop)
        value = config.layer_scale_init_value
        for name in ("lambda_1", "lambda_2"):
            setattr(self, name, nn.Parameter(value * torch.ones(config.hidden_size)) if value > 0 else 1.0)
        self.relative_position_bias = RelativeBias(config) if config.use_relative_position_bias else None

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        interpolate_pos_encoding: bool = False,
        resolution: tuple[int, int] | None = None,
        **kwargs: Any,
    ) -> Tensor:
        if self.relative_position_bias is not None:
            window = tuple(side // self.patch_size for side in resolution)
            bias = self.relative_position_bias(window, interpolate_pos_encoding, dim_size=hidden_states.shape[1])
            attention_mask = bias + attention_mask if attention_mask is not None else bias
        residual = hidden_states
        hidden_states = self.layernorm_before(hidden_states)
        hidden_states, _ = self.attention(hidden_states, attention_mask=attention_mask, **kwargs)
        hidden_states = self.dropout(hidden_states)
        hidden_states = self.lambda_1 * hidden_states
        hidden_states = self.drop_path(hidden_states) + residual
        residual = hidden_states
        hidden_states = self.layernorm_after(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = self.dropout(hidden_states)
        hidden_states = self.lambda_2 * hidden_states
        hidden_states = self.drop_path(hidden_states) + residual
        return hidden_states


class BeitPooler(nn.Module):
    def __init__(self, config: BeitConfig) -> None:
        super().__init__()
        self.layernorm = None
        if config.use_mean_pooling:
            self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden_states: Tensor) -> Tensor:
        if self.layernorm is None:
            return hidden_states[:, 0]
        return self.layernorm(hidden_states[:, 1:, :].mean(1))


class BeitModel(VisionModelBase):
    records = BLOCK_RECORDS
    base_model_prefix = "beit"

    def __init__(self, config: BeitConfig, add_pooling_layer: bool = True) -> None:
        super().__init__(config)
        self.embeddings = BeitEmbeddings(config)
        self.shared_position_bias = RelativeBias(config) if config.use_shared_relative_position_bias else None
        last = max(config.num_hidden_layers - 1, 1)
        self.layers = nn.ModuleList(
            BeitLayer(config, config.drop_path_rate * index / last) for index in range(config.num_hidden_layers)
        )
        self.layernorm = nn.Identity()
        if not config.use_mean_pooling:
            self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.pooler = BeitPooler(config) if add_pooling_layer else None
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.patch_embeddings

    @collects(ties_last=False)
    def forward(
        self,
        pixel_values: Tensor,
        bool_masked_pos: Tensor | None = None,
        interpolate_pos_encoding: bool = False,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        embedded = self.embeddings(pixel_values, bool_masked_pos=bool_masked_pos)
        resolution = pixel_values.shape[2:]
        attention_mask = create_bidirectional_mask(self.config, embedded, attention_mask)
        if self.shared_position_bias is not None:
            window = tuple(side // self.config.patch_size for side in resolution)
            bias = self.shared_position_bias(window, interpolate_pos_encoding, dim_size=embedded.shape[1])
            attention_mask = bias + attention_mask if attention_mask is not None else bias
        last = run_layers(
            *(self.layers, embedded),
            attention_mask=attention_mask,
            interpolate_pos_encoding=interpolate_pos_encoding,
            resolution=resolution,
            **kwargs,
        )
        last = self.layernorm(last)
        pooled = self.pooler(last) if self.pooler is not None else None
        return BaseModelOutputWithPooling(last_hidden_state=last, pooler_output=pooled)


class BeitForImageClassification(ImageClassifier):
    base_model_prefix = "beit"
    model_class = BeitModel

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config, add_pooling_layer=True)

    def feature(self, outputs: Any) -> Tensor:
        return outputs.pooler_output


class BeitForMaskedImageModeling(VisionModelBase):
    """Says which visual word stands behind each hidden patch."""

    base_model_prefix = "beit"

    def __init__(self, config: BeitConfig) -> None:
        super().__init__(config)
        self.beit = BeitModel(config, add_pooling_layer=False)
        self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def get_output_embeddings(self) -> None:
        return None

    def forward(
        self,
        pixel_values: Tensor | None = None,
        bool_masked_pos: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        outputs = self.beit(pixel_values, bool_masked_pos=bool_masked_pos, **kwargs)
        last = outputs.last_hidden_state
        last = self.layernorm(last)
        scores = self.lm_head(last[:, 1:])
        loss = None
        if labels is not None:
            loss = F.cross_entropy(scores[bool_masked_pos], labels)
        return MaskedLMOutput(loss=loss, logits=scores, hidden_states=outputs.hidden_states)


register(
    BeitConfig,
    AutoModel=BeitModel,
    AutoModelForImageClassification=BeitForImageClassification,
    AutoModelForMaskedImageModeling=BeitForMaskedImageModeling,
)
