"""Precisions of the Trainer and of Fabric: what of a model, its inputs and its outputs is cast, and when.

Mirrors plugins/precision of lightning.fabric: amp.py, half.py, double.py, precision.py.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import torch
from lightning_utilities.core.apply_func import apply_to_collection

if TYPE_CHECKING:
    from typing import Any


_MIXED = {"16-mixed": torch.float16, "bf16-mixed": torch.bfloat16}
_TRUE = {"16-true": torch.float16, "bf16-true": torch.bfloat16, "64-true": torch.float64, "32-true": torch.float32}
_OTHER_NAMES = {
    "16": "16-mixed", "bf16": "bf16-mixed", "32": "32-true", "64": "64-true", "32-true": "32-true", "mixed": "16-mixed",
}  # fmt: skip


def to_dtype(data: Any, dtype: torch.dtype) -> Any:
    """Floating-point tensors of a collection, cast."""
    return apply_to_collection(data, torch.Tensor, lambda t: t.to(dtype) if torch.is_floating_point(t) else t)


class Precision:
    """`name` is a precision as users write it; ValueError for another."""

    def __init__(self, name: str = "32-true", scaler: Any = None) -> None:
        name = "32-true" if name is None else str(name)
        self.precision = name = _OTHER_NAMES.get(name, name)
        if name not in _MIXED and name not in _TRUE:
            raise ValueError(f"Precision {name!r} is invalid. Allowed precision values: {(*_MIXED, *_TRUE)}")
        self.mixed = _MIXED.get(name)
        self.scaler = scaler or (torch.amp.GradScaler("cuda") if name == "16-mixed" else None)

    def convert_module(self, module: torch.nn.Module) -> Any:
        dtype = _TRUE.get(self.precision)
        return module if dtype in (None, torch.float32) else module.to(dtype)

    def convert_input(self, data: Any) -> Any:
        """What goes into a module of Fabric."""
        return to_dtype(data, self.mixed or _TRUE[self.precision])

    def convert_batch(self, data: Any) -> Any:
        """What a Trainer hands to a step: mixed precision leaves it as it is."""
        return data if self.mixed or self.precision == "32-true" else to_dtype(data, _TRUE[self.precision])

    def convert_output(self, data: Any) -> Any:
        return to_dtype(data, torch.get_default_dtype()) if self.mixed else data

    def forward_context(self) -> Any:
        if self.mixed:
            return torch.autocast("cuda", dtype=self.mixed)
        return nullcontext() if self.precision == "32-true" else _DefaultDtype(_TRUE[self.precision])

    def step_context(self) -> Any:
        """Around the steps of a Trainer, whose autocast keeps no weights cast."""
        return torch.autocast("cuda", dtype=self.mixed, cache_enabled=False) if self.mixed else self.forward_context()

    init_context = forward_context

    def scale(self, loss: Any) -> Any:
        return loss if self.scaler is None else self.scaler.scale(loss)

    def step(self, optimizer: torch.optim.Optimizer, *closure: Any) -> Any:
        if self.scaler is None:
            return optimizer.step(*closure)
        done = self.scaler.step(optimizer)
        self.scaler.update()
        return done

    def unscale(self, optimizer: torch.optim.Optimizer) -> None:
        if self.scaler is not None:
            self.scaler.unscale_(optimizer)


class _DefaultDtype:
    """New tensors have this dtype within."""

    def __init__(self, dtype: torch.dtype) -> None:
        self._dtype = dtype

    def __enter__(self) -> None:
        self._before = torch.get_default_dtype()
        torch.set_default_dtype(self._dtype)

    def __exit__(self, *_: Any) -> None:
        torch.set_default_dtype(self._before)
