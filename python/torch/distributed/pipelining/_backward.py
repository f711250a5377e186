"""Backward of one stage, whole or in two halves: gradients of its inputs first, of its weights later (torch/distributed/pipelining/_backward.py)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import torch
from torch.autograd.graph import GradientEdge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from torch import Tensor


def _node_of(tensor):
    """A tensor's node of the graph; of a leaf the one that accumulates its gradient."""
    if tensor.requires_grad and tensor.grad_fn is None:
        return tensor.view_as(tensor).grad_fn.next_functions[0][0]
    return tensor.grad_fn


def stage_backward(
    stage_output: Any, output_grads: Any, input_values: Any, outputs_with_grads_idxs: list[int] | None = None
) -> tuple[Tensor | None, ...]:
    """Runs backward of a stage; its inputs' gradients, taken off the inputs."""
    outputs, gradients = [], []
    _collect(stage_output, output_grads, outputs, gradients)
    torch.autograd.backward(outputs, grad_tensors=gradients)
    found = []
    for value in input_values:
        if isinstance(value, torch.Tensor):
            found.append(value.grad)
            value.grad = None
        else:
            found.append(None)
    return tuple(found)


def _collect(output, grad, outputs, gradients):
    if isinstance(output, torch.Tensor):
        if output.requires_grad or output.grad_fn is not None:
            outputs.append(output)
            gradients.append(grad)
    elif isinstance(output, (tuple, list)) and grad is not None:
        if len(output) != len(grad):
            raise AssertionError(f"Expected len(output_val) == len(grad_val), got {len(output)} != {len(grad)}")
        for pair in zip(output, grad):
            _collect(*pair, outputs, gradients)
    elif isinstance(output, dict) and grad is not None:
        for key in output:
            _collect(output[key], grad[key], outputs, gradients)


def _users(roots):
    """For each node that the roots lead to, the nodes that lead to it."""
    users, waiting, seen = {}, deque(), set()
    for node in roots:
        if node is not None and node not in seen:
            seen.add(node)
            waiting.append(node)
    while waiting:
        node = waiting.popleft()
        for following, _ in node.next_functions:
            if following is None:
                continue
            if following not in users:
                users[following] = []
                waiting.append(following)
            users[following].append(node)
    return users


def _reached(roots, stops, users):
    """What uses the roots' results, as far as nodes at which the search stops; and those nodes, in the order found."""
    closure, found, waiting = dict.fromkeys(roots), {}, deque(roots)
    while waiting:
        for node in users.get(waiting.popleft(), ()):
            if node in closure:
                continue
            if node in stops:
                found[node] = None
                continue
            closure[node] = None
            waiting.append(node)
    return closure, found


def _weight_groups(inputs, weights, users):
    """Weights whose gradients start at the same nodes: where the graph of the weights leaves that of the inputs."""
    stops, _ = _reached(list(dict.fromkeys(inputs)), {}, users)
    groups = {}
    for weight in weights:
        _, crossings = _reached([weight], stops, users)
        group = {"params": {weight: None}, "intermediates": crossings}
        for node in crossings:
            known = groups.get(node)
            if known is None:
                groups[node] = group
            else:
                known["params"].update(group["params"])
                known["intermediates"].update(group["intermediates"])
                group = known
    unique = {}
    for group in groups.values():
        unique.setdefault(id(group), group)
    return list(unique.values())


def grads_of_inputs(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool = False, allow_unused: bool = False
) -> tuple:
    """torch.autograd.grad for those inputs that require it; None for the others."""
    wanted = [i for i, value in enumerate(inputs) if isinstance(value, torch.Tensor) and value.requires_grad]
    result = [None] * len(inputs)
    if wanted:
        grads = torch.autograd.grad(
            outputs=outputs,
            inputs=[inputs[i] for i in wanted],
            grad_outputs=grad_outputs,
            retain_graph=retain_graph,
            allow_unused=allow_unused,
        )
        for i, grad in zip(wanted, grads, strict=True):
            result[i] = grad
    return tuple(result)


def stage_backward_input(
    outputs: Any, output_grads: list[Tensor] | None, input_values: list, weights: Iterator[torch.nn.Parameter]
) -> tuple[tuple[Tensor | None, ...], list[dict[str, Any]]]:
    """Gradients of a stage's inputs; what the gradients of its weights need is kept in the groups that it gives."""
    kept, kept_grads = [], []
    for i, output in enumerate(outputs):
        if output.requires_grad or output.grad_fn is not None:
            kept.append(output)
            kept_grads.append(torch.ones_like(output) if output_grads is None else output_grads[i])
    output_nodes = [node for node in map(_node_of, kept) if node is not None]
    input_nodes = [
        node for node in (_node_of(v) for v in input_values if isinstance(v, torch.Tensor)) if node is not None
    ]
    weight_nodes = [node for node in map(_node_of, weights) if node is not None]
    groups = _weight_groups(input_nodes, weight_nodes, _users(output_nodes))
    handles = []
    try:
        for group in groups:
            group["intermediates"] = list(group["intermediates"])
            for i, node in enumerate(group["intermediates"]):
                handles.append(node.register_prehook(_remembers(group, i)))
        if kept:
            grads = grads_of_inputs(kept, input_values, kept_grads, retain_graph=True, allow_unused=True)
        else:
            grads = tuple(None for _ in input_values)
        for value, grad in zip(input_values, grads):
            if isinstance(value, torch.Tensor) and grad is not None:
                if value.grad is None:
                    value.grad = grad
                else:
                    value.grad += grad
        for output in outputs:
            output.detach_()
        return grads, groups
    finally:
        for handle in handles:
            handle.remove()


def _remembers(group, i):
    def hook(grads):
        if group.get("grads") is None:
            group["grads"] = [None] * len(group["intermediates"])
        group["grads"][i] = grads

    return hook


def stage_backward_weight(weights: Iterator[torch.nn.Parameter], groups: Any, retain_graph: bool = False) -> None:
    """Gradients of a stage's weights, from where the first half stopped."""
    weight_of = {_node_of(weight): weight for weight in weights}
    for group in groups:
        edges, edge_grads = [], []
        for grads, node in zip(group["grads"], group["intermediates"]):
            for i, grad in enumerate(grads):
                if grad is not None:
                    edges.append(GradientEdge(node, i))
                    edge_grads.append(grad)
        handles = []
        if len(group["intermediates"]) > 1:
            # a node that another of the group leads to gets the remembered gradient only
            for grads, node in zip(group["grads"], group["intermediates"], strict=True):
                handles.append(node.register_prehook(lambda _, same=grads: same))
        del group["intermediates"]
        try:
            if edges:
                targets = tuple(GradientEdge(node, 0) for node in group["params"])
                found = torch.autograd.grad(edges, targets, grad_outputs=edge_grads, retain_graph=retain_graph)
                del group["grads"]
                for node, grad in zip(group["params"], found):
                    weight = weight_of[node]
                    if weight.grad is None:
                        weight.grad = grad
                    else:
                        weight.grad += grad
        finally:
            for handle in handles:
                handle.remove()
