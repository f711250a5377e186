"""Encoders of sound in the manner of wav2vec2: convolutions over samples, then tokens that see each other. One core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..configuration_utils import PreTrainedConfig
from .encoder import eager_plain
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import Block
from ..modeling_outputs import BaseModelOutput
from .speech_features import PositionalConv

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class SpeechConfig(PreTrainedConfig):
    """Fields that encoders of sound share, with wav2vec2's defaults. The `conv_` fields have one entry per convolution."""

    vocab_size = 32
    hidden_size = 768
    num_hidden_layers = 12
    num_attention_heads = 12
    intermediate_size = 3072
    hidden_act = "gelu"
    hidden_dropout = 0.1
    activation_dropout = 0.1
    attention_dropout = 0.1
    feat_proj_dropout = 0.0
    final_dropout = 0.1
    layerdrop = 0.1
    initializer_range = 0.02
    layer_norm_eps = 1e-5
    feat_extract_norm = "group"
    feat_extract_activation = "gelu"
    conv_dim = (512,) * 7
    conv_stride = (5, 2, 2, 2, 2, 2, 2)
    conv_kernel = (10, 3, 3, 3, 3, 2, 2)
    conv_bias = False
    num_conv_pos_embeddings = 128
    num_conv_pos_embedding_groups = 16
    do_stable_layer_norm = False
    apply_spec_augment = True
    mask_time_prob = 0.05
    mask_time_length = 10
    mask_time_min_masks = 2
    mask_feature_prob = 0.0
    mask_feature_length = 10
    mask_feature_min_masks = 0
    ctc_loss_reduction = "sum"
    ctc_zero_infinity = False
    use_weighted_layer_sum = False
    classifier_proj_size = 256
    pad_token_id = 0
    bos_token_id = 1
    eos_token_id = 2
    add_adapter = False
    adapter_kernel_size = 3
    adapter_stride = 2
    num_adapter_layers = 3
    output_hidden_size = None
    adapter_attn_dim = None

    def complete(self) -> None:
        self.num_feat_extract_layers = len(self.conv_dim)
        self.output_hidden_size = self.output_hidden_size or self.hidden_size

    @property
    def inputs_to_logits_ratio(self) -> Any:
        ratio = 1
        for stride in self.conv_stride:
            ratio *= stride
        return ratio


# --- convolutions over samples


# --- the encoder


class SpeechAttention(HeadedModule):
    eager = staticmethod(eager_plain)

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.embed_dim = size = config.hidden_size
        self.num_heads = config.num_attention_heads
        self.dropout = config.attention_dropout
        self.head_dim = size // self.num_heads
        if self.head_dim * self.num_heads != size:
            raise ValueError(
                f"embed_dim must be divisible by num_heads (got `embed_dim`: {size} and `num_heads`: {self.num_heads})."
            )
        self.scaling = self.head_dim**-0.5
        self.is_causal = False
        for name in ("k_proj", "v_proj", "q_proj", "out_proj"):
            setattr(self, name, nn.Linear(size, size))

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> tuple:
        shape = hidden_states.shape[:-1]
        heads = (*shape, -1, self.head_dim)
        query = self.q_proj(hidden_states).view(heads).transpose(1, 2)
        key = self.k_proj(hidden_states).view(heads).transpose(1, 2)
        value = self.v_proj(hidden_states).view(heads).transpose(1, 2)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        output = self.out_proj(output)
        return output, weights, None


class FeedForward(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.intermediate_dropout = nn.Dropout(config.activation_dropout)
        self.intermediate_dense = nn.Linear(config.hidden_size, config.intermediate_size)
        self.intermediate_act_fn = ACT2FN[config.hidden_act]
        self.output_dense = nn.Linear(config.intermediate_size, config.hidden_size)
        self.output_dropout = nn.Dropout(config.hidden_dropout)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.intermediate_dense(hidden_states)
        hidden_states = self.intermediate_act_fn(hidden_states)
        hidden_states = self.intermediate_dropout(hidden_states)
        hidden_states = self.output_dense(hidden_states)
        hidden_states = self.output_dropout(hidden_states)
        return hidden_states


class AttentionAdapter(nn.Module):
    """A narrow pair of projections after a layer."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.hidden_size)
        self.linear_1 = nn.Linear(config.hidden_size, config.adapter_attn_dim)
        self.act_fn = nn.ReLU()
        self.linear_2 = nn.Linear(config.adapter_attn_dim, config.hidden_size)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.norm(hidden_states)
        hidden_states = self.linear_1(hidden_states)
        hidden_states = self.act_fn(hidden_states)
        hidden_states = self.linear_2(hidden_states)
        return hidden_states


class SpeechLayer(Block):
    """
    Attention and a feed-forward part. Norms come after each, or before each if `stable`.

    Returns a tuple: the states, and what the next layer gets besides.
    """

    attention_class = SpeechAttention
    stable = False

    def __init__(self, config: PreTrainedConfig, index: int = 0) -> None:
        super().__init__()
        self.attention = self.make_attention(config, index)
        self.dropout = nn.Dropout(config.hidden_dropout)
        self.layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.feed_forward = FeedForward(config)
        self.final_layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.adapter_layer = None
        if self.stable and getattr(config, "adapter_attn_dim", None) is not None:
            self.adapter_layer = AttentionAdapter(config)

    def make_attention(self, config: PreTrainedConfig, index: int) -> Any:
        return self.attention_class(config)

    def outputs(self, hidden_states: Tensor, carried: Any) -> tuple:
        return (hidden_states,)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Any:
        residual = hidden_states
        if self.stable:
            hidden_states = self.layer_norm(hidden_states)
        hidden_states, _weights, carried = self.attention(hidden_states, attention_mask=attention_mask, **kwargs)
        kwargs.clear()
        hidden_states = self.dropout(hidden_states)
        hidden_states = residual + hidden_states
        if self.stable:
            hidden_states = hidden_states + self.feed_forward(self.final_layer_norm(hidden_states))
            if self.adapter_layer is not None:
                hidden_states = hidden_states + self.adapter_layer(hidden_states)
        else:
            hidden_states = self.layer_norm(hidden_states)
            hidden_states = hidden_states + self.feed_forward(hidden_states)
            hidden_states = self.final_layer_norm(hidden_states)
        outputs = self.outputs(hidden_states, carried)
        return outputs


class SpeechEncoder(nn.Module):
    """Positions are added, then come the layers. `layerdrop` is not acted on: no layer is left out, which is the most memory."""

    layer_class = SpeechLayer
    positions_class = PositionalConv
    stable = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.pos_conv_embed = self.positions_class(config)
        self.layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout)
        self.layers = nn.ModuleList(self.layer_class(config, index) for index in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def mask(self, hidden_states: Tensor, attention_mask: Tensor | None) -> Any:
        return create_bidirectional_mask(self.config, hidden_states, attention_mask)

    def forward(
        self, hidden_states: Tensor, attention_mask: Tensor | None = None, output_hidden_states: bool = False
    ) -> Any:
        states = () if output_hidden_states else None
        if attention_mask is not None:
            spread = attention_mask.unsqueeze(-1).repeat(1, 1, hidden_states.shape[2])
            hidden_states[~spread] = 0
        attention_mask = self.mask(hidden_states, attention_mask)
        positions = self.pos_conv_embed(hidden_states)
        hidden_states = hidden_states + positions
        if not self.stable:
            hidden_states = self.layer_norm(hidden_states)
        hidden_states = self.dropout(hidden_states)
        more = {}
        for layer in self.layers:
            if output_hidden_states:
                states += (hidden_states,)
            outputs = layer(hidden_states, attention_mask=attention_mask, **more)
            hidden_states = outputs[0]
            more = self.carry(outputs)
        if self.stable:
            hidden_states = self.layer_norm(hidden_states)
        if output_hidden_states:
            states += (hidden_states,)
        return BaseModelOutput(last_hidden_state=hidden_states, hidden_states=states)

    def carry(self, outputs: Any) -> dict:
        """Keyword arguments of the next layer, from what this one gave."""
        return {}


class StableLayer(SpeechLayer):
    stable = True


class StableEncoder(SpeechEncoder):
    layer_class = StableLayer
    stable = True


class AdapterLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.output_hidden_size
        self.conv = nn.Conv1d(size, 2 * size, config.adapter_kernel_size, stride=config.adapter_stride, padding=1)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.conv(hidden_states)
        hidden_states = F.glu(hidden_states, dim=1)
        return hidden_states


class Adapter(nn.Module):
    """Convolutions that shorten what the encoder gives."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.proj = self.proj_layer_norm = None
        if config.output_hidden_size != config.hidden_size:
            self.proj = nn.Linear(config.hidden_size, config.output_hidden_size)
            self.proj_layer_norm = nn.LayerNorm(config.output_hidden_size)
        self.layers = nn.ModuleList(AdapterLayer(config) for _ in range(config.num_adapter_layers))

    def forward(self, hidden_states: Tensor) -> Any:
        if self.proj is not None:
            hidden_states = self.proj(hidden_states)
            hidden_states = self.proj_layer_norm(hidden_states)
        hidden_states = hidden_states.transpose(1, 2)
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        hidden_states = hidden_states.transpose(1, 2)
        return hidden_states
