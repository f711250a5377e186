"""torch.optim.lr_scheduler."""

from ._lr_base import LRScheduler, _LRScheduler  # noqa: F401
from ._lr_combined import ChainedScheduler, ReduceLROnPlateau, SequentialLR
from ._lr_cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from ._lr_simple import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

# Printed names and pickles say where PyTorch keeps them.
for _name in __all__:
    globals()[_name].__module__ = __name__
