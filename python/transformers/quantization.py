"""Quantized weights: BitsAndBytesConfig, and putting the layers of bitsandbytes where linear layers are."""

import torch
from torch import nn


def _dtype(value, default):
    if value is None:
        return default
    return getattr(torch, value) if isinstance(value, str) else value


class BitsAndBytesConfig:
    """4-bit (FP4 or NF4, with or without double quantization) or 8-bit weights of linear layers."""

    quant_method = "bitsandbytes"

    def __init__(
        self,
        load_in_8bit=False,
        load_in_4bit=False,
        llm_int8_threshold=6.0,
        llm_int8_skip_modules=None,
        llm_int8_enable_fp32_cpu_offload=False,
        llm_int8_has_fp16_weight=False,
        bnb_4bit_compute_dtype=None,
        bnb_4bit_quant_type="fp4",
        bnb_4bit_use_double_quant=False,
        bnb_4bit_quant_storage=None,
        **_,
    ):
        if load_in_4bit and load_in_8bit:
            raise ValueError("load_in_4bit and load_in_8bit are both True, but only one can be used at the same time")
        self.load_in_8bit, self.load_in_4bit = load_in_8bit, load_in_4bit
        self.llm_int8_threshold, self.llm_int8_skip_modules = llm_int8_threshold, llm_int8_skip_modules
        self.llm_int8_has_fp16_weight = llm_int8_has_fp16_weight
        self.bnb_4bit_compute_dtype = _dtype(bnb_4bit_compute_dtype, torch.float32)
        self.bnb_4bit_quant_type, self.bnb_4bit_use_double_quant = bnb_4bit_quant_type, bnb_4bit_use_double_quant
        self.bnb_4bit_quant_storage = _dtype(bnb_4bit_quant_storage, torch.uint8)


def _kept(model):
    """Modules that stay as they are: the head, whatever shares its weight, and the last one that has parameters."""
    names = [name for name, _ in model.named_parameters()]
    kept = {names[-1].rpartition(".")[0]} if names else set()
    head = model.get_output_embeddings()
    for name, module in model.named_modules():
        if module is head:
            kept.add(name)
    return kept


def quantize_model(model, config):
    """Replaces linear layers; their weights are quantized when they come to the GPU."""
    import bitsandbytes as bnb

    skipped = config.llm_int8_skip_modules
    kept = _kept(model) if skipped is None else set(skipped)
    for name, module in list(model.named_modules()):
        if type(module) is not nn.Linear or any(name == k or name.endswith(f".{k}") for k in kept if k):
            continue
        parent, _, last = name.rpartition(".")
        if config.load_in_4bit:
            made = bnb.nn.Linear4bit(
                module.in_features,
                module.out_features,
                module.bias is not None,
                config.bnb_4bit_compute_dtype,
                compress_statistics=config.bnb_4bit_use_double_quant,
                quant_type=config.bnb_4bit_quant_type,
                quant_storage=config.bnb_4bit_quant_storage,
            )
        else:
            made = bnb.nn.Linear8bitLt(
                module.in_features,
                module.out_features,
                module.bias is not None,
                has_fp16_weights=config.llm_int8_has_fp16_weight,
                threshold=config.llm_int8_threshold,
            )
        made.weight.data = module.weight.data
        if module.bias is not None:
            made.bias = module.bias
        made.requires_grad_(False)
        setattr(model.get_submodule(parent) if parent else model, last, made)
    model.is_quantized = True
    for module in model.modules():
        if hasattr(module, "config"):
            module.config._is_quantized = True
    model.quantization_method = config.quant_method
    model.is_loaded_in_4bit, model.is_loaded_in_8bit = config.load_in_4bit, config.load_in_8bit
    return model
