"""Language models that read images of any size, as Qwen's do: rotary angles follow time, height and width of what is read."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import torch

from .multimodal import ConditionalLM, MultiModalConfig, make_part
from ..modeling_utils import PreTrainedModel
from ..modeling_outputs import output_class
from .decoder import range_after

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig
    from transformers.cache_utils import Cache


PatchedModelOutput = output_class(
    "PatchedModelOutput", "last_hidden_state past_key_values hidden_states attentions rope_deltas"
)
PatchedLMOutput = output_class("PatchedLMOutput", "loss logits past_key_values hidden_states attentions rope_deltas")


class PatchedConfig(MultiModalConfig):
    """Fields of the text may stand beside the parts, as in files that were published first."""

    image_token_id = 151655
    video_token_id = 151656
    vision_start_token_id = 151652
    vision_end_token_id = 151653

    def _adopt(self, name, kind, value):
        if isinstance(value, dict) and value.get("model_type") == self.model_type:
            value = {**value, "model_type": self._parts[name][0]}
        super()._adopt(name, kind, value)


def three_axes(position_ids: Tensor, embeds: Tensor, past_key_values: Cache | None, rows: Any) -> tuple:
    """Positions for masks and layers (or None), and those of time, height and width [3, batch, length]; `rows` are made of none."""
    batch = embeds.shape[0]
    if position_ids is None:
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        position_ids = range_after(embeds, seen)
        position_ids = position_ids.view(1, 1, -1).expand(rows, batch, -1)
    elif position_ids.ndim == 2:
        position_ids = position_ids[None, ...].expand(rows, position_ids.shape[0], -1)
    if position_ids.ndim == 3 and position_ids.shape[0] == 4:
        return position_ids[0], position_ids[1:]
    return None, position_ids


class PatchedModel(PreTrainedModel):
    """An encoder of images under `visual` and the language model."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.visual = make_part(config.vision_config)
        self.language_model = make_part(config.text_config)
        self.rope_deltas = None
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.language_model.get_input_embeddings()

    # --- images

    def get_image_features(self, pixel_values: Tensor, image_grid_thw: Tensor | None = None, **kwargs: Any) -> Any:
        """The encoder's output, whose `pooler_output` is a tuple of features, one tensor an image."""
        pixel_values = pixel_values.type(self.visual.dtype)
        outputs = self.visual(pixel_values, grid_thw=image_grid_thw, **kwargs)
        sizes = (image_grid_thw.prod(-1) // self.visual.spatial_merge_size**2).tolist()
        images = torch.split(outputs.pooler_output, sizes)
        outputs.pooler_output = images
        return outputs

    def get_video_features(
        self, pixel_values_videos: Tensor, video_grid_thw: Tensor | None = None, **kwargs: Any
    ) -> Any:
        return self.get_image_features(pixel_values_videos, video_grid_thw, **kwargs)

    def _token_places(self, input_ids, embeds, token):
        if input_ids is not None:
            return input_ids == token
        number = torch.tensor(token, dtype=torch.long, device=embeds.device)
        image_mask = embeds == self.get_input_embeddings()(number)
        return image_mask.all(-1)

    def get_placeholder_mask(
        self, input_ids: Tensor, inputs_embeds: Tensor, image_features: Tensor | None = None, video_features: Any = None
    ) -> tuple:
        """Where images go, and where films go [batch, length, 1]; the device is asked whether the features fit."""
        images = self._token_places(input_ids, inputs_embeds, self.config.image_token_id)
        films = self._token_places(input_ids, inputs_embeds, self.config.video_token_id)
        image_count = images.sum()
        images = images.unsqueeze(-1).to(inputs_embeds.device)
        if image_features is not None:
            (image_count * inputs_embeds.shape[-1] == image_features.numel()).all()
        film_count = films.sum()
        films = films.unsqueeze(-1).to(inputs_embeds.device)
        if video_features is not None:
            (film_count * inputs_embeds.shape[-1] == video_features.numel()).all()
        return images, films

    # --- positions

    def image_positions(
        self, first: Any, grid: Any, merge: Any, interval: int = 1, device: torch.device | str | int | None = None
    ) -> Any:
        """Time, height and width of an image's features [3, features], from position `first` on."""
        frames, height, width = grid[0].item(), grid[1].item() // merge, grid[2].item() // merge
        times = torch.arange(frames, device=device) * interval
        across = torch.arange(width, device=device) + first
        down = torch.arange(height, device=device) + first
        across = across.repeat(height * frames)
        down = down.repeat_interleave(width).repeat(frames)
        times = times.repeat_interleave(height * width) + first
        together = torch.stack([times, down, across], dim=0)
        return together

    def prepare_grids(self, video_grid_thw: Tensor) -> Tensor:
        return video_grid_thw

    def film_interval(self, seconds: Any) -> int:
        """Positions per frame of the next film."""
        return 1

    def get_rope_index(
        self,
        input_ids: Tensor,
        mm_token_type_ids: Any,
        image_grid_thw: Tensor | None = None,
        video_grid_thw: Tensor | None = None,
        attention_mask: Tensor | None = None,
        second_per_grid_ts: Any = None,
        **_: Any,
    ) -> tuple:
        """Positions [3, batch, length], and how far each row's end is from its length [batch, 1]."""
        if video_grid_thw is not None:
            video_grid_thw = self.prepare_grids(video_grid_thw)
        merge, device = self.config.vision_config.spatial_merge_size, input_ids.device
        deltas = []
        position_ids = torch.zeros(3, *input_ids.shape, dtype=input_ids.dtype, device=device)
        grids = {
            1: iter(image_grid_thw) if image_grid_thw is not None else None,
            2: iter(video_grid_thw) if video_grid_thw is not None else None,
        }
        seconds = iter(second_per_grid_ts) if second_per_grid_ts is not None else itertools.repeat(1)
        for row, tokens in enumerate(input_ids):
            types = mm_token_type_ids[row]
            if attention_mask is not None:
                tokens = tokens[attention_mask[row].bool()]
                types = types[attention_mask[row].bool()]
            first = 0
            parts = []
            for kind, group in itertools.groupby(types.tolist()):
                count = len(list(group))
                if kind == 0:
                    parts.append(torch.arange(count, device=device).view(1, -1).expand(3, -1) + first)
                    first += count
                else:
                    grid = next(grids[kind])
                    interval = self.film_interval(seconds) if kind == 2 else 1
                    parts.append(self.image_positions(first, grid, merge, interval, device))
                    first += max(grid[1], grid[2]) // merge
            positions = torch.cat(parts, dim=1).reshape(3, -1)
            if attention_mask is not None:
                position_ids[:, row, attention_mask[row].bool()] = positions.to(position_ids.device)
            else:
                position_ids[:, row] = positions.to(position_ids.device)
            deltas.append(positions.max() + 1 - len(tokens))
        deltas = torch.tensor(deltas, device=device).unsqueeze(1)
        return position_ids, deltas

    def compute_3d_position_ids(
        self,
        input_ids: Tensor,
        inputs_embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None,
        mm_token_type_ids: Any,
        **grids: Any,
    ) -> Any:
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        sees = any(grids.get(name) is not None for name in ("image_grid_thw", "video_grid_thw"))
        if sees and mm_token_type_ids is None and input_ids is not None:
            raise ValueError(
                "Multimodal data was passed (via `image_grid_thw` or `video_grid_thw`) but `mm_token_type_ids` is missing."
            )
        if sees and input_ids is not None and (self.rope_deltas is None or seen == 0):
            position_ids, deltas = self.get_rope_index(
                input_ids, mm_token_type_ids=mm_token_type_ids, attention_mask=attention_mask, **grids
            )
            self.rope_deltas = deltas
            return position_ids
        if self.rope_deltas is None or not (seen > 0 or input_ids is None):
            return None
        batch, length, _ = inputs_embeds.shape
        if attention_mask is not None:
            position_ids = attention_mask.long().cumsum(-1) - 1
            position_ids = position_ids.masked_fill(attention_mask == 0, 0)
            position_ids = position_ids.view(1, batch, -1).repeat(3, 1, 1).to(inputs_embeds.device)
        else:
            position_ids = torch.arange(seen, seen + length)
            position_ids = position_ids.view(1, 1, -1).expand(3, batch, -1).to(inputs_embeds.device)
        delta = self.rope_deltas.repeat_interleave(batch // self.rope_deltas.shape[0], dim=0)
        position_ids = position_ids + delta.to(device=inputs_embeds.device)
        return position_ids

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        pixel_values: Tensor | None = None,
        pixel_values_videos: Tensor | None = None,
        image_grid_thw: Tensor | None = None,
        video_grid_thw: Tensor | None = None,
        mm_token_type_ids: Any = None,
        second_per_grid_ts: Any = None,
        image_options: Any = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if inputs_embeds is None:
            inputs_embeds = self.get_input_embeddings()(input_ids)
        if pixel_values is not None:
            images = self.get_image_features(pixel_values, image_grid_thw, **kwargs).pooler_output
            images = torch.cat(images, dim=0).to(inputs_embeds.device, inputs_embeds.dtype)
            image_mask, _ = self.get_placeholder_mask(input_ids, inputs_embeds, image_features=images)
            inputs_embeds = inputs_embeds.masked_scatter(image_mask, images)
        if pixel_values_videos is not None:
            films = self.get_video_features(pixel_values_videos, video_grid_thw, **kwargs).pooler_output
            films = torch.cat(films, dim=0).to(inputs_embeds.device, inputs_embeds.dtype)
            _, video_mask = self.get_placeholder_mask(input_ids, inputs_embeds, video_features=films)
            inputs_embeds = inputs_embeds.masked_scatter(video_mask, films)
        if position_ids is None:
            position_ids = self.compute_3d_position_ids(
                *(input_ids, inputs_embeds, attention_mask, past_key_values, mm_token_type_ids),
                image_grid_thw=image_grid_thw,
                video_grid_thw=video_grid_thw,
                second_per_grid_ts=second_per_grid_ts,
            )
        outputs = self.language_model(
            position_ids=position_ids,
            attention_mask=attention_mask,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        return self.result(outputs)

    def result(self, outputs: Any) -> Any:
        return PatchedModelOutput(
            last_hidden_state=outputs.last_hidden_state,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
            rope_deltas=self.rope_deltas,
        )


class PatchedLM(ConditionalLM):
    """Tokens that follow a text with images."""

    model_class = PatchedModel
    output_class = PatchedLMOutput
    passed_on = ("rope_deltas",)

    def get_image_features(self, pixel_values: Tensor, image_grid_thw: Tensor | None = None, **kwargs: Any) -> Any:
        return self.model.get_image_features(pixel_values, image_grid_thw, **kwargs)

    def get_video_features(
        self, pixel_values_videos: Tensor, video_grid_thw: Tensor | None = None, **kwargs: Any
    ) -> Any:
        return self.model.get_video_features(pixel_values_videos, video_grid_thw, **kwargs)

    def prepare_inputs_for_generation(
        self, input_ids: Tensor, use_cache: bool = True, is_first_iteration: bool = False, **kwargs: Any
    ) -> dict:
        """Images are read with the prompt."""
        model_kwargs = {**kwargs, "use_cache": use_cache, "is_first_iteration": is_first_iteration}
        inputs = super().prepare_inputs_for_generation(input_ids, **model_kwargs)
        if not is_first_iteration and use_cache:
            inputs["pixel_values"] = inputs["pixel_values_videos"] = None
        return inputs

    def _positions_of(self, tokens, model_kwargs):
        text = super()._positions_of(tokens, model_kwargs)
        cache = model_kwargs.get("past_key_values")
        seen = cache.get_seq_length() if cache is not None else 0
        if seen != 0 and self.model.rope_deltas is not None:
            return text[None, ...] + self.model.rope_deltas
        sees = any(model_kwargs.get(name) is not None for name in ("image_grid_thw", "video_grid_thw"))
        if sees and len(tokens.shape) == 2 and model_kwargs.get("mm_token_type_ids") is not None:
            known = {name: value for name, value in model_kwargs.items() if name != "input_ids"}
            axes, self.model.rope_deltas = self.model.get_rope_index(tokens, **known)
        else:
            axes = text.unsqueeze(0).expand(3, -1, -1)
            self.model.rope_deltas = torch.zeros(tokens.shape[0], 1, dtype=torch.long, device=tokens.device)
        text = text[None, ...]
        position_ids = torch.cat([text, axes], dim=0)
        return position_ids
