"""Process groups as the caching allocator sees them: what a collective keeps, and for how long.

Nothing is sent. The rules are those of ProcessGroupNCCL (torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp, 2.8 and later): a
synchronous call runs on the current stream and keeps nothing; an asynchronous one keeps its tensors on a shelf until
`wait()`, and its outputs as long as its Work lives; `send` and `recv` record the group's stream instead.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torch import _C, _ranked
from torch.cuda.streams import _from_pool

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    import torch
    from torch import Tensor
    from torch.futures import Future
    from torch.distributed._store import Store


_orphans = []  # shelves of works that died unwaited: the watchdog gives them back before the next collective


def _sweep():
    _orphans.clear()


def _setting(name, absent):
    text = os.environ.get(name, "")
    return int(text) if text.lstrip("-").isdigit() else absent


def _tell_communicator(group, kind):
    """Tells that a group is connected, for the memory of NCCL: by collectives, or to so many peers by send and recv."""
    local = int(os.environ.get("LOCAL_WORLD_SIZE") or len(group._ranks)) or 1
    nodes = len({rank // local for rank in group._ranks})
    channels = _setting("NCCL_MAX_NCHANNELS", _setting("NCCL_MAX_CTAS", 0))
    settings = (_setting("NCCL_BUFFSIZE", 0), channels, _setting("NCCL_NVLS_ENABLE", 1))
    _C._js.communicator(group.group_name, len(group._ranks), nodes, kind, *settings)


class Work:
    """One collective. Its shelf holds tensors until `wait()`, its result as long as it lives."""

    def __init__(self, outputs: tuple = (), shelf: tuple = ()) -> None:
        self._outputs = list(outputs)
        self._shelf = list(shelf)
        self._arrivals = ()  # what is looked for when the work is waited for

    def wait(self, timeout: Any = None) -> bool:
        self._shelf.clear()
        arrivals, self._arrivals = self._arrivals, ()
        for arrive in arrivals:
            arrive()
        return True

    def synchronize(self) -> None:
        self._shelf.clear()

    def is_completed(self) -> bool:
        return True

    def is_success(self) -> bool:
        return True

    def exception(self) -> None:
        return None

    def result(self) -> list[Tensor]:
        return list(self._outputs)

    def get_future(self) -> Future:
        from torch.futures import Future

        future = Future(devices=[t.device for t in self._outputs[:1] if t.is_cuda])
        future.set_result(self._outputs)
        return future

    def get_future_result(self) -> Any:
        from torch.futures import Future

        future = Future()
        future.set_result(None)
        return future

    def source_rank(self) -> int:
        return 0

    def block_current_stream(self) -> None:
        pass

    def __del__(self) -> None:
        if self._shelf:
            _orphans.append(self._shelf)


def _same_sizes(tensors):
    first = tensors[0].shape
    return all(t.shape == first for t in tensors)


def _new_like_flat(tensors):
    """One tensor for all of a list (c10d::newLikeFlat)."""
    first = tensors[0]
    return _C.ops.empty([len(tensors), *first.shape], first.dtype, first.device.type)


class ProcessGroup:
    """Some ranks and the backend that connects them; `_start_coalescing` gathers calls into one Work."""

    def __init__(
        self, ranks: Sequence[int], rank: int, backend: str, name: str, description: str = "undefined"
    ) -> None:
        self._ranks = list(ranks)
        self._rank = rank  # a number of every rank where ranks are not told apart (_ranked.py)
        self._line = ""  # its ranks, where those of other ranks have another group in its place
        self._backend_name = backend
        self._names = {"cpu": backend, "cuda": backend}  # of each kind of device
        self.group_name = name
        self.group_desc = description
        self._stream = 0
        self._active = False
        self._kept = []
        self._async = True
        self._connected = False
        self._peers = set()
        self._arrivals = []
        self._letters = {}  # how many small tensors went to and came from each peer

    def rank(self) -> int:
        return self._rank

    def size(self) -> int:
        return len(self._ranks)

    def name(self) -> str:
        return self._backend_name

    def get_group_store(self) -> Store:
        from ._store import default_store

        return default_store()

    def _get_backend(self, device=None):
        return self

    supports_coalescing = True
    supports_splitting = False
    supports_window = False
    supports_time_estimate = False

    def supports_tensor_alloc(self, device: torch.device | str | int) -> bool:
        return False

    def _get_backend_name(self):
        return self._backend_name

    def _set_default_timeout(self, timeout):
        pass

    @property
    def bound_device_id(self) -> None:
        return None

    @property
    def _device_types(self):
        import torch

        return [torch.device("cuda")]

    def __repr__(self) -> str:
        return f"<torch.distributed.distributed_c10d.ProcessGroup {self.group_name} of {self._ranks}>"

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot pickle 'ProcessGroup' object")

    # --- what every collective ends with

    def _own_stream(self):
        """The stream of the group's communicator, taken from the pool at its first collective."""
        if not self._stream:
            self._stream = _from_pool(0)
        return self._stream

    def connect(self) -> None:
        """The communicator is made: at the first collective, or at once where the group is bound to a device."""
        if not self._connected:
            self._connected = True
            if self._on_device():
                _tell_communicator(self, "collective")

    def _meet_peers(self, ranks):
        new = set(ranks) - self._peers - {_ranked.plain(self._rank)}
        if new and self._on_device():
            self._peers |= new
            _tell_communicator(self, str(len(self._peers)))

    def _done(self, inputs, outputs, async_op, peers=None):
        self._own_stream()
        if peers is not None:
            self._meet_peers(peers)
        elif not self._connected:
            self.connect()
        work = Work(outputs, (*inputs, *outputs) if async_op and not self._active else ())
        if async_op and self._active:
            self._kept.extend((*inputs, *outputs))
        if self._active:
            self._async = async_op
        else:
            _sweep()
        return work if async_op else None

    # --- collectives

    def broadcast(self, tensors: list[Tensor], async_op: bool = False, root: int = 0) -> Work:
        return self._done(tensors, tensors, async_op)

    def allreduce(self, tensors: list[Tensor], async_op: bool = False) -> Work:
        return self._done(tensors, tensors, async_op)

    allreduce_coalesced = allreduce

    def reduce(self, tensors: list[Tensor], async_op: bool = False) -> Work:
        return self._done(tensors, tensors, async_op)

    def allgather(self, outputs: Any, tensor: Tensor, async_op: bool = False) -> Work:
        if not _same_sizes(outputs):
            return self._done([tensor, *outputs], [], async_op)
        inputs = [tensor.contiguous()]
        flat = _new_like_flat(outputs)
        active = self._active
        work = self._done(inputs, [flat], async_op)
        if work is not None and not active:
            work._shelf.extend(outputs)
        return work

    def allgather_single(self, output: Any, tensor: Tensor, async_op: bool = False) -> Any:
        return self._done([tensor], [output], async_op)

    def allgather_single_coalesced(self, outputs: Any, inputs: Any, async_op: bool = False) -> Any:
        return self._done(inputs, outputs, async_op)

    def reduce_scatter(self, output: Any, inputs: Any, async_op: bool = False) -> Work:
        if not _same_sizes(inputs):
            return self._done(inputs, [output], async_op)
        flat = _new_like_flat(inputs)
        work = self._done([flat], [output.contiguous()], async_op)
        if work is not None:
            work._shelf.extend(inputs)
        return work

    def reduce_scatter_single(self, output: Any, tensor: Tensor, async_op: bool = False) -> Work:
        return self._done([tensor], [output], async_op)

    def reduce_scatter_single_coalesced(self, outputs: Any, inputs: Any, async_op: bool = False) -> Work:
        return self._done(inputs, outputs, async_op)

    def alltoall_single(self, output: Any, tensor: Tensor, async_op: bool = False) -> Any:
        return self._done([tensor], [output], async_op, range(len(self._ranks)))

    def alltoall(self, outputs: Any, inputs: Any, async_op: bool = False) -> Work:
        work = self._done(inputs, outputs[:1], async_op, range(len(self._ranks)))
        if work is not None:
            work._shelf.extend(outputs)
        return work

    def gather(self, outputs: Any, tensor: Tensor, async_op: bool = False) -> Work:
        return self._done([tensor], outputs, async_op)

    def scatter(self, output: Any, inputs: Any, async_op: bool = False) -> Work:
        return self._done([output], inputs, async_op)

    def barrier(self, async_op: bool = False) -> Work:
        byte = _C.ops.empty([1], "uint8", "cuda") if self._on_device() else None
        element = _C.ops.zeros([1], "float32", "cuda") if self._on_device() else None
        work = self._done([element], [element], async_op)
        del byte
        return work

    def _on_device(self):
        return self._backend_name != "gloo" and self._backend_name != "mpi"

    def point_to_point(self, tensor: Tensor, peer: int | None = None, arrival: Any = None) -> Any:
        """send or recv: the tensor is recorded on the group's stream; a lone Work keeps it, a batch keeps nothing."""
        peers = () if peer is None else (peer,)
        if tensor.is_cuda:
            _C._js.recordStream(tensor._h, self._own_stream())
        if self._active:
            self._async = True
            self._done([], [], True, peers)
            if arrival is not None:
                self._arrivals.append(arrival)
            return None
        work = self._done([], [tensor], True, peers)
        work._shelf.clear()
        if arrival is not None:
            work._arrivals = (arrival,)
        return work

    # --- several collectives as one

    def _start_coalescing(self, device=None):
        self._active = self._async = True
        self._kept = []

    def _end_coalescing(self, device=None):
        self._active = False
        kept, self._kept = self._kept, []
        work = Work((), kept)
        work._arrivals, self._arrivals = self._arrivals, []
        _sweep()
        return work if self._async else None
