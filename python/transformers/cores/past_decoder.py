"""
Decoders as transformers 4.31 to 4.41 had them: keys and values go from step to step as tuples, so that those of the step before
live until the next ends; positions' angles are tables in each layer; logits of the whole prompt become float32.

transformers/models/llama/modeling_llama.py, qwen2/modeling_qwen2.py, mistral/modeling_mistral.py and generation/utils.py of
those releases. As in the decoders of today, which name holds a tensor is part of the memory model.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..parts.attention import HeadedModule, repeat_kv
from .decoder import GatedMLP
from ..modeling_utils import Block, PreTrainedModel
from ..parts.norms import RMSNorm
from ..modeling_outputs import CausalLMOutputWithPast
from ..releases import is_past, release
from ..parts.rope import rotate

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig
    from transformers.cache_utils import Cache


# families whose queries, keys and values have biases
_BIASED = ("qwen2",)


class AngleTables(nn.Module):
    """Cosine and sine of every position the model has, in the type of the weights, and once in each layer."""

    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        half = 1.0 / (10_000 ** (torch.arange(0, size, 2).float() / size))
        angles = torch.outer(torch.arange(config.max_position_embeddings).float(), half)
        angles = torch.cat((angles, angles), dim=-1)
        dtype = torch.get_default_dtype()
        self.register_buffer("inv_freq", half, persistent=False)
        self.register_buffer("cos_cached", angles.cos().to(dtype), persistent=False)
        self.register_buffer("sin_cached", angles.sin().to(dtype), persistent=False)

    def forward(self, x: Tensor, position_ids: Any, length: int) -> tuple:
        cos = self.cos_cached[:length].to(dtype=x.dtype)
        sin = self.sin_cached[:length].to(dtype=x.dtype)
        return cos[position_ids], sin[position_ids]


class AnglesAnew(nn.Module):
    """Llama from 4.38 on: angles of the step's positions, in each layer anew."""

    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        half = 1.0 / (10_000 ** (torch.arange(0, size, 2, dtype=torch.int64).float() / size))
        self.register_buffer("inv_freq", half, persistent=False)

    @torch.no_grad()
    def forward(self, x: Tensor, position_ids: Any, length: int) -> tuple:
        half = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1)
        numbers = position_ids[:, None, :].float()
        angles = (half @ numbers).transpose(1, 2)
        angles = torch.cat((angles, angles), dim=-1)
        cos = angles.cos()
        sin = angles.sin()
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)


class PastAttention(HeadedModule):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.heads, self.kv_heads = config.num_attention_heads, config.num_key_value_heads
        self.size = getattr(config, "head_dim", None) or config.hidden_size // self.heads
        bias = config.model_type in _BIASED or getattr(config, "attention_bias", False)
        self.q_proj = nn.Linear(config.hidden_size, self.heads * self.size, bias=bias)
        self.k_proj = nn.Linear(config.hidden_size, self.kv_heads * self.size, bias=bias)
        self.v_proj = nn.Linear(config.hidden_size, self.kv_heads * self.size, bias=bias)
        self.o_proj = nn.Linear(self.heads * self.size, config.hidden_size, bias=False)
        anew = config.model_type == "llama" and release() >= (4, 38)
        self.rotary_emb = (AnglesAnew if anew else AngleTables)(config, self.size)

    def forward(self, x: Tensor, mask: Tensor | None, position_ids: Any, past: Any) -> tuple:
        batch, length, _ = x.shape
        q = self.q_proj(x)
        k = self.k_proj(x)
        v = self.v_proj(x)
        q = q.view(batch, length, self.heads, self.size).transpose(1, 2)
        k = k.view(batch, length, self.kv_heads, self.size).transpose(1, 2)
        v = v.view(batch, length, self.kv_heads, self.size).transpose(1, 2)
        whole = length + (0 if past is None else past[0].shape[-2])
        cos, sin = self.rotary_emb(v, position_ids, whole)
        q, k = rotate(q, k, cos, sin)
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        kept = (k, v)
        k = repeat_kv(k, self.heads // self.kv_heads)
        v = repeat_kv(v, self.heads // self.kv_heads)
        y = self._attend(q, k, v, mask)
        y = y.reshape(batch, length, self.heads * self.size)
        y = self.o_proj(y)
        return y, kept

    def _attend(self, q, k, v, mask):
        kind = self.config._attn_implementation
        if kind == "flash_attention_2":
            from flash_attn import flash_attn_func

            q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
            return flash_attn_func(q, k, v, 0.0, causal=True).contiguous()
        if kind == "sdpa":
            causal = mask is None and q.shape[2] > 1
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
            return y.transpose(1, 2).contiguous()
        weights = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.size)
        if mask is not None:
            weights = weights + mask
        weights = F.softmax(weights, dim=-1, dtype=torch.float32).to(q.dtype)
        y = torch.matmul(weights, v)
        return y.transpose(1, 2).contiguous()


class PastLayer(Block):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.self_attn = PastAttention(config)
        self.mlp = GatedMLP(config)
        self.input_layernorm = RMSNorm(config.hidden_size, eps=config.rms_norm_eps)
        self.post_attention_layernorm = RMSNorm(config.hidden_size, eps=config.rms_norm_eps)

    def forward(self, x: Tensor, mask: Tensor | None, position_ids: Any, past: Any) -> tuple:
        before = x
        x = self.input_layernorm(x)
        x, kept = self.self_attn(x, mask, position_ids, past)
        x = before + x
        before = x
        x = self.post_attention_layernorm(x)
        x = self.mlp(x)
        x = before + x
        return x, kept


def _mask(config, seen, length, dtype):
    """Added to the scores: what lies ahead is as low as the type goes. The fused kernels need none where nothing is padded."""
    if config._attn_implementation != "eager":
        return None
    lowest = torch.finfo(dtype).min
    batch = seen.shape[0]
    padding = 1.0 - seen[:, None, None, :].expand(batch, 1, length, seen.shape[-1]).to(dtype)
    padding = padding.masked_fill(padding.to(torch.bool), lowest)
    if length == 1:
        return padding
    ahead = torch.full((length, length), lowest, device=seen.device)
    place = torch.arange(length, device=seen.device)
    ahead.masked_fill_(place < (place + 1).view(length, 1), 0)
    ahead = ahead.to(dtype)
    return ahead[None, None, :, :].expand(batch, 1, length, length).masked_fill(padding.bool(), lowest)


class PastModel(PreTrainedModel):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(PastLayer(config) for _ in range(config.num_hidden_layers))
        self.norm = RMSNorm(config.hidden_size, eps=config.rms_norm_eps)

    @classmethod
    def _has_sdpa(cls):
        return not is_past("eager_by_default")

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = None,
    ) -> tuple:
        batch, length = input_ids.shape
        seen = 0 if past_key_values is None else past_key_values[0][0].shape[2]
        if position_ids is None:
            position_ids = torch.arange(seen, seen + length, dtype=torch.long, device=input_ids.device).unsqueeze(0)
        x = self.embed_tokens(input_ids)
        if attention_mask is None:
            attention_mask = torch.ones((batch, seen + length), dtype=torch.bool, device=x.device)
        mask = _mask(self.config, attention_mask, length, x.dtype)
        kept = ()
        for index, layer in enumerate(self.layers):
            past = None if past_key_values is None else past_key_values[index]
            x, pair = layer(x, mask, position_ids, past)
            if use_cache:
                kept += (pair,)
            pair = None
        x = self.norm(x)
        return x, kept or None


class PastCausalLM(PreTrainedModel):
    """`generate` is greedy and gives tokens alone, as these releases did by default."""

    tied = {"lm_head.weight": "model.embed_tokens.weight"}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.model = PastModel(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    @classmethod
    def _has_sdpa(cls):
        return not is_past("eager_by_default")

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        **_: Any,
    ) -> Any:
        use_cache = (use_cache is None or use_cache) and not (self.training and self.is_gradient_checkpointing)
        outputs = self.model(input_ids, attention_mask, position_ids, past_key_values, use_cache)
        hidden_states = outputs[0]
        logits = self.lm_head(hidden_states)
        logits = logits.float()
        loss = None
        if labels is not None:
            shift_logits = logits[..., :-1, :].contiguous()
            shift_labels = labels[..., 1:].contiguous()
            shift_logits = shift_logits.view(-1, self.config.vocab_size)
            loss = F.cross_entropy(shift_logits, shift_labels.view(-1))
        return CausalLMOutputWithPast(loss=loss, logits=logits, past_key_values=outputs[1])

    @torch.no_grad()
    def generate(
        self,
        inputs: Any = None,
        max_new_tokens: int = 20,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        **_: Any,
    ) -> Any:
        ids = inputs if inputs is not None else input_ids
        seen = torch.ones(ids.shape, dtype=torch.int64, device=ids.device) if attention_mask is None else attention_mask
        past = None
        for _step in range(max_new_tokens):
            position_ids = seen.long().cumsum(-1) - 1
            position_ids.masked_fill_(seen == 0, 1)
            input_ids_now = ids
            if past is not None:
                position_ids = position_ids[:, -1].unsqueeze(-1)
                input_ids_now = ids[:, -1:]
            outputs = self(
                input_ids_now, attention_mask=seen, position_ids=position_ids, past_key_values=past, use_cache=True
            )
            scores = outputs.logits[:, -1, :]
            chosen = torch.argmax(scores, dim=-1)
            ids = torch.cat([ids, chosen[:, None]], dim=-1)
            past = outputs.past_key_values
            seen = torch.cat([seen, seen.new_ones((ids.shape[0], 1))], dim=-1)
        return ids


FAMILIES = ("llama", "mistral", "qwen2")
