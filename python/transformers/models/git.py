"""git: features of an image stand before the text, which one encoder reads: the image whole, the text word by word."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cache_utils import DynamicCache
from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..cores.encoder import AddNorm, Intermediate
from ..masking_utils import create_causal_mask
from ..modeling_utils import Block, PreTrainedModel, register
from ..modeling_outputs import BaseModelOutput, BaseModelOutputWithPast, CausalLMOutputWithPast, beside
from ..cores.vision import VisionModelBase, run_layers
from .clip_towers import CLIPAttention, CLIPEncoder, CLIPEncoderLayer, CLIPVisionConfig, CLIPVisionEmbeddings

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput


class GitVisionConfig(CLIPVisionConfig):
    model_type = "git_vision_model"
    patch_size = 16


class GitConfig(PreTrainedConfig):
    model_type = "git"
    sub_configs = {"vision_config": GitVisionConfig}
    vocab_size = 30522
    hidden_size = 768
    num_hidden_layers = 6
    num_attention_heads = 12
    intermediate_size = 3072
    hidden_act = "gelu"
    hidden_dropout_prob = 0.1
    attention_probs_dropout_prob = 0.1
    max_position_embeddings = 1024
    initializer_range = 0.02
    layer_norm_eps = 1e-12
    pad_token_id = 0
    use_cache = True
    tie_word_embeddings = False
    bos_token_id = 101
    eos_token_id = 102
    num_image_with_embedding = None


class GitEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(
        self,
        input_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        past_key_values_length: int = 0,
    ) -> Tensor:
        length = input_ids.size(1) if input_ids is not None else inputs_embeds.size(1)
        if position_ids is None:
            position_ids = self.position_ids[:, past_key_values_length : length + past_key_values_length]
        embeddings = self.word_embeddings(input_ids) if inputs_embeds is None else inputs_embeds
        position_embeds = self.position_embeddings(position_ids)
        embeddings += position_embeds
        embeddings = self.LayerNorm(embeddings)
        embeddings = self.dropout(embeddings)
        return embeddings


class GitSelfAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.layer_idx = layer_idx
        vision = config.vision_config
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        self.image_patch_tokens = int((vision.image_size / vision.patch_size) ** 2 + 1) * (
            config.num_image_with_embedding or 1
        )
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(config.hidden_size, config.hidden_size))
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, past_key_values: Cache | None = None
    ) -> tuple[Tensor]:
        shape = (*hidden_states.shape[:-1], -1, self.attention_head_size)
        query = self.query(hidden_states).view(shape).transpose(1, 2)
        key = self.key(hidden_states).view(shape).transpose(1, 2)
        value = self.value(hidden_states).view(shape).transpose(1, 2)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        scores = torch.matmul(query, key.transpose(-1, -2))
        scores = scores / math.sqrt(self.attention_head_size)
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = F.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        output = torch.matmul(weights, value)
        output = output.permute(0, 2, 1, 3).contiguous()
        output = output.view(output.size()[:-2] + (-1,))
        return output, weights


class GitAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.self = GitSelfAttention(config, layer_idx)
        self.output = AddNorm(config, config.hidden_size)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, past_key_values: Cache | None = None
    ) -> tuple[Tensor]:
        attended, _ = self.self(hidden_states, attention_mask, past_key_values)
        output = self.output(attended, hidden_states)
        return output


class GitLayer(Block):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.attention = GitAttention(config, layer_idx)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)

    def feed_forward_chunk(self, attended: Tensor) -> Tensor:
        more = self.intermediate(attended)
        output = self.output(more, attended)
        return output

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, past_key_values: Cache | None = None
    ) -> tuple[Tensor]:
        attended = self.attention(hidden_states, attention_mask, past_key_values=past_key_values)
        output = self.feed_forward_chunk(attended)
        return output


class GitEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(GitLayer(config, index) for index in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, past_key_values: Cache | None = None
    ) -> ModelOutput:
        last = run_layers(self.layer, hidden_states, attention_mask, past_key_values)
        return BaseModelOutputWithPast(last_hidden_state=last, past_key_values=past_key_values)


class GitVisionTransformer(nn.Module):
    def __init__(self, config: GitVisionConfig) -> None:
        super().__init__()
        self.embeddings = CLIPVisionEmbeddings(config)
        self.pre_layrnorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.encoder = CLIPEncoder(config)
        self.post_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(
        self, pixel_values: Tensor | None = None, interpolate_pos_encoding: bool | None = False, **kwargs: Any
    ) -> ModelOutput:
        embedded = self.embeddings(pixel_values, interpolate_pos_encoding=interpolate_pos_encoding)
        embedded = self.pre_layrnorm(embedded)
        encoded = self.encoder(inputs_embeds=embedded, **kwargs)
        last = encoded.last_hidden_state
        last = self.post_layernorm(last)
        return BaseModelOutput(last_hidden_state=last)


class GitVisionModel(VisionModelBase):
    base_model_prefix = "git"
    records = {"hidden_states": CLIPEncoderLayer, "attentions": CLIPAttention}

    def __init__(self, config: GitVisionConfig) -> None:
        super().__init__(config)
        self.vision_model = GitVisionTransformer(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.vision_model.embeddings.patch_embedding

    @collects(ties_last=False)
    def forward(
        self, pixel_values: Tensor | None = None, interpolate_pos_encoding: bool = False, **kwargs: Any
    ) -> tuple | ModelOutput:
        return self.vision_model(pixel_values=pixel_values, interpolate_pos_encoding=interpolate_pos_encoding, **kwargs)


class GitProjection(nn.Module):
    def __init__(self, config: GitConfig) -> None:
        super().__init__()
        vision = config.vision_config
        self.visual_projection = nn.Sequential(
            nn.Linear(vision.hidden_size, config.hidden_size),
            nn.LayerNorm(config.hidden_size, eps=vision.layer_norm_eps),
        )

    def forward(self, embeddings: Tensor) -> Tensor:
        return self.visual_projection(embeddings)


class GitModel(PreTrainedModel):
    records = {"hidden_states": GitLayer, "attentions": GitSelfAttention}
    base_model_prefix = "git"
    supports_sdpa = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embeddings = GitEmbeddings(config)
        self.image_encoder = GitVisionModel(config.vision_config)
        self.encoder = GitEncoder(config)
        self.visual_projection = GitProjection(config)
        if config.num_image_with_embedding is not None:
            size = config.vision_config.hidden_size
            self.img_temporal_embedding = nn.ParameterList(
                nn.Parameter(torch.zeros(1, 1, size)) for _ in range(config.num_image_with_embedding)
            )
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.word_embeddings

    def see(self, pixel_values: Tensor, interpolate: bool) -> Any:
        if pixel_values.ndim == 4:
            return self.image_encoder(pixel_values, interpolate_pos_encoding=interpolate).last_hidden_state
        frames = []
        for index in range(pixel_values.shape[1]):
            frame = self.image_encoder(
                pixel_values[:, index, :, :], interpolate_pos_encoding=interpolate
            ).last_hidden_state
            frame += self.img_temporal_embedding[index]
            frames.append(frame)
        return torch.cat(frames, dim=1)

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        pixel_values: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = None,
        interpolate_pos_encoding: bool = False,
        **_: Any,
    ) -> tuple[Tensor] | ModelOutput:
        use_cache = self.config.use_cache if use_cache is None else use_cache
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        embedded = self.embeddings(
            input_ids=input_ids,
            position_ids=position_ids,
            inputs_embeds=inputs_embeds,
            past_key_values_length=seen,
        )
        kinds = torch.zeros_like(embedded, dtype=torch.int)[..., 0]
        if pixel_values is not None:
            features = self.see(pixel_values, interpolate_pos_encoding)
            projected = self.visual_projection(features)
            projected = projected.repeat(embedded.size(0) // projected.size(0), 1, 1)
            embedded = torch.cat((projected, embedded), dim=1)
            image = torch.ones_like(projected, dtype=torch.int)[..., 0]
            kinds = torch.cat([image, kinds], dim=-1)
            if attention_mask is not None:
                attention_mask = torch.cat([torch.ones_like(image), attention_mask], dim=-1)
        groups = torch.where(kinds == 1, 0, -1)
        mask = create_causal_mask(
            self.config, embedded, attention_mask, past_key_values, position_ids, block_sequence_ids=groups
        )
        encoded = self.encoder(embedded, attention_mask=mask, past_key_values=past_key_values)
        return BaseModelOutputWithPast(
            last_hidden_state=encoded.last_hidden_state, past_key_values=encoded.past_key_values
        )


class GitForCausalLM(PreTrainedModel):
    base_model_prefix = "git"
    supports_sdpa = False
    tied = {"output.weight": "git.embeddings.word_embeddings.weight"}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.git = GitModel(config)
        self.output = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.output

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        logits_to_keep: int | Tensor = 0,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor] | ModelOutput:
        if labels is not None:
            use_cache = False
        outputs = self.git(input_ids, use_cache=use_cache, **kwargs)
        hidden_states = outputs.last_hidden_state
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.output(hidden_states[:, kept, :])
        loss = None
        if labels is not None:
            image = self.git.encoder.layer[0].attention.self.image_patch_tokens
            shifted = logits[:, image:-1, :].contiguous()
            labels = labels[:, 1:].contiguous()
            vocab = self.config.vocab_size
            loss = self.loss_function(shifted.view(-1, vocab), labels.view(-1), vocab_size=vocab)
        return CausalLMOutputWithPast(
            loss=loss, logits=logits, past_key_values=outputs.past_key_values, **beside(outputs)
        )


register(GitVisionConfig, AutoModel=GitVisionModel)
register(
    GitConfig,
    AutoModel=GitModel,
    AutoModelForCausalLM=GitForCausalLM,
    AutoModelForImageTextToText=GitForCausalLM,
)
