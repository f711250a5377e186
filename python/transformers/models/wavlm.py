"""wavlm: wav2vec2 with positions in the scores, gated by the queries; the first layer makes them for all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.speech import SpeechConfig, SpeechEncoder, SpeechLayer
from ..cores.speech_models import SpeechModel, speech_family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class WavLMConfig(SpeechConfig):
    model_type = "wavlm"
    num_buckets = 320
    max_bucket_distance = 800
    ctc_loss_reduction = "mean"
    num_ctc_classes = 80


class WavLMAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, first: Any) -> None:
        super().__init__()
        self.embed_dim = size = config.hidden_size
        self.num_heads = config.num_attention_heads
        self.dropout = config.attention_dropout
        self.head_dim = size // self.num_heads
        for name in ("k_proj", "v_proj", "q_proj", "out_proj"):
            setattr(self, name, nn.Linear(size, size))
        self.num_buckets = config.num_buckets
        self.max_distance = config.max_bucket_distance
        self.gru_rel_pos_const = nn.Parameter(torch.ones(1, self.num_heads, 1, 1))
        self.gru_rel_pos_linear = nn.Linear(self.head_dim, 8)
        if first:
            self.rel_attn_embed = nn.Embedding(self.num_buckets, self.num_heads)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, position_bias: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None, tuple[Tensor] | None]:
        batch, length, _ = hidden_states.size()
        if position_bias is None:
            position_bias = self.bias(length)
            position_bias = (
                position_bias.unsqueeze(0).repeat(batch, 1, 1, 1).view(batch * self.num_heads, length, length)
            )
        gated = hidden_states.view(hidden_states.shape[:-1] + (self.num_heads, -1))
        gated = gated.permute(0, 2, 1, 3)
        gates = self.gru_rel_pos_linear(gated)
        gates = gates.view(gated.shape[:-1] + (2, 4)).sum(-1)
        first, second = torch.sigmoid(gates).chunk(2, dim=-1)
        gate = first * (second * self.gru_rel_pos_const - 1.0) + 2.0
        bias = gate.view(batch * self.num_heads, -1, 1) * position_bias
        bias = bias.view((-1, length, length))
        output, weights = self.attend(hidden_states, attention_mask, bias)
        return output, weights, position_bias

    def attend(self, hidden_states: Tensor, attention_mask: Tensor | None, bias: Tensor | None) -> tuple:
        query = key = value = hidden_states.transpose(0, 1)
        padding = attention_mask.ne(1) if attention_mask is not None else None
        output, weights = F.multi_head_attention_forward(
            *(query, key, value, self.embed_dim, self.num_heads, torch.empty([0])),
            torch.cat((self.q_proj.bias, self.k_proj.bias, self.v_proj.bias)),
            *(None, None, False, self.dropout, self.out_proj.weight, self.out_proj.bias, self.training),
            *(padding, False, bias),
            use_separate_proj_weight=True,
            q_proj_weight=self.q_proj.weight,
            k_proj_weight=self.k_proj.weight,
            v_proj_weight=self.v_proj.weight,
        )
        output = output.transpose(0, 1)
        return output, weights

    def bias(self, length: int) -> Any:
        """A number per head and distance [heads, length, length]; distances are counted on the CPU."""
        positions = torch.arange(length, dtype=torch.long)
        buckets = self.buckets(positions[None, :] - positions[:, None])
        buckets = buckets.to(self.rel_attn_embed.weight.device)
        values = self.rel_attn_embed(buckets)
        values = values.permute([2, 0, 1])
        return values

    def buckets(self, distances: Any) -> Any:
        half = self.num_buckets // 2
        numbers = (distances > 0).to(torch.long) * half
        distances = torch.abs(distances)
        exact = half // 2
        far = torch.log(distances.float() / exact) / math.log(self.max_distance / exact) * (half - exact)
        far = (exact + far).to(torch.long)
        far = torch.min(far, torch.full_like(far, half - 1))
        numbers += torch.where(distances < exact, distances, far)
        return numbers


class WavLMLayer(SpeechLayer):
    def make_attention(self, config: PreTrainedConfig, index: int) -> WavLMAttention:
        return WavLMAttention(config, index == 0)

    def outputs(self, hidden_states: Tensor, carried: Any) -> tuple:
        return hidden_states, carried


class WavLMStableLayer(WavLMLayer):
    stable = True


class WavLMEncoder(SpeechEncoder):
    layer_class = WavLMLayer

    def mask(self, hidden_states: Tensor, attention_mask: Tensor | None) -> Tensor | None:
        return attention_mask

    def carry(self, outputs: Any) -> dict:
        return {"position_bias": outputs[1]}


class WavLMStableEncoder(WavLMEncoder):
    layer_class = WavLMStableLayer
    stable = True


class WavLMCore(SpeechModel):
    supports_sdpa = False
    encoder_class = WavLMEncoder
    records = {"attentions": WavLMAttention}
    stable_class = WavLMStableEncoder


speech_family("WavLM", "wavlm", WavLMConfig, __name__, model=WavLMCore)
