"""What a recording is written as: samples after lines, facts and notes, and what nvidia-smi says of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


MIB = 1 << 20
MOST_SAMPLES = 200_000
NVIDIA_SMI_SECONDS = 20


class Samples:
    """Bytes after lines, in order. Beyond a limit every other one goes."""

    def __init__(self, quantity: Any, label: str, device: Any) -> None:
        self.quantity, self.label, self.device = quantity, label, device
        self.seconds, self.bytes, self.lines = [], [], []
        self.stride, self.skipped = 1, 0

    def add(self, seconds: float, count: int, line: int) -> None:
        self.skipped += 1
        if self.skipped < self.stride:
            return
        self.skipped = 0
        self.seconds.append(round(seconds, 4))
        self.bytes.append(count)
        self.lines.append(line)
        if len(self.bytes) > MOST_SAMPLES:
            del self.seconds[1::2], self.bytes[1::2], self.lines[1::2]
            self.stride *= 2

    def series(self) -> dict:
        return {
            "quantity": self.quantity,
            "device": self.device,
            "process": os.getpid(),
            "label": self.label,
            "seconds": self.seconds,
            "bytes": self.bytes,
            "lines": self.lines,
            "roundingBytes": 0,
        }


class Record:
    """What the readings will hold."""

    def __init__(self, program: Any) -> None:
        self.program, self.facts, self.notes, self.problems = program, [], [], []
        self.note("process", os.getpid())
        self.note("python", ".".join(map(str, sys.version_info[:3])))

    def fact(
        self, quantity: Any, name: str, count: int, device: int = 0, peak: bool = False, rounding: int = 0
    ) -> None:
        self.facts.append(
            {
                "quantity": quantity,
                "name": name,
                "device": device,
                "process": os.getpid(),
                "bytes": int(count),
                "roundingBytes": rounding,
                "peak": peak,
                "line": -1,
            }
        )

    def note(self, name: str, value: Any) -> None:
        self.notes.append({"name": name, "value": value, "line": -1})

    def document(self, series: Any) -> dict:
        return {
            "format": "vramscope-readings",
            "schemaVersion": 1,
            "source": "record",
            "program": self.program,
            "facts": self.facts,
            "notes": self.notes,
            "series": series,
        }


def process_bytes() -> Any:
    """What nvidia-smi shows for this process, or None: it may be missing, or know only processes of the host."""
    ask = ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(ask, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=NVIDIA_SMI_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = 0
    for line in answer.stdout.decode("utf-8", "replace").splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) == 2 and cells[0] == str(os.getpid()) and cells[1].isdigit():
            found += int(cells[1]) * MIB
    return found or None


def driver_version() -> Any:
    ask = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(ask, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=NVIDIA_SMI_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = answer.stdout.decode("utf-8", "replace").split()
    return lines[0] if answer.returncode == 0 and lines else None
