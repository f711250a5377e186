"""recurrent_gemma: layers with a convolution and a gated recurrence, and some with attention in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import repeat_kv
from ..cache_utils import DynamicCache
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_sliding_window_causal_mask
from ..modeling_utils import Block, PreTrainedModel, register, register_classes
from ..parts.norms import CentredRMSNorm
from ..modeling_outputs import BaseModelOutputWithNoAttention, CausalLMOutput
from ..parts.rope import RotaryEmbedding, rotate
from .recurrent_gemma_block import RecurrentGemmaRecurrentBlock

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor

    from ..cache_utils import Cache


class RecurrentGemmaConfig(PreTrainedConfig):
    model_type = "recurrent_gemma"
    attribute_map = {"sliding_window": "attention_window_size"}
    has_rope = True
    num_hidden_layers = 26
    vocab_size = 256000
    hidden_size = 2560
    intermediate_size = 3 * 2560
    num_attention_heads = 10
    lru_width = None
    attention_window_size = 2048
    conv1d_width = 4
    logits_soft_cap = 30.0
    rms_norm_eps = 1e-6
    use_cache = True
    pad_token_id = 0
    eos_token_id = 1
    bos_token_id = 2
    hidden_activation = "gelu_pytorch_tanh"
    block_types = ("recurrent", "recurrent", "attention")
    attention_dropout = 0.0
    num_key_value_heads = None
    attention_bias = False
    w_init_variance_scale = 0.01
    partial_rotary_factor = 0.5

    def complete(self) -> None:
        if self.lru_width is None:
            self.lru_width = self.hidden_size
        self.block_types = list(self.block_types)
        self.head_dim = self.hidden_size // self.num_attention_heads
        if self.num_key_value_heads is None:
            self.num_key_value_heads = self.num_attention_heads
        self.final_w_init_variance_scale = 2.0 / self.num_hidden_layers

    @property
    def layers_block_type(self) -> Any:
        return (self.block_types * 100)[: self.num_hidden_layers]


class RecurrentGemmaSdpaAttention(nn.Module):
    """Always the fused operator, with a mask of numbers; each layer has its own angles."""

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        size, heads, kv_heads = config.hidden_size, config.num_attention_heads, config.num_key_value_heads
        self.config = config
        self.layer_idx = layer_idx
        self.head_dim = config.head_dim
        self.q_proj = nn.Linear(size, heads * self.head_dim, bias=config.attention_bias)
        self.k_proj = nn.Linear(size, kv_heads * self.head_dim, bias=config.attention_bias)
        self.v_proj = nn.Linear(size, kv_heads * self.head_dim, bias=config.attention_bias)
        self.o_proj = nn.Linear(heads * self.head_dim, size)
        self.rotary_emb = RotaryEmbedding(config=config)

    def forward(
        self,
        hidden_states: Tensor,
        position_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        **_: Any,
    ) -> Any:
        batch, length, _size = hidden_states.shape
        shape = (batch, length, -1, self.head_dim)
        query = self.q_proj(hidden_states)
        key = self.k_proj(hidden_states)
        value = self.v_proj(hidden_states)
        query = query.view(shape).transpose(1, 2)
        key = key.view(shape).transpose(1, 2)
        value = value.view(shape).transpose(1, 2)
        cos, sin = self.rotary_emb(value, position_ids)
        parts = int(1 / self.config.partial_rotary_factor)
        turned_query, passed_query = torch.chunk(query, parts, dim=-1)
        turned_key, passed_key = torch.chunk(key, parts, dim=-1)
        turned_query, turned_key = rotate(turned_query, turned_key, cos, sin)
        query = torch.cat((turned_query, passed_query), dim=-1)
        key = torch.cat((turned_key, passed_key), dim=-1)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        groups = self.config.num_attention_heads // self.config.num_key_value_heads
        key = repeat_kv(key, groups)
        value = repeat_kv(value, groups)
        output = F.scaled_dot_product_attention(
            query.contiguous(),
            key.contiguous(),
            value.contiguous(),
            attn_mask=attention_mask,
            dropout_p=self.config.attention_dropout if self.training else 0.0,
            scale=self.head_dim**-0.5,
        )
        output = output.transpose(1, 2).contiguous()
        output = output.view(batch, length, -1)
        output = self.o_proj(output)
        return output


class RecurrentGemmaMlp(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size, inner = config.hidden_size, config.intermediate_size // 2
        self.gate_proj = nn.Linear(size, inner)
        self.up_proj = nn.Linear(size, inner)
        self.down_proj = nn.Linear(inner, size)
        self.act_fn = ACT2FN[config.hidden_activation]

    def forward(self, x: Tensor) -> Any:
        gate = self.act_fn(self.gate_proj(x))
        return self.down_proj(gate * self.up_proj(x))


_TEMPORAL = {"recurrent": RecurrentGemmaRecurrentBlock, "attention": RecurrentGemmaSdpaAttention}


class RecurrentGemmaDecoderLayer(Block):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.temporal_pre_norm = CentredRMSNorm(config.hidden_size, eps=config.rms_norm_eps)
        self.temporal_block = _TEMPORAL[config.layers_block_type[layer_idx]](config, layer_idx)
        self.channel_pre_norm = CentredRMSNorm(config.hidden_size, eps=config.rms_norm_eps)
        self.mlp_block = RecurrentGemmaMlp(config)

    def forward(
        self,
        activations: Any,
        position_ids: Tensor | None,
        attention_mask: Tensor | None,
        use_cache: bool | None = None,
        past_key_values: Cache | None = None,
        **kwargs: Any,
    ) -> Any:
        raw = activations
        normed = self.temporal_pre_norm(raw)
        hidden_states = self.temporal_block(
            normed, position_ids, attention_mask, use_cache=use_cache, past_key_values=past_key_values, **kwargs
        )
        residual = hidden_states + raw
        hidden_states = self.channel_pre_norm(residual)
        hidden_states = self.mlp_block(hidden_states)
        hidden_states = hidden_states + residual
        return hidden_states


def _get_seq_length(memory, layer_idx=0):
    return memory.layers[memory.first_attention_layer].get_seq_length()


def _get_mask_sizes(memory, length, layer_idx):
    return memory.layers[memory.first_attention_layer].get_mask_sizes(length)


class RecurrentGemmaModel(PreTrainedModel):
    supports_sdpa = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size, config.pad_token_id)
        self.layers = nn.ModuleList(RecurrentGemmaDecoderLayer(config, i) for i in range(config.num_hidden_layers))
        self.final_norm = CentredRMSNorm(config.hidden_size, eps=config.rms_norm_eps)
        self.gradient_checkpointing = False
        self.register_buffer(
            "normalizer", torch.tensor(config.hidden_size**0.5, dtype=torch.bfloat16), persistent=False
        )
        self.post_init()

    def _count_by_attention(self, memory):
        """
        Only layers with attention count tokens.

        The methods are bound to the memory that owns them, as in the library: so it lives until the garbage collector comes.
        """
        memory.first_attention_layer = self.config.layers_block_type.index("attention")
        memory.get_seq_length = _get_seq_length.__get__(memory)
        memory.get_mask_sizes = _get_mask_sizes.__get__(memory)

    def forward(
        self,
        input_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        past_key_values: Cache | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        if use_cache is None:
            use_cache = self.config.use_cache
        if self.gradient_checkpointing and self.training:
            use_cache = False
        if inputs_embeds is None:
            inputs_embeds = self.embed_tokens(input_ids)
        hidden_states = inputs_embeds
        if use_cache and past_key_values is None:
            for layer in self.layers:
                if isinstance(layer.temporal_block, RecurrentGemmaRecurrentBlock):
                    layer.temporal_block.set_up(hidden_states.shape[0], hidden_states.device, hidden_states.dtype)
            past_key_values = DynamicCache(config=self.config)
        if past_key_values is not None:
            self._count_by_attention(past_key_values)
        if position_ids is None:
            seen = past_key_values.get_seq_length() if past_key_values is not None else 0
            position_ids = torch.arange(hidden_states.shape[1], device=hidden_states.device) + seen
            position_ids = position_ids.unsqueeze(0)
        mask = create_sliding_window_causal_mask(
            self.config, inputs_embeds, attention_mask, past_key_values, position_ids
        )
        hidden_states = hidden_states * self.normalizer.type(hidden_states.dtype)
        states = () if output_hidden_states else None
        for layer in self.layers:
            if states is not None:
                states += (hidden_states,)
            hidden_states = layer(hidden_states, position_ids, mask, use_cache, past_key_values, **kwargs)
        hidden_states = self.final_norm(hidden_states)
        if states is not None:
            states += (hidden_states,)
        return BaseModelOutputWithNoAttention(last_hidden_state=hidden_states, hidden_states=states)


class RecurrentGemmaForCausalLM(PreTrainedModel):
    """Always returns the states of all layers."""

    supports_sdpa = False
    tied = {"lm_head.weight": "model.embed_tokens.weight"}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.model = RecurrentGemmaModel(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        use_cache: bool | None = None,
        logits_to_keep: int | Tensor = 0,
        past_key_values: Cache | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.model(
            input_ids=input_ids,
            position_ids=position_ids,
            attention_mask=attention_mask,
            inputs_embeds=inputs_embeds,
            use_cache=use_cache,
            output_hidden_states=True,
            past_key_values=past_key_values,
            **kwargs,
        )
        hidden_states = outputs.last_hidden_state
        wanted = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.lm_head(hidden_states[:, wanted, :])
        cap = self.config.logits_soft_cap
        logits = F.tanh(logits / cap) * cap
        loss = None
        if labels is not None:
            loss = self.loss_function(logits=logits, labels=labels, vocab_size=self.config.vocab_size, **kwargs)
        result = CausalLMOutput(loss=loss, logits=logits, hidden_states=outputs.hidden_states)
        return result.to_tuple() if return_dict is False else result


register(RecurrentGemmaConfig, AutoModel=RecurrentGemmaModel, AutoModelForCausalLM=RecurrentGemmaForCausalLM)
register_classes(
    type(
        "RecurrentGemmaPreTrainedModel",
        (PreTrainedModel,),
        {"config_class": RecurrentGemmaConfig, "__module__": __name__},
    )
)
