"""mamba: no attention; a convolution and a recurrence, written out step by step as the library does without its kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._C import ops
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cache_utils import DynamicCache
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block, PreTrainedModel, register, register_classes
from ..parts.norms import RMSNorm
from ..modeling_outputs import output_class

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput


class MambaConfig(PreTrainedConfig):
    model_type = "mamba"
    vocab_size = 50280
    hidden_size = 768
    state_size = 16
    num_hidden_layers = 32
    layer_norm_epsilon = 1e-5
    pad_token_id = 0
    bos_token_id = 0
    eos_token_id = 0
    expand = 2
    conv_kernel = 4
    use_bias = False
    use_conv_bias = True
    hidden_act = "silu"
    initializer_range = 0.1
    residual_in_fp32 = True
    time_step_rank = "auto"
    time_step_scale = 1.0
    time_step_min = 0.001
    time_step_max = 0.1
    time_step_init_scheme = "random"
    time_step_floor = 1e-4
    rescale_prenorm_residual = False
    use_cache = True
    use_mambapy = False
    use_associative_scan = True

    def complete(self) -> None:
        self.intermediate_size = int(self.expand * self.hidden_size)
        if self.time_step_rank == "auto":
            self.time_step_rank = math.ceil(self.hidden_size / 16)

    @property
    def layer_types(self) -> Any:
        return ["mamba"] * self.num_hidden_layers


class MambaMixer(nn.Module):
    def __init__(self, config: MambaConfig, layer_idx: int) -> None:
        super().__init__()
        if getattr(config, "use_mambapy", False):
            raise ImportError("use_mambapy needs the mambapy package, which vramscope does not have")
        inner, states, rank = config.intermediate_size, config.state_size, int(config.time_step_rank)
        self.inner, self.states, self.kernel, self.rank = inner, states, config.conv_kernel, rank
        self.layer_idx = layer_idx
        self.conv1d = nn.Conv1d(
            inner, inner, config.conv_kernel, groups=inner, padding=config.conv_kernel - 1, bias=config.use_conv_bias
        )
        self.act = ACT2FN[config.hidden_act]
        self.in_proj = nn.Linear(config.hidden_size, inner * 2, bias=config.use_bias)
        self.x_proj = nn.Linear(inner, rank + states * 2, bias=False)
        self.dt_proj = nn.Linear(rank, inner)
        self.A_log = nn.Parameter(torch.empty(inner, states))
        self.D = nn.Parameter(torch.empty(inner))
        self.out_proj = nn.Linear(inner, config.hidden_size, bias=config.use_bias)

    def even_out(self, inputs: Tensor, outputs: Tensor, steps: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What a family does to the parts of the selection before they are used."""
        return inputs, outputs, steps

    def forward(
        self, hidden_states: Tensor, cache_params: Cache | None = None, attention_mask: Tensor | None = None
    ) -> Tensor:
        return self._scan(hidden_states, cache_params, attention_mask)

    def _scan(self, hidden_states, memory, mask):
        batch, length, _ = hidden_states.shape
        dtype = hidden_states.dtype
        projected = self.in_proj(hidden_states).transpose(1, 2)
        x, gate = projected.chunk(2, dim=1)
        if mask is not None:
            x = x * mask.unsqueeze(1)
        known = memory is not None and memory.has_previous_state(self.layer_idx)
        if known:
            state = memory.layers[self.layer_idx].recurrent_states.clone()
        else:
            state = torch.zeros((batch, self.inner, self.states), device=x.device, dtype=dtype)
        if memory is None:
            x = self.act(self.conv1d(x)[..., :length])
        elif not known:
            recent = F.pad(x, (self.kernel - x.shape[-1], 0))
            memory.update_conv_state(recent, self.layer_idx)
            x = self.act(self.conv1d(x)[..., :length])
        else:
            recent = memory.update_conv_state(x, self.layer_idx)
            x = torch.sum(recent * self.conv1d.weight[:, 0, :], dim=-1)
            if self.conv1d.bias is not None:
                x += self.conv1d.bias
            x = self.act(x).to(dtype).unsqueeze(-1)
        if mask is not None:
            x = x * mask.unsqueeze(1)
        chosen = self.x_proj(x.transpose(1, 2))
        steps, inputs, outputs = torch.split(chosen, [self.rank, self.states, self.states], dim=-1)
        inputs, outputs, steps = self.even_out(inputs, outputs, steps)
        widths = self.dt_proj(steps)
        widths = F.softplus(widths).transpose(1, 2)
        decay = -torch.exp(self.A_log.float())
        kept = torch.exp(decay[None, :, None, :] * widths[:, :, :, None])
        taken = widths[:, :, :, None] * inputs[:, None, :, :].float()
        added = taken * x[:, :, :, None].float()
        results = []
        state = kept[:, :, 0, :] * state + added[:, :, 0, :]
        for i in range(1, length):
            result, state = ops._selective_scan_step(state, outputs, kept, added, i, dtype)
            results.append(result)
        result = torch.matmul(state.to(dtype), outputs[:, length - 1, :].unsqueeze(-1))
        results.append(result[:, :, 0])
        result = torch.stack(results, dim=-1)
        result = result + x * self.D[None, :, None]
        result = result * self.act(gate)
        if memory is not None:
            memory.update_recurrent_state(state, self.layer_idx)
        return self.out_proj(result.transpose(1, 2))


class MambaBlock(Block):
    mixer_class = MambaMixer
    norm_class = RMSNorm

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.residual_in_fp32 = config.residual_in_fp32
        self.norm = self.norm_class(config.hidden_size, eps=config.layer_norm_epsilon)
        self.mixer = self.mixer_class(config, layer_idx)

    def forward(
        self, hidden_states: Tensor, cache_params: Cache | None = None, attention_mask: Tensor | None = None, **_: Any
    ) -> Tensor:
        residual = hidden_states
        hidden_states = self.norm(hidden_states.to(dtype=self.norm.weight.dtype))
        if self.residual_in_fp32:
            residual = residual.to(torch.float32)
        hidden_states = self.mixer(hidden_states, cache_params=cache_params, attention_mask=attention_mask)
        hidden_states = residual + hidden_states
        return hidden_states


MambaOutput = output_class("MambaOutput", "last_hidden_state cache_params hidden_states")
MambaCausalLMOutput = output_class("MambaCausalLMOutput", "loss logits cache_params hidden_states")


class MambaModel(PreTrainedModel):
    block_class = MambaBlock

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(self.block_class(config, index) for index in range(config.num_hidden_layers))
        self.gradient_checkpointing = False
        self.norm_f = self.block_class.norm_class(config.hidden_size, eps=config.layer_norm_epsilon)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        cache_params: Cache | None = None,
        use_cache: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        attention_mask: Tensor | None = None,
        **_: Any,
    ) -> tuple | ModelOutput:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        if use_cache is None:
            use_cache = self.config.use_cache and not self.training
        if inputs_embeds is None:
            inputs_embeds = self.embeddings(input_ids)
        if self.gradient_checkpointing and self.training:
            use_cache = False
        if use_cache and cache_params is None:
            cache_params = DynamicCache(config=self.config)
        hidden_states = inputs_embeds
        states = () if output_hidden_states else None
        for block in self.layers:
            hidden_states = block(hidden_states, cache_params=cache_params, attention_mask=attention_mask)
            if states is not None:
                states += (hidden_states,)
        hidden_states = self.norm_f(hidden_states)
        if states is not None:
            states += (hidden_states,)
        return MambaOutput(
            last_hidden_state=hidden_states, cache_params=cache_params if use_cache else None, hidden_states=states
        )


class MambaForCausalLM(PreTrainedModel):
    base_model_prefix = "backbone"
    tied = {"lm_head.weight": "backbone.embeddings.weight"}
    model_class = MambaModel

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.backbone = self.model_class(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def prepare_inputs_for_generation(
        self, input_ids: Tensor, use_cache: bool | None = None, is_first_iteration: bool | None = False, **kwargs: Any
    ) -> dict:
        """The mask is for the prompt only."""
        model_kwargs = {**kwargs, "use_cache": use_cache, "is_first_iteration": is_first_iteration}
        inputs = super().prepare_inputs_for_generation(input_ids, **model_kwargs)
        if use_cache and not is_first_iteration:
            inputs["attention_mask"] = None
        return inputs

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        cache_params: Cache | None = None,
        labels: Tensor | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        use_cache: bool | None = None,
        logits_to_keep: int | Tensor = 0,
        **_: Any,
    ) -> tuple | ModelOutput:
        outputs = self.backbone(
            input_ids,
            cache_params=cache_params,
            inputs_embeds=inputs_embeds,
            output_hidden_states=output_hidden_states,
            use_cache=use_cache,
            attention_mask=attention_mask,
        )
        hidden_states = outputs.last_hidden_state
        wanted = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.lm_head(hidden_states[:, wanted, :].to(self.lm_head.weight.dtype)).float()
        loss = None
        if labels is not None:
            labels = labels.to(logits.device)
            shifted = logits[..., :-1, :].contiguous()
            shifted_labels = labels[..., 1:].contiguous()
            loss = F.cross_entropy(shifted.view(-1, shifted.size(-1)), shifted_labels.view(-1))
        result = MambaCausalLMOutput(
            loss=loss, logits=logits, cache_params=outputs.cache_params, hidden_states=outputs.hidden_states
        )
        return result.to_tuple() if return_dict is False else result


register(
    MambaConfig,
    AutoModel=MambaModel,
    AutoModelForCausalLM=MambaForCausalLM,
    AutoModelForPreTraining=MambaForCausalLM,
)
register_classes(
    type("MambaPreTrainedModel", (PreTrainedModel,), {"config_class": MambaConfig, "__module__": __name__})
)
