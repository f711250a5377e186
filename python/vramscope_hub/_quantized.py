"""Weights of a checkpoint that was saved quantized: what lies in its file in the place of a layer's weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._repositories import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch


def packed(repo_id: str, model: torch.nn.Module, config: Any, tensors: dict) -> dict:
    """The tensors of the state dictionary, those of quantized layers in the form of the configuration's method. The report says
    where nobody here knows that form."""
    quantization = config.get("quantization_config")
    if not quantization:
        return tensors
    method = quantization.get("quant_method", "")
    row = METHODS.get(method)
    if row is None:
        say("hub_not_packed", repo_id, method=method)
        return tensors
    if any(_of_all_experts(model, name, tensor) for name, tensor in tensors.items()):
        say("hub_not_packed", repo_id, method=method)
    return row(model, quantization, tensors)


def _of_all_experts(model, name, tensor):
    """Whether one tensor has the matrices of all experts: nobody packs it."""
    from torch.nn.modules.conv import _ConvNd

    owner = model.get_submodule(name.rpartition(".")[0])
    return tensor.dim() == 3 and not isinstance(owner, _ConvNd)


def _layers(model, tensors, skipped):
    """Each tensor by name, and whether it is the weight of a linear layer that none of the names in `skipped` leaves out."""
    import torch

    for name, tensor in tensors.items():
        owner, _, last = name.rpartition(".")
        whole = last != "weight" or any(owner == skip or owner.endswith(f".{skip}") for skip in skipped)
        yield name, tensor, not whole and isinstance(model.get_submodule(owner), torch.nn.Linear)


def _fp8(model, quantization, tensors):
    """integrations/finegrained_fp8.py: values of 8 bits, and the scale of a block of them in 32."""
    import torch

    sizes = quantization.get("weight_block_size")
    found = {}
    for name, tensor, is_packed in _layers(model, tensors, quantization.get("modules_to_not_convert") or ["lm_head"]):
        if not is_packed:
            found[name] = tensor
            continue
        found[name] = torch.empty(tensor.shape, dtype=torch.float8_e4m3fn, device="meta")
        blocks = [-(-n // size) for n, size in zip(tensor.shape, sizes)] if sizes else []
        found[f"{name}_scale_inv"] = torch.empty(blocks, dtype=torch.float32, device="meta")
    return found


def _bitsandbytes(model, quantization, tensors):
    """Params4bit.as_dict(packed=True): two values a byte, a scale for 64 values in 8 bits, a scale of 256 of those in 32."""
    if not quantization.get("load_in_4bit"):
        return tensors
    import torch

    kind = quantization.get("bnb_4bit_quant_type", "nf4")
    nested = quantization.get("bnb_4bit_use_double_quant", False)
    found = {}
    for name, tensor, is_packed in _layers(model, tensors, quantization.get("llm_int8_skip_modules") or ["lm_head"]):
        if not is_packed:
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


def _words(along_outputs, has_order):
    """gptqmodel/nn_modules/qlinear/__init__.py: words of 32 bits, a scale of 16 and a zero point per group, the order of inputs."""

    def tensors_of(model, quantization, tensors):
        import torch

        bits, size = quantization.get("bits", 4), quantization.get("group_size", 128)
        found = {}
        skipped = [*(quantization.get("modules_to_not_convert") or ()), "lm_head"]
        for name, tensor, is_packed in _layers(model, tensors, skipped):
            if not is_packed:
                found[name] = tensor
                continue
            outputs, inputs = tensor.shape
            groups, words = 1 if size == -1 else -(-inputs // size), outputs * bits // _WORD_BITS
            parts = {
                "qweight": ((inputs, words) if along_outputs else (inputs * bits // _WORD_BITS, outputs), torch.int32),
                "qzeros": ((groups, words), torch.int32),
                "scales": ((groups, outputs), torch.float16),
            }
            if has_order:
                parts["g_idx"] = ((inputs,), torch.int32)
            for part, (sizes, dtype) in parts.items():
                found[f"{name.removesuffix('weight')}{part}"] = torch.empty(sizes, dtype=dtype, device="meta")
        return found

    return tensors_of


_WORD_BITS = 32

METHODS: dict[str, Callable] = {
    "bitsandbytes": _bitsandbytes,
    "fp8": _fp8,
    "gptq": _words(along_outputs=False, has_order=True),
    "awq": _words(along_outputs=True, has_order=False),
}

# What the tools of a method write the other weights in, whatever the model was published in.
WRITTEN_IN = {"gptq": "float16", "awq": "float16"}
