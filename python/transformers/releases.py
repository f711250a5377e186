"""Which release of transformers is played: what changed memory, and from which release on."""

from __future__ import annotations

from vramscope_played import Played

NEWEST = (5, 12)
OLDEST = (4, 31)

# Each row: the release that did away with it, and the file of transformers or of its companion that shows it.
PAST = {
    # quantizers' replacement of layers took classes derived from nn.Linear as well: integrations/bitsandbytes.py
    "derived_layers_quantized": (5, 0),
    # each expert was three layers of its own: modeling_mixtral.py, MixtralSparseMoeBlock
    "experts_apart": (5, 0),
    # GPTQ ran through auto_gptq, AWQ through autoawq: quantizers/quantizer_gptq.py, quantizer_awq.py
    "auto_kernels": (5, 0),
    # optimum gave each layer of GPTQ a bias: optimum/gptq/quantizer.py
    "biases_everywhere": (4, 38),
    # AutoAWQ 0.1 multiplied in eight parts whatever the number of rows: awq/modules/linear.py
    "awq_always_in_parts": (4, 38),
    # logits of the whole prompt, in float32: modeling_llama.py, num_logits_to_keep came in 4.45
    "whole_logits": (4, 45),
    # generate() handed keys and values around as tuples: generation/utils.py
    "tuple_caches": (4, 42),
    # a tuple per layer, joined anew by each layer: modeling_llama.py
    "caches_without_class": (4, 36),
    # scaled_dot_product_attention came to decoders: modeling_llama.py, LlamaSdpaAttention
    "eager_by_default": (4, 36),
}


_played = Played("transformers", OLDEST, NEWEST, PAST)
is_past = _played.is_past


def release() -> tuple[int, int]:
    """(major, minor) of the release that is played."""
    major, minor = _played.release()[:2]
    return major, minor


def version_text() -> str:
    return "5.12.1" if release() == NEWEST else "{}.{}.0".format(*release())
