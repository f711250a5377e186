"""Pillow: images have sizes and modes, and no content.

Real: sizes from the headers of PNG, JPEG, GIF, BMP and WebP files, what functions do to sizes and modes. Not: pixels; saved files are empty.
"""

__version__ = "12.0.0"
PILLOW_VERSION = __version__

from .Image import UnidentifiedImageError as UnidentifiedImageError
