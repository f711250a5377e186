"""Operators of PyTorch that lie in other namespaces than aten: they can be named, in tables of what a subclass of tensors does; a call refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


_FUNCTIONAL = """all_gather_into_tensor all_gather_into_tensor_coalesced all_reduce all_reduce_coalesced all_to_all_single broadcast
    reduce_scatter_tensor reduce_scatter_tensor_coalesced wait_tensor"""

# As torch._C._dispatch_get_all_op_names of PyTorch 2.14 lists them; `c10d_functional` is defined by torch.distributed._functional_collectives.
SPACES = {
    "c10d_functional": _FUNCTIONAL.split(),
    "_c10d_functional": f"""{_FUNCTIONAL} all_gather_into_tensor_out all_reduce_ all_reduce_coalesced_ batch_p2p_ops broadcast_ irecv isend
        reduce_scatter_tensor_out _wrap_tensor_autograd""".split(),
    "_c10d_functional_autograd": "all_gather_into_tensor all_to_all_single reduce_scatter_tensor".split(),
    "c10d": """_allgather_base_ _reduce_scatter_base_ allgather_ allgather_coalesced_ allgather_into_tensor_coalesced_ allreduce_
        allreduce_coalesced_ alltoall_ alltoall_base_ barrier broadcast_ check_for_nan gather_ gather_into_tensor_ monitored_barrier_
        recv_ recv_any_source_ reduce_ reduce_scatter_ reduce_scatter_tensor_coalesced_ scatter_ send""".split(),
}  # fmt: skip


# what packages ask their compiled library about itself: it is not loaded, so that it was built for no CUDA, and without parts
_ASKED = {"cuda_version": None, "_cuda_version": None, "is_align_available": False}


def refusing(namespace: str, name: str) -> Callable | None:
    """What a call of an operator of PyTorch does that is not simulated; None for a name that PyTorch does not have."""
    if name in _ASKED:
        return lambda: _ASKED[name]
    if name not in SPACES.get(namespace, ()):
        return None

    def refuse(*args: object, **kwargs: object) -> NoReturn:
        raise _C.UnsupportedOp(f"vramscope does not simulate torch.ops.{namespace}.{name}")

    return refuse
