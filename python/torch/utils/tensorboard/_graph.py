"""A model's graph for TensorBoard: the operators of one forward pass, grouped by module, with shapes and memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ... import _C
from . import _protos

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor


def _tensors(value):
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for v in value.values():
            yield from _tensors(v)
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from _tensors(v)


def _record(model, inputs):
    """Runs the model once, without gradients as a tracer would, and returns what ran and the result."""
    import torch

    with torch.no_grad():
        _C._js.profileStart()
        try:
            result = model(*inputs)
        finally:
            recorded = json.loads(_C._js.profileStop())
    return recorded, result


def _scope(path):
    return path.replace(".", "/")


class _Graph:
    """Nodes by the number of the tensor that they make."""

    def __init__(self) -> None:
        self.nodes, self.stats, self.maker, self.taken = [], [], {}, set()

    def name(self, wanted: Any) -> Any:
        """TensorBoard needs each name once."""
        name, count = wanted, 1
        while name in self.taken:
            count += 1
            name = f"{wanted}_{count}"
        self.taken.add(name)
        return name

    def leaf(self, wanted: Any, op: Any, tensor: Tensor) -> None:
        name = self.name(wanted)
        attributes = [
            ("_output_shapes", "shapes", [list(tensor.shape)]),
            ("dtype", "text", str(tensor.dtype)),
            ("bytes", "number", tensor.numel() * tensor.element_size()),
        ]
        self.nodes.append(_protos.node(name, op, (), attributes, str(tensor.device)))
        self.maker[tensor._h] = name


def model_graph(model: torch.nn.Module, inputs: Any) -> tuple:
    """(GraphDef, RunMetadata) of model(*inputs); `inputs` is a tensor or a tuple."""
    import torch

    inputs = (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs)
    recorded, result = _record(model, inputs)
    graph = _Graph()
    for i, tensor in enumerate(_tensors(inputs)):
        graph.leaf(f"input/{i + 1}", "IO Node", tensor)
    root = type(model).__name__
    for path, tensor in [*model.named_parameters(), *model.named_buffers()]:
        graph.leaf(_scope(f"{root}.{path}"), "parameter", tensor)
    ranges = recorded["ranges"]
    children = [0] * len(ranges)
    for row in ranges:
        if row["parent"] >= 0 and row["kind"] == "op":
            children[row["parent"]] += 1
    for i, row in enumerate(ranges):
        # the operators that others consist of; those that only rename memory are inner ones, too
        if row["kind"] != "op" or children[i] > 0:
            continue
        module = recorded["modules"][row["module"]] if row["module"] >= 0 else root
        name = graph.name(f"{_scope(module)}/{row['name'].rpartition('::')[2]}")
        known = [graph.maker[t] for t in row["inputs"] if t in graph.maker]
        taken = row["cudaBytes"] or row["cpuBytes"]
        attributes = [("_output_shapes", "shapes", row["outputShapes"]), ("memory_bytes", "number", taken)]
        if row["outputTypes"]:
            attributes.append(("dtype", "text", ", ".join(row["outputTypes"])))
        graph.nodes.append(_protos.node(name, row["name"], list(dict.fromkeys(known)), attributes))
        outputs = [(sizes, max(taken, 0) if slot == 0 else 0) for slot, sizes in enumerate(row["outputShapes"])]
        graph.stats.append(
            _protos.node_stats(name, row["start"], row["end"], "cuda" if row["cudaBytes"] else "cpu", outputs)
        )
        for tensor in row["outputs"]:
            graph.maker[tensor] = name
    for i, tensor in enumerate(_tensors(result)):
        made = graph.maker.get(tensor._h)
        attributes = [("_output_shapes", "shapes", [list(tensor.shape)])]
        graph.nodes.append(
            _protos.node(graph.name(f"output/output.{i + 1}"), "IO Node", [made] if made else [], attributes)
        )
    device = "/device:GPU:0" if any(t.is_cuda for t in _tensors(inputs)) else "/device:CPU:0"
    return _protos.graph(graph.nodes), _protos.run_metadata(device, graph.stats)
