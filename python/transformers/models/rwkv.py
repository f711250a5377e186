"""rwkv: no attention; a recurrence over weighted sums, written out step by step as the library does without its kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block, PreTrainedModel, register, register_classes
from ..modeling_outputs import output_class

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class RwkvConfig(PreTrainedConfig):
    model_type = "rwkv"
    attribute_map = {"max_position_embeddings": "context_length"}
    vocab_size = 50277
    context_length = 1024
    hidden_size = 4096
    num_hidden_layers = 32
    attention_hidden_size = None
    intermediate_size = None
    layer_norm_epsilon = 1e-5
    bos_token_id = 0
    eos_token_id = 0
    rescale_every = 6
    tie_word_embeddings = False
    use_cache = True

    def complete(self) -> None:
        if self.attention_hidden_size is None:
            self.attention_hidden_size = self.hidden_size
        if self.intermediate_size is None:
            self.intermediate_size = 4 * self.hidden_size


def weighted_sums(
    decay: torch.nn.Parameter,
    first: torch.nn.Parameter,
    key: Tensor,
    value: Tensor,
    state: Any = None,
    return_state: bool = False,
) -> tuple[Tensor, None]:
    """Each place sees those before it with weights that fade; three states per channel, in float32."""
    length = key.size(1)
    output = torch.zeros_like(key)
    if state is None:
        above = torch.zeros_like(key[:, 0], dtype=torch.float32)
        below = torch.zeros_like(key[:, 0], dtype=torch.float32)
        most = torch.zeros_like(key[:, 0], dtype=torch.float32) - 1e38
    else:
        above, below, most = state
    decay = -torch.exp(decay)
    for i in range(length):
        key_now = key[:, i].float()
        value_now = value[:, i]
        shift = torch.maximum(most, key_now + first)
        old = torch.exp(most - shift)
        new = torch.exp(key_now + first - shift)
        numerator = old * above + new * value_now
        denominator = old * below + new
        output[:, i] = (numerator / denominator).to(output.dtype)
        next_most = torch.maximum(most + decay, key_now)
        old = torch.exp(most + decay - next_most)
        new = torch.exp(key_now - next_most)
        above = old * above + new * value_now
        below = old * below + new
        most = next_most
    if return_state or state is not None:
        state = [above, below, most]
    return output, state


class _Shifting(nn.Module):
    """Mixes each token with the one before it, which for the first is remembered in `state`."""

    slot = 0

    def shifted(self, hidden: Tensor, state: Any) -> Tensor:
        if hidden.size(1) == 1 and state is not None:
            return state[self.slot][:, :, self.layer_id]
        shifted = self.time_shift(hidden)
        if state is not None:
            shifted[:, 0] = state[self.slot][:, :, self.layer_id]
        return shifted

    def remember(self, hidden: Tensor, state: Any) -> None:
        if state is not None:
            state[self.slot][:, :, self.layer_id] = hidden[:, -1]


class RwkvSelfAttention(_Shifting):
    slot = 1

    def __init__(self, config: PreTrainedConfig, layer_id: int) -> None:
        super().__init__()
        self.config = config
        self.layer_id = layer_id
        size, inner = config.hidden_size, config.attention_hidden_size
        self.time_decay = nn.Parameter(torch.empty(inner))
        self.time_first = nn.Parameter(torch.empty(inner))
        self.time_mix_key = nn.Parameter(torch.empty(1, 1, size))
        self.time_mix_value = nn.Parameter(torch.empty(1, 1, size))
        self.time_mix_receptance = nn.Parameter(torch.empty(1, 1, size))
        self.time_shift = nn.ZeroPad2d((0, 0, 1, -1))
        self.key = nn.Linear(size, inner, bias=False)
        self.value = nn.Linear(size, inner, bias=False)
        self.receptance = nn.Linear(size, inner, bias=False)
        self.output = nn.Linear(inner, size, bias=False)

    def _project(self, hidden, state=None):
        shifted = self.shifted(hidden, state)
        key = hidden * self.time_mix_key + shifted * (1 - self.time_mix_key)
        value = hidden * self.time_mix_value + shifted * (1 - self.time_mix_value)
        receptance = hidden * self.time_mix_receptance + shifted * (1 - self.time_mix_receptance)
        key = self.key(key)
        value = self.value(value)
        receptance = torch.sigmoid(self.receptance(receptance))
        self.remember(hidden, state)
        return receptance, key, value

    def forward(self, hidden: Tensor, state: Any = None, use_cache: bool = False) -> tuple[Tensor, None]:
        receptance, key, value = self._project(hidden, state=state)
        own = tuple(part[:, :, self.layer_id] for part in state[2:]) if state is not None else None
        result, own = weighted_sums(self.time_decay, self.time_first, key, value, state=own, return_state=use_cache)
        if own is not None:
            for slot in (2, 3, 4):
                state[slot][:, :, self.layer_id] = own[slot - 2]
        return self.output(receptance * result), state


class RwkvFeedForward(_Shifting):
    def __init__(self, config: PreTrainedConfig, layer_id: int) -> None:
        super().__init__()
        self.layer_id = layer_id
        size, inner = config.hidden_size, config.intermediate_size
        self.time_shift = nn.ZeroPad2d((0, 0, 1, -1))
        self.time_mix_key = nn.Parameter(torch.empty(1, 1, size))
        self.time_mix_receptance = nn.Parameter(torch.empty(1, 1, size))
        self.key = nn.Linear(size, inner, bias=False)
        self.receptance = nn.Linear(size, size, bias=False)
        self.value = nn.Linear(inner, size, bias=False)

    def forward(self, hidden: Tensor, state: Any = None) -> tuple[Tensor, None]:
        shifted = self.shifted(hidden, state)
        key = hidden * self.time_mix_key + shifted * (1 - self.time_mix_key)
        receptance = hidden * self.time_mix_receptance + shifted * (1 - self.time_mix_receptance)
        key = torch.square(torch.relu(self.key(key)))
        value = self.value(key)
        receptance = torch.sigmoid(self.receptance(receptance))
        self.remember(hidden, state)
        return receptance * value, state


class RwkvBlock(Block):
    def __init__(self, config: PreTrainedConfig, layer_id: int) -> None:
        super().__init__()
        size, eps = config.hidden_size, config.layer_norm_epsilon
        self.layer_id = layer_id
        if layer_id == 0:
            self.pre_ln = nn.LayerNorm(size, eps=eps)
        self.ln1 = nn.LayerNorm(size, eps=eps)
        self.ln2 = nn.LayerNorm(size, eps=eps)
        self.attention = RwkvSelfAttention(config, layer_id)
        self.feed_forward = RwkvFeedForward(config, layer_id)

    def forward(
        self, hidden: Tensor, state: Any = None, use_cache: bool = False, output_attentions: bool = False
    ) -> tuple[Tensor, None, None]:
        if self.layer_id == 0:
            hidden = self.pre_ln(hidden)
        attention, state = self.attention(self.ln1(hidden), state=state, use_cache=use_cache)
        hidden = hidden + attention
        fed_forward, state = self.feed_forward(self.ln2(hidden), state=state)
        hidden = hidden + fed_forward
        return hidden, state, attention if output_attentions else None


RwkvOutput = output_class("RwkvOutput", "last_hidden_state state hidden_states attentions")
RwkvCausalLMOutput = output_class("RwkvCausalLMOutput", "loss logits state hidden_states attentions")


class RwkvModel(PreTrainedModel):
    base_model_prefix = "rwkv"
    supports_sdpa = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.blocks = nn.ModuleList(RwkvBlock(config, index) for index in range(config.num_hidden_layers))
        self.ln_out = nn.LayerNorm(config.hidden_size)
        self.layers_are_rescaled = False
        self.gradient_checkpointing = False
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        state: list[Tensor] | None = None,
        use_cache: bool | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        **_: Any,
    ) -> tuple | ModelOutput:
        if output_attentions is None:
            output_attentions = self.config.output_attentions
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        if use_cache is None:
            use_cache = self.config.use_cache and not self.training
        if self.training == self.layers_are_rescaled:
            self._rescale()
        if inputs_embeds is None:
            inputs_embeds = self.embeddings(input_ids)
        if use_cache and state is None:
            shape = (inputs_embeds.size(0), self.config.hidden_size, self.config.num_hidden_layers)
            dtypes = [inputs_embeds.dtype] * 2 + [torch.float32] * 3
            state = [torch.zeros(*shape, dtype=dtype, device=inputs_embeds.device) for dtype in dtypes]
            state[4] -= 1e30
        if self.gradient_checkpointing and self.training:
            use_cache = False
        hidden_states = inputs_embeds
        states = () if output_hidden_states else None
        seen = () if output_attentions else None
        for index, block in enumerate(self.blocks):
            hidden_states, state, attentions = block(
                hidden_states, state=state, use_cache=use_cache, output_attentions=output_attentions
            )
            every = self.config.rescale_every
            if self.layers_are_rescaled and every > 0 and (index + 1) % every == 0:
                hidden_states = hidden_states / 2
            if states is not None:
                states += (hidden_states,)
            if seen is not None:
                seen += (attentions,)
        hidden_states = self.ln_out(hidden_states)
        if states is not None:
            states += (hidden_states,)
        return RwkvOutput(last_hidden_state=hidden_states, state=state, hidden_states=states, attentions=seen)

    def _rescale(self):
        """Outputs of later layers are halved for inference, so that float16 holds them, and doubled again for training."""
        every = self.config.rescale_every
        if every > 0:
            with torch.no_grad():
                for index, block in enumerate(self.blocks):
                    for part in (block.attention.output, block.feed_forward.value):
                        if self.training:
                            part.weight.mul_(2 ** (index // every))
                        else:
                            part.weight.div_(2 ** (index // every))
        self.layers_are_rescaled = not self.training


class RwkvForCausalLM(PreTrainedModel):
    base_model_prefix = "rwkv"
    supports_sdpa = False
    tied = {"head.weight": "rwkv.embeddings.weight"}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.rwkv = RwkvModel(config)
        self.head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.head

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        state: list[Tensor] | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        logits_to_keep: int | Tensor = 0,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        outputs = self.rwkv(
            input_ids,
            inputs_embeds=inputs_embeds,
            state=state,
            use_cache=use_cache,
            output_attentions=output_attentions,
            output_hidden_states=output_hidden_states,
        )
        hidden_states = outputs.last_hidden_state
        wanted = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.head(hidden_states[:, wanted, :])
        loss = None
        if labels is not None:
            loss = self.loss_function(logits=logits, labels=labels, vocab_size=self.config.vocab_size, **kwargs)
        result = RwkvCausalLMOutput(
            loss=loss,
            logits=logits,
            state=outputs.state,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
        )
        return result.to_tuple() if return_dict is False else result


register(
    RwkvConfig,
    AutoModel=RwkvModel,
    AutoModelForCausalLM=RwkvForCausalLM,
    AutoModelForPreTraining=RwkvForCausalLM,
)
register_classes(type("RwkvPreTrainedModel", (PreTrainedModel,), {"config_class": RwkvConfig, "__module__": __name__}))
