"""Quantized weights: putting the layers of bitsandbytes, GPTQ, AWQ, FP8, torchao and others where linear layers are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torch import nn
from torch._stand_ins import note

from ..parts.experts import Experts
from ..pytorch_utils import Conv1D
from .configs import BitsAndBytesConfig
from .experts import BY_METHOD
from .values import (
    BY_TORCHAO,
    BlockFloat8Linear,
    EetqLinear,
    HqqLinear,
    QuantoLinear,
)
from .words import awq_kind, finish_words, gptq_kind
from ..releases import is_past, version_text

if TYPE_CHECKING:
    from typing import Any

    import torch


def _kept(model, config):
    """
    Names of modules that stay as they are: those that the configuration names, or the head, whatever shares its weight, and the
    last module that has parameters. transformers/quantizers/base.py: get_keys_to_not_convert
    """
    excluded = config.modules_to_not_convert
    kept = set(excluded or ())
    if excluded is not None and config.quant_method not in ("gptq", "awq"):
        return kept
    names = [name for name, _ in model.named_parameters()]
    if names:
        kept.add(names[-1].removesuffix(".weight"))
    head = model.get_output_embeddings()
    kept.update(name for name, module in model.named_modules() if module is head)
    return kept


def _is_kept(name, patterns):
    return any(re.match(rf"{p}\.", name) or re.match(p, name) or name.endswith(p) for p in patterns if p)


def _sizes(module):
    """Inputs, outputs and the weight [outputs, inputs]."""
    if isinstance(module, Conv1D):
        return module.nx, module.nf, module.weight.data.t()
    return module.in_features, module.out_features, module.weight.data


def _bitsandbytes(module, config):
    import bitsandbytes as bnb

    inputs, outputs, weight = _sizes(module)
    if config.load_in_4bit:
        made = bnb.nn.Linear4bit(
            inputs,
            outputs,
            module.bias is not None,
            config.bnb_4bit_compute_dtype,
            compress_statistics=config.bnb_4bit_use_double_quant,
            quant_type=config.bnb_4bit_quant_type,
            quant_storage=config.bnb_4bit_quant_storage,
        )
    else:
        made = bnb.nn.Linear8bitLt(
            inputs,
            outputs,
            module.bias is not None,
            has_fp16_weights=config.llm_int8_has_fp16_weight,
            threshold=config.llm_int8_threshold,
        )
    made.weight.data = weight
    return made


def _packed(kind_of):
    def make(module, config):
        inputs, outputs, weight = _sizes(module)
        bias = module.bias is not None or (config.quant_method == "gptq" and is_past("biases_everywhere"))
        return kind_of(config)(inputs, outputs, bias, config.bits, config.group_size, weight.dtype)

    return make


def _torchao(module, config):
    name = config.quant_type
    name = name if isinstance(name, str) else _snake(type(name).__name__.removesuffix("Config"))
    if name not in BY_TORCHAO:
        raise NotImplementedError(f"vramscope's torchao has no type {name!r}; it has: {', '.join(sorted(BY_TORCHAO))}")
    return BY_TORCHAO[name](module, config)


def _snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


# Kernels of a library of its own lie outside the allocator: 0.86 GiB more than without them on an A100 with PyTorch 2.1 and CUDA
# 11.8 (bitsandbytes, auto_gptq and autoawq under optimum-benchmark), 0.1 GiB with CUDA 12.1.
_OWN_KERNELS = {"bitsandbytes", "gptq", "awq", "hqq", "eetq", "quanto"}
_OWN_KERNELS_HIGH = int(0.86 * 2**30)

# How a layer of each method is made, and whether GPT-2's Conv1D becomes one.
_MAKERS = {
    "bitsandbytes": (_bitsandbytes, True),
    "gptq": (_packed(gptq_kind), True),
    "awq": (_packed(awq_kind), False),
    "fp8": (BlockFloat8Linear, False),
    "torchao": (_torchao, False),
    "hqq": (HqqLinear, False),
    "eetq": (EetqLinear, False),
    "quanto": (QuantoLinear, False),
}


def _is_converted(module, has_conv, exact):
    if isinstance(module, Conv1D):
        return has_conv
    return type(module) is nn.Linear if exact else isinstance(module, nn.Linear)


def quantize_model(model: Any, config: Any) -> Any:
    """Replaces linear layers; their weights are quantized when they come to the GPU."""
    method = config.quant_method
    make, has_conv = _MAKERS[method]
    kept = _kept(model, config)
    exact = method == "bitsandbytes" and not is_past("derived_layers_quantized")
    left = left_experts = 0
    for name, module in list(model.named_modules()):
        if _is_kept(name, kept):
            continue
        if isinstance(module, Experts):
            if method in BY_METHOD:
                model.set_submodule(name, BY_METHOD[method](module, config))
            else:
                left_experts += sum(one.numel() for one in module.parameters(recurse=False))
            continue
        if not _is_converted(module, has_conv, exact):
            left += module.weight.numel() if isinstance(module, nn.Linear) else 0
            continue
        made = make(module, config)
        if getattr(made, "bias", None) is not None and module.bias is not None:
            made.bias = module.bias
        made.requires_grad_(False)
        model.set_submodule(name, made)
    if left:
        note("layers_not_quantized", "parameters", str(left), release=version_text())
    if left_experts:
        note("experts_not_quantized", "parameters", f"{left_experts:,}", library=method)
    if method in _OWN_KERNELS:
        note("library_kernels", "library", method, libraryHighBytes=_OWN_KERNELS_HIGH)
    model.is_quantized = True
    for module in model.modules():
        if hasattr(module, "config"):
            module.config._is_quantized = True
    model.quantization_method = method
    model.hf_quantizer = config
    model.is_loaded_in_4bit = isinstance(config, BitsAndBytesConfig) and config.load_in_4bit
    model.is_loaded_in_8bit = isinstance(config, BitsAndBytesConfig) and config.load_in_8bit
    return model


def finish_loading(model: Any, device: torch.device | str | int) -> None:
    """What comes after the weights: layers that are quantized where they are, and buffers that kernels share."""
    by_kind = {}
    if model.quantization_method in ("gptq", "awq"):
        finish_words(model)
    for module in model.modules():
        if hasattr(module, "finish"):
            module.finish(device)
        if hasattr(module, "share"):
            by_kind.setdefault(type(module), []).append(module)
    model._shared_buffers = [buffer for kind, layers in by_kind.items() for buffer in kind.share(layers, device)]
