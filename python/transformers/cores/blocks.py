"""
Decoders of blocks in the manner of GPT-2: positions are added to embeddings or to scores, and blocks that return a tuple
of states and weights, which lives until the next block has returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cache_utils import DynamicCache
from .capturing import collects
from .decoder_heads import CausalLM, QuestionAnswerer, SequenceClassifier, TokenClassifier
from ..masking_utils import create_causal_mask
from ..modeling_utils import Block, PreTrainedModel, register, register_classes
from ..modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class BlockModel(PreTrainedModel):
    """
    Embeddings, blocks and a last norm, whose names are class attributes.

    `prepare` makes what the first block gets, and what all of them share.
    """

    base_model_prefix = "transformer"
    supports_sdpa = False
    embedding_name = "wte"
    blocks_name = "h"
    norm_name = "ln_f"
    past_name = "layer_past"
    # families without `records` gather states and weights between blocks themselves
    gathers = property(lambda self: not self.records)

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.gradient_checkpointing = False
        self.build(config)
        self.post_init()

    def build(self, config: PreTrainedConfig) -> NoReturn:
        raise NotImplementedError

    def get_input_embeddings(self) -> torch.nn.Module:
        return getattr(self, self.embedding_name)

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None,
        position_ids: Tensor,
        token_type_ids: Tensor,
    ) -> NoReturn:
        """
        States for the first block, keyword arguments for every block, and what else lives as long as `forward`, `embeds`
        for example.
        """
        raise NotImplementedError

    def with_types(self, states: Tensor, embeds: Tensor, token_type_ids: Tensor) -> tuple:
        """States with the words that say the types of tokens, and those words; nothing is added without types."""
        if token_type_ids is None:
            return states, None
        types = self.wte(token_type_ids.view(-1, embeds.shape[1]))
        return states + types, types

    def last_steps(self) -> tuple[torch.nn.Module]:
        """What comes after the last block: functions of one operator each, so that no step outlives the next."""
        return (getattr(self, self.norm_name),)

    @collects
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
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if output_attentions is None:
            output_attentions = self.gathers and self.config.output_attentions
        if output_hidden_states is None:
            output_hidden_states = self.gathers and self.config.output_hidden_states
        if use_cache is None:
            use_cache = self.config.use_cache
        if self.gradient_checkpointing and self.training:
            use_cache = False
        if inputs_embeds is None:
            inputs_embeds = getattr(self, self.embedding_name)(input_ids)
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
        hidden_states, shared, _kept = self.prepare(
            inputs_embeds, attention_mask, past_key_values, position_ids, token_type_ids
        )
        inputs_embeds = None
        states = () if output_hidden_states else None
        attentions = () if output_attentions else None
        shared[self.past_name] = past_key_values
        for block in getattr(self, self.blocks_name):
            if states is not None:
                states += (hidden_states,)
            hidden_states = block(hidden_states, use_cache=use_cache, output_attentions=output_attentions, **shared)
            outputs = hidden_states if isinstance(hidden_states, tuple) else None
            if outputs is not None:
                hidden_states = outputs[0]
                if attentions is not None:
                    attentions += (outputs[1],)
        for step in self.last_steps():
            hidden_states = step(hidden_states)
        if states is not None:
            states += (hidden_states,)
        return BaseModelOutputWithPastAndCrossAttentions(
            last_hidden_state=hidden_states,
            past_key_values=past_key_values,
            hidden_states=states,
            attentions=attentions,
        )


class PositionedModel(BlockModel):
    """Blocks over words and learned positions, with one table for words and types of tokens."""

    def prepare(
        self,
        embeds: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None,
        position_ids: Tensor,
        token_type_ids: Tensor,
    ) -> tuple:
        if position_ids is None:
            position_ids = create_position_ids(embeds, past_key_values)
        mask = create_causal_mask(self.config, embeds, attention_mask, past_key_values, position_ids)
        positions = self.wpe(position_ids)
        hidden_states = embeds + positions
        hidden_states, types = self.with_types(hidden_states, embeds, token_type_ids)
        hidden_states = self.drop(hidden_states)
        return hidden_states, {"attention_mask": mask}, (embeds, position_ids, positions, types)


class PreNormBlock(Block):
    """Attention, then the feed-forward part, each behind a norm and added to what the norm read."""

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Any:
        residual = hidden_states
        hidden_states = self.ln_1(hidden_states)
        attended, _ = self.attn(hidden_states, **kwargs)
        hidden_states = attended + residual
        residual = hidden_states
        hidden_states = self.ln_2(hidden_states)
        fed_forward = self.mlp(hidden_states)
        hidden_states = residual + fed_forward
        return hidden_states


class BlockMLP(nn.Module):
    """A projection up, the activation, a projection down, dropout."""

    names = ("c_fc", "c_proj")

    def __init__(self, config: PreTrainedConfig, inner: int, act: Callable, dropout: float) -> None:
        super().__init__()
        setattr(self, self.names[0], nn.Linear(config.hidden_size, inner))
        setattr(self, self.names[1], nn.Linear(inner, config.hidden_size))
        self.act = act
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        x = getattr(self, self.names[0])(x)
        x = self.act(x)
        x = getattr(self, self.names[1])(x)
        x = self.dropout(x)
        return x


class BlockTokenClassifier(TokenClassifier):
    """Labels every token; the loss is taken in the dtype of the logits."""

    head_name = "classifier"

    def loss_function(self, logits: Tensor, labels: Tensor, config: PreTrainedConfig) -> Any:
        labels = labels.to(logits.device)
        return F.cross_entropy(logits.view(-1, config.num_labels), labels.view(-1))


HEADS = {
    "ForSequenceClassification": SequenceClassifier,
    "ForTokenClassification": BlockTokenClassifier,
    "ForQuestionAnswering": QuestionAnswerer,
}


def block_family(
    prefix: str,
    config: PreTrainedConfig,
    model: Any,
    *,
    heads: int = HEADS,
    also: tuple = (),
    names: Sequence[str] | None = None,
    **lm_fields: Any,
) -> None:
    """
    Makes the heads over `model` and registers them.

    `heads` maps endings of class names to heads, `names` gives endings that differ from those of the Auto classes, `also`
    says which other Auto classes lead to the language head, and `lm_fields` are class attributes of that head.
    """
    names = names or {}
    base = model.base_model_prefix
    own = {
        "model_class": model,
        "base_model_prefix": base,
        "supports_sdpa": model.supports_sdpa,
        "__module__": model.__module__,
    }
    tied = {"lm_head.weight": f"{base}.{model.embedding_name}.weight"}
    ending = names.get("ForCausalLM", "ForCausalLM")
    lm = type(f"{prefix}{ending}", (CausalLM,), {**own, "tied": tied, **lm_fields})
    kinds = {"AutoModel": model, **dict.fromkeys(("AutoModelForCausalLM", *also), lm)}
    for ending, kind in heads.items():
        kinds[f"AutoModel{ending}"] = type(f"{prefix}{ending}", (kind,), dict(own))
    register(config, **kinds)
    register_classes(
        type(f"{prefix}PreTrainedModel", (PreTrainedModel,), {"config_class": config, "__module__": model.__module__})
    )


def create_position_ids(embeds: Tensor, past_key_values: Cache | None) -> Tensor:
    """Positions [1, length] of tokens that come after those in the memory."""
    seen = past_key_values.get_seq_length() if past_key_values is not None else 0
    positions = torch.arange(embeds.shape[1], device=embeds.device) + seen
    return positions.unsqueeze(0)
