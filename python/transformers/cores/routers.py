"""Routers: which experts a token passes, with what weight, and the loss that keeps experts equally busy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from .capturing import Recorded
from .decoder import DecoderModel, GatedMLP
from .decoder_heads import CausalLM
from ..parts.experts import Experts
from ..modeling_outputs import MoeCausalLMOutputWithPast, MoeModelOutputWithPast

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class TopKRouter(nn.Module):
    """
    The best few of a softmax in float32. Gives logits [tokens, experts], weights and numbers [tokens, choices].

    `renormalised` makes the weights of a token sum to one; None asks the config's `norm_topk_prob`. `keeps_float` leaves them
    in float32.
    """

    renormalised = None
    keeps_float = False

    def __init__(self, config: PreTrainedConfig, count: int) -> None:
        super().__init__()
        self.top_k = config.num_experts_per_tok
        self.num_experts = count
        self.hidden_dim = config.hidden_size
        self.norm_topk_prob = config.norm_topk_prob if self.renormalised is None else self.renormalised
        self.weight = nn.Parameter(torch.zeros(count, config.hidden_size))

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        states = states.reshape(-1, self.hidden_dim)
        logits = F.linear(states, self.weight)
        chances = (
            F.softmax(logits.float(), dim=-1) if self.keeps_float else F.softmax(logits, dtype=torch.float, dim=-1)
        )
        weights, index = torch.topk(chances, self.top_k, dim=-1)
        if self.norm_topk_prob:
            weights /= weights.sum(dim=-1, keepdim=True)
        if not self.keeps_float:
            weights = weights.to(logits.dtype)
        return logits, weights, index


class SparseBlock(nn.Module):
    """A router and its experts, in the place of a feed-forward part."""

    router_class = TopKRouter
    experts_class = Experts

    def __init__(self, config: PreTrainedConfig, count: int, intermediate_size: int) -> None:
        super().__init__()
        self.build(config, count, intermediate_size)

    def build(self, config: PreTrainedConfig, count: int, intermediate_size: int) -> None:
        self.gate = self.router_class(config, count)
        self.experts = self.experts_class(config, count, intermediate_size)

    def forward(self, states: Tensor) -> Tensor:
        batch, length, size = states.shape
        states = states.view(-1, size)
        _, weights, index = self.gate(states)
        states = self.experts(states, index, weights)
        states = states.reshape(batch, length, size)
        return states


class GroupRouter(nn.Module):
    """Logits in float32; a correction that is not trained takes part in the choice, not in the weights."""

    def __init__(self, config: PreTrainedConfig, count: int) -> None:
        super().__init__()
        self.hidden_size = config.hidden_size
        self.weight = nn.Parameter(torch.empty(count, config.hidden_size))
        self.register_buffer("e_score_correction_bias", torch.zeros(count))

    def forward(self, states: Tensor) -> Tensor:
        states = states.view(-1, self.hidden_size)
        return F.linear(states.type(torch.float32), self.weight.type(torch.float32))


class GroupedSparseBlock(nn.Module):
    """Experts in groups: the best groups first, then the best experts in them; beside them one that every token passes."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.count = config.n_routed_experts
        self.n_group, self.topk_group = config.n_group, config.topk_group
        self.norm_topk_prob = config.norm_topk_prob
        self.routed_scaling_factor = config.routed_scaling_factor
        self.top_k = config.num_experts_per_tok
        self.experts = Experts(config, self.count, config.moe_intermediate_size)
        self.gate = GroupRouter(config, self.count)
        self.shared_experts = GatedMLP(config, config.moe_intermediate_size * config.n_shared_experts)

    def choose(self, scores: Tensor) -> tuple[Tensor, Tensor]:
        scores = scores.sigmoid()
        corrected = scores + self.gate.e_score_correction_bias
        groups = corrected.view(-1, self.n_group, self.count // self.n_group).topk(2, dim=-1)[0].sum(dim=-1)
        best = torch.topk(groups, k=self.topk_group, dim=-1, sorted=False)[1]
        mask = torch.zeros_like(groups)
        mask.scatter_(1, best, 1)
        allowed = mask.unsqueeze(-1).expand(-1, self.n_group, self.count // self.n_group).reshape(-1, self.count)
        eligible = corrected.masked_fill(~allowed.bool(), float("-inf"))
        index = torch.topk(eligible, k=self.top_k, dim=-1, sorted=False)[1]
        weights = scores.gather(1, index)
        if self.norm_topk_prob:
            total = weights.sum(dim=-1, keepdim=True) + 1e-20
            weights /= total
        weights = weights * self.routed_scaling_factor
        return index, weights

    def forward(self, states: Tensor) -> Tensor:
        residual = states
        shape = states.shape
        scores = self.gate(states)
        index, weights = self.choose(scores)
        states = states.view(-1, states.shape[-1])
        states = self.experts(states, index, weights).view(*shape)
        states = states + self.shared_experts(residual)
        return states


def load_balancing_loss(logits: Tensor, count: int, choices: Any, attention_mask: Tensor | None = None) -> Any:
    """How unevenly experts are used: from the logits [tokens, experts] of every layer, without padding."""
    if logits is None:
        return 0
    device = logits[0].device
    together = torch.cat([each.to(device) for each in logits], dim=0)
    weights = F.softmax(together, dim=-1)
    _, chosen = torch.topk(weights, choices, dim=-1)
    mask = F.one_hot(chosen, count)
    if attention_mask is None:
        used = torch.mean(mask.float(), dim=0)
        wanted = torch.mean(weights, dim=0)
    else:
        batch, length = attention_mask.shape
        layers = together.shape[0] // (batch * length)
        real = attention_mask[None, :, :, None, None].expand((layers, batch, length, choices, count))
        real = real.reshape(-1, choices, count).to(device)
        used = torch.sum(mask.float() * real, dim=0) / torch.sum(real, dim=0)
        per_expert = attention_mask[None, :, :, None].expand((layers, batch, length, count))
        per_expert = per_expert.reshape(-1, count).to(device)
        wanted = torch.sum(weights * per_expert, dim=0) / torch.sum(per_expert, dim=0)
    overall = torch.sum(used * wanted.unsqueeze(0))
    return overall * count


class SparseModel(DecoderModel):
    """A decoder that can give its routers' logits."""

    output_class = MoeModelOutputWithPast
    records = {**DecoderModel.records, "router_logits": Recorded(TopKRouter)}


class SparseLM(CausalLM):
    """A language model that adds the routers' loss to its own if it is asked for their logits."""

    def balance(self) -> tuple:
        """(number of experts, experts per token, weight of the loss)"""
        return self.config.num_experts, self.config.num_experts_per_tok, self.config.router_aux_loss_coef

    def result(self, outputs: Any, logits: Tensor, loss: Tensor, attention_mask: Tensor | None) -> Any:
        router_logits = getattr(outputs, "router_logits", None)
        aux_loss = None
        if router_logits is not None:
            count, choices, weight = self.balance()
            aux_loss = load_balancing_loss(router_logits, count, choices, attention_mask)
            if loss is not None:
                loss += weight * aux_loss.to(loss.device)
        return MoeCausalLMOutputWithPast(
            loss=loss,
            aux_loss=aux_loss,
            logits=logits,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
            router_logits=router_logits,
        )
