"""Parallelism that is laid upon modules in place, without a module around them."""

from .replicate import replicate

__all__ = ["replicate"]
