"""The release that is played."""

from . import __version__
