"""Stand-in for matplotlib: takes every drawing and draws nothing; the report says so once."""

from torch._stand_ins import lacks

__version__ = "3.10.0"
rcParams = {}
__getattr__ = lacks("matplotlib")


def use(backend, **options):
    """Any backend draws nothing."""


def rc(group, **options):
    """Nothing is drawn."""
