"""gemma2: gemma with a norm on both sides of each part, capped scores and logits, and windows in every other layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..activations import ACT2FN
from ..cores.decoder import Attention, GatedMLP
from ..cores.decoder_heads import CausalLM, family
from ..cores.sandwich import SandwichLayer
from ..parts.norms import CentredRMSNorm
from ..cores.windows import WindowedModel, layer_kinds
from .gemma import GemmaConfig, GemmaModel

if TYPE_CHECKING:
    from transformers.configuration_utils import PreTrainedConfig


class Gemma2Config(GemmaConfig):
    model_type = "gemma2"
    hidden_size = 2304
    intermediate_size = 9216
    num_hidden_layers = 26
    num_attention_heads = 8
    num_key_value_heads = 4
    hidden_activation = "gelu_pytorch_tanh"
    query_pre_attn_scalar = 256
    sliding_window = 4096
    layer_types = None
    final_logit_softcapping = 30.0
    attn_logit_softcapping = 50.0
    use_bidirectional_attention = None

    def complete(self) -> None:
        super().complete()
        if self.layer_types is None:
            self.layer_types = layer_kinds(self, lambda i: (i + 1) % 2)


class Gemma2MLP(GatedMLP):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.act_fn = ACT2FN[config.hidden_activation]


class Gemma2Attention(Attention):
    def __init__(self, config: Gemma2Config, layer_idx: int) -> None:
        super().__init__(config, layer_idx)
        self.is_causal = not config.use_bidirectional_attention
        self.sliding_window = config.sliding_window if config.layer_types[layer_idx] == "sliding_attention" else None

    def scale(self, config: PreTrainedConfig) -> float:
        return config.query_pre_attn_scalar**-0.5

    def options(self) -> dict:
        return {"sliding_window": self.sliding_window, "softcap": self.config.attn_logit_softcapping}


class Gemma2DecoderLayer(SandwichLayer):
    attention_class = Gemma2Attention
    mlp_class = Gemma2MLP
    norm_class = CentredRMSNorm
    norm_names = (
        "input_layernorm",
        "post_attention_layernorm",
        "pre_feedforward_layernorm",
        "post_feedforward_layernorm",
    )


class Gemma2Model(WindowedModel, GemmaModel):
    layer_class = Gemma2DecoderLayer
    always = ("full_attention", "sliding_attention")


class CappedLM(CausalLM):
    """Logits are squeezed by a tanh, if the config says so."""

    def logit_steps(self) -> tuple:
        cap = self.config.final_logit_softcapping
        return () if cap is None else (lambda x: x / cap, torch.tanh, lambda x: x * cap)


family("Gemma2", Gemma2Config, __name__, model=Gemma2Model, lm=CappedLM)
