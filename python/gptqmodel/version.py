"""The release that is played."""

__version__ = "7.7.0"
