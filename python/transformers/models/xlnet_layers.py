"""xlnet's layers: relative attention in two streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class XLNetRelativeAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.scale = 1 / (config.d_head**0.5)
        heads = (config.n_head, config.d_head)
        for name in "qkvor":
            setattr(self, name, nn.Parameter(torch.empty(config.d_model, *heads)))
        for name in ("r_r_bias", "r_s_bias", "r_w_bias"):
            setattr(self, name, nn.Parameter(torch.empty(*heads)))
        self.seg_embed = nn.Parameter(torch.empty(2, *heads))
        self.layer_norm = nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def shifted(self, x: Tensor, count: int) -> Any:
        """Scores by distance as scores by place."""
        shape = x.shape
        x = x.reshape(shape[0], shape[1], shape[3], shape[2])
        x = x[:, :, 1:, :]
        x = x.reshape(shape[0], shape[1], shape[2], shape[3] - 1)
        x = torch.index_select(x, 3, torch.arange(count, device=x.device, dtype=torch.long))
        return x

    def attend(
        self, query: Tensor, key: Tensor, value: Tensor, distance_key: Any, segments: Tensor, mask: Tensor | None
    ) -> tuple:
        by_content = torch.einsum("ibnd,jbnd->bnij", query + self.r_w_bias, key)
        by_distance = torch.einsum("ibnd,jbnd->bnij", query + self.r_r_bias, distance_key)
        by_distance = self.shifted(by_distance, by_content.shape[3])
        by_segment = 0
        if segments is not None:
            by_segment = torch.einsum("ibnd,snd->ibns", query + self.r_s_bias, self.seg_embed)
            by_segment = torch.einsum("ijbs,ibns->bnij", segments, by_segment)
        scores = (by_content + by_distance + by_segment) * self.scale
        if mask is not None:
            lowest = 65500 if mask.dtype == torch.float16 else 1e30
            scores = scores - lowest * torch.einsum("ijbn->bnij", mask)
        weights = F.softmax(scores, dim=3)
        weights = self.dropout(weights)
        attended = torch.einsum("bnij,jbnd->ibnd", weights, value)
        return attended, weights

    def finish(self, before: Any, attended: Tensor) -> Any:
        output = torch.einsum("ibnd,hnd->ibh", attended, self.o)
        output = self.dropout(output)
        output = output + before
        output = self.layer_norm(output)
        return output

    def read(self, h: Any, positions: Tensor, mems: Any) -> tuple:
        """Keys and values of what came before and of the tokens, and keys of distances."""
        known = torch.cat([mems, h], dim=0) if mems is not None and mems.dim() > 1 else h
        key = torch.einsum("ibh,hnd->ibnd", known, self.k)
        value = torch.einsum("ibh,hnd->ibnd", known, self.v)
        return known, key, value, torch.einsum("ibh,hnd->ibnd", positions, self.r)

    def forward(
        self,
        h: Any,
        g: Any,
        mask_h: Any,
        mask_g: Any,
        positions: Tensor,
        segments: Tensor,
        mems: Any = None,
        targets: Any = None,
    ) -> tuple:
        if g is None:
            query = torch.einsum("ibh,hnd->ibnd", h, self.q)
            _known, key, value, distance_key = self.read(h, positions.type(self.r.dtype), mems)
            attended, weights = self.attend(query, key, value, distance_key, segments, mask_h)
            weights = None
            output = self.finish(h, attended)
            return output, None
        _known, key, value, distance_key = self.read(h, positions, mems)
        query = torch.einsum("ibh,hnd->ibnd", h, self.q)
        attended = self.attend(query, key, value, distance_key, segments, mask_h)[0]
        output = self.finish(h, attended)
        asking = torch.einsum("ibh,hnd->ibnd", g, self.q)
        if targets is not None:
            asking = torch.einsum("mbnd,mlb->lbnd", asking, targets)
        answered = self.attend(asking, key, value, distance_key, segments, mask_g)[0]
        if targets is not None:
            answered = torch.einsum("lbnd,mlb->mbnd", answered, targets)
        output_g = self.finish(g, answered)
        return output, output_g


class XLNetFeedForward(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer_norm = nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)
        self.layer_1 = nn.Linear(config.d_model, config.d_inner)
        self.layer_2 = nn.Linear(config.d_inner, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.activation_function = ACT2FN[config.ff_activation]

    def forward(self, before: Any) -> Any:
        output = before
        output = self.layer_1(output)
        output = self.activation_function(output)
        output = self.dropout(output)
        output = self.layer_2(output)
        output = self.dropout(output)
        output = self.layer_norm(output + before)
        return output


class XLNetLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.rel_attn = XLNetRelativeAttention(config)
        self.ff = XLNetFeedForward(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        h: Any,
        g: Any,
        mask_h: Any,
        mask_g: Any,
        positions: Tensor,
        segments: Tensor,
        mems: Any = None,
        targets: Any = None,
    ) -> Any:
        outputs = self.rel_attn(h, g, mask_h, mask_g, positions, segments, mems=mems, targets=targets)
        h, g = outputs[:2]
        if g is not None:
            g = self.ff(g)
        h = self.ff(h)
        outputs = (h, g)
        return outputs
