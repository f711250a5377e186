"""parallelize_module: applies styles to the modules that a plan names."""

from __future__ import annotations

import warnings
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from ...device_mesh import _mesh_resources
from .style import ParallelStyle

if TYPE_CHECKING:
    import torch
    from torch.distributed.device_mesh import DeviceMesh


def parallelize_module(
    module: torch.nn.Module,
    device_mesh: DeviceMesh | None = None,
    parallelize_plan: ParallelStyle | dict[str, ParallelStyle] | None = None,
    *,
    src_data_rank: int | None = 0,
) -> torch.nn.Module:
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    if parallelize_plan is None:
        warnings.warn("No parallelize_plan is provided and auto-parallel is not supported at the moment, so this parallelize_module call will do nothing.")  # fmt: skip
        return module
    if mesh.ndim != 1:
        raise ValueError(
            f"Tensor Parallel only accepts a 1D DeviceMesh, but found {mesh.ndim}D! Slice it, as mesh['tp']."
        )
    if isinstance(parallelize_plan, ParallelStyle):
        parallelize_plan.src_data_rank = src_data_rank
        return parallelize_plan._apply(module, mesh)
    if not isinstance(parallelize_plan, dict):
        raise TypeError(f"Expect Union[ParallelStyle, Dict[str, ParallelStyle]] for parallelize_plan, {type(parallelize_plan)} found!")  # fmt: skip
    for path, style in parallelize_plan.items():
        if path == "":
            parallelize_module(module, mesh, style, src_data_rank=src_data_rank)
            continue
        first, _, rest = path.partition(".")
        children = [child for name, child in module.named_children() if fnmatch(name, first)]
        if not children:
            warnings.warn(f"Parallelize plan key '{path}' could not be resolved: no submodule matching token '{first}' in module {module}.")  # fmt: skip
        for child in children:
            parallelize_module(child, mesh, {rest: style} if rest else style, src_data_rank=src_data_rank)
    return module
