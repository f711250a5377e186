"""lightning: a short form of PyTorch Lightning and Fabric; the package itself wins where it is installed.

It does to GPU memory what the package does on one device: where a batch is moved, when gradients are freed, what a step keeps.
"""

from torch._stand_ins import lacks

from . import fabric, pytorch  # noqa: F401
from .fabric import Fabric, seed_everything
from .pytorch import Callback, LightningDataModule, LightningModule, Trainer

__version__ = "2.6.0"
__all__ = ["Callback", "Fabric", "LightningDataModule", "LightningModule", "Trainer", "seed_everything"]
__getattr__ = lacks("lightning")
