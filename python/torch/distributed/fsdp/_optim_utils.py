"""Which optimizer states there are under which names: the ranks agree on that first (torch/distributed/fsdp/_optim_utils.py)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from typing import Any


class _OptimStateKey(NamedTuple):
    unflat_param_names: tuple
    is_fsdp_managed: bool


class _PosDimTensorInfo(NamedTuple):
    shape: torch.Size
    dtype: torch.dtype


@dataclass
class StateInfo:
    """What a rank tells the others of a parameter's states: all but the tensors themselves."""

    tensors: dict[str, _PosDimTensorInfo]
    scalar_tensors: dict[str, torch.Tensor]
    non_tensors: dict[str, Any]


def gather_state_info(states: dict[str, dict], group: Any) -> None:
    infos = {}
    for name, values in states.items():
        info = infos[name] = StateInfo({}, {}, {})
        for kind, value in sorted(values.items()):
            if not torch.is_tensor(value):
                info.non_tensors[kind] = value
            elif value.dim() == 0:
                info.scalar_tensors[kind] = value.cpu()
            else:
                info.tensors[kind] = _PosDimTensorInfo(value.shape, value.dtype)
    dist.all_gather_object([{} for _ in range(dist.get_world_size(group))], infos, group=group)


def agree_on_keys(
    keys: Any, merge: Any, group: torch.distributed.ProcessGroup, device: torch.device | str | int
) -> Any:
    """`keys`: those of this rank, in its optimizer's order; `merge`: where parameters are original ones, ranks have different ones."""
    if merge:
        every = [None] * dist.get_world_size(group)
        dist.all_gather_object(every, keys, group=group)
        return sorted(set(chain.from_iterable(every)))
    of_first = [keys] if dist.get_rank(group) == 0 else [None]
    dist.broadcast_object_list(of_first, src=0, group=group)
    # _check_missing_keys_on_rank
    missing = torch.tensor([len(set(of_first[0]) - set(keys))], dtype=torch.int32, device=device)
    dist.all_reduce(missing, group=group)
    return of_first[0]
