"""torch.cuda.nccl: which release of NCCL comes with PyTorch, and the name of its collectives' availability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._release import rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


def version() -> tuple[int, ...]:
    return tuple(int(part) for part in rules.nccl_version.split("."))


def is_available(tensors: Sequence[Tensor]) -> bool:
    """Whether NCCL takes them: dense and contiguous tensors on GPUs, each on one of its own."""
    devices = {t.device for t in tensors}
    return len(devices) == len(tensors) and all(t.is_cuda and not t.is_sparse and t.is_contiguous() for t in tensors)
