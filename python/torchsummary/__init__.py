"""torchsummary: runs the model once on random input, with the history that this makes, and prints its modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any


def summary(
    model: torch.nn.Module, input_size: Any, batch_size: int = -1, device: torch.device | str | int = "cuda"
) -> None:
    """One forward pass with a batch of two, as the package does it; `input_size` without the batch."""
    sizes = [input_size] if isinstance(input_size, tuple) else input_size
    cuda = str(device).startswith("cuda") and torch.cuda.is_available()
    kind = torch.cuda.FloatTensor if cuda else torch.FloatTensor
    x = [torch.rand(2, *size).type(kind) for size in sizes]
    note("short_form_memory", "library", "torchsummary")
    model(*x)
    for name, module in model.named_modules():
        own = sum(p.numel() for p in module.parameters(recurse=False))
        print(f"{name or type(model).__name__:<40}{type(module).__name__:<20}{own:>15,}")
    print(f"Total params: {sum(p.numel() for p in model.parameters()):,}")
