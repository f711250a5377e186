"""Runs of a script on a simulated GPU, as objects of Python."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from vramscope.command import command_line, environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


FITS, DOES_NOT_FIT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


class SimulationError(Exception):
    """There is no report: wrong usage, no Node, or a fault of VRAMScope. It says what the command said."""


class Report:
    """What a run used. `document` has everything, as `vramscope run --json` prints it; all figures are bytes."""

    def __init__(self, document: Any, exit_code: Any) -> None:
        self.document = document
        self.exit_code = exit_code

    @property
    def status(self) -> Any:
        """`ok`, `out_of_memory`, `python_error`, ...: how the program ended."""
        return self.document["status"]

    @property
    def verdict(self) -> Any:
        """`fits`, `tight`, `does_not_fit` or `not_finished`."""
        return self.document["verdict"]

    @property
    def fits(self) -> bool:
        """Whether it ran to its end, fits the card and stays below the limit."""
        return self.exit_code == FITS

    @property
    def peak_allocated_bytes(self) -> Any:
        """The peak of `torch.cuda.memory_allocated()`."""
        return self.document["allocated"]["peakBytes"]

    @property
    def peak_reserved_bytes(self) -> Any:
        """The peak of `torch.cuda.memory_reserved()`: what a card must have, beside context and libraries."""
        return self.document["reserved"]["peakBytes"]

    @property
    def error(self) -> Any:
        """The traceback of the program, or None."""
        return self.document.get("error")

    @property
    def output(self) -> Any:
        """What the program printed to standard output."""
        return self.document["output"]["stdout"]

    @property
    def peak_place(self) -> str | None:
        """`file:line` of the peak, or None where nothing was allocated."""
        peak = self.document.get("peak")
        return f"{peak['file']}:{peak['line']}" if peak and peak.get("file") else None

    def __repr__(self) -> str:
        return (
            f"<vramscope.Report {self.verdict}: {self.peak_allocated_bytes} bytes allocated, "
            f"{self.peak_reserved_bytes} bytes reserved at the peak>"
        )


def run(
    script: Any = None,
    *args: Any,
    module: Any = None,
    gpu: Any = None,
    torch: Any = None,
    limit: int | None = None,
    python: Any = None,
    options: Sequence = (),
    cwd: Any = None,
    source: str | None = None,
) -> Report:
    """Simulates a script, a module (`module=`) or a source text (`source=`) and returns its :class:`Report`.

    Args:
        args: words for the script.
        gpu: as `vramscope gpus` names it.
        torch: rules of this PyTorch release, `"2.6"`.
        limit: bytes, or text as `"20GiB"`: more reserved bytes than that do not fit.
        python: environment whose packages the program sees; that of this process by default.
        options: more options of `vramscope run`.

    Raises:
        SimulationError: there is no report.
    """
    words = ["run", "--json", "--python", python or sys.executable]
    for name, value in (("--gpu", gpu), ("--torch", torch)):
        words += [name, str(value)] if value is not None else []
    if limit is not None:
        words += ["--limit", str(size_in_bytes(limit))]
    words += options
    if module is not None:
        # what came first is a word for it, then
        args = args if script is None else (script, *args)
        words += ["-m", module]
    else:
        words.append("-" if script is None else str(script))
    done = subprocess.run(
        [*command_line(words), "--", *map(str, args)],
        input="" if source is None else source,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment(),
    )
    if done.returncode in (WRONG_USAGE, INTERRUPTED) or not done.stdout.startswith("{"):
        raise SimulationError(done.stderr.strip() or f"vramscope ended with {done.returncode}")
    return Report(json.loads(done.stdout), done.returncode)


def size_in_bytes(size: int) -> int:
    """Bytes of `20 * 2**30`, `"20GiB"`, `"512 MB"`: units are powers of 1024, as PyTorch prints them.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(size, (int, float)) and not isinstance(size, bool):
        return int(size)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?\s*", str(size).upper())
    if found is None:
        raise ValueError(f"{size!r} is no size: write '20GiB', '512MiB' or bytes")
    return int(float(found[1]) * UNITS[found[2]])
