"""Where PyTorch keeps AdamW."""

from .adam import AdamW

AdamW.__module__ = __name__
