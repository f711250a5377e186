"""Stand-in for matplotlib: takes every drawing and draws nothing; the report says so once."""

import importlib

from vramscope_absent import Inert

__version__ = "3.10.0"
rcParams = {}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return importlib.import_module("matplotlib.pyplot") if name == "pyplot" else Inert(f"matplotlib.{name}")


def use(backend, **options):
    """Any backend draws nothing."""


def rc(group, **options):
    """Nothing is drawn."""
