"""Stand-in for liger_kernel.transformers: models whose norms, feed-forward parts, positions and loss are fused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks
from transformers import AutoModelForCausalLM

from .modules import (
    LigerCrossEntropyLoss,
    LigerFusedLinearCrossEntropyLoss,
    LigerRMSNorm,
    LigerSwiGLUMLP,
    liger_rotary_pos_emb,
)
from .patching import MODEL_TYPES, patch_model, patch_types

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("liger_kernel.transformers")

__all__ = [
    "AutoLigerKernelForCausalLM",
    "LigerCrossEntropyLoss",
    "LigerFusedLinearCrossEntropyLoss",
    "LigerRMSNorm",
    "LigerSwiGLUMLP",
    "liger_rotary_pos_emb",
]


def _apply_liger_kernel_to_instance(model: Any, **options: bool) -> None:
    patch_model(model, **options)


def _apply_liger_kernel(model_type: str, **options: bool) -> None:
    patch_types(model_type, **options)


def _applier(model_type):
    def apply(model: Any = None, **options: bool) -> None:
        if model is None:
            patch_types(model_type, **options)
        else:
            patch_model(model, **options)

    apply.__name__ = f"apply_liger_kernel_to_{model_type}"
    return apply


for _type in MODEL_TYPES:
    globals()[f"apply_liger_kernel_to_{_type}"] = _applier(_type)
    __all__.append(f"apply_liger_kernel_to_{_type}")


class AutoLigerKernelForCausalLM(AutoModelForCausalLM):
    """A model with Liger's parts, where Liger has some for its type."""

    @classmethod
    def from_pretrained(cls, name: Any, *args: Any, **options: Any) -> Any:
        model = AutoModelForCausalLM.from_pretrained(name, *args, **options)
        patch_model(model)
        return model

    @classmethod
    def from_config(cls, config: Any, **options: Any) -> Any:
        model = AutoModelForCausalLM.from_config(config, **options)
        patch_model(model)
        return model
