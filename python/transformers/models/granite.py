"""granite: Llama with four factors, on embeddings, on scores, on what each part adds, and on logits."""

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer, DecoderModel
from ..cores.decoder_heads import CausalLM, family


class GraniteConfig(DecoderConfig):
    model_type = "granite"
    bos_token_id = 1
    eos_token_id = 2
    embedding_multiplier = 1.0
    logits_scaling = 1.0
    residual_multiplier = 1.0
    attention_multiplier = 1.0


class GraniteAttention(Attention):
    def scale(self, config):
        return config.attention_multiplier


class GraniteDecoderLayer(DecoderLayer):
    attention_class = GraniteAttention

    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.residual_multiplier = config.residual_multiplier

    def forward(self, hidden_states, **kwargs):
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + hidden_states * self.residual_multiplier
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = residual + hidden_states * self.residual_multiplier
        return hidden_states


class GraniteModel(DecoderModel):
    def embed(self, input_ids):
        return self.embed_tokens(input_ids) * self.config.embedding_multiplier

    def forward(self, input_ids=None, inputs_embeds=None, **kwargs):
        if inputs_embeds is not None:
            inputs_embeds = inputs_embeds * self.config.embedding_multiplier
        return super().forward(input_ids, inputs_embeds=inputs_embeds, **kwargs)


class GraniteLM(CausalLM):
    def logit_steps(self):
        return (lambda logits: logits / self.config.logits_scaling,)


family("Granite", GraniteConfig, __name__, model=GraniteModel, lm=GraniteLM, layer=GraniteDecoderLayer, heads=False)
