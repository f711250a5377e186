"""Shapes of what stages send each other (torch/distributed/pipelining/_utils.py)."""

from __future__ import annotations

from typing import NamedTuple
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class PipeliningMetadataError(RuntimeError):
    """Shapes of stages are missing or do not fit."""


class TensorMeta(NamedTuple):
    """What a stage must know of a tensor that it will receive."""

    shape: tuple
    stride: tuple
    dtype: torch.dtype
    requires_grad: bool

    @classmethod
    def of(cls, tensor: Tensor) -> Any:
        return cls(tuple(tensor.shape), tuple(tensor.stride()), tensor.dtype, tensor.requires_grad)

    def empty(self, device: torch.device | str | int) -> Any:
        return torch.empty_strided(size=self.shape, stride=self.stride, dtype=self.dtype, device=device)

    def like(self, device: torch.device | str | int) -> Any:
        made = self.empty(device)
        return made.requires_grad_(self.requires_grad) if made.is_floating_point() else made

    def differences(self, other: Tensor) -> list:
        names = ("shape", "stride", "dtype")
        return [
            f"{n} mismatch: {getattr(self, n)} vs {getattr(other, n)}"
            for n in names
            if getattr(self, n) != getattr(other, n)
        ]


def as_tuple(args: Any, allow_none: bool = False) -> tuple:
    """Tensors that a person gave as one or several."""
    if args is None:
        return None
    if isinstance(args, torch.Tensor):
        return (args,)
    if not isinstance(args, (tuple, list)):
        raise PipeliningMetadataError(f"Stage args must be a tensor or a tuple of tensors, not {type(args).__name__}.")
    for i, arg in enumerate(args):
        if arg is None and not allow_none:
            raise PipeliningMetadataError(
                f"Stage arg[{i}] is None. Stage args must be tensors. Use kwargs for optional values."
            )
        if arg is not None and not isinstance(arg, torch.Tensor):
            raise PipeliningMetadataError(
                f"Stage arg[{i}] has type {type(arg).__name__}. "
                "All stage args must be tensors. Use kwargs for non-tensor inputs."
            )
    return tuple(args)


def metas_of(tensors: Sequence[Tensor]) -> tuple | None:
    return None if tensors is None else tuple(None if t is None else TensorMeta.of(t) for t in tensors)


def metas_of_grads(metas: Any) -> tuple:
    """Gradients have the geometry of the tensors that require them."""
    return tuple(m._replace(requires_grad=False) if m.requires_grad else None for m in metas)


class StageMeta:
    """Of a stage's inputs and outputs and of their gradients; None where nothing is known."""

    def __init__(
        self, inputs: Any = None, outputs: Any = None, input_grads: Any = None, output_grads: Any = None
    ) -> None:
        self.inputs, self.outputs = metas_of(inputs), metas_of(outputs)
        self.input_grads, self.output_grads = metas_of(input_grads), metas_of(output_grads)
