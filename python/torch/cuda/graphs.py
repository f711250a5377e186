"""CUDA graphs: what is captured runs as it stands, and its memory comes from a private pool (torch/cuda/graphs.py, CUDAGraph.cpp).

A replay allocates nothing. A pool lives as long as a graph that was captured into it.
"""

from __future__ import annotations

import gc
from itertools import count
from typing import TYPE_CHECKING

import torch

from .. import _C
from ._devices import engine_name
from .streams import Stream, StreamContext, current_stream

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

    from torch import Tensor

_captured_pools, _shared_pools = count(1), count(1)
# The seed and the offset of the generator for all graphs: made at the first capture, kept for good (CUDAGeneratorState::register_graph).
_generator: list[Tensor] = []
_capturing: list[CUDAGraph] = []


def is_current_stream_capturing() -> bool:
    return bool(_capturing)


def graph_pool_handle() -> tuple[int, int]:
    """The id of a pool that graphs may share."""
    return 0, next(_shared_pools)


class CUDAGraph:
    """A recording of device work: here the memory that it holds."""

    def __init__(self, keep_graph: bool = False) -> None:
        self._pool: tuple[int, int] | None = None
        self._device = ""

    def capture_begin(self, pool: tuple[int, int] | None = None, capture_error_mode: str = "global") -> None:
        if self._pool is not None:
            raise RuntimeError(
                "This CUDAGraph instance already owns a captured graph. To capture a new graph, create a new instance."
            )
        _C._js.assume("cuda_graph_runs_eager", _C.here(), "", "")
        if not _generator:
            _generator.extend(torch.empty(1, dtype=torch.int64, device="cuda") for _ in range(2))
        self._pool = tuple(pool) if pool is not None else (next(_captured_pools), 0)
        stream = current_stream()
        self._device = engine_name(stream.device_index)
        _C._js.beginCapture(self._device, *self._pool, stream.stream_id)
        _capturing.append(self)

    def capture_end(self) -> None:
        if self not in _capturing:
            raise RuntimeError("capture_end() called on a graph that is not being captured")
        _capturing.remove(self)
        _C._js.endCapture(self._device, *self._pool)

    def instantiate(self) -> None:
        pass

    def replay(self) -> None:
        if self._pool is None:
            raise RuntimeError("Called CUDAGraph::replay without a preceding successful capture.")

    def reset(self) -> None:
        if self._pool is not None and self not in _capturing:
            _C._js.releasePool(self._device, *self._pool)
            self._pool = None

    def pool(self) -> tuple[int, int]:
        if self._pool is None:
            raise RuntimeError("Called CUDAGraph::pool() without a preceding successful capture.")
        return self._pool

    def enable_debug_mode(self) -> None:
        pass

    def debug_dump(self, debug_path: str) -> None:
        pass

    def __del__(self) -> None:
        self.reset()


class graph:
    """Captures what runs inside, on a stream of its own; the cache is emptied before."""

    default_capture_stream: Stream | None = None

    def __init__(
        self,
        cuda_graph: CUDAGraph,
        pool: tuple[int, int] | None = None,
        stream: Stream | None = None,
        capture_error_mode: str = "global",
    ) -> None:
        if graph.default_capture_stream is None:
            graph.default_capture_stream = Stream()
        self.pool = pool
        self.capture_stream = graph.default_capture_stream if stream is None else stream
        self.stream_ctx = StreamContext(self.capture_stream)
        self.cuda_graph = cuda_graph
        self.capture_error_mode = capture_error_mode

    def __enter__(self) -> None:
        gc.collect()
        torch.cuda.empty_cache()
        self.stream_ctx.__enter__()
        self.cuda_graph.capture_begin(self.pool, capture_error_mode=self.capture_error_mode)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cuda_graph.capture_end()
        self.stream_ctx.__exit__(kind, error, trace)


def make_graphed_callables(
    callables: Callable | tuple[Callable, ...],
    sample_args: tuple[Tensor, ...] | tuple[tuple[Tensor, ...], ...],
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: tuple[int, int] | None = None,
) -> Callable | tuple[Callable, ...]:
    """Graphs of forward and backward passes, which calls replay: inputs are copied into the samples, outputs are the graphs' own.

    Modules keep their class and get another `forward` while they train as they did when they were captured.
    """
    if torch.is_autocast_enabled() and torch.is_autocast_cache_enabled():
        raise RuntimeError(
            "make_graphed_callables does not support the autocast caching. Please set `cache_enabled=False`."
        )
    single = not isinstance(callables, tuple)
    functions = (callables,) if single else callables
    samples = (sample_args,) if single else sample_args
    passes = [_Pass(f, args) for f, args in zip(functions, samples)]
    memory = graph_pool_handle() if pool is None else pool
    with torch.cuda.stream(Stream()):
        for one in passes:
            one.warm_up(num_warmup_iters, allow_unused_input)
    for one in passes:
        one.capture_forward(memory)
    for one in reversed(passes):
        one.capture_backward(memory, allow_unused_input)
    made = tuple(one.graphed() for one in passes)
    return made[0] if single else made


def _leaves(tree: Any) -> list:
    return torch.utils._pytree.tree_leaves(tree)


class _Pass:
    """One callable with its samples, its graphs and what these read and write."""

    def __init__(self, function: Callable, args: Any) -> None:
        self.function, self.args = function, args if isinstance(args, tuple) else (args,)
        self.samples = tuple(_leaves(self.args))
        parameters = tuple(function.parameters()) if isinstance(function, torch.nn.Module) else ()
        self.surface = (*self.samples, *parameters)
        self.forward, self.backward = CUDAGraph(), CUDAGraph()
        self.outputs: tuple = ()
        self.output_grads: tuple = ()
        self.input_grads: tuple = ()

    @property
    def trained(self) -> tuple:
        return tuple(t for t in self.surface if t.requires_grad)

    def warm_up(self, times: int, allow_unused: bool) -> None:
        # results of a pass live until the next has its own
        outputs = wanted = grads = None
        for _ in range(times):
            outputs = _leaves(self.function(*self.args))
            wanted = tuple(t for t in outputs if t.requires_grad)
            if wanted:
                grads = torch.autograd.grad(  # noqa: F841
                    wanted, self.trained, tuple(torch.empty_like(t) for t in wanted), allow_unused=allow_unused
                )

    def capture_forward(self, pool: tuple[int, int]) -> None:
        with graph(self.forward, pool=pool):
            outputs = self.function(*self.args)
        leaves, self.structure = torch.utils._pytree.tree_flatten(outputs)
        self.outputs = tuple(leaves)

    def capture_backward(self, pool: tuple[int, int], allow_unused: bool) -> None:
        self.output_grads = tuple(torch.empty_like(t) if t.requires_grad else None for t in self.outputs)
        wanted = [t for t in self.outputs if t.requires_grad]
        input_grads: tuple = ()
        if wanted:
            with graph(self.backward, pool=pool):
                input_grads = torch.autograd.grad(
                    wanted, self.trained, [g for g in self.output_grads if g is not None], allow_unused=allow_unused
                )
        arrived = iter(input_grads)
        self.input_grads = tuple(next(arrived, None) if t.requires_grad else None for t in self.surface)

    def graphed(self) -> Callable:
        replay = _replay(self)
        if not isinstance(self.function, torch.nn.Module):
            return replay
        module, was_training, eager = self.function, self.function.training, self.function.forward

        def forward(*args: Any, **options: Any) -> Any:
            return replay(*args, **options) if module.training == was_training else eager(*args, **options)

        module.forward = forward
        return module


def _replay(one: _Pass) -> Callable:
    class Graphed(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Tensor) -> tuple:
            for sample, current in zip(one.samples, inputs):
                if sample.data_ptr() != current.data_ptr():
                    sample.copy_(current)
            one.forward.replay()
            return tuple(t.detach() for t in one.outputs)

        @staticmethod
        def backward(ctx: Any, *grads: Tensor) -> tuple:
            for kept, grad in zip(one.output_grads, grads):
                if kept is not None and grad is not None and kept.data_ptr() != grad.data_ptr():
                    kept.copy_(grad)
            return tuple(g if g is None else g.detach() for g in one.input_grads)

    def call(*args: Any) -> Any:
        leaves = _leaves(args)
        outputs = Graphed.apply(*leaves, *one.surface[len(one.samples) :])
        return torch.utils._pytree.tree_unflatten(outputs if isinstance(outputs, tuple) else (outputs,), one.structure)

    return call
