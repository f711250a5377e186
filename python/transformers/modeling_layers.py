"""The base class of a block that can be checkpointed, under the name by which transformers has it."""

from .modeling_utils import GradientCheckpointingLayer

__all__ = ["GradientCheckpointingLayer"]
