"""gemma3: images in blocks that see themselves whole, averaged to a fixed number of tokens, a norm before the projection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..masking_utils import create_causal_mask, create_sliding_window_causal_mask
from ..modeling_utils import register
from ..cores.multimodal import ConditionalLM, MultiModalConfig, MultiModalModel
from ..parts.norms import CentredRMSNorm
from .paligemma import without_images

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class Gemma3Config(MultiModalConfig):
    model_type = "gemma3"
    attribute_map = {
        "image_token_id": "image_token_index",
        "boi_token_id": "boi_token_index",
        "eoi_token_id": "eoi_token_index",
    }
    _parts = {"text_config": ("gemma3_text", {}), "vision_config": ("siglip_vision_model", {})}
    mm_tokens_per_image = 256
    boi_token_index = 255999
    eoi_token_index = 256000
    image_token_index = 262144
    tie_word_embeddings = True


class AveragedProjection(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        vision, text = config.vision_config, config.text_config
        self.mm_input_projection_weight = nn.Parameter(torch.zeros(vision.hidden_size, text.hidden_size))
        self.mm_soft_emb_norm = CentredRMSNorm(vision.hidden_size, eps=vision.layer_norm_eps)
        self.patches_per_image = vision.image_size // vision.patch_size
        kernel = self.patches_per_image // int(config.mm_tokens_per_image**0.5)
        self.avg_pool = nn.AvgPool2d(kernel_size=kernel, stride=kernel)

    def forward(self, states: Tensor) -> Any:
        batch, _, size = states.shape
        reshaped = states.transpose(1, 2)
        reshaped = reshaped.reshape(batch, size, self.patches_per_image, self.patches_per_image)
        reshaped = reshaped.contiguous()
        pooled = self.avg_pool(reshaped)
        pooled = pooled.flatten(2)
        pooled = pooled.transpose(1, 2)
        normed = self.mm_soft_emb_norm(pooled)
        projected = torch.matmul(normed, self.mm_input_projection_weight)
        return projected.type_as(states)


def blocks_of(token_type_ids: Tensor, device: torch.device | str | int) -> Any:
    """The number of the image that each token belongs to, or -1."""
    image = (token_type_ids == 1).to(device=device)
    before = F.pad(image, (1, 0), value=0)[:, :-1]
    starts = image & ~before
    numbers = torch.cumsum(starts.int(), dim=1) - 1
    return torch.where(image, numbers, -1)


class Gemma3Model(MultiModalModel):
    projector_class = AveragedProjection

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.vocab_size = config.text_config.vocab_size

    def get_image_features(self, pixel_values: Tensor, **kwargs: Any) -> tuple | ModelOutput:
        outputs = self.vision_tower(pixel_values=pixel_values, **kwargs)
        states = outputs.last_hidden_state
        outputs.pooler_output = self.multi_modal_projector(states)
        return outputs

    def embed_texts(self, input_ids: Tensor) -> Any:
        clean = without_images(input_ids, self.config.image_token_id, self.vocab_size)
        return self.get_input_embeddings()(clean)

    def text_inputs(self, embeds: Tensor, kwargs: Any) -> Any:
        types = kwargs.pop("token_type_ids", None)
        if isinstance(kwargs.get("attention_mask"), dict):
            return kwargs
        shared = {
            "config": self.config.get_text_config(),
            "inputs_embeds": embeds,
            "attention_mask": kwargs.get("attention_mask"),
            "past_key_values": kwargs.get("past_key_values"),
            "position_ids": kwargs.get("position_ids"),
        }
        if types is not None:
            shared["block_sequence_ids"] = blocks_of(types, embeds.device)
        kwargs["attention_mask"] = {
            "full_attention": create_causal_mask(**shared),
            "sliding_attention": create_sliding_window_causal_mask(**shared),
        }
        return kwargs


class Gemma3ForConditionalGeneration(ConditionalLM):
    model_class = Gemma3Model

    def language_loss(self, logits: Tensor, labels: Tensor, attention_mask: Tensor | None, **kwargs: Any) -> Any:
        """Places that the mask leaves out do not count."""
        logits = logits.float()
        shifted = logits[..., :-1, :]
        wanted = labels[..., 1:]
        if attention_mask is not None:
            real = attention_mask[:, -shifted.shape[1] :].to(logits.device)
            shifted = shifted[real.to(logits.device) != 0].contiguous()
            wanted = wanted[real.to(wanted.device) != 0].contiguous()
        else:
            shifted = shifted.contiguous()
            wanted = wanted.contiguous()
        flat = shifted.view(-1, self.config.text_config.vocab_size)
        wanted = wanted.view(-1).to(shifted.device)
        return F.cross_entropy(flat, wanted)


register(
    Gemma3Config,
    AutoModel=Gemma3Model,
    AutoModelForImageTextToText=Gemma3ForConditionalGeneration,
    AutoModelForMultimodalLM=Gemma3ForConditionalGeneration,
)
