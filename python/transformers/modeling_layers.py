"""The base class of a block that can be checkpointed, under the name by which transformers has it."""

from .model import GradientCheckpointingLayer

__all__ = ["GradientCheckpointingLayer"]
