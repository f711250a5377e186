"""mistral: Llama whose every layer sees a window, if the config has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import DecoderConfig, DecoderModel
from ..cores.decoder_heads import family
from ..masking_utils import create_causal_mask, create_sliding_window_causal_mask

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.cache_utils import Cache


class MistralConfig(DecoderConfig):
    model_type = "mistral"
    intermediate_size = 14336
    num_key_value_heads = 8
    max_position_embeddings = 4096 * 32
    sliding_window = 4096
    bos_token_id = 1
    eos_token_id = 2


class MistralModel(DecoderModel):
    def masks(self, **kwargs: Cache | Tensor | None) -> Tensor | None:
        create = create_causal_mask if self.config.sliding_window is None else create_sliding_window_causal_mask
        return create(config=self.config, **kwargs)


family("Mistral", MistralConfig, __name__, model=MistralModel)
