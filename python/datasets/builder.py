"""Errors that a data set's builder raises, under the names by which programs catch them."""

from __future__ import annotations

from torch._stand_ins import lacks

from .exceptions import DatasetGenerationError

__all__ = ["DatasetGenerationError"]

__getattr__ = lacks(__name__)
