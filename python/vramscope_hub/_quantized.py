"""Weights of a checkpoint that was saved quantized: what lies in its file in the place of a layer's weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch


def packed(model: torch.nn.Module, config: Any, tensors: dict) -> dict:
    """The tensors of the state dictionary, those of quantized layers in the form of the configuration's method."""
    quantization = config.get("quantization_config") or {}
    row = METHODS.get(quantization.get("quant_method"))
    return tensors if row is None else row(model, quantization, tensors)


def _bitsandbytes(model, quantization, tensors):
    """Params4bit.as_dict(packed=True): two values a byte, a scale for 64 values in 8 bits, a scale of 256 of those in 32."""
    if not quantization.get("load_in_4bit"):
        return tensors
    import torch

    kind = quantization.get("bnb_4bit_quant_type", "nf4")
    nested = quantization.get("bnb_4bit_use_double_quant", False)
    skipped = quantization.get("llm_int8_skip_modules") or ["lm_head"]
    found = {}
    for name, tensor in tensors.items():
        owner, _, last = name.rpartition(".")
        whole = last != "weight" or any(owner == skip or owner.endswith(f".{skip}") for skip in skipped)
        if whole or not isinstance(model.get_submodule(owner), torch.nn.Linear):
            found[name] = tensor
            continue
        blocks = -(-tensor.numel() // _BLOCK)
        scale = torch.uint8 if nested else torch.float32
        parts = {
            "": ((tensor.numel() + 1) // 2, 1, torch.uint8),
            ".absmax": (blocks, scale),
            ".quant_map": (16, torch.float32),
            f".quant_state.bitsandbytes__{kind}": (_STATE_BYTES, torch.uint8),
        }
        if nested:
            parts[".nested_absmax"] = (-(-blocks // _NESTED_BLOCK), torch.float32)
            parts[".nested_quant_map"] = (256, torch.float32)
        for ending, (*sizes, dtype) in parts.items():
            found[name + ending] = torch.empty(sizes, dtype=dtype, device="meta")
    return found


_BLOCK, _NESTED_BLOCK = 64, 256
# the JSON text of what is no tensor
_STATE_BYTES = 81

METHODS: dict[str, Callable] = {"bitsandbytes": _bitsandbytes}
