"""Embeddings with quantized weights, and those whose optimizer states stay 32-bit."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks

from .. import functional as F
from ..optim.optimizer import GlobalOptimManager
from .modules import quant_state_of
from .parameters import Int8Params, Params4bit

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("bitsandbytes.nn.embeddings")


class Embedding(nn.Embedding):
    """Keeps 32-bit optimizer states."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        GlobalOptimManager.get_instance().register_module_override(self, "weight", {"optim_bits": 32})


class StableEmbedding(Embedding):
    """With a layer norm after it."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: Any,
        *args: Any,
        device: torch.device | str | int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, *args, device=device, **kwargs)
        self.norm = nn.LayerNorm(embedding_dim, device=device)

    def forward(self, input: Tensor) -> Any:
        return self.norm(super().forward(input).to(torch.get_default_dtype())).to(self.weight.dtype)


class Embedding8bit(nn.Embedding):
    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: Any,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, device=device, dtype=dtype)
        self.dtype = self.weight.data.dtype
        self.weight = Int8Params(self.weight.data, has_fp16_weights=False, requires_grad=False)

    def forward(self, input: Tensor) -> Any:
        scales = self.weight.SCB
        if scales is None:
            raise RuntimeError("Embedding layer is not quantized. Please call .cuda() or .to(device) first.")
        rows = nn.functional.embedding(input, self.weight.data)
        row_scales = nn.functional.embedding(input, scales.view(self.num_embeddings, 1))
        return (rows * (row_scales / 127.0)).to(self.dtype)


class Embedding4bit(nn.Embedding):
    """Rows are picked packed and undone afterwards, where a row is a whole number of blocks."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: Any,
        dtype: torch.dtype | None = None,
        quant_type: str = "fp4",
        quant_storage: torch.dtype = torch.uint8,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, device=device, dtype=dtype)
        self.dtype, self.quant_state = self.weight.data.dtype, None
        self.weight = Params4bit(
            self.weight.data, compress_statistics=None, quant_type=quant_type, quant_storage=quant_storage, module=self
        )

    def forward(self, input: Tensor) -> Any:
        state, size = quant_state_of(self), self.embedding_dim
        if size % state.blocksize:
            return nn.functional.embedding(input, F.dequantize_4bit(self.weight.data, state)).to(self.dtype)
        packed = self.weight.data.view(torch.uint8).view(self.num_embeddings, size // 2)
        rows = nn.functional.embedding(input, packed).view(-1, 1)
        maxima = nn.functional.embedding(input, state.absmax.view(self.num_embeddings, size // state.blocksize)).view(
            -1
        )
        part = copy.deepcopy(state)
        part.absmax, part.shape = maxima, torch.Size((*input.shape, size))
        return F.dequantize_4bit(rows, part).to(self.dtype)


class EmbeddingFP4(Embedding4bit):
    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: Any,
        dtype: torch.dtype | None = None,
        quant_storage: torch.dtype = torch.uint8,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, dtype, "fp4", quant_storage, device)


class EmbeddingNF4(Embedding4bit):
    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: Any,
        dtype: torch.dtype | None = None,
        quant_storage: torch.dtype = torch.uint8,
        device: torch.device | str | int | None = None,
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, dtype, "nf4", quant_storage, device)
