"""PIL.PngImagePlugin: text beside an image."""

from ._still import Quiet


class PngInfo(Quiet):
    """What is added is not kept."""
