"""Makes a quantized model ready to be trained through: all frozen, what is not quantized in float32, blocks computed again in backward."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


_KEPT = ("gptq", "aqlm", "eetq", "hqq", "torchao")


def prepare_model_for_kbit_training(
    model: torch.nn.Module,
    use_gradient_checkpointing: bool = True,
    gradient_checkpointing_kwargs: Any = None,
    auto_clear_cache: bool = True,
) -> Any:
    options = gradient_checkpointing_kwargs or {}
    method = getattr(model, "quantization_method", None)
    quantized = (
        getattr(model, "is_loaded_in_8bit", False) or getattr(model, "is_loaded_in_4bit", False) or method in _KEPT
    )
    for parameter in model.parameters():
        parameter.requires_grad = False
    if method not in _KEPT:
        for parameter in model.parameters():
            if parameter.dtype in (torch.float16, torch.bfloat16) and type(parameter).__name__ != "Params4bit":
                parameter.data = parameter.data.to(torch.float32)
        if auto_clear_cache and torch.cuda.is_available():
            torch.cuda.empty_cache()
    if quantized and use_gradient_checkpointing:
        if options.get("use_reentrant", True):
            model.enable_input_require_grads()
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs=options)
    return model
