"""torch.distributed: one rank of a program for several GPUs. Collectives move nothing; what they keep on the device counts."""

from __future__ import annotations

import enum as _enum
import os as _os
from typing import TYPE_CHECKING

from . import distributed_c10d
from .distributed_c10d import *  # noqa: F403
from .distributed_c10d import _all_gather_base, _coalescing_manager, _get_default_group, _reduce_scatter_base
from .distributed_c10d import _get_object_coll_device, _get_pg_default_device, _rank_not_in_group
from .distributed_c10d import P2POp, ProcessGroup, Work, _resolve_process_group
from .rendezvous import rendezvous
from .device_mesh import DeviceMesh, init_device_mesh

if TYPE_CHECKING:
    from typing import Any


DEBUG_LEVEL = "OFF"
_DistributedBackendOptions = object
Reducer = Logger = object


def supports_complex(op: Any) -> bool:
    return op not in (ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PRODUCT, ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)  # noqa: F405


def get_debug_level() -> Any:
    return _os.environ.get("TORCH_DISTRIBUTED_DEBUG", "OFF")


class BuiltinCommHookType(_enum.Enum):
    """Communication hooks of DDP that are C++."""

    ALLREDUCE = 0
    FP16_COMPRESS = 1


class DistError(RuntimeError):
    """A failure of torch.distributed."""


class DistBackendError(DistError):
    """A failure of a backend."""


class DistNetworkError(DistError):
    """A failure of the network."""


class DistStoreError(DistError):
    """A failure of a store."""


class QueueEmptyError(DistError):
    """Nothing is in a queue."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    import importlib

    try:
        return importlib.import_module(f"torch.distributed.{name}")
    except ModuleNotFoundError:
        raise AttributeError(
            f"module 'torch.distributed' has no attribute '{name}' (vramscope does not simulate it)"
        ) from None
