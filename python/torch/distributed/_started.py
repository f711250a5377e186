"""Processes that a program starts itself as its ranks: of them the one of this rank runs, as with `spawn`, and its group ends with it."""

from __future__ import annotations

import sys

from torch import _ranked, multiprocessing
from torch._stand_ins import note


def as_rank(rank: int, size: int) -> None:
    """Ends a process that was started as another rank than this one."""
    processes = sys.modules.get("vramscope_linux.processes")
    if processes is None or not processes.within():
        return
    given = processes.program_rank()
    own = 0 if given is None else _ranked.each(int, given)
    if rank != own:
        if given is None:
            note("spawned_rank", "rank", own, count=size)
        raise SystemExit(0)
    processes.at_end(multiprocessing.end_process)
