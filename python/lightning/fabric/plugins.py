"""Precision and environment plugins by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from .precision import Precision
from .strategies import DDPStrategy

if TYPE_CHECKING:
    from typing import Any

    import torch


DDPPlugin = DDPStrategy  # its name before 1.6

__getattr__ = lacks("lightning's plugins")


class MixedPrecision(Precision):
    """Autocast; 16 bits have a scaler of gradients."""

    def __init__(self, precision: int | str | None = "16-mixed", device: str = "cuda", scaler: Any = None) -> None:
        super().__init__(precision, scaler)


class HalfPrecision(Precision):
    """Everything in 16 bits."""

    def __init__(self, precision: int | str | None = "16-true") -> None:
        super().__init__(precision)


class DoublePrecision(Precision):
    def __init__(self) -> None:
        super().__init__("64-true")


class ClusterEnvironment:
    """Where ranks come from: the launcher's environment."""


class LightningEnvironment(ClusterEnvironment):
    pass


class SLURMEnvironment(ClusterEnvironment):
    def __init__(self, auto_requeue: bool = True, requeue_signal: Any = None) -> None:
        self.auto_requeue = auto_requeue


class CheckpointIO:
    pass


class BitsandbytesPrecision(Precision):
    """Named by programs that may use it; making one is refused."""

    def __init__(self, mode: Any, dtype: torch.dtype | None = None, ignore_modules: Any = None) -> None:
        from torch._C import UnsupportedOp

        raise UnsupportedOp(f"vramscope's short form of lightning does not simulate BitsandbytesPrecision({mode!r})")


class TransformerEnginePrecision(BitsandbytesPrecision):
    pass
