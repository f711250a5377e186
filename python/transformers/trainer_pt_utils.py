"""What programs take from transformers.trainer_pt_utils: smoothed labels, and which parameters a module has."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


@dataclasses.dataclass
class LabelSmoother:
    """Cross entropy of smoothed labels, as transformers 5.12 computes it."""

    epsilon: float = 0.1
    ignore_index: int = -100

    def __call__(self, model_output: Any, labels: torch.Tensor, shift_labels: bool = False) -> torch.Tensor:
        logits = model_output["logits"] if isinstance(model_output, dict) else model_output[0]
        if shift_labels:
            logits = logits[..., :-1, :].contiguous()
            labels = labels[..., 1:].contiguous()
        log_probs = -torch.nn.functional.log_softmax(logits, dim=-1)
        if labels.dim() == log_probs.dim() - 1:
            labels = labels.unsqueeze(-1)
        padding_mask = labels.eq(self.ignore_index)
        labels = torch.clamp(labels, min=0)
        nll_loss = log_probs.gather(dim=-1, index=labels)
        smoothed_loss = log_probs.sum(dim=-1, keepdim=True, dtype=torch.float32)
        nll_loss.masked_fill_(padding_mask, 0.0)
        smoothed_loss.masked_fill_(padding_mask, 0.0)
        num_active_elements = padding_mask.numel() - padding_mask.long().sum()
        nll_loss = nll_loss.sum() / num_active_elements
        smoothed_loss = smoothed_loss.sum() / (num_active_elements * log_probs.shape[-1])
        return (1 - self.epsilon) * nll_loss + self.epsilon * smoothed_loss


def get_parameter_names(model: torch.nn.Module, forbidden_layer_types: Any, forbidden_layer_names: Any = None) -> list:
    """Names of the parameters that are in no layer of some types."""
    import re

    patterns = [re.compile(pattern) for pattern in forbidden_layer_names or ()]
    found = []
    for name, child in model.named_children():
        if not isinstance(child, tuple(forbidden_layer_types)):
            below = get_parameter_names(child, forbidden_layer_types, forbidden_layer_names)
            found += [f"{name}.{each}" for each in below]
    own = model._parameters
    return [name for name in [*found, *own] if not any(pattern.search(name.lower()) for pattern in patterns)]
