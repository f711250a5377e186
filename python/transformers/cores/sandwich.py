"""A decoder layer whose parts are normalised on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .decoder import DecoderLayer

if TYPE_CHECKING:
    from torch import Tensor

    from transformers.configuration_utils import PreTrainedConfig


class SandwichLayer(DecoderLayer):
    """The results of both parts are normalised, too, before they are added."""

    # around attention, then around the feed-forward part
    norm_names: tuple[str, ...] = ()

    def build_norms(self, config: PreTrainedConfig) -> None:
        super().build_norms(config)
        for name in self.norm_names:
            if not hasattr(self, name):
                setattr(self, name, self.norm(config))

    def forward(self, hidden_states: Tensor, **kwargs: Tensor | tuple[Tensor, Tensor] | None) -> Tensor:
        attention_in, attention_out, mlp_in, mlp_out = (getattr(self, name) for name in self.norm_names)
        residual = hidden_states
        hidden_states = attention_in(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = attention_out(hidden_states)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = mlp_in(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = mlp_out(hidden_states)
        hidden_states = residual + hidden_states
        return hidden_states
