"""torchao: its optimizer on the host; the package itself wins where it is installed, and what else it has is refused by name."""

from . import optim


def __getattr__(name):
    raise AttributeError(f"vramscope's stand-in for torchao does not have '{name}'")
