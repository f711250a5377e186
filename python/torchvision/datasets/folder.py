"""torchvision.datasets.folder: folders of images."""

from __future__ import annotations

from ._named import IMAGE_ENDINGS as IMG_EXTENSIONS
from ._named import DatasetFolder as DatasetFolder
from ._named import ImageFolder as ImageFolder
from ._named import default_loader as default_loader
from ._named import pil_loader as pil_loader


def has_file_allowed_extension(filename: str, extensions: str | tuple[str, ...]) -> bool:
    return filename.lower().endswith(extensions if isinstance(extensions, str) else tuple(extensions))


def is_image_file(filename: str) -> bool:
    return has_file_allowed_extension(filename, IMG_EXTENSIONS)
