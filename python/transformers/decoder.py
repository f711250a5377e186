"""
Decoders: tokens that see what came before. One core; a family overrides what is special.

A tensor lives exactly as long as in the library: what a function still names, or was called with, is held. So the names
that are rebound here, and those that are not, are part of the memory model.
"""

from torch import nn

from .activations import ACT2FN
from .attention import HeadedModule
from .cache import DynamicCache
from .capturing import collects
from .config import PreTrainedConfig
from .masks import create_causal_mask
from .model import BLOCK_RECORDS, Block, PreTrainedModel, register, register_classes
from .norms import RMSNorm
from .outputs import (
    BaseModelOutputWithPast,
    CausalLMOutputWithPast,
    QuestionAnsweringModelOutput,
    SequenceClassifierOutputWithPast,
    TokenClassifierOutput,
)
from .releases import is_past
from .rope import RotaryEmbedding, rotate


class DecoderConfig(PreTrainedConfig):
    """Fields that decoders share, with the defaults most of them use."""

    has_rope = True
    vocab_size = 32000
    hidden_size = 4096
    intermediate_size = 11008
    num_hidden_layers = 32
    num_attention_heads = 32
    num_key_value_heads = None
    hidden_act = "silu"
    max_position_embeddings = 2048
    initializer_range = 0.02
    rms_norm_eps = 1e-6
    use_cache = True
    tie_word_embeddings = False
    attention_bias = False
    attention_dropout = 0.0
    mlp_bias = False
    head_dim = None

    def complete(self):
        if self.num_key_value_heads is None:
            self.num_key_value_heads = self.num_attention_heads
        if self.head_dim is None:
            self.head_dim = self.hidden_size // self.num_attention_heads


class GatedMLP(nn.Module):
    """Two projections up, one through the activation, and one down."""

    def __init__(self, config, intermediate_size=None):
        super().__init__()
        size = intermediate_size or config.intermediate_size
        bias = getattr(config, "mlp_bias", False)
        self.gate_proj = nn.Linear(config.hidden_size, size, bias=bias)
        self.up_proj = nn.Linear(config.hidden_size, size, bias=bias)
        self.down_proj = nn.Linear(size, config.hidden_size, bias=bias)
        self.act_fn = ACT2FN[config.hidden_act]

    def forward(self, x):
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))


class FusedGatedMLP(nn.Module):
    """Gate and up in one projection."""

    def __init__(self, config):
        super().__init__()
        self.gate_up_proj = nn.Linear(config.hidden_size, 2 * config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)
        self.activation_fn = ACT2FN[config.hidden_act]

    def forward(self, x):
        both = self.gate_up_proj(x)
        gate, both = both.chunk(2, dim=-1)
        both = both * self.activation_fn(gate)
        return self.down_proj(both)


class Attention(HeadedModule):
    """
    Queries, keys and values from three projections, turned by position, with keys shared by groups of queries.

    `biased` and `out_biased` say which projections have biases; None asks the config's `attention_bias`.
    """

    biased = None
    out_biased = None
    rotate = staticmethod(rotate)

    def __init__(self, config, layer_idx):
        super().__init__()
        self.config = config
        self.layer_idx = layer_idx
        self.head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.num_key_value_groups = config.num_attention_heads // config.num_key_value_heads
        self.scaling = self.scale(config)
        self.attention_dropout = config.attention_dropout
        self.is_causal = True
        self.build(config)

    def scale(self, config):
        return self.head_dim**-0.5

    def build(self, config):
        bias = config.attention_bias if self.biased is None else self.biased
        out = bias if self.out_biased is None else self.out_biased
        self.q_proj = nn.Linear(config.hidden_size, config.num_attention_heads * self.head_dim, bias=bias)
        self.k_proj = nn.Linear(config.hidden_size, config.num_key_value_heads * self.head_dim, bias=bias)
        self.v_proj = nn.Linear(config.hidden_size, config.num_key_value_heads * self.head_dim, bias=bias)
        self.o_proj = nn.Linear(config.num_attention_heads * self.head_dim, config.hidden_size, bias=out)

    def project(self, x):
        """[batch, length, hidden] to queries, keys and values [batch, heads, length, size], after what else lives on in `forward`."""
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_proj(x).view(shape).transpose(1, 2)
        key = self.k_proj(x).view(shape).transpose(1, 2)
        value = self.v_proj(x).view(shape).transpose(1, 2)
        return query, key, value

    def options(self):
        """More arguments for the attention function."""
        return {}

    def out_steps(self):
        """What comes after attention: functions of one operator each, so that no step outlives the next."""
        return (self.o_proj,)

    def forward(self, hidden_states, position_embeddings=None, attention_mask=None, past_key_values=None, **kwargs):
        shape = hidden_states.shape[:-1]
        *_kept, query, key, value = self.project(hidden_states)
        if position_embeddings is not None:
            cos, sin = position_embeddings
            query, key = self.rotate(query, key, cos, sin)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.attention_dropout if self.training else 0.0,
            scaling=self.scaling,
            **self.options(),
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        for step in self.out_steps():
            output = step(output)
        return output, weights


class DecoderLayer(Block):
    """Attention and a feed-forward part, each normalised before and added to what came in."""

    attention_class = Attention
    mlp_class = GatedMLP
    norm_class = RMSNorm
    norm_eps = "rms_norm_eps"

    def __init__(self, config, layer_idx):
        super().__init__()
        self.hidden_size = config.hidden_size
        self.self_attn = self.attention_class(config, layer_idx)
        self.mlp = self.make_mlp(config, layer_idx)
        self.build_norms(config)

    def make_mlp(self, config, layer_idx):
        return self.mlp_class(config)

    def norm(self, config):
        return self.norm_class(config.hidden_size, eps=getattr(config, self.norm_eps))

    def build_norms(self, config):
        self.input_layernorm = self.norm(config)
        self.post_attention_layernorm = self.norm(config)

    def forward(self, hidden_states, **kwargs):
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = residual + hidden_states
        return hidden_states


class DecoderModel(PreTrainedModel):
    """Embeddings, layers and a last norm. `forward` gives states [batch, length, hidden]."""

    layer_class = DecoderLayer
    rotary_class = RotaryEmbedding
    records = BLOCK_RECORDS
    output_class = BaseModelOutputWithPast
    # whether the embeddings have a name of their own beside the states that enter the first layer
    keeps_embeds = True

    def __init__(self, config):
        super().__init__(config)
        self.padding_idx = config.pad_token_id
        self.vocab_size = config.vocab_size
        self.gradient_checkpointing = False
        self.build(config)
        self.post_init()

    def build(self, config):
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size, self.padding_idx)
        self.layers = nn.ModuleList(self.layer_class(config, index) for index in range(config.num_hidden_layers))
        self.norm = self.last_norm(config)
        self.rotary_emb = self.rotary_class(config=config)

    def last_norm(self, config):
        kind = self.layer_class
        return kind.norm_class(config.hidden_size, eps=getattr(config, kind.norm_eps))

    def masks(self, **given):
        """The mask for every layer."""
        return create_causal_mask(config=self.config, **given)

    def mask_of(self, masks, index):
        """The mask of one layer, where layers differ."""
        return masks

    def embed(self, input_ids):
        return self.embed_tokens(input_ids)

    def positions(self, states, position_ids):
        """What every layer gets to know about positions."""
        return self.rotary_emb(states, position_ids=position_ids)

    def position_of(self, positions, index):
        return positions

    def wants_cache(self, use_cache):
        if use_cache is None:
            use_cache = getattr(self.config, "use_cache", None)
        return use_cache and not (self.gradient_checkpointing and self.training)

    @collects
    def forward(
        self,
        input_ids=None,
        attention_mask=None,
        position_ids=None,
        past_key_values=None,
        inputs_embeds=None,
        use_cache=None,
        **kwargs,
    ):
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if inputs_embeds is None:
            inputs_embeds = self.embed(input_ids)
        use_cache = self.wants_cache(use_cache)
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
        position_ids, places = self.number(position_ids, inputs_embeds, past_key_values)
        masks = self.masks(
            inputs_embeds=inputs_embeds,
            attention_mask=attention_mask,
            past_key_values=past_key_values,
            position_ids=position_ids,
        )
        hidden_states = self.enter(inputs_embeds)
        if not self.keeps_embeds:
            inputs_embeds = hidden_states
        positions = self.positions(hidden_states, places)
        more = self.extras(kwargs)
        for index, layer in enumerate(self.layers[: self.config.num_hidden_layers]):
            hidden_states = layer(
                hidden_states,
                attention_mask=self.mask_of(masks, index),
                position_embeddings=self.position_of(positions, index),
                position_ids=position_ids,
                past_key_values=past_key_values,
                use_cache=use_cache,
                **kwargs,
            )
            if isinstance(hidden_states, tuple):
                hidden_states = hidden_states[0]
            if more:
                hidden_states = self.after_layer(hidden_states, index, **more)
        hidden_states = self.leave(hidden_states)
        return self.output_class(last_hidden_state=hidden_states, past_key_values=past_key_values)

    def number(self, position_ids, embeds, past_key_values):
        """Positions for masks and layers, and those for the rotary embedding."""
        if position_ids is None:
            seen = past_key_values.get_seq_length() if past_key_values is not None else 0
            position_ids = range_after(embeds, seen)
            position_ids = position_ids.unsqueeze(0)
        return position_ids, position_ids

    def extras(self, given):
        """Takes out of `given` what is not for the layers, but for `after_layer`."""
        return {}

    def enter(self, embeds):
        """What the first layer gets."""
        return embeds

    def leave(self, states):
        """What comes after the last layer."""
        return self.norm(states)


def range_after(states, first):
    """Positions of the tokens of `states`, after `first` that were seen before."""
    import torch

    return torch.arange(states.shape[1], device=states.device) + first


class CausalLM(PreTrainedModel):
    """A decoder with a projection to the vocabulary."""

    tied = {"lm_head.weight": "model.embed_tokens.weight"}
    model_class = DecoderModel
    head_name = "lm_head"
    head_bias = False
    head_in = "hidden_size"

    def __init__(self, config):
        super().__init__(config)
        self.vocab_size = config.vocab_size
        setattr(self, self.base_model_prefix, self.model_class(config))
        setattr(self, self.head_name, nn.Linear(getattr(config, self.head_in), config.vocab_size, bias=self.head_bias))
        self.post_init()

    def get_output_embeddings(self):
        return getattr(self, self.head_name)

    def logit_steps(self):
        """What a family does to logits before the loss: functions of one operator each, so that no step outlives the next."""
        return ()

    def forward(
        self,
        input_ids=None,
        attention_mask=None,
        position_ids=None,
        past_key_values=None,
        inputs_embeds=None,
        labels=None,
        use_cache=None,
        logits_to_keep=0,
        return_dict=None,
        **kwargs,
    ):
        outputs = self.base_model(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        hidden_states = outputs.last_hidden_state
        if is_past("whole_logits"):
            logits_to_keep = 0
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.get_output_embeddings()(hidden_states[:, kept, :])
        for step in self.logit_steps():
            logits = step(logits)
        if is_past("whole_logits"):
            logits = logits.float()
        loss = None
        if labels is not None:
            loss = self.loss_function(logits=logits, labels=labels, vocab_size=self.config.vocab_size, **kwargs)
        result = self.result(outputs, logits, loss, attention_mask)
        return result.to_tuple() if return_dict is False else result

    def result(self, outputs, logits, loss, attention_mask):
        return CausalLMOutputWithPast(
            loss=loss,
            logits=logits,
            past_key_values=outputs.past_key_values,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
        )


class SequenceClassifier(PreTrainedModel):
    """A decoder whose last token that is not padding says the class."""

    output_class = SequenceClassifierOutputWithPast
    model_class = DecoderModel
    head_name = "score"
    head_in = "hidden_size"

    def __init__(self, config):
        super().__init__(config)
        self.num_labels = config.num_labels
        setattr(self, self.base_model_prefix, self.model_class(config))
        setattr(self, self.head_name, nn.Linear(getattr(config, self.head_in), self.num_labels, bias=False))
        self.post_init()

    def last_token(self, input_ids, logits):
        """The place of the last token of each sequence, and what lives as long."""
        import torch

        real = (input_ids != self.config.pad_token_id).to(logits.device, torch.int32)
        places = torch.arange(input_ids.shape[-1], device=logits.device, dtype=torch.int32)
        return (places * real).argmax(-1), real, places

    def forward(
        self,
        input_ids=None,
        attention_mask=None,
        position_ids=None,
        past_key_values=None,
        inputs_embeds=None,
        labels=None,
        use_cache=None,
        return_dict=None,
        **kwargs,
    ):
        import torch

        outputs = self.base_model(
            input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=past_key_values,
            inputs_embeds=inputs_embeds,
            use_cache=use_cache,
            **kwargs,
        )
        hidden_states = outputs.last_hidden_state
        logits = getattr(self, self.head_name)(hidden_states)
        batch = (input_ids if input_ids is not None else inputs_embeds).shape[0]
        padding = self.config.pad_token_id
        if padding is None and batch != 1:
            raise ValueError("Cannot handle batch sizes > 1 if no padding token is defined.")
        last = -1
        if padding is not None and input_ids is not None:
            last, *_kept = self.last_token(input_ids, logits)
        pooled = logits[torch.arange(batch, device=logits.device), last]
        loss = None
        if labels is not None:
            loss = self.loss_function(logits=logits, labels=labels, pooled_logits=pooled, config=self.config)
        memory = {"past_key_values": outputs.past_key_values} if "past_key_values" in self.output_class.fields else {}
        return self.output_class(
            loss=loss, logits=pooled, **memory, hidden_states=outputs.hidden_states, attentions=outputs.attentions
        )


class TokenClassifier(PreTrainedModel):
    """A decoder that labels every token."""

    model_class = DecoderModel
    head_name = "score"

    def __init__(self, config):
        super().__init__(config)
        self.num_labels = config.num_labels
        setattr(self, self.base_model_prefix, self.model_class(config))
        self.dropout = nn.Dropout(self.dropout_of(config))
        setattr(self, self.head_name, nn.Linear(config.hidden_size, config.num_labels))
        self.post_init()

    def dropout_of(self, config):
        """The rate of dropout before the head."""
        rates = (getattr(config, name, None) for name in ("classifier_dropout", "hidden_dropout"))
        return next((rate for rate in rates if rate is not None), 0.1)

    def forward(self, input_ids=None, labels=None, **kwargs):
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs.last_hidden_state
        states = self.dropout(states)
        logits = getattr(self, self.head_name)(states)
        loss = None
        if labels is not None:
            loss = self.loss_function(logits, labels, self.config)
        return TokenClassifierOutput(
            loss=loss, logits=logits, hidden_states=outputs.hidden_states, attentions=outputs.attentions
        )


class QuestionAnswerer(PreTrainedModel):
    """A decoder that points at the first and last token of an answer."""

    base_model_prefix = "transformer"
    model_class = DecoderModel
    head_in = "hidden_size"

    def __init__(self, config):
        super().__init__(config)
        setattr(self, self.base_model_prefix, self.model_class(config))
        self.qa_outputs = nn.Linear(getattr(config, self.head_in), 2)
        self.post_init()

    def forward(self, input_ids=None, start_positions=None, end_positions=None, **kwargs):
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs.last_hidden_state
        logits = self.qa_outputs(states)
        start, end = logits.split(1, dim=-1)
        start = start.squeeze(-1).contiguous()
        end = end.squeeze(-1).contiguous()
        loss = None
        if start_positions is not None and end_positions is not None:
            loss = self.loss_function(start, end, start_positions, end_positions)
        return QuestionAnsweringModelOutput(
            loss=loss,
            start_logits=start,
            end_logits=end,
            hidden_states=outputs.hidden_states,
            attentions=outputs.attentions,
        )


def family(
    prefix,
    config,
    module,
    *,
    model=DecoderModel,
    lm=CausalLM,
    layer=None,
    rotary=None,
    lm_fields=None,
    heads=True,
    **fields,
):
    """
    Makes the classes of a decoder family, registers them, and puts them into its module.

    `layer` and `rotary` are the classes that the model is made of; `fields` are class attributes of the model, `lm_fields`
    those of the model with a language head. `heads` says whether there are classifiers too.
    """
    fields = {**fields, **({"layer_class": layer} if layer else {}), **({"rotary_class": rotary} if rotary else {})}
    fields["__module__"] = module
    made = type(f"{prefix}Model", (model,), fields)
    kinds = {"AutoModel": made}
    own = {"model_class": made, "__module__": module}
    kinds["AutoModelForCausalLM"] = type(f"{prefix}ForCausalLM", (lm,), {**own, **(lm_fields or {})})
    if heads:
        for ending, kind in (
            ("ForSequenceClassification", SequenceClassifier),
            ("ForTokenClassification", TokenClassifier),
            ("ForQuestionAnswering", QuestionAnswerer),
        ):
            kinds[f"AutoModel{ending}"] = type(f"{prefix}{ending}", (kind,), dict(own))
    register(config, **kinds)
    base = type(f"{prefix}PreTrainedModel", (PreTrainedModel,), {"config_class": config, "__module__": module})
    register_classes(base)
    return kinds
