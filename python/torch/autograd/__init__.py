"""torch.autograd: backward, grad, modes, custom functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C
from .._tensor import Tensor
from . import graph, profiler, functional
from .function import Function, FunctionCtx, once_differentiable
from .grad_mode import (
    _unsafe_preserve_version_counter,
    enable_grad,
    inference_mode,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .anomaly import detect_anomaly, set_detect_anomaly
from .gradcheck import gradcheck, gradgradcheck
from torch._release import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class _VariableMeta(type(Tensor)):
    """isinstance says yes to every tensor; a call gives the tensor itself anew (torch/autograd/variable.py: VariableMeta)."""

    def __instancecheck__(cls, other: Tensor) -> bool:
        return isinstance(other, Tensor)

    def __call__(cls, data: Any = None, requires_grad: bool = False, volatile: bool = False, **_: Any) -> Any:
        if data is None:
            import torch

            data = torch.empty(0)
        made = data.detach()
        return made.requires_grad_() if requires_grad else made


class Variable(metaclass=_VariableMeta):
    """The old name of a tensor."""

    from .engine import Engine as _engine

    _execution_engine = _engine()
    del _engine


class _Engine:
    """What programs ask of the engine itself."""

    @staticmethod
    def queue_callback(callback: Callable) -> None:
        _C.queue_callback(callback)


Tensor._execution_engine = _Engine()


def _as_tuple(x):
    return (x,) if isinstance(x, (Tensor, graph.GradientEdge)) else tuple(x)


def _make_grads(outputs, grads):
    """The gradient of each root: ones for scalars that were given none."""
    result = []
    for out, grad in zip(outputs, grads):
        if grad is None:
            if out.requires_grad:
                if out.numel() != 1:
                    raise RuntimeError("grad can be implicitly created only for scalar outputs")
                result.append(_C.ops.ones_like(out, None, None, "preserve_format"))
            else:
                result.append(None)
        else:
            if grad.shape != out.shape:
                raise RuntimeError(
                    f"Mismatch in shape: grad_output[0] has a shape of {grad.shape} and output[0] has a shape of {out.shape}."
                )
            result.append(grad)
    return tuple(result)


def _run(mode, outputs, grads, keep, create, inputs):
    for i, t in enumerate(outputs):
        if not t.requires_grad:
            raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")
    roots = [x for pair in zip(outputs, grads) for x in (pair[0]._h, pair[1]._h)]
    wanted = (-1,) if inputs is None else (len(inputs), *[t._h for t in inputs])
    _C.enter_graph_task(inputs is None)
    try:
        r = _C._js.backward(_C.here(), keep, create, mode, len(outputs), *roots, *wanted)
        if type(r) is not str or r[:1] != "!":
            _C.run_final_callbacks()
    finally:
        _C.leave_graph_task()
    if _C.at_end_of_backward and not _C._graph_tasks:
        callbacks, _C.at_end_of_backward[:] = list(_C.at_end_of_backward), []
        for callback in callbacks:
            callback()
    if type(r) is str and r[:1] == "!":
        _C.fail(r)
    return r


def _is_checkpoint_valid():
    """Whether the running backward goes to all leaves: only then may a backward of its own run inside."""
    return all(_C._graph_tasks_to_leaves)


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Tensor | Sequence[Tensor] | dict[str, Tensor] | None = None,
) -> None:
    tensors = _as_tuple(tensors)
    if inputs is not None:
        inputs = _as_tuple(inputs)
        if len(inputs) == 0:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    grads = (None,) * len(tensors) if grad_tensors is None else _as_tuple(grad_tensors)
    grads = _make_grads(tensors, grads)
    if retain_graph is None:
        retain_graph = create_graph
    _run("backward", tensors, grads, bool(retain_graph), create_graph, inputs)


def _batched(outputs, inputs, grads, keep, create, allow_unused, materialize):
    """One pass per slice of the given gradients; PyTorch runs them as one."""
    count = next(g for g in grads if g is not None).shape[0]
    rows = [
        grad(
            outputs,
            inputs,
            [None if g is None else g[i] for g in grads],
            keep or i < count - 1,
            create,
            True,
            allow_unused,
            False,
            materialize,
        )
        for i in range(count)
    ]
    return tuple(None if any(g is None for g in column) else _C.ops.stack(column, 0) for column in zip(*rows))


def _of_edges(outputs, inputs, grads, keep, create, allow_unused):
    """grad() where a root or an input is an edge of the graph and no tensor."""
    edge = lambda x: x if isinstance(x, graph.GradientEdge) else graph.get_gradient_edge(x)  # noqa: E731
    tensors = [i for i, x in enumerate(outputs) if not isinstance(x, graph.GradientEdge)]
    grads = list(grads)
    for i, made in zip(tensors, _make_grads([outputs[i] for i in tensors], [grads[i] for i in tensors])):
        grads[i] = made
    if any(g is None for g in grads):
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    roots, wanted = [edge(x) for x in outputs], [edge(x) for x in inputs]
    flat = [x for root, g in zip(roots, grads) for x in (root.node._id, root.output_nr, g._h)]
    edges = [x for one in wanted for x in (one.node._id, one.output_nr)]
    _C.enter_graph_task(False)
    try:
        r = _C._js.gradOfEdges(_C.here(), keep, create, len(roots), *flat, len(wanted), *edges)
    finally:
        _C.leave_graph_task()
    if type(r) is str and r[:1] == "!":
        _C.fail(r)
    result = _C.wrap_list(r) or [None]
    if not allow_unused and any(g is None for g in result):
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
        )
    return tuple(result)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor] | dict[str, Tensor],
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...] | dict[str, Tensor]:
    outputs, inputs = _as_tuple(outputs), _as_tuple(inputs)
    grads = (None,) * len(outputs) if grad_outputs is None else _as_tuple(grad_outputs)
    if retain_graph is None:
        retain_graph = create_graph
    if any(isinstance(x, graph.GradientEdge) for x in (*outputs, *inputs)):
        return _of_edges(outputs, inputs, grads, bool(retain_graph), create_graph, allow_unused)
    if is_grads_batched:
        return _batched(outputs, inputs, grads, retain_graph, create_graph, allow_unused, materialize_grads)
    if not inputs:
        if rules.empty_inputs_error_names_grad:
            raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
        raise ValueError("grad requires non-empty inputs.")
    grads = _make_grads(outputs, grads)
    for t in inputs:
        if not t.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    # one gradient that did not come is an empty text
    result = _C.wrap_list(_run("grad", outputs, grads, bool(retain_graph), create_graph, inputs)) or [None]
    if materialize_grads:
        result = [_C.ops.zeros_like(t) if g is None else g for g, t in zip(result, inputs)]
    elif not allow_unused and any(g is None for g in result):
        which = next(i for i, g in enumerate(result) if g is None)
        raise RuntimeError(
            f"The differentiated Tensor at index {which} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
            if rules.grad_errors_name_inputs
            else "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
        )
    return tuple(result)
