"""smolvlm: squares of patches folded into one feature each, images that may be padding, places filled block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cache_utils import DynamicCache
from ..cores.capturing import collects
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import BLOCK_RECORDS, PreTrainedModel, register
from ..cores.multimodal import ConditionalLM, MultiModalConfig, is_image, make_part
from ..modeling_outputs import BaseModelOutputWithPooling, ModelOutputWithImages
from ..cores.vision import VisionModelBase
from .clip_towers import CLIPEncoder
from .siglip import SiglipVisionConfig

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class SmolVLMVisionConfig(SiglipVisionConfig):
    model_type = "smolvlm_vision"
    hidden_size = 1152
    num_attention_heads = 16
    patch_size = 32


class SmolVLMConfig(MultiModalConfig):
    model_type = "smolvlm"
    _parts = {
        "text_config": ("llama", {"rms_norm_eps": 1e-5, "pad_token_id": 128002}),
        "vision_config": ("smolvlm_vision", {}),
    }
    use_cache = True
    image_token_id = 128257
    scale_factor = 2
    pad_token_id = 128002


class SpreadEmbeddings(nn.Module):
    """Positions by the part of the image that a patch is from, so that smaller images spread over all of them."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.embed_dim = config.hidden_size
        self.patch_size = config.patch_size
        self.patch_embedding = nn.Conv2d(
            config.num_channels, self.embed_dim, kernel_size=self.patch_size, stride=self.patch_size, padding="valid"
        )
        self.num_patches_per_side = config.image_size // self.patch_size
        self.position_embedding = nn.Embedding(self.num_patches_per_side**2, self.embed_dim)

    def forward(self, pixel_values: Tensor, patch_attention_mask: Any) -> Any:
        batch, _, height, width = pixel_values.shape
        device, side = pixel_values.device, self.num_patches_per_side
        patches = self.patch_embedding(pixel_values)
        embeddings = patches.flatten(2).transpose(1, 2)
        rows, columns = height // self.patch_size, width // self.patch_size
        borders = torch.arange(1 / side, 1.0, 1 / side, device=device)
        position_ids = torch.full(size=(batch, rows * columns), fill_value=0, device=device)
        tall = patch_attention_mask[:, :, 0].sum(dim=1)
        wide = patch_attention_mask[:, 0, :].sum(dim=1)
        step_down = 1.0 / tall
        step_across = 1.0 / wide
        down = torch.arange(patch_attention_mask.size(1), device=device, dtype=torch.float32)
        across = torch.arange(patch_attention_mask.size(2), device=device, dtype=torch.float32)
        part_down = down[None, :] * step_down[:, None]
        part_across = across[None, :] * step_across[:, None]
        part_down = torch.clamp(part_down, max=1.0 - 1e-6)
        part_across = torch.clamp(part_across, max=1.0 - 1e-6)
        part_down = part_down.to(pixel_values.dtype)
        part_across = part_across.to(pixel_values.dtype)
        row = torch.bucketize(part_down, borders, right=True)
        column = torch.bucketize(part_across, borders, right=True)
        numbers = row[:, :, None] * side + column[:, None, :]
        numbers = numbers.reshape(batch, -1)
        position_ids[patch_attention_mask.view(batch, -1)] = numbers[patch_attention_mask.view(batch, -1)]
        embeddings = embeddings + self.position_embedding(position_ids)
        return embeddings


class SpreadVisionModel(VisionModelBase):
    records = BLOCK_RECORDS

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embeddings = SpreadEmbeddings(config)
        self.encoder = CLIPEncoder(config)
        self.patch_size = config.patch_size
        self.post_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings

    @collects(ties_last=False)
    def forward(self, pixel_values: Tensor, patch_attention_mask: Any = None, **_: Any) -> Any:
        batch = pixel_values.size(0)
        if patch_attention_mask is None:
            grid = (batch, pixel_values.size(2) // self.patch_size, pixel_values.size(3) // self.patch_size)
            patch_attention_mask = torch.ones(grid)
            patch_attention_mask = patch_attention_mask.to(dtype=torch.bool, device=pixel_values.device)
        embedded = self.embeddings(pixel_values=pixel_values, patch_attention_mask=patch_attention_mask)
        patch_attention_mask = patch_attention_mask.view(batch, -1)
        patch_attention_mask = create_bidirectional_mask(self.config, embedded, patch_attention_mask)
        encoded = self.encoder(inputs_embeds=embedded, attention_mask=patch_attention_mask)
        last = encoded.last_hidden_state
        last = self.post_layernorm(last)
        return BaseModelOutputWithPooling(last_hidden_state=last)


class Folded(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        into = config.vision_config.hidden_size * config.scale_factor**2
        self.proj = nn.Linear(into, config.text_config.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Any:
        return self.proj(x)


class Connector(nn.Module):
    """Squares of `scale_factor` times `scale_factor` patches become one feature."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.scale_factor = config.scale_factor
        self.modality_projection = Folded(config)

    def fold(self, x: Tensor, factor: int | float) -> Any:
        batch, length, size = x.size()
        side = int(length**0.5)
        x = x.view(batch, side, side, size)
        x = x.view(batch, side, side // factor, size * factor)
        x = x.permute(0, 2, 1, 3)
        x = x.reshape(batch, side // factor, side // factor, size * factor**2)
        x = x.permute(0, 2, 1, 3)
        x = x.reshape(batch, length // factor**2, size * factor**2)
        return x

    def forward(self, states: Tensor) -> Any:
        states = self.fold(states, self.scale_factor)
        states = self.modality_projection(states)
        return states


class SmolVLMModel(PreTrainedModel):
    # if all images of a batch are padding, the first counts nevertheless
    keeps_one = True

    def __init__(self, config: SmolVLMConfig) -> None:
        super().__init__(config)
        vision = config.vision_config
        self.padding_idx = config.text_config.pad_token_id
        self.vocab_size = config.text_config.vocab_size
        self.vision_model = SpreadVisionModel(vision)
        self.connector = Connector(config)
        self.text_model = make_part(config.text_config)
        self.image_seq_len = int((vision.image_size // vision.patch_size) ** 2 / config.scale_factor**2)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.text_model.get_input_embeddings()

    def merge(self, input_ids: Tensor, embeds: Tensor, features: Any) -> Any:
        """Each image token takes the next feature of its sample's blocks."""
        size = features.shape[1]
        image = is_image(self, input_ids, embeds, self.config.image_token_id)
        counts = image.sum(dim=1)
        torch.all(counts % size == 0).all().item()
        blocks = counts // size
        offsets = torch.nn.functional.pad(blocks.cumsum(dim=0), (1, 0), value=0)
        first = offsets[:-1]
        passed = image.cumsum(dim=-1)
        chunk = (passed - 1) // size
        local = (passed - 1) % size
        block = first.unsqueeze(1) + chunk
        placed = torch.zeros_like(embeds)
        placed[image] = features[block[image], local[image], :]
        merged = torch.where(image.unsqueeze(-1), placed, embeds)
        return merged

    def get_image_features(
        self, pixel_values: Tensor, pixel_attention_mask: Tensor | None = None, **kwargs: Any
    ) -> tuple | ModelOutput:
        batch, images, *_ = pixel_values.shape
        pixel_values = pixel_values.to(dtype=self.dtype)
        pixel_values = pixel_values.view(batch * images, *pixel_values.shape[2:])
        real = (pixel_values == 0.0).sum(dim=(-1, -2, -3)) != pixel_values.shape[1:].numel()
        if self.keeps_one:
            real[0] |= ~torch.any(real)
        pixel_values = pixel_values[real].contiguous()
        if pixel_attention_mask is None:
            sizes = [pixel_values.shape[index] for index in (0, 2, 3)]
            pixel_attention_mask = torch.ones(size=sizes, dtype=torch.bool, device=pixel_values.device)
        else:
            pixel_attention_mask = pixel_attention_mask.view(batch * images, *pixel_attention_mask.shape[2:])
            pixel_attention_mask = pixel_attention_mask[real].contiguous()
        patch = self.config.vision_config.patch_size
        grid = pixel_attention_mask.unfold(dimension=1, size=patch, step=patch)
        grid = grid.unfold(dimension=2, size=patch, step=patch)
        seen = (grid.sum(dim=(-1, -2)) > 0).bool()
        outputs = self.vision_model(pixel_values=pixel_values, patch_attention_mask=seen, **kwargs)
        states = outputs.last_hidden_state
        outputs.pooler_output = self.connector(states)
        return outputs

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        pixel_values: Tensor | None = None,
        pixel_attention_mask: Tensor | None = None,
        image_hidden_states: Tensor | None = None,
        use_cache: bool | None = None,
        image_options: Any = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        if use_cache is None:
            use_cache = self.config.use_cache
        if self.training and self.text_model.gradient_checkpointing:
            use_cache = False
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config.get_text_config())
        if inputs_embeds is None:
            inputs_embeds = self.get_input_embeddings()(input_ids)
        if pixel_values is not None:
            image_hidden_states = self.get_image_features(pixel_values, pixel_attention_mask).pooler_output
            image_hidden_states = image_hidden_states.to(inputs_embeds.device)
        elif image_hidden_states is not None:
            image_hidden_states = image_hidden_states.to(dtype=self.dtype, device=inputs_embeds.device)
        if image_hidden_states is not None:
            inputs_embeds = self.merge(input_ids, inputs_embeds, image_hidden_states)
        outputs = self.text_model(
            inputs_embeds=inputs_embeds,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=past_key_values,
            use_cache=use_cache,
            **kwargs,
        )
        return ModelOutputWithImages(
            last_hidden_state=outputs.last_hidden_state,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
            image_hidden_states=image_hidden_states,
        )


class SmolVLMForConditionalGeneration(ConditionalLM):
    model_class = SmolVLMModel
    tied = {"lm_head.weight": "model.text_model.embed_tokens.weight"}


register(SmolVLMVisionConfig)
register(
    SmolVLMConfig,
    AutoModel=SmolVLMModel,
    AutoModelForImageTextToText=SmolVLMForConditionalGeneration,
    AutoModelForMultimodalLM=SmolVLMForConditionalGeneration,
)
