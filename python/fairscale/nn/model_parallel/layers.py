"""Linear layers and embeddings of which each rank holds a part (fairscale/nn/model_parallel/layers.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn import Module, Parameter, functional, init

from .initialize import get_model_parallel_rank, get_model_parallel_world_size
from .mappings import (
    copy_to_model_parallel_region,
    gather_from_model_parallel_region,
    reduce_from_model_parallel_region,
    scatter_to_model_parallel_region,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def _part(size):
    world = get_model_parallel_world_size()
    assert size % world == 0, f"{size} is not divisible by {world}"
    return size // world


def _start(weight, whole, dim, init_method, stride, keeps):
    """Fills a part; of several, each is cut out of a whole weight that is made for it (_initialize_affine_weight)."""
    world = get_model_parallel_world_size()
    if world == 1:
        init_method(weight)
        return weight if keeps else None
    master = torch.empty(*whole, dtype=weight.dtype, requires_grad=False)
    init_method(master)
    parts = torch.split(master, weight.shape[dim] // stride, dim=dim)
    with torch.no_grad():
        torch.cat(parts[get_model_parallel_rank() :: world], dim=dim, out=weight)
    return master if keeps else None


class _Linear(Module):
    def _make(self, shape, whole, dim, bias, init_method, stride, keeps):
        self.weight = Parameter(torch.Tensor(*shape))
        if bias:
            self.bias = Parameter(torch.Tensor(shape[0]))
            with torch.no_grad():
                self.bias.zero_()
        else:
            self.register_parameter("bias", None)
        self.master_weight = _start(self.weight, whole, dim, init_method, stride, keeps)

    def get_master_weight(self) -> Any:
        return gather_from_model_parallel_region(self.weight.data.transpose(0, 1)).transpose_(0, 1)


class ColumnParallelLinear(_Linear):
    def __init__(
        self, in_features: int, out_features: int, bias: bool=True, gather_output: bool=True, init_method: Any=init.xavier_normal_, stride: int=1,
        keep_master_weight_for_test: bool=False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.in_features, self.out_features, self.gather_output = in_features, out_features, gather_output
        self.output_size_per_partition = _part(out_features)
        shape = (self.output_size_per_partition, in_features)
        self._make(shape, (out_features, in_features), 0, bias, init_method, stride, keep_master_weight_for_test)

    def forward(self, input_: Tensor) -> Any:
        input_parallel = copy_to_model_parallel_region(input_)
        output = functional.linear(input_parallel, self.weight, self.bias)
        return gather_from_model_parallel_region(output) if self.gather_output else output


class RowParallelLinear(_Linear):
    def __init__(
        self, in_features: int, out_features: int, bias: bool=True, input_is_parallel: bool=False, init_method: Any=init.xavier_normal_, stride: int=1,
        keep_master_weight_for_test: bool=False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.in_features, self.out_features, self.input_is_parallel = in_features, out_features, input_is_parallel
        self.input_size_per_partition = _part(in_features)
        shape = (out_features, self.input_size_per_partition)
        self._make(shape, (out_features, in_features), 1, bias, init_method, stride, keep_master_weight_for_test)

    def forward(self, input_: Tensor) -> Any:
        input_parallel = input_ if self.input_is_parallel else scatter_to_model_parallel_region(input_)
        output_parallel = functional.linear(input_parallel, self.weight)
        output_ = reduce_from_model_parallel_region(output_parallel)
        return output_ if self.bias is None else output_ + self.bias


class _Embedding(Module):
    def _settings(self, num, dim, padding_idx, max_norm, norm_type, scale, sparse):
        self.num_embeddings, self.embedding_dim, self.padding_idx = num, dim, padding_idx
        self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse = max_norm, norm_type, scale, sparse

    def _look_up(self, ids):
        return functional.embedding(
            ids, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )


class ParallelEmbedding(_Embedding):
    """Each rank holds some columns."""

    def __init__(
        self, num_embeddings: int, embedding_dim: Any, padding_idx: Any=None, max_norm: float | None=None, norm_type: float=2.0, scale_grad_by_freq: bool=False,
        sparse: bool=False, init_method: Any=init.xavier_normal_, keep_master_weight_for_test: bool=False,
    ) -> None:  # fmt: skip
        super().__init__()
        self._settings(num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        self.embedding_dim_per_partition = _part(embedding_dim)
        self.weight = Parameter(torch.Tensor(num_embeddings, self.embedding_dim_per_partition))
        _start(self.weight, (num_embeddings, embedding_dim), 1, init_method, 1, False)

    def forward(self, input_: Tensor) -> Any:
        return gather_from_model_parallel_region(self._look_up(copy_to_model_parallel_region(input_)))


class VocabParallelEmbedding(_Embedding):
    """Each rank holds some rows; ids of others give zeros there, and the ranks' results are added."""

    def __init__(
        self, num_embeddings: int, embedding_dim: Any, padding_idx: Any=None, max_norm: float | None=None, norm_type: float=2.0, scale_grad_by_freq: bool=False,
        sparse: bool=False, init_method: Any=init.xavier_normal_,
    ) -> None:  # fmt: skip
        super().__init__()
        self._settings(num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        self.num_embeddings_per_partition = _part(num_embeddings)
        self.vocab_start_index = get_model_parallel_rank() * self.num_embeddings_per_partition
        self.vocab_end_index = self.vocab_start_index + self.num_embeddings_per_partition
        self.weight = Parameter(torch.Tensor(self.num_embeddings_per_partition, embedding_dim))
        _start(self.weight, (num_embeddings, embedding_dim), 0, init_method, 1, False)

    def forward(self, input_: Tensor) -> Any:
        input_mask = (input_ < self.vocab_start_index) | (input_ >= self.vocab_end_index)
        masked_input = input_.clone() - self.vocab_start_index
        masked_input[input_mask] = 0
        output_parallel = self._look_up(masked_input)
        output_parallel[input_mask, :] = 0.0
        return reduce_from_model_parallel_region(output_parallel)
