"""cudaProfilerStart and Stop: nothing to start."""

from __future__ import annotations


def start() -> None:
    pass


def stop() -> None:
    pass
