"""Stand-in for torchvision: transforms, data sets of placeholders, and some models."""

from torch._stand_ins import lacks

from . import datasets, models, transforms

__version__ = "0.20.1"
__getattr__ = lacks("torchvision")
