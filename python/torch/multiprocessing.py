"""torch.multiprocessing: Python's, whose processes run in turn, and `spawn`, of whose ranks one runs."""

import multiprocessing
import os

from torch._stand_ins import note


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(multiprocessing, name)


def set_sharing_strategy(strategy):
    pass


def get_sharing_strategy():
    return "file_descriptor"


def get_all_sharing_strategies():
    return {"file_descriptor", "file_system"}


class _Spawned:
    """What `spawn(join=False)` gives: processes that have ended."""

    processes = ()

    def join(self, timeout=None, grace_period=None):
        return True

    def pids(self):
        return []


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Runs `fn(rank, *args)` for one rank: that of the environment's RANK, else 0. Each has a GPU of its own."""
    rank = int(os.environ.get("RANK", 0)) if nprocs > 1 else 0
    if nprocs > 1:
        note("spawned_rank", "rank", rank, count=nprocs)
    fn(rank, *args)
    return None if join else _Spawned()


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    return spawn(fn, args, nprocs, join, daemon, start_method)
