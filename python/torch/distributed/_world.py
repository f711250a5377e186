"""The ranks that a program starts with, and groups of them."""

from __future__ import annotations

import contextlib
import os
from datetime import timedelta
from typing import TYPE_CHECKING

from torch import _C, _ranked

from . import _exchange, _started
from ._ignored import ignored
from ._nccl import ProcessGroup, _orphans
from ._store import PrefixStore, Store, default_store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch


default_pg_timeout = timedelta(minutes=30)
default_pg_nccl_timeout = timedelta(minutes=10)
_groups = {}  # every group but the default one, by name
_default = None
_count = 0
_coalescing = {}  # group -> collectives gathered by a coalescing manager


class _GroupMeta(type):
    @property
    def WORLD(cls) -> Any:
        return _default

    @WORLD.setter
    def WORLD(cls, value: Any) -> None:
        global _default
        _default = value


class group(metaclass=_GroupMeta):
    """`group.WORLD` is the default group."""


class GroupMember(metaclass=_GroupMeta):
    """A rank that is in a group, or not."""

    NON_GROUP_MEMBER = -100


class Backend(str):
    """Names of backends."""

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL, FAKE = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl", "fake"
    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]
    default_device_backend_map = {"cpu": GLOO, "cuda": NCCL}

    def __new__(cls, name: str) -> str:
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return str.__new__(cls, name.lower())


def _backend_names(backend):
    """The backend of each kind of device: "cpu:gloo,cuda:nccl", or one for all."""
    if backend is None:
        return {"cpu": "gloo", "cuda": "nccl"}
    text = str(backend).lower()
    if ":" in text:
        parts = dict(part.split(":", 1) for part in text.split(","))
    else:
        parts = {"cuda": text} if text == "nccl" else {"cpu": text, "cuda": text}
    for device, name in parts.items():
        if name not in Backend.backend_list[1:]:
            raise ValueError(f"Invalid backend: '{backend}'. vramscope simulates nccl, and gloo for the CPU.")
    return parts


def is_available() -> bool | None:
    return True


def is_initialized() -> bool:
    return _default is not None


def is_nccl_available() -> bool:
    return True


def is_gloo_available() -> bool:
    return True


def is_mpi_available() -> bool:
    return False


def is_ucc_available() -> bool:
    return False


def is_xccl_available() -> bool:
    return False


def is_backend_available(backend: str) -> bool:
    return str(backend).lower() in ("nccl", "gloo", "fake")


def is_torchelastic_launched() -> bool:
    return "TORCHELASTIC_RUN_ID" in os.environ


def _number(name, rank):
    if rank is not None and rank != -1:
        return _ranked.each(int, rank)
    if name in os.environ:
        return _ranked.each(int, os.environ[name])
    return None


def init_process_group(
    backend: str | None=None, init_method: str | None=None, timeout: Any=None, world_size: int=-1, rank: int=-1, store: Store | None=None, group_name: str="", pg_options: object=None,
    device_id: torch.device | int | None=None, _ranks: list[int] | None=None, enable_reconfigure: bool=False,
) -> None:  # fmt: skip
    """Starts the default group with this process as one of its ranks."""
    global _default
    ignored("init_process_group", pg_options=pg_options, enable_reconfigure=enable_reconfigure or None)
    if _default is not None:
        raise ValueError("trying to initialize the default process group twice!")
    names = _backend_names(backend)
    present = os.environ.get("WORLD_SIZE")
    size, own = _number("WORLD_SIZE", world_size), _number("RANK", rank)
    if size is None and own is None:
        # a script that was started alone: one process
        if init_method is None and store is None:
            raise ValueError(
                "Error initializing torch.distributed using env:// rendezvous: environment variable RANK expected, but not set. "
                "Run the script with `vramscope run --nproc-per-node N script.py`."
            )
        size, own = 1, 0
    size, own = 1 if size is None else size, 0 if own is None else own
    if present is not None and int(present) != size:
        raise ValueError(
            f"the program asks for a world of {size} ranks, but was started with WORLD_SIZE={present}: "
            "--nproc-per-node times --nnodes must be the world size"
        )
    if not 0 <= own < size:
        raise ValueError(f"rank {own} is not in a world of {size} ranks")
    _started.as_rank(own, size)
    if size > 1:
        _C._js.assume("collectives_keep_values", _C.here(), "", "")
    _default = ProcessGroup(range(size), own, names.get("cuda", names.get("cpu")), "0", "default_pg")
    _default._names = names
    _exchange.note(_default, "init_process_group")
    if device_id is not None:
        _default.connect()


def _require():
    if _default is None:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return _default


_get_default_group = _require


def _resolve(pg):
    """The group that a call means: None is the default one."""
    if pg is None:
        return _require()
    return _default if pg is group.WORLD else pg


def _outside(pg):
    return pg is GroupMember.NON_GROUP_MEMBER


def destroy_process_group(group: torch.distributed.ProcessGroup | None = None) -> None:
    global _default, _count
    if group is None or group is _default:
        _require()
        _default = None
        _count = 0
        _groups.clear()
        _coalescing.clear()
        _orphans.clear()
    else:
        _groups.pop(getattr(group, "group_name", None), None)


def abort_process_group(group: torch.distributed.ProcessGroup | None = None) -> None:
    destroy_process_group(group)


def get_rank(group: ProcessGroup | None = None) -> int:
    if _outside(group):
        return -1
    return _resolve(group).rank()


def get_world_size(group: ProcessGroup | None = None) -> int:
    if _outside(group):
        return -1
    return _resolve(group).size()


def get_backend(group: ProcessGroup | None = None) -> str | None:
    return Backend(_resolve(group).name())


def get_backend_config(group: ProcessGroup | None = None) -> str:
    names = getattr(_require(), "_names", {"cuda": "nccl"})
    return ",".join(f"{device}:{name}" for device, name in names.items())


def get_default_backend_for_device(device: str | torch.device) -> str:
    return Backend.default_device_backend_map[str(getattr(device, "type", device)).partition(":")[0]]


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    if "LOCAL_RANK" in os.environ:
        return _ranked.each(int, os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work.")  # fmt: skip


def get_pg_count() -> int:
    return (_default is not None) + len(_groups)


def get_process_group_ranks(group: ProcessGroup | None = None) -> list[int]:
    return list(_told_ranks(_resolve(group)))


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    pg = _resolve(group)
    ranks = _told_ranks(pg)
    if global_rank not in ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {pg}")
    return _ranked.each(ranks.index, global_rank)


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    pg = _resolve(group)
    if not 0 <= group_rank < pg.size():
        raise ValueError(f"Group rank {group_rank} is not part of group {pg}")
    return _told_ranks(pg)[group_rank]


def _told_ranks(pg):
    """The ranks of a group, where somebody reads which ones they are."""
    _ranked.tell_apart(pg._line)
    return pg._ranks


_get_global_rank = get_global_rank


def new_group(
    ranks: Sequence[int] | None=None, timeout: Any=None, backend: str | Backend | None=None, pg_options: object=None, use_local_synchronization: bool=False, group_desc: str | None=None, device_id: torch.device | None=None,
) -> Any:  # fmt: skip
    """A group of some ranks; for a rank that is not in it, a sign that says so."""
    global _count
    world = _require()
    ignored("new_group", pg_options=pg_options)
    ranks = sorted(ranks) if ranks is not None else list(world._ranks)
    for r in ranks:
        if r < 0 or r >= world.size():
            raise ValueError("The new group's rank should be within the world_size set by `init_process_group`")
    if len(set(ranks)) != len(ranks):
        raise ValueError("The new group's ranks must not repeat")
    _count += 1
    # ranks of other groups hold other things, and may do so in another order
    if not _ranked.tell_apart(_ranked.each(lambda rank: rank in ranks, world.rank())):
        return GroupMember.NON_GROUP_MEMBER
    own = _ranked.each(ranks.index, world.rank())
    names = world._names if backend is None else _backend_names(backend)
    name = world.name() if backend is None else names.get("cuda", "gloo")
    return _made(ranks, own, name, names, group_desc)


def _made(ranks, own, name, names, description=None):
    pg = ProcessGroup(ranks, own, name, f"{_count}:{'-'.join(map(str, ranks))}", description)
    pg._names = names
    _groups[pg.group_name] = pg
    return pg


def _new_lines(lines):
    """Groups that do the same side by side, and this rank's one of them; which one it is makes no difference."""
    global _count
    world, made = _require(), None
    here = [rank for ranks in lines for rank in ranks]
    if not _ranked.tell_apart(_ranked.each(lambda rank: rank in here, world.rank())):
        _count += len(lines)
        return None
    line_of = {rank: ranks for ranks in lines for rank in ranks}
    for ranks in lines:
        _count += 1
        if line_of[_ranked.plain(world.rank())] is ranks:
            place = _ranked.each(lambda rank: sorted(line_of[rank]).index(rank), world.rank())
            made = _made(sorted(ranks), place, world.name(), world._names)
            made._line = _ranked.each(lambda rank: ",".join(map(str, line_of[rank])), world.rank())
    return made


def split_group(
    parent_pg: ProcessGroup | None = None,
    split_ranks: list[list[int]] | None = None,
    timeout: Any = None,
    pg_options: Any = None,
    group_desc: str | None = None,
) -> Any:
    own = get_rank()
    made = None
    for ranks in split_ranks or []:
        pg = new_group(ranks)
        if own in ranks:
            made = pg
    return made


def new_subgroups(
    group_size: int | None = None,
    group: ProcessGroup | None = None,
    timeout: Any = None,
    backend: str | Backend | None = None,
    pg_options: object = None,
    group_desc: str | None = None,
) -> tuple[ProcessGroup, list]:
    import torch

    size = group_size or torch.cuda.device_count()
    world = get_world_size()
    if world % size:
        raise ValueError("The world size must be divisible by 'group_size'")
    return new_subgroups_by_enumeration([list(range(i, i + size)) for i in range(0, world, size)])


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list: list[list[int]],
    timeout: Any = None,
    backend: str | Backend | None = None,
    pg_options: object = None,
    group_desc: str | None = None,
) -> tuple:
    own, current, made = get_rank(), None, []
    for ranks in ranks_per_subgroup_list:
        pg = new_group(ranks, backend=backend)
        made.append(pg)
        if own in ranks:
            current = pg
    return current, made


def _resolve_process_group(name):
    if _default is not None and name == _default.group_name:
        return _default
    return _groups[name]


def _get_process_group_name(pg):
    return pg.group_name


def _get_default_store():
    return default_store()


def _get_pg_default_device(group=None):
    import torch

    return torch.device("cuda" if _resolve(group)._on_device() else "cpu")


def _get_object_coll_device(group=None):
    return _get_pg_default_device(group).type


def _set_pg_timeout(timeout, group=None):
    pass


def _rank_not_in_group(group):
    return _outside(group)
