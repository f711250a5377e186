"""Linear layers whose weights are packed into 32-bit words, by GPTQ or AWQ, and what the kernels of each take while they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..releases import is_past

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor

WORD_BITS = 32


class PackedLinear(nn.Module):
    """
    `qweight` [inputs * bits / 32, outputs] or [inputs, outputs * bits / 32], a scale of 16 bits per group and output, and packed
    zero points.

    The tensors are buffers, as in auto_gptq and autoawq; they come from a checkpoint as they are.
    """

    def __init__(
        self, in_features: Any, out_features: Any, bias: Tensor | None, bits: Any, group_size: Any, dtype: torch.dtype
    ) -> None:
        super().__init__()
        self.in_features, self.out_features, self.bits = in_features, out_features, bits
        self.group_size = in_features if group_size in (-1, None) else group_size
        self.groups = -(-in_features // self.group_size)
        self.dtype = dtype
        self.build()
        self.register_buffer("bias", torch.zeros(out_features, dtype=dtype) if bias else None)

    def words(self, name: str, *shape: Any) -> None:
        self.register_buffer(name, torch.empty(shape, dtype=torch.int32))

    def scale(self) -> None:
        self.register_buffer("scales", torch.empty(self.groups, self.out_features, dtype=self.dtype))

    @property
    def weight(self) -> Any:
        return self.qweight

    def finish(self, device: torch.device | str | int) -> None:
        """What the library makes when all layers are loaded."""

    def biased(self, output: Any) -> Any:
        return output if self.bias is None else output.add_(self.bias)


class _AutoGptqLinear(PackedLinear):
    """The tensors of auto_gptq's layers, `g_idx` among them."""

    def build(self) -> None:
        self.words("qweight", self.in_features * self.bits // WORD_BITS, self.out_features)
        self.words("qzeros", self.groups, self.out_features * self.bits // WORD_BITS)
        self.scale()
        self.words("g_idx", self.in_features)


class ExllamaLinear(_AutoGptqLinear):
    """exllama: one matrix is unpacked for many rows, into a buffer that all layers share.
    auto_gptq/nn_modules/qlinear/qlinear_exllama.py, auto_gptq/modeling/_utils.py: autogptq_post_init"""

    def forward(self, x: Tensor) -> Any:
        if x.dtype != torch.float16:
            x = x.half()
        rows = x.view(-1, x.shape[-1])
        output = torch.empty(rows.shape[0], self.out_features, dtype=torch.float16, device=x.device)
        output = output.view(*x.shape[:-1], self.out_features)
        return self.biased(output)

    @staticmethod
    def share(layers: int, device: torch.device | str | int) -> list:
        """Buffers that live as long as the model."""
        unpacked = max(layer.qweight.numel() * 8 for layer in layers)
        return [
            torch.zeros(1, 1, dtype=torch.float16, device=device),
            torch.zeros(1, unpacked, dtype=torch.float16, device=device),
        ]


class Exllama2Linear(ExllamaLinear):
    """exllama 2: the shared buffer has room for 2,048 tokens of 8 sequences in float32 behind the unpacked matrix; a checkpoint's
    `g_idx` becomes two permutations. auto_gptq/nn_modules/qlinear/qlinear_exllamav2.py: scratch_space_fixed, ext_make_q_matrix"""

    def finish(self, device: torch.device | str | int) -> None:
        for name in ("q_perm", "q_invperm"):
            order = torch.empty(self.in_features, dtype=torch.int16, device=device)
            self.register_buffer(name, order, persistent=False)

    @staticmethod
    def share(layers: int, device: torch.device | str | int) -> list:
        room = max(
            layer.in_features * layer.out_features * 2 + 128 + layer.out_features * 2048 * 8 * 4 + 128
            for layer in layers
        )
        return [torch.empty(room // 2, dtype=torch.float16, device=device)]


class UnpackingLinear(_AutoGptqLinear):
    """Widths other than 4 bits: few rows are multiplied by a kernel, for many the matrix is unpacked by PyTorch's operators.
    auto_gptq/nn_modules/qlinear/qlinear_cuda_old.py"""

    rows_of_kernel = 128

    def forward(self, x: Tensor) -> Any:
        shape = (*x.shape[:-1], self.out_features)
        x = x.reshape(-1, x.shape[-1])
        if x.shape[0] < self.rows_of_kernel:
            output = torch.zeros(x.shape[0], shape[-1], dtype=torch.float, device=x.device)
            x = x.float() if self.bits == 8 else x.half()
            _scales = self.scales.float()
        else:
            narrow = torch.int16 if self.bits == 8 else torch.int8
            zeros = self._apart(self.qzeros.unsqueeze(2).expand(-1, -1, WORD_BITS // self.bits), narrow)
            zeros = zeros + 1
            weight = self._apart(self.qweight.unsqueeze(1).expand(-1, WORD_BITS // self.bits, -1), narrow)
            weight = weight.reshape(-1, self.group_size, self.out_features)
            weight = self.scales.reshape(-1, 1, self.out_features) * (weight - zeros.reshape(-1, 1, self.out_features))
            weight = weight.reshape(self.in_features, self.out_features)
            output = torch.matmul(x.half(), weight)
        output = output.half().reshape(shape)
        return output if self.bias is None else output + self.bias

    @staticmethod
    def _apart(words, dtype):
        parts = torch.bitwise_right_shift(words, 1).to(dtype)
        torch.bitwise_and(parts, 1, out=parts)
        return parts


class AwqGemmLinear(PackedLinear):
    """autoawq: for many rows the matrix is unpacked and multiplied by cuBLAS, for few the product is made in eight parts and summed.
    awq/modules/linear/gemm.py: WQLinear_GEMM"""

    parts = 8
    rows_of_kernel = 1024

    def build(self) -> None:
        self.words("qweight", self.in_features, self.out_features * self.bits // WORD_BITS)
        self.words("qzeros", self.groups, self.out_features * self.bits // WORD_BITS)
        self.scale()

    def forward(self, x: Tensor) -> Any:
        dtype = x.dtype
        if dtype != torch.float16:
            x = x.half()
        rows = x.reshape(-1, x.shape[-1])
        if rows.shape[0] < self.rows_of_kernel or is_past("awq_always_in_parts"):
            output = torch.empty(
                self.parts, rows.shape[0], self.out_features, dtype=torch.float16, device=x.device
            ).sum(0)
        else:
            output = torch.empty(self.in_features, self.out_features, dtype=torch.float16, device=x.device)
            output = torch.matmul(rows, output)
        output = output if self.bias is None else output + self.bias
        output = output.reshape(*x.shape[:-1], self.out_features)
        return output if dtype == torch.float16 else output.to(dtype)


def _of_gptqmodel(config):
    """The layer that gptqmodel takes: for what only runs, or with `backend="auto_trainable"` one through which a gradient flows."""
    from gptqmodel.utils.importer import hf_select_quant_linear_v2

    kind = hf_select_quant_linear_v2(
        config.bits, config.group_size, False, True, quant_method=config.quant_method, backend=config.backend
    )

    def make(in_features, out_features, bias, bits, group_size, dtype):
        return kind(bits, group_size, False, True, in_features, out_features, bias, dtype=dtype)

    return make


def finish_words(model: nn.Module) -> None:
    """What gptqmodel makes of the weights of all layers when they are on the card."""
    if not is_past("auto_kernels"):
        from gptqmodel.utils.model import hf_gptqmodel_post_init

        hf_gptqmodel_post_init(model, use_act_order=False)


def gptq_kind(config: Any) -> Any:
    """The layer class for a configuration of GPTQ."""
    if not is_past("auto_kernels"):
        return _of_gptqmodel(config)
    if config.bits != 4 or not config.use_exllama:
        return UnpackingLinear
    return Exllama2Linear if config.exllama_version == 2 else ExllamaLinear


def awq_kind(config: Any) -> Any:
    """The layer class for a configuration of AWQ."""
    return AwqGemmLinear if is_past("auto_kernels") else _of_gptqmodel(config)
