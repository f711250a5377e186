"""ctrl: fixed sines as positions, a mask that is subtracted from scores, attention without a choice of implementation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cache_utils import DynamicCache
from ..configuration_utils import PreTrainedConfig
from ..cores.decoder_heads import CausalLM, SequenceClassifier
from ..modeling_utils import PreTrainedModel, register, register_classes
from ..modeling_outputs import BaseModelOutputWithPast, SequenceClassifierOutput

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput


class CTRLConfig(PreTrainedConfig):
    model_type = "ctrl"
    attribute_map = {
        "max_position_embeddings": "n_positions",
        "hidden_size": "n_embd",
        "num_attention_heads": "n_head",
        "num_hidden_layers": "n_layer",
    }
    vocab_size = 246534
    n_positions = 256
    n_embd = 1280
    dff = 8192
    n_layer = 48
    n_head = 16
    resid_pdrop = 0.1
    embd_pdrop = 0.1
    layer_norm_epsilon = 1e-6
    initializer_range = 0.02
    use_cache = True


def sinusoids(count: int, size: int) -> Tensor:
    """Sines and cosines per position: [count, size]."""
    positions = torch.arange(count, dtype=torch.int64).to(torch.float).unsqueeze(1)
    parts = torch.arange(size, dtype=torch.int64).to(torch.float).unsqueeze(0)
    angles = positions * (1 / torch.pow(10000, 2 * (parts // 2) / size))
    return torch.cat([torch.sin(angles[:, 0::2]), torch.cos(angles[:, 1::2])], dim=-1)


def attend(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, attention_mask: Tensor | None = None
) -> tuple:
    products = torch.matmul(query, key.permute(0, 1, 3, 2))
    scores = products / math.sqrt(key.shape[-1])
    if mask is not None:
        queries, keys = scores.shape[-2], scores.shape[-1]
        scores += mask[keys - queries : keys, :keys] * -1e4
    if attention_mask is not None:
        scores = scores + attention_mask
    weights = torch.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    return output, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, size: int, heads: int, layer_idx: int) -> None:
        super().__init__()
        self.num_heads = heads
        self.size = size
        self.layer_idx = layer_idx
        self.depth = size // heads
        self.Wq = nn.Linear(size, size)
        self.Wk = nn.Linear(size, size)
        self.Wv = nn.Linear(size, size)
        self.dense = nn.Linear(size, size)

    def _heads(self, x):
        x = x.reshape(x.shape[0], -1, self.num_heads, self.depth)
        return x.permute(0, 2, 1, 3)

    def forward(
        self, v: Any, k: Any, q: Any, mask: Tensor | None, layer_past: Any = None, attention_mask: Tensor | None = None
    ) -> tuple:
        batch = q.shape[0]
        q = self.Wq(q)
        k = self.Wk(k)
        v = self.Wv(v)
        q = self._heads(q)
        k = self._heads(k)
        v = self._heads(v)
        if layer_past is not None:
            k, v = layer_past.update(k, v, self.layer_idx)
        output = attend(q, k, v, mask, attention_mask)
        attended = output[0].permute(0, 2, 1, 3)
        weights = output[1]
        flat = attended.reshape(batch, -1, self.size)
        output = self.dense(flat)
        return output, weights


class EncoderLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        size = config.n_embd
        self.multi_head_attention = MultiHeadAttention(size, config.n_head, layer_idx)
        self.ffn = nn.Sequential(nn.Linear(size, config.dff), nn.ReLU(), nn.Linear(config.dff, size))
        self.layernorm1 = nn.LayerNorm(size, eps=1e-6)
        self.layernorm2 = nn.LayerNorm(size, eps=1e-6)
        self.dropout1 = nn.Dropout(config.resid_pdrop)
        self.dropout2 = nn.Dropout(config.resid_pdrop)

    def forward(
        self, x: Tensor, mask: Tensor | None, layer_past: Any = None, attention_mask: Tensor | None = None
    ) -> tuple:
        normed = self.layernorm1(x)
        outputs = self.multi_head_attention(
            normed, normed, normed, mask, layer_past=layer_past, attention_mask=attention_mask
        )
        attended = outputs[0]
        attended = self.dropout1(attended)
        between = x + attended
        result = self.layernorm2(between)
        fed_forward = self.ffn(result)
        fed_forward = self.dropout2(fed_forward)
        result = between + fed_forward
        return (result, *outputs[1:])


class CTRLModel(PreTrainedModel):
    base_model_prefix = "transformer"
    supports_gradient_checkpointing = False
    supports_sdpa = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.w = nn.Embedding(config.vocab_size, config.n_embd)
        self.dropout = nn.Dropout(config.embd_pdrop)
        self.h = nn.ModuleList(EncoderLayer(config, index) for index in range(config.n_layer))
        self.layernorm = nn.LayerNorm(config.n_embd, eps=config.layer_norm_epsilon)
        self.register_buffer("pos_encoding", sinusoids(config.n_positions, config.n_embd), persistent=False)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.w

    def forward(
        self,
        input_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        **_: Any,
    ) -> tuple[Tensor] | ModelOutput:
        if output_attentions is None:
            output_attentions = self.config.output_attentions
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        if use_cache is None:
            use_cache = self.config.use_cache
        source = input_ids if input_ids is not None else inputs_embeds
        batch, length = source.shape[:2]
        device = source.device
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        if position_ids is None:
            position_ids = torch.arange(seen, length + seen, dtype=torch.long, device=device)
            position_ids = position_ids.unsqueeze(0)
        if attention_mask is not None:
            attention_mask = attention_mask.view(batch, -1)
            attention_mask = attention_mask.unsqueeze(1).unsqueeze(2)
            attention_mask = attention_mask.to(dtype=self.dtype)
            attention_mask = (1.0 - attention_mask) * torch.finfo(self.dtype).min
        types = 0
        scale = math.sqrt(self.config.n_embd)
        if token_type_ids is not None:
            types = self.w(token_type_ids.view(-1, length))
            types *= scale
        if inputs_embeds is None:
            inputs_embeds = self.w(input_ids)
        mask = torch.triu(torch.ones(length + seen, length + seen), 1).to(device)
        inputs_embeds *= scale
        positions = self.pos_encoding[position_ids, :]
        hidden_states = inputs_embeds + positions + types
        hidden_states = self.dropout(hidden_states)
        states = () if output_hidden_states else None
        attentions = () if output_attentions else None
        for layer in self.h:
            if states is not None:
                states += (hidden_states,)
            outputs = layer(hidden_states, mask, layer_past=past_key_values, attention_mask=attention_mask)
            hidden_states = outputs[0]
            if attentions is not None:
                attentions += (outputs[1],)
        hidden_states = self.layernorm(hidden_states)
        if states is not None:
            states += (hidden_states,)
        return BaseModelOutputWithPast(
            last_hidden_state=hidden_states,
            past_key_values=past_key_values,
            hidden_states=states,
            attentions=attentions,
        )


class CTRLLMHeadModel(CausalLM):
    base_model_prefix = "transformer"
    supports_gradient_checkpointing = False
    supports_sdpa = False
    model_class = CTRLModel
    head_bias = True
    tied = {"lm_head.weight": "transformer.w.weight"}


class CTRLForSequenceClassification(SequenceClassifier):
    output_class = SequenceClassifierOutput
    base_model_prefix = "transformer"
    supports_gradient_checkpointing = False
    supports_sdpa = False
    model_class = CTRLModel
    head_name = "classifier"


register(
    CTRLConfig,
    AutoModel=CTRLModel,
    AutoModelForCausalLM=CTRLLMHeadModel,
    AutoModelForPreTraining=CTRLLMHeadModel,
    AutoModelForSequenceClassification=CTRLForSequenceClassification,
)
register_classes(type("CTRLPreTrainedModel", (PreTrainedModel,), {"config_class": CTRLConfig, "__module__": __name__}))
