"""
Layers with an adapter: what the frozen layer gives, plus two small products.

The order of operators, and which names keep a tensor alive, are those of peft.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


_NAME = "default"
_UPCAST = (torch.float16, torch.bfloat16)


def plain_weight(layer: Any) -> Any:
    """A layer's weight, unpacked if it is quantized."""
    weight = layer.weight
    if type(weight).__name__ == "Params4bit":
        from bitsandbytes.functional import dequantize_4bit

        return dequantize_4bit(weight.data, weight.quant_state)
    if type(weight).__name__ == "Int8Params":
        raise NotImplementedError("vramscope's stand-in for peft has no DoRA on 8-bit layers")
    return weight


class Magnitude(nn.Module):
    """The lengths of the rows of a weight, which DoRA trains apart from their directions."""

    def __init__(self, layer: Any, lora_a: Any, lora_b: Any, scaling: Any, turned: Any) -> None:
        super().__init__()
        self.turned = turned
        with torch.no_grad():
            weight = plain_weight(layer)
            product = lora_b.weight @ lora_a.weight
            norm = self.lengths(weight.to(lora_a.weight.device), product, scaling)
        self.weight = nn.Parameter(norm, requires_grad=True)

    def lengths(self, weight: Any, product: Any, scaling: Any) -> Any:
        weight = weight.T if self.turned else weight
        weight = weight + scaling * product
        norm = torch.linalg.norm(weight, dim=1).to(weight.dtype)
        return norm

    def product(self, lora_a: Callable, lora_b: Callable) -> Any:
        identity = torch.eye(lora_a.weight.shape[1], device=lora_a.weight.device, dtype=lora_a.weight.dtype)
        product = lora_b(lora_a(identity)).T
        return product

    def forward(
        self, x: Tensor, *, lora_A: Callable, lora_B: Callable, scaling: Any, base_layer: Any, base_result: Any = None
    ) -> Any:
        product = self.product(lora_A, lora_B)
        product = product.to(x.dtype)
        magnitude = self.weight
        weight = plain_weight(base_layer)
        weight = weight.to(x.dtype)
        norm = self.lengths(weight, product.detach(), scaling)
        norm = norm.detach()
        scale = (magnitude / norm).view(1, -1)
        lora_result = lora_B(lora_A(x))
        bias = None
        if base_result is not None:
            bias = base_layer.bias
            if bias is not None:
                base_result = base_result - bias
        else:
            base_result = F.linear(x, weight.T if self.turned else weight)
        result = (scale - 1) * base_result + scale * lora_result * scaling
        return result


class LoraLayer(nn.Module):
    """
    Around a layer from `in_features` to `out_features`: x -> layer(x) + B(A(dropout(x))) * scaling.

    `clones`: the layer's result is copied first. `converts`: autocast decides about types where it is on.
    """

    clones = False
    converts = False

    def __init__(self, base_layer: Any, config: Any, r: Any, alpha: Any) -> None:
        super().__init__()
        self.base_layer = base_layer
        self.turned = config.fan_in_fan_out or hasattr(base_layer, "nx")
        self.in_features, self.out_features = sizes_of(base_layer)
        self.r, self.scaling = {_NAME: r}, {_NAME: alpha / math.sqrt(r) if config.use_rslora else alpha / r}
        self.lora_dropout = nn.ModuleDict(
            {_NAME: nn.Dropout(config.lora_dropout) if config.lora_dropout > 0 else nn.Identity()}
        )
        self.lora_A = nn.ModuleDict({_NAME: nn.Linear(self.in_features, r, bias=False)})
        self.lora_B = nn.ModuleDict({_NAME: nn.Linear(r, self.out_features, bias=config.lora_bias)})
        weight = base_layer.weight
        floating = weight.dtype.is_floating_point
        for part in (self.lora_A, self.lora_B):
            part.to(weight.device, dtype=weight.dtype) if floating else part.to(weight.device)
        self.lora_magnitude_vector = nn.ModuleDict()
        if config.use_dora:
            made = Magnitude(base_layer, self.lora_A[_NAME], self.lora_B[_NAME], self.scaling[_NAME], self.turned)
            self.lora_magnitude_vector[_NAME] = made
        self.merged, self.disabled = False, False

    def upcast(self) -> None:
        """Adapters in 16 bits become float32."""
        for part in (self.lora_A, self.lora_B, self.lora_magnitude_vector):
            for parameter in part.parameters():
                if parameter.dtype in _UPCAST:
                    parameter.data = parameter.data.to(torch.float32)

    @property
    def weight(self) -> Any:
        return self.base_layer.weight

    @property
    def bias(self) -> Any:
        return self.base_layer.bias

    def get_base_layer(self) -> Any:
        return self.base_layer

    def cast(self, x: Tensor, dtype: torch.dtype) -> Any:
        return x if x.dtype == dtype else x.to(dtype=dtype)

    def with_magnitude(self, x: Any, result: Any, dropout: float) -> Any:
        base_result = result
        if not (isinstance(dropout, nn.Identity) or not self.training):
            x = dropout(x)
            base_result = None
        result = result + self.lora_magnitude_vector[_NAME](
            x,
            lora_A=self.lora_A[_NAME],
            lora_B=self.lora_B[_NAME],
            scaling=self.scaling[_NAME],
            base_layer=self.base_layer,
            base_result=base_result,
        )
        return result

    def forward(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        if self.disabled:
            return self.base_layer(x, *args, **kwargs)
        result = self.base_layer(x, *args, **kwargs)
        dtype = result.dtype
        lora_A, lora_B, dropout = self.lora_A[_NAME], self.lora_B[_NAME], self.lora_dropout[_NAME]
        x = self.cast(x, lora_A.weight.dtype)
        if len(self.lora_magnitude_vector) == 0:
            result = result + lora_B(lora_A(dropout(x))) * self.scaling[_NAME]
        else:
            result = self.with_magnitude(x, result, dropout)
        result = result.to(dtype)
        return result


class QuantizedLoraLayer(LoraLayer):
    """Around a layer of bitsandbytes; the adapter's own part is cast, and only where autocast is off."""

    def forward(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        if self.disabled:
            return self.base_layer(x, *args, **kwargs)
        result = self.base_layer(x, *args, **kwargs)
        if self.clones:
            result = result.clone()
        lora_A, lora_B, dropout = self.lora_A[_NAME], self.lora_B[_NAME], self.lora_dropout[_NAME]
        converts = not torch.is_autocast_enabled()
        if converts:
            dtype = result.dtype
            x = self.cast(x, lora_A.weight.dtype)
        if len(self.lora_magnitude_vector) == 0:
            output = lora_B(lora_A(dropout(x))) * self.scaling[_NAME]
            if converts:
                output = output.to(dtype)
            result = result + output
        else:
            result = self.with_magnitude(x, result, dropout)
            if converts:
                result = result.to(dtype)
        return result


class Lora4bitLayer(QuantizedLoraLayer):
    clones = True


class GptqLoraLayer(LoraLayer):
    """Around a layer of GPTQ. peft/tuners/lora/gptq.py: GPTQLoraLinear"""

    def __init__(self, base_layer: Any, config: Any, r: Any, alpha: Any) -> None:
        if config.use_dora:
            raise ValueError(f"{type(self).__name__} does not support DoRA yet, please set it to False")
        super().__init__(base_layer, config, r, alpha)


class AwqLoraLayer(GptqLoraLayer):
    """Around a layer of AWQ; the adapter's own part is cast before it is scaled. peft/tuners/lora/awq.py: AwqLoraLinear"""

    def forward(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = self.base_layer(x)
        if self.disabled:
            return result
        lora_A, lora_B, dropout = self.lora_A[_NAME], self.lora_B[_NAME], self.lora_dropout[_NAME]
        converts = not torch.is_autocast_enabled()
        if converts:
            dtype = result.dtype
            x = self.cast(x, lora_A.weight.dtype)
        output = lora_B(lora_A(dropout(x)))
        if converts:
            output = output.to(dtype)
        output = output * self.scaling[_NAME]
        result = result + output
        return result


# By the name of the class that gets an adapter.
KINDS = {
    "Linear": LoraLayer,
    "Conv1D": LoraLayer,
    "Linear8bitLt": QuantizedLoraLayer,
    "Linear4bit": Lora4bitLayer,
    "AwqMarlinLinear": AwqLoraLayer,
    "AwqGEMMLinear": AwqLoraLayer,
    "BaseQuantLinear": GptqLoraLayer,
}


def kind_of(module: torch.nn.Module) -> Any:
    """The adapter's class for a module, by its class or the nearest that it comes from; None where there is none."""
    return next((KINDS[c.__name__] for c in type(module).__mro__ if c.__name__ in KINDS), None)


def is_linear(module: torch.nn.Module) -> bool:
    """Whether `all-linear` means a module: packed layers are no linear ones. peft/tuners/tuners_utils.py: _maybe_include_all_linear_layers"""
    return isinstance(module, nn.Linear) or hasattr(module, "nx")


def sizes_of(layer: Any) -> tuple:
    """Features in and out of a linear layer, also of one whose weight is [in, out]."""
    if hasattr(layer, "nx"):
        return layer.nx, layer.nf
    return layer.in_features, layer.out_features
