"""falcon_mamba: Mamba whose selection is normalised without weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..modeling_utils import PreTrainedModel, register, register_classes
from ..parts.norms import RMSNorm
from .mamba import MambaBlock, MambaConfig, MambaForCausalLM, MambaMixer, MambaModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class FalconMambaConfig(MambaConfig):
    model_type = "falcon_mamba"
    use_falcon_mambapy = False
    mixer_rms_eps = 1e-6


def rms(x: Tensor, eps: float) -> Any:
    dtype = x.dtype
    x = x.to(torch.float32)
    variance = x.pow(2).mean(-1, keepdim=True)
    x = x * torch.rsqrt(variance + eps)
    return x.to(dtype)


class FalconMambaMixer(MambaMixer):
    def __init__(self, config: FalconMambaConfig, layer_idx: int) -> None:
        super().__init__(config, layer_idx)
        self.register_buffer("b_c_rms", torch.ones(self.states), persistent=False)
        self.register_buffer("dt_rms", torch.ones(self.inner), persistent=False)
        self.eps = config.mixer_rms_eps

    def even_out(self, inputs: Any, outputs: Any, steps: Any) -> tuple:
        inputs = rms(inputs, self.eps)
        outputs = rms(outputs, self.eps)
        steps = rms(steps, self.eps)
        return inputs, outputs, steps


class FalconMambaRMSNorm(RMSNorm):
    """The float32 copy is gone when the weight is applied."""

    def forward(self, x: Tensor) -> Any:
        return self.weight.to(x.device) * rms(x, self.variance_epsilon)


class FalconMambaBlock(MambaBlock):
    mixer_class = FalconMambaMixer
    norm_class = FalconMambaRMSNorm


class FalconMambaModel(MambaModel):
    block_class = FalconMambaBlock


class FalconMambaForCausalLM(MambaForCausalLM):
    model_class = FalconMambaModel


register(
    FalconMambaConfig,
    AutoModel=FalconMambaModel,
    AutoModelForCausalLM=FalconMambaForCausalLM,
    AutoModelForPreTraining=FalconMambaForCausalLM,
)
register_classes(
    type("FalconMambaPreTrainedModel", (PreTrainedModel,), {"config_class": FalconMambaConfig, "__module__": __name__})
)
