"""How a unit's parameters lie in one flat tensor, and which part of it a rank holds (torch/distributed/fsdp/_flat_param.py)."""

from __future__ import annotations

from typing import NamedTuple
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import _ranked, nn

from ._tensor_parallel import as_distributed, own_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Self

    from torch import Tensor


_ALIGNMENT_BYTES = 16
_PADDING_VALUE = 42


class FlatParameter(nn.Parameter):
    """All parameters of a unit in one dimension: whole in forward and backward, a rank's part otherwise."""

    _mark = "_is_flat_param"

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Self:
        result = nn.Parameter.__new__(nn.Parameter, data, requires_grad)
        result._is_flat_param = True
        return result


class ParamPlace(NamedTuple):
    """Where a parameter is registered."""

    param_name: str
    module: nn.Module
    module_name: str


class SharedPlace(NamedTuple):
    """Where a parameter is registered once more, and its first place."""

    param_name: str
    module: nn.Module
    module_name: str
    first_name: str
    first_module: nn.Module


class InShard(NamedTuple):
    """Which part of a parameter lies in this rank's shard, and where; `in_shard` False: none."""

    in_shard: bool
    offset: int = None
    numel: int = None
    first: int = None
    last: int = None


def _aligned_numel(dtype):
    return _ALIGNMENT_BYTES // dtype.itemsize


def is_contiguous(tensor: Tensor) -> bool:
    return tensor.stride(-1) == 1 and tensor.is_contiguous()


def _in_one_dimension(tensor):
    if isinstance(tensor, nn.Parameter):
        tensor = tensor.detach()
    return torch.flatten(tensor) if is_contiguous(tensor) else tensor.as_strided((tensor.numel(),), (1,))


def _padding(numel, dtype, device):
    return torch.ones((numel,), dtype=dtype, device=device) * _PADDING_VALUE


def checked(tensors: Sequence[Tensor], use_orig_params: bool) -> tuple:
    """The common dtype and device of what is put together, and whether any of it is trained."""
    dtype = device = requires_grad = None
    for t in tensors:
        if isinstance(t, FlatParameter):
            raise ValueError("Cannot flatten a `FlatParameter`")
        if dtype is None and not t.is_floating_point():
            raise ValueError("Cannot flatten integer dtype tensors")
        if dtype is not None and t.dtype != dtype:
            raise ValueError(f"Must flatten tensors with uniform dtype but got {dtype} and {t.dtype}")
        if not use_orig_params and requires_grad is not None and t.requires_grad != requires_grad:
            raise ValueError("Must flatten tensors with uniform `requires_grad` when `use_orig_params=False`")
        if device is not None and t.device != device:
            raise ValueError(f"Must flatten tensors on the same device but got both {device} and {t.device}")
        dtype, device = t.dtype, t.device
        requires_grad = requires_grad or t.requires_grad
    return dtype, requires_grad, device


class Layout:
    """The order of parameters in the flat tensor, with padding where addresses must be aligned."""

    def __init__(
        self,
        params: Iterable[Tensor],
        module: torch.nn.Module,
        aligned_numel: Any,
        world_size: int,
        use_orig_params: bool,
    ) -> None:
        dtype, self.requires_grad, device = checked(params, use_orig_params)
        wanted, first = set(params), {}
        self.param_infos, self.shared_param_infos, self.fqns = [], [], []
        self.numels, self.is_padding = [], []  # of everything, with padding
        self.shapes, self.strides, self.contiguous, self.specs = [], [], [], []
        pieces, shared = [], []
        total = 0

        def pad_to(multiple):
            nonlocal total
            missing = multiple - total % multiple
            if 0 < missing < multiple:
                pieces.append(_padding(missing, dtype, device))
                self.is_padding.append(True)
                self.numels.append(missing)
                total += missing

        for module_name, part in module.named_modules(remove_duplicate=False):
            for name, param in part._parameters.items():
                if param is None or param not in wanted:
                    continue
                if param in first:
                    shared.append(param)
                    origin = first[param]
                    self.shared_param_infos.append(
                        SharedPlace(name, part, module_name, origin.param_name, origin.module)
                    )
                    continue
                if aligned_numel:
                    pad_to(aligned_numel)
                first[param] = ParamPlace(name, part, module_name)
                self.param_infos.append(first[param])
                param, spec = own_part(param)
                pieces.append(param)
                self.is_padding.append(False)
                self.specs.append(spec)
                self.numels.append(param.numel())
                self.shapes.append(param.shape)
                self.strides.append(param.stride())
                self.contiguous.append(is_contiguous(param))
                self.fqns.append(f"{module_name}.{name}" if module_name else name)
                total += param.numel()
        if not pieces:
            raise ValueError(f"`params` were not found in `module`'s tree\nparams: {params}\nmodule: {module}")
        if aligned_numel:
            pad_to(world_size)
        self.total = total
        as_params = lambda tensors: [t if isinstance(t, nn.Parameter) else nn.Parameter(t) for t in tensors]  # noqa: E731
        self.params = as_params([t for t, pad in zip(pieces, self.is_padding) if not pad]) if use_orig_params else None
        self.shared_params = as_params(shared) if use_orig_params else None
        self.tensors = [None] * len(self.param_infos)
        self.grad_is_none = [False] * len(self.param_infos)
        self.flat_data = torch.cat([_in_one_dimension(t) for t in pieces], dim=0)

    def take_flat(self) -> Any:
        """The flat tensor, which nobody else holds then."""
        data = self.flat_data
        del self.flat_data
        return data

    def views(self, flat: Any) -> Any:
        """Every parameter's part of a flat tensor, in its shape."""
        made, i = [], 0
        for part, padding in zip(torch.split(flat, self.numels, dim=0), self.is_padding):
            if padding:
                continue
            shape = self.shapes[i]
            view = part.view(shape) if self.contiguous[i] else part.as_strided(shape, self.strides[i])
            made.append(as_distributed(view, self.specs[i]))
            i += 1
        return made

    def flattened(self, tensors: Sequence[Tensor], dtype: torch.dtype, device: torch.device | str | int) -> Any:
        """Tensors of the parameters' shapes, in one dimension as the parameters are."""
        pieces, remaining = [], iter(tensors)
        for numel, padding in zip(self.numels, self.is_padding):
            pieces.append(_padding(numel, dtype, device) if padding else _in_one_dimension(next(remaining)))
        return torch.cat(pieces, dim=0)

    def in_shard(self, begin: Any, end: Any) -> Any:
        """For every parameter, what of it lies between two elements (both included) of the flat tensor."""
        found, start = [], 0
        for numel, padding in zip(self.numels, self.is_padding):
            last = start + numel - 1
            if not padding:
                if begin > last or end < start:
                    found.append(InShard(False))
                else:
                    skipped = max(begin - start, 0)
                    upto = min(last, end) - start
                    found.append(InShard(True, max(start - begin, 0), upto - skipped + 1, skipped, upto))
            start += numel
        return found


def unpadded_shard(tensor: Tensor, rank: int, world_size: int) -> tuple:
    """A rank's part of a tensor and how many elements it lacks of the first rank's part."""
    chunks = _in_one_dimension(tensor).chunk(world_size)
    chunk = _ranked.choose(chunks, rank, lambda part: part.shape) if rank < len(chunks) else chunks[0].new_empty(0)
    return chunk, chunks[0].numel() - chunk.numel()


def padded_shard(tensor: Tensor, rank: int, world_size: int) -> tuple:
    chunk, missing = unpadded_shard(tensor, rank, world_size)
    shard = chunk.clone()
    if missing > 0:
        shard = F.pad(shard, [0, missing])
    return shard, missing
