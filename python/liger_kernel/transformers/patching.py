"""Puts Liger's parts into models of transformers: into one that exists, or into all that are made from then on."""

from __future__ import annotations

from types import MethodType
from typing import TYPE_CHECKING

from ..ops import LigerRMSNormFunction, LigerSiLUMulFunction
from .modules import causal_loss, liger_rotary_pos_emb

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor

# Types for which Liger replaces all four parts, and whose parts here are the ones that it replaces.
MODEL_TYPES = ("llama", "mistral", "qwen2", "qwen3", "smollm3")
# Types that are to be patched when a model is made.
_pending = {}


def _norm(self, x: Tensor) -> Tensor:
    return LigerRMSNormFunction.apply(x, self.weight, True)


def _feed(self, x: Tensor) -> Tensor:
    return self.down_proj(LigerSiLUMulFunction.apply(self.gate_proj(x), self.up_proj(x)))


def _forward(plain):
    def forward(self: Any, *args: Any, labels: Tensor | None = None, **kwargs: Any) -> Any:
        if labels is None or not self.training:
            return plain(*args, labels=labels, **kwargs)
        count = kwargs.pop("num_items_in_batch", None)
        kwargs.pop("logits_to_keep", None)
        outputs = self.base_model(*args, **kwargs)
        states = outputs.last_hidden_state
        loss = causal_loss(states, self.get_output_embeddings(), labels, count)
        return self.result(outputs, None, loss, None)

    return forward


def patch_model(
    model: Any,
    rope: bool = True,
    rms_norm: bool = True,
    swiglu: bool = True,
    fused_linear_cross_entropy: bool = True,
    **_: bool,
) -> None:
    """Liger knows types of models by their configuration, and leaves others as they are."""
    if model.config.model_type not in MODEL_TYPES:
        raise NotImplementedError(
            f"VRAMScope has Liger's kernels for models of type {', '.join(MODEL_TYPES)}, not for {model.config.model_type!r}"
        )
    body = model.base_model
    for layer in body.layers:
        if rms_norm:
            for norm in (layer.input_layernorm, layer.post_attention_layernorm):
                norm.forward = MethodType(_norm, norm)
        if swiglu:
            layer.mlp.forward = MethodType(_feed, layer.mlp)
        if rope:
            layer.self_attn.rotate = liger_rotary_pos_emb
    if rms_norm:
        body.norm.forward = MethodType(_norm, body.norm)
    if fused_linear_cross_entropy and model.get_output_embeddings() is not None:
        model.forward = MethodType(_forward(model.forward), model)


def patch_types(model_type: str, **options: bool) -> None:
    """`apply_liger_kernel_to_...()` without a model: models of the type are patched when they have been made."""
    from transformers.modeling_utils import PreTrainedModel

    if not _pending:
        plain = PreTrainedModel.post_init

        def post_init(self, *args, **kwargs):
            plain(self, *args, **kwargs)
            kind = self.config.model_type
            if kind in _pending and type(self).__name__.endswith("ForCausalLM"):
                patch_model(self, **_pending[kind])

        PreTrainedModel.post_init = post_init
    _pending[model_type] = options
