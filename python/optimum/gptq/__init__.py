"""Layers of gptqmodel in the place of a model's linear layers. optimum/gptq/quantizer.py: GPTQQuantizer"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from gptqmodel.quantization import GPTQ, METHOD
from gptqmodel.utils.importer import hf_select_quant_linear_v2
from gptqmodel.utils.model import hf_gptqmodel_post_init
from torch import nn

if TYPE_CHECKING:
    from typing import Any

# Where the blocks of a model lie: optimum/gptq/constants.py, BLOCK_PATTERNS
_BLOCKS = ("transformer.h", "model.decoder.layers", "gpt_neox.layers", "model.layers")


class GPTQQuantizer:
    """The settings of a checkpoint."""

    def __init__(self, bits: int, dataset: Any = None, group_size: int = 128, **settings: Any) -> None:
        if bits not in (2, 3, 4, 8):
            raise ValueError("only support quantize to [2,3,4,8] bits.")
        if group_size != -1 and group_size <= 0:
            raise ValueError("group_size must be greater than 0 or equal to -1")
        self.bits, self.dataset, self.group_size = bits, dataset, group_size
        self.desc_act, self.sym = settings.get("desc_act", False), settings.get("sym", True)
        self.format, self.backend = settings.get("format") or "gptq", settings.get("backend")
        self.block_name_to_quantize = settings.get("block_name_to_quantize")
        self.modules_in_block_to_quantize = settings.get("modules_in_block_to_quantize")
        self._settings = settings

    @classmethod
    def from_dict(cls, config_dict: dict) -> GPTQQuantizer:
        return cls(**config_dict)

    def to_dict(self) -> dict:
        return {"bits": self.bits, "dataset": self.dataset, "group_size": self.group_size, **self._settings}

    def convert_model(self, model: nn.Module, **kwargs: Any) -> nn.Module:
        """Puts layers with packed weights in the place of the linear layers of all blocks."""
        if self.block_name_to_quantize is None:
            names = [name for name, _ in model.named_modules()]
            self.block_name_to_quantize = next((b for b in _BLOCKS if any(n.startswith(b) for n in names)), None)
            if self.block_name_to_quantize is None:
                raise ValueError(
                    "Block pattern could not be match. Pass `block_name_to_quantize` argument in `quantize_model`"
                )
        kind = hf_select_quant_linear_v2(
            self.bits, self.group_size, self.desc_act, self.sym, self.format, METHOD.GPTQ, backend=self.backend
        )
        for name, layer in list(model.named_modules()):
            if self._is_chosen(name, layer):
                model.set_submodule(name, self._packed(kind, layer))
        return model

    def _is_chosen(self, name, layer):
        if not name.startswith(self.block_name_to_quantize) or _sizes(layer) is None:
            return False
        chosen = self.modules_in_block_to_quantize
        return chosen is None or any(name.endswith(ending) for group in chosen for ending in group)

    def _packed(self, kind, layer):
        inputs, outputs = _sizes(layer)
        device, bias = layer.weight.device, layer.bias is not None
        with torch.device(device):
            made = kind(
                self.bits,
                self.group_size,
                self.desc_act,
                self.sym,
                inputs,
                outputs,
                bias,
                weight_dtype=layer.weight.dtype,
            )
        made.device = device
        return made.to(device)

    def post_init_model(self, model: nn.Module) -> nn.Module:
        return hf_gptqmodel_post_init(model, use_act_order=self.desc_act)

    def quantize_model(self, model: nn.Module, tokenizer: Any = None) -> None:
        GPTQ()


def _sizes(layer):
    """Inputs and outputs of a layer that can be packed."""
    if type(layer) is nn.Linear:
        return layer.in_features, layer.out_features
    # transformers' Conv1D
    return (layer.nx, layer.nf) if type(layer).__name__ == "Conv1D" else None
