"""DDP's reducer: gradients gathered in buckets, each reduced when its last gradient is there (torch/csrc/distributed/c10d/reducer.cpp)."""

from __future__ import annotations

from weakref import ref
from typing import TYPE_CHECKING

import torch
from torch import _C
from torch.distributed import _exchange

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from torch import Tensor


FIRST_BUCKET_BYTES = 1 << 20
NO_LIMIT = 1 << 62


def assign_buckets(tensors: Sequence[Tensor], limits: Any, indices: Tensor | None = None) -> Any:
    """Lists of indices: a bucket per dtype and device is closed when it is full (compute_bucket_assignment_by_size)."""
    at, open_buckets, closed = {}, {}, []
    for i, tensor in enumerate(tensors):
        key = (tensor.dtype, tensor.device)
        members = open_buckets.setdefault(key, [[], 0])
        members[0].append(i if indices is None else indices[i])
        members[1] += tensor.numel() * tensor.element_size()
        place = at.setdefault(key, 0)
        if members[1] >= limits[place]:
            closed.append(open_buckets.pop(key)[0])
            at[key] = min(place + 1, len(limits) - 1)
    closed.extend(members[0] for members in open_buckets.values())
    return sorted(closed, key=min) if indices is None else closed


def broadcast_coalesced(
    group: torch.distributed.ProcessGroup, tensors: Sequence[Tensor], buffer_bytes: Any, src: Any = 0
) -> None:
    """Tensors in flat buffers, of which at most two are under way (c10d::broadcast_coalesced)."""
    in_flight = []

    def finish():
        flat, work = in_flight.pop(0)
        if work is not None:
            work.wait()
        del flat, work

    for members in assign_buckets(tensors, [buffer_bytes]):
        if len(in_flight) >= 2:
            finish()
        parts = [tensors[i].contiguous().view(-1) for i in members]
        # flatten_dense_tensors copies where there are several
        flat = torch.cat(parts) if len(parts) > 1 else parts[0]
        del parts
        in_flight.append((flat, group.broadcast([flat], True)))
        del flat
    while in_flight:
        finish()


def _compare_shapes(group, own):
    every = _exchange.gather(group, own, "DistributedDataParallel")
    for rank, other in enumerate(every):
        if len(other) != len(own):
            raise RuntimeError(f"DDP expects same model across all ranks, but Rank {group.rank()} has {len(own)} params, while rank {rank} has inconsistent {len(other)} params.")  # fmt: skip
    for i, (here, first) in enumerate(zip(own, every[0])):
        if here != first:
            raise RuntimeError(f"[{group.rank()}]: params[{i}] in this process with sizes {here} appears not to match sizes of the same param in process 0.")  # fmt: skip


def verify_parameter_shapes(group: torch.distributed.ProcessGroup, tensors: Sequence[Tensor]) -> None:
    """What c10d::verify_params_across_processes makes: a length of every rank, and shapes."""
    _compare_shapes(group, [list(t.shape) for t in tensors])
    device = tensors[0].device.type
    count = torch.empty(1, dtype=torch.int64).to(device)
    group.allgather([torch.empty_like(count) for _ in range(group.size())], count, True).wait()
    shapes = torch.empty(sum(2 * t.dim() for t in tensors), dtype=torch.int64).to(device)
    group.broadcast([shapes], True).wait()


class GradBucket:
    """A bucket as a communication hook sees it."""

    def __init__(self, index: int, bucket: Any, params: Iterable[Tensor], last: Any) -> None:
        self._index, self._bucket, self._params, self._last = index, bucket, params, last
        self._buffer = bucket.flat

    def index(self) -> int:
        return self._index

    def buffer(self) -> Tensor:
        return self._buffer

    def set_buffer(self, tensor: Tensor) -> None:
        """What the hook works on from here; the reducer keeps its own bucket (GradBucket of reducer.hpp)."""
        self._buffer = tensor

    def gradients(self) -> list[Tensor]:
        return list(self._bucket.views)

    def parameters(self) -> list[Tensor]:
        return list(self._params)

    def is_last(self) -> bool:
        return self._last


class _Bucket:
    def __init__(self, members: Any, params: Iterable[Tensor]) -> None:
        self.members = members
        first = params[members[0]]
        total = sum(params[i].numel() for i in members)
        self.flat = torch.empty([total], dtype=first.dtype, device=first.device)
        self.views = []
        offset = 0
        for i in members:
            p = params[i]
            if p.is_contiguous():
                self.views.append(self.flat[offset : offset + p.numel()].view(p.shape))
            else:
                self.views.append(torch.as_strided(self.flat, p.shape, p.stride(), offset))
            offset += p.numel()
        self.pending, self.future, self.result_views = len(members), None, None


class Reducer:
    """Buckets over parameters; hooks on their accumulators fill them."""

    def __init__(
        self,
        params: list[Tensor],
        bucket_indices: list[list[int]],
        group: torch.distributed.ProcessGroup,
        *,
        first_cap: Any,
        cap: Any,
        find_unused: Any,
        views: Any,
        static_graph: Any,
    ) -> None:
        self.params, self.group = params, group
        self.first_cap, self.cap = first_cap, cap
        self.find_unused, self.as_views, self.static_graph = find_unused, views, static_graph
        self.comm_hook, self.steps_itself = None, False
        self.has_rebuilt, self.ready_order = False, []
        self.expects_hooks, self.backwards = False, 0
        self.unused, self.unused_marked = [], False
        self.static_done = False
        self.make_buckets(bucket_indices)
        # which parameters were used, on the device, where somebody asks
        self.used_map = self._new_used_map() if find_unused else None
        if static_graph:
            self.make_static()
        self.used = [False] * len(params)
        # how often a static graph's first backward gave each parameter a gradient, and how many are still to come in this one
        self.times, self.left = [0] * len(params), []
        self.handles = [p.register_post_accumulate_grad_hook(self._hook(i)) for i, p in enumerate(params)]

    def _new_used_map(self):
        return torch.empty([len(self.params)], dtype=torch.int32, device=self.params[0].device)

    def make_static(self) -> None:
        """Reducer::set_static_graph, which makes the map anew."""
        self.static_graph, self.used_map = True, self._new_used_map()

    def make_buckets(self, bucket_indices: Any) -> None:
        self.buckets = []
        self.place = {}
        for b, members in enumerate(bucket_indices):
            bucket = _Bucket(list(members), self.params)
            # gradients are copied into it, or they are its parts
            _C.tag(bucket.flat, "gradient" if self.as_views else "communication", "ddp_bucket")
            self.buckets.append(bucket)
            for k, i in enumerate(members):
                self.place[i] = (b, k)
                p = self.params[i]
                if self.as_views and p.grad is not None:
                    with torch.no_grad():
                        bucket.views[k].copy_(p.grad)
                    p.grad = bucket.views[k]

    # --- forward

    def rebuild(self) -> bool:
        """After the first backward: buckets in the order in which gradients came, under their size limits."""
        if self.has_rebuilt or not self.ready_order or (self.find_unused and not self.static_graph):
            return False
        order, self.ready_order = self.ready_order, []
        indices = assign_buckets([self.params[i] for i in order], [self.first_cap, self.cap], order)
        self.has_rebuilt = True
        count = sum(len(members) for members in indices)
        device = self.params[0].device
        on_device = torch.empty([count + 1], dtype=torch.int32, device=device)
        self.group.broadcast([on_device], True).wait()
        sizes = torch.empty([len(indices)], dtype=torch.int32, device=device)
        self.group.broadcast([sizes], True).wait()
        del on_device, sizes
        self.make_buckets(indices)
        return True

    def prepare_for_backward(self, outputs: Any) -> None:
        """As C++ is called by those who begin a backward themselves (stages of pipelines)."""
        self.prepare(outputs if self.find_unused and not self.static_graph else None)

    def prepare(self, outputs: Any) -> None:
        """A backward is to come: every bucket waits for its gradients; `outputs` where unused parameters are looked for."""
        self.expects_hooks = True
        self.next_bucket, self.unused_marked = 0, False
        for bucket in self.buckets:
            bucket.pending = len(bucket.members)
        self.unused = []
        if self.find_unused and not self.static_graph and outputs is not None:
            reached = _reached(outputs)
            self.unused = [i for i, p in enumerate(self.params) if id(p) not in reached]
        elif self.static_done:
            self.left = list(self.times)
            self.unused = [i for i, used in enumerate(self.used) if not used]

    def reduce_zeros(self) -> None:
        """What a rank without inputs brings to the others' backward: a bucket of zeros for each."""
        zeros = [torch.zeros_like(bucket.flat) for bucket in self.buckets]
        works = []
        for i, (bucket, flat) in enumerate(zip(self.buckets, zeros)):
            if self.comm_hook is None:
                works.append(self.group.allreduce([flat], True))
                continue
            state, hook = self.comm_hook
            seen = GradBucket(i, bucket, [self.params[k] for k in bucket.members], i == len(self.buckets) - 1)
            seen.set_buffer(flat)
            works.append(hook(state, seen))
        for work in works:
            work.wait()
        if self.find_unused and not self.static_graph:
            self.group.allreduce([self.used_map], True)
        if not self.has_rebuilt and not self.find_unused:
            self.ready_order = list(range(len(self.params)))

    # --- backward

    def _hook(self, index):
        me = ref(self)  # the parameters hold the hook, and the reducer the parameters

        def on_gradient(param):
            self = me()
            if self is None:
                return
            if not self.expects_hooks:
                if not self.find_unused:
                    return
                self.used[index] = True
                return
            self.used[index] = True
            if self.static_graph and not self.static_done:
                self.times[index] += 1
                return
            if not self.unused_marked:
                self.unused_marked = True
                for i in self.unused:
                    self._ready(i, record=False)
            if self.static_graph:
                self.left[index] -= 1
                if self.left[index] > 0:
                    return
            self._ready(index)

        return on_gradient

    def reduce_all(self) -> None:
        """A static graph's first backward: everything is reduced at its end; the order of gradients counts from the second one."""
        if not self.expects_hooks:
            return
        self.static_done = True
        for i in range(len(self.params)):
            self._ready(i, record=False)

    def _ready(self, index, record=True):
        if record and not self.has_rebuilt and (self.static_graph or not self.find_unused):
            self.ready_order.append(index)
        b, k = self.place[index]
        bucket, param = self.buckets[b], self.params[index]
        view = bucket.views[k]
        with torch.no_grad():
            grad = param.grad
            if grad is None:
                view.zero_()
            elif not _C._js.sameStorage(grad._h, view._h):
                view.copy_(grad)
                if self.as_views:
                    param.grad = view
        del grad, view
        bucket.pending -= 1
        if bucket.pending == 0:
            self._launch()

    def _launch(self):
        while self.next_bucket < len(self.buckets) and self.buckets[self.next_bucket].pending == 0:
            bucket = self.buckets[self.next_bucket]
            if self.comm_hook is None:
                self.group.allreduce([bucket.flat], True)
            else:
                state, hook = self.comm_hook
                last = self.next_bucket == len(self.buckets) - 1
                seen = GradBucket(self.next_bucket, bucket, [self.params[i] for i in bucket.members], last)
                # stays until the next pass, and its value with it (Bucket::future_work of reducer.hpp)
                bucket.future = hook(state, seen)
            self.next_bucket += 1
        if self.next_bucket == len(self.buckets):
            if self.find_unused and not self.static_graph:
                self.group.allreduce([self.used_map], True)
            if _C._final_callbacks:
                _C.queue_callback(self._finalize)
            else:
                self._finalize()

    def _finalize(self):
        self.expects_hooks = False
        with torch.no_grad():
            for bucket in self.buckets:
                result = bucket.flat
                if self.steps_itself and not self.as_views:
                    # optimizers have stepped, and what they took is gone
                    continue
                if bucket.future is not None:
                    result = bucket.future.wait()
                    result = result[0] if isinstance(result, (list, tuple)) else result
                self._give_back(bucket, result)
                del result
        if not self.static_graph:
            self.used = [False] * len(self.params)
        elif self.ready_order:
            self.ready_order += self.unused

    def _give_back(self, bucket, result):
        # views of what a hook gave, which they keep until the next pass (populate_bucket_views_out)
        bucket.result_views = None
        if result is not bucket.flat:
            sizes = [self.params[i].numel() for i in bucket.members]
            parts = result[: sum(sizes)].split(sizes)
            bucket.result_views = [part.view(self.params[i].shape) for part, i in zip(parts, bucket.members)]
            del parts
        for k, i in enumerate(bucket.members):
            param = self.params[i]
            view = (bucket.result_views or bucket.views)[k]
            # of a static graph what its first backward used
            if (self.find_unused or self.static_graph) and not self.used[i]:
                continue
            if self.as_views:
                if param.grad is None:
                    param.grad = bucket.views[k]
                if result is not bucket.flat:
                    bucket.views[k].copy_(view)
            elif param.grad is None:
                param.grad = view.clone()
            else:
                param.grad.copy_(view)


def _reached(outputs):
    """Identities of the leaves from which the outputs came."""
    found, seen = set(), set()
    todo = [t.grad_fn for t in outputs if t.grad_fn is not None]
    while todo:
        node = todo.pop()
        key = getattr(node, "_id", id(node))
        if key in seen:
            continue
        seen.add(key)
        variable = getattr(node, "variable", None)
        if variable is not None:
            found.add(id(variable))
        todo.extend(n for n, _ in node.next_functions if n is not None)
    return found
