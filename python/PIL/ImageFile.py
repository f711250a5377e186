"""PIL.ImageFile: settings of reading."""

from .Image import Image as ImageFile

LOAD_TRUNCATED_IMAGES = False
__all__ = ["ImageFile"]
