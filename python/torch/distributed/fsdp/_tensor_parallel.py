"""Parameters that tensor parallelism distributed before FSDP flattens what lies on this rank (torch/distributed/tensor/parallel/fsdp.py, DTensorExtensions)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tensor import DTensor, Replicate, Shard

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from torch.distributed.device_mesh import DeviceMesh

    from ..tensor import DTensorSpec


def outer_mesh(mesh: DeviceMesh | None) -> DeviceMesh | None:
    """The mesh that FSDP's own was taken out of; None where it is one by itself."""
    root = None if mesh is None else mesh._get_root_mesh()
    return None if root is None or root == mesh else root


def require_outer_mesh(params: Sequence[Tensor], mesh: DeviceMesh | None) -> None:
    """Without one, FSDP takes distributed parameters for plain ones, and ends in what PyTorch ends in."""
    kinds = {isinstance(param, DTensor) for param in params}
    if True not in kinds or outer_mesh(mesh) is not None:
        return
    if False in kinds:
        raise RuntimeError(
            "aten.cat.default got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!"
        )
    raise NotImplementedError("Operator aten.set_.source_Tensor does not have a sharding strategy registered.")


def own_part(param: Tensor) -> tuple[Tensor, DTensorSpec | None]:
    """What lies on this rank of a parameter, and how it is distributed."""
    if not isinstance(param, DTensor):
        return param, None
    param._local_tensor.requires_grad_()
    return param._local_tensor, param._spec


def as_distributed(view: Tensor, spec: DTensorSpec | None) -> Tensor:
    """A part as the parameter that it is of was distributed."""
    if spec is None:
        return view
    return DTensor.from_local(view, spec.mesh, spec.placements, run_check=False, shape=spec.shape, stride=spec.stride)


def chunked(tensor: Tensor, mesh: DeviceMesh) -> DTensor:
    """FSDP's rows of a whole part, over all dimensions of the outer mesh (`_chunk_dtensor`)."""
    tensor = tensor.detach().clone()
    whole: list[Any] = [Replicate()] * mesh.ndim
    rows = list(whole)
    if isinstance(tensor, DTensor):
        whole[-1] = rows[-1] = tensor.placements[0]
        rows[-2] = Shard(0)
        tensor = tensor.to_local()
    else:
        rows[0] = Shard(0)
    return DTensor.from_local(tensor, mesh, whole, run_check=False).redistribute(device_mesh=mesh, placements=rows)


def gathered(param: DTensor, spec: DTensorSpec | None) -> Tensor:
    """A part whole again, distributed as it was (`_all_gather_dtensor`)."""
    placements = [*[Replicate()] * (len(param.placements) - 1), param.placements[-1]]
    return as_distributed(param.redistribute(device_mesh=param.device_mesh, placements=placements).to_local(), spec)
