"""Stand-in for xformers: its memory-efficient attention."""

__version__ = "0.0.28"
