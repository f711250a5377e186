"""switch_transformers: t5 with one expert per token in some layers; every layer makes a bias of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..parts.experts import even_share
from ..cores.relative import Dense, FeedForward, RelativeConfig
from ..cores.relative_models import ConditionalGeneration
from ..cores.relative_heads import family
from .umt5 import UMT5Block, UMT5Stack

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class SwitchTransformersConfig(RelativeConfig):
    model_type = "switch_transformers"
    d_model = 768
    expert_capacity = 64
    num_layers = 12
    num_sparse_encoder_layers = 3
    num_decoder_layers = 12
    num_sparse_decoder_layers = 3
    num_heads = 12
    num_experts = 8
    router_bias = False
    router_jitter_noise = 0.01
    router_dtype = "float32"
    router_ignore_padding_tokens = False
    router_z_loss_coef = 0.001
    router_aux_loss_coef = 0.001
    dense_act_fn = "relu"
    add_router_probs = False

    def complete(self) -> None:
        if self.num_decoder_layers is None:
            self.num_decoder_layers = self.num_layers
        # without sparse layers the step is as long as the stack
        self.encoder_sparse_step = self.num_layers // (self.num_sparse_encoder_layers or 1)
        self.decoder_sparse_step = self.num_decoder_layers // (self.num_sparse_decoder_layers or 1)


class SwitchTransformersTop1Router(nn.Module):
    """Which expert each token passes, as ones and zeros [tokens, 1, experts], and its weight [tokens, 1]."""

    def __init__(self, config: SwitchTransformersConfig) -> None:
        super().__init__()
        self.num_experts, self.expert_capacity = config.num_experts, config.expert_capacity
        self.classifier = nn.Linear(config.d_model, self.num_experts, bias=config.router_bias)
        self.jitter_noise = config.router_jitter_noise
        self.dtype = getattr(torch, config.router_dtype)

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        dtype = states.dtype
        states = states.to(self.dtype)
        if self.training and self.jitter_noise > 0:
            states *= torch.empty_like(states).uniform_(1.0 - self.jitter_noise, 1.0 + self.jitter_noise)
        # stays in the router's dtype from here on
        self.classifier = self.classifier.to(self.dtype)
        logits = self.classifier(states)
        chances = F.softmax(logits, dim=-1, dtype=self.dtype).to(dtype)
        logits, index = torch.max(chances, dim=-1, keepdim=True)
        index = F.one_hot(index, num_classes=self.num_experts)
        priority = torch.cumsum(index, dim=-2)
        admitted = priority <= self.expert_capacity
        index = index * admitted
        chances = torch.max(chances, dim=-1).values.unsqueeze(-1)
        return chances, index, logits


class SwitchTransformersExperts(nn.ModuleDict):
    def __init__(self, config: SwitchTransformersConfig) -> None:
        super().__init__({f"expert_{number}": Dense(config) for number in range(config.num_experts)})

    def forward(self, states: Tensor, index: int, weights: Tensor) -> Tensor:
        summed = torch.zeros_like(states)
        mask = index.permute(2, 1, 0)
        hit = torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero()
        pairs_of = even_share(mask, states.shape[0])
        for place, expert in enumerate(self.values()):
            choice, token = pairs_of(hit[place, 0])
            chosen = states[None, token].reshape(-1, states.shape[-1])
            result = expert(chosen) * weights[token, choice, None]
            summed.index_add_(0, token, result.to(states.dtype))
        return summed


class SwitchTransformersSparseMLP(nn.Module):
    def __init__(self, config: SwitchTransformersConfig) -> None:
        super().__init__()
        self.router = SwitchTransformersTop1Router(config)
        self.experts = SwitchTransformersExperts(config)

    def forward(self, states: Tensor) -> Tensor:
        batch, length, size = states.shape
        states = states.view(-1, size)
        _, index, weights = self.router(states)
        states = self.experts(states, index, weights)
        states = states.reshape(batch, length, size)
        return states


class SwitchFeedForward(FeedForward):
    inner_name = "mlp"
    inner_class = Dense

    def make(self, config: PreTrainedConfig) -> Any:
        return self.inner_class(config)


class SwitchSparseFeedForward(SwitchFeedForward):
    inner_class = SwitchTransformersSparseMLP


class SwitchBlock(UMT5Block):
    feed_class = SwitchFeedForward


class SwitchSparseBlock(UMT5Block):
    feed_class = SwitchSparseFeedForward


class SwitchTransformersStack(UMT5Stack):
    def make_block(self, config: PreTrainedConfig, index: int) -> Any:
        step = config.decoder_sparse_step if config.is_decoder else config.encoder_sparse_step
        sparse = step > 0 and (step == 1 or index % step == 1)
        return (SwitchSparseBlock if sparse else SwitchBlock)(config, index == 0, index)


class SwitchGeneration(ConditionalGeneration):
    def scales(self) -> Any:
        return self.config.tie_word_embeddings

    def forward(self, *args: Any, output_router_logits: bool = False, **kwargs: Any) -> Any:
        if output_router_logits:
            raise NotImplementedError("vramscope does not have the routers' losses of switch_transformers")
        return super().forward(*args, **kwargs)


family(
    "SwitchTransformers",
    SwitchTransformersConfig,
    __name__,
    stack=SwitchTransformersStack,
    also=(),
    heads=False,
    lm=SwitchGeneration,
)
