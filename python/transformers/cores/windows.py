"""Decoders whose layers differ in how far they see: all that came before, or a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .decoder import DecoderModel
from ..masking_utils import create_causal_mask, create_sliding_window_causal_mask

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


_CREATE = {"full_attention": create_causal_mask, "sliding_attention": create_sliding_window_causal_mask}


def layer_kinds(config: PreTrainedConfig, sliding: Callable) -> list[str]:
    """The kind of each layer, from a function that says whether layer i sees a window."""
    return ["sliding_attention" if sliding(i) else "full_attention" for i in range(config.num_hidden_layers)]


class WindowedModel(DecoderModel):
    """Makes one mask per kind of layer: of the kinds in `always`, and of those that the config's `layer_types` has."""

    always = ("full_attention",)

    def masks(self, **kwargs: Cache | Tensor | None) -> dict:
        if isinstance(kwargs["attention_mask"], dict):
            return kwargs["attention_mask"]
        masks = {}
        for kind, create in _CREATE.items():
            if kind in self.always or kind in self.config.layer_types:
                masks[kind] = create(config=self.config, **kwargs)
        return masks

    def mask_of(self, masks: dict, index: int) -> Tensor | None:
        return masks[self.config.layer_types[index]]
