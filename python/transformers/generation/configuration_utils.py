"""What generate() is asked for: lengths, tokens, the cache and how to choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_ABSENT = (
    "tokenizer",
    "stop_strings",
    "assistant_model",
    "stopping_criteria",
    "synced_gpus",
    "prompt_lookup_num_tokens",
    "guidance_scale",
    "watermarking_config",
    "penalty_alpha",
    "dola_layers",
    "token_healing",
)


_TOKENS = ("bos", "eos", "pad", "decoder_start")


class GenerationConfig:
    """Settings of generate()."""

    max_length = 20
    max_new_tokens = None
    min_length = 0
    min_new_tokens = None
    do_sample = False
    num_beams = 1
    temperature = 1.0
    top_k = 50
    top_p = 1.0
    repetition_penalty = 1.0
    encoder_repetition_penalty = 1.0
    no_repeat_ngram_size = 0
    encoder_no_repeat_ngram_size = 0
    sequence_bias = None
    bad_words_ids = None
    forced_bos_token_id = None
    forced_eos_token_id = None
    remove_invalid_values = False
    exponential_decay_length_penalty = None
    suppress_tokens = None
    begin_suppress_tokens = None
    min_p = None
    typical_p = 1.0
    epsilon_cutoff = 0.0
    eta_cutoff = 0.0
    renormalize_logits = False
    length_penalty = 1.0
    early_stopping = False
    disable_compile = False
    use_cache = True
    cache_implementation = None
    cache_config = None
    prefill_chunk_size = None
    pad_token_id = None
    bos_token_id = None
    eos_token_id = None
    decoder_start_token_id = None
    num_return_sequences = 1
    return_dict_in_generate = False
    output_scores = False
    output_logits = False
    output_attentions = False
    output_hidden_states = False

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    @classmethod
    def from_model_config(cls, config: Any) -> GenerationConfig:
        """The tokens that the config of a model names."""
        made = cls()
        part = config.get_text_config(decoder=True)
        for kind in _TOKENS:
            name = f"{kind}_token_id"
            value = getattr(config, name, None)
            if value is None:
                value = getattr(part, name, None)
            if value is not None:
                setattr(made, name, value)
        return made

    @classmethod
    def from_pretrained(cls, *_: Any, **values: Any) -> GenerationConfig:
        return cls(**values)

    def update(self, **values: Any) -> Any:
        """Takes what it knows; returns the rest."""
        rest = {}
        for name, value in values.items():
            if hasattr(self, name):
                setattr(self, name, value)
            else:
                rest[name] = value
        return rest

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))
