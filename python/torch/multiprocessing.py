"""torch.multiprocessing: Python's, whose processes run in turn, and `spawn`, of whose ranks one runs."""

from __future__ import annotations

import multiprocessing
import os
from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(multiprocessing, name)


def set_sharing_strategy(strategy: Any) -> None:
    pass


def get_sharing_strategy() -> str:
    return "file_descriptor"


def get_all_sharing_strategies() -> set:
    return {"file_descriptor", "file_system"}


class _Spawned:
    """What `spawn(join=False)` gives: processes that have ended."""

    processes = ()

    def join(self, timeout: Any = None, grace_period: Any = None) -> bool:
        return True

    def pids(self) -> list:
        return []


def spawn(
    fn: Callable,
    args: tuple = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> _Spawned | None:
    """Runs `fn(rank, *args)` for one rank: that of the environment's RANK, else 0. Each has a GPU of its own."""
    rank = int(os.environ.get("RANK", 0)) if nprocs > 1 else 0
    if nprocs > 1:
        note("spawned_rank", "rank", rank, count=nprocs)
    fn(rank, *args)
    return None if join else _Spawned()


def start_processes(
    fn: Callable,
    args: dict[int, tuple] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> _Spawned | None:
    return spawn(fn, args, nprocs, join, daemon, start_method)
