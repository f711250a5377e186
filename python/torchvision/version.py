"""torchvision.version."""

from . import __version__ as __version__

cuda = None
git_version = ""
