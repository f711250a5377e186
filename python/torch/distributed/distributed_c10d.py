"""torch.distributed.distributed_c10d: process groups and collectives under the name of their module."""

from __future__ import annotations

from . import _world as _world_module
from ._collectives import *  # noqa: F403
from ._coalescing import _coalescing_manager, _CoalescingManager
from ._collectives import _all_gather_base, _reduce_scatter_base
from ._nccl import ProcessGroup, Work
from ._objects import (
    _object_to_tensor,
    all_gather_object,
    broadcast_object_list,
    gather_object,
    scatter_object_list,
)
from ._point_to_point import P2POp, batch_isend_irecv, irecv, isend, recv, recv_object_list, send, send_object_list
from ._store import FileStore, HashStore, PrefixStore, Store, TCPStore
from ._world import *  # noqa: F403
from ._world import (
    _get_default_group,
    _get_default_store,
    _get_global_rank,
    _get_object_coll_device,
    _get_pg_default_device,
    _get_process_group_name,
    _rank_not_in_group,
    _resolve_process_group,
    _set_pg_timeout,
)


class ProcessGroupNCCL(ProcessGroup):
    """The backend by its own name, for its options."""

    class Options:
        def __init__(self, is_high_priority_stream: bool = False) -> None:
            self.is_high_priority_stream = is_high_priority_stream
            self._timeout = _world_module.default_pg_nccl_timeout

            class _Config:
                pass

            self.config = _Config()


class ProcessGroupGloo(ProcessGroup):
    """The backend of the CPU by its own name."""


def _register_process_group(name, group):
    _world_module._groups[name] = group


_world = _world_module
