"""torch.multiprocessing: Python's, whose processes run in turn, and `spawn`, of whose ranks one runs."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from typing import TYPE_CHECKING

import torch
from torch import _ranked
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
    """Runs `fn(rank, *args)` for one rank: that of the environment, else 0. Each has a GPU of its own."""
    alone = os.environ.get("RANK") is None
    rank = 0 if alone else _ranked.each(int, os.environ["LOCAL_RANK"])
    if alone and nprocs > 1:
        note("spawned_rank", "rank", rank, count=nprocs)
    if rank < nprocs:
        with _world_of(None if alone else nprocs):
            fn(rank, *args)
        end_process()
    return None if join else _Spawned()


@contextlib.contextmanager
def _world_of(nprocs):
    """On one node, as many ranks as processes were asked for."""
    before = os.environ.get("WORLD_SIZE")
    if nprocs is not None and before == os.environ.get("LOCAL_WORLD_SIZE"):
        os.environ["WORLD_SIZE"] = str(nprocs)
    yield
    if before is not None:
        os.environ["WORLD_SIZE"] = before


def end_process() -> None:
    """What a process had goes with it."""
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def start_processes(
    fn: Callable,
    args: dict[int, tuple] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> _Spawned | None:
    return spawn(fn, args, nprocs, join, daemon, start_method)
