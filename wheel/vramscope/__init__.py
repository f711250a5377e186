"""GPU memory of PyTorch programs, line by line, without a GPU and without PyTorch: the `vramscope` command for Python.

`run` simulates a script and gives its figures; `%load_ext vramscope` brings the magic `%%vramscope` to notebooks; pytest finds
the marker `vram` and the fixture of that name by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vramscope.report import Report, SimulationError, run, size_in_bytes
from vramscope.release import __version__

if TYPE_CHECKING:
    from typing import Any


__all__ = ["Report", "SimulationError", "load_ipython_extension", "run", "size_in_bytes"]


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext vramscope`."""
    from vramscope.notebook import VramscopeMagics

    shell.register_magics(VramscopeMagics)
