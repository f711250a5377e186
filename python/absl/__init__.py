"""absl: an application, its flags and its log, in short."""

__version__ = "2.3.1"
