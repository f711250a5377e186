"""Quantization as functions: what each keeps and what it takes while it runs, in the package's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C
from torch._stand_ins import lacks, note

from . import _constants as constants
from .releases import is_past
from .utils import pack_dict_to_tensor, unpack_tensor_to_dict

if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


_ops = _C.ops
__getattr__ = lacks("bitsandbytes.functional")
name2qmap = {}  # codes by name, on the device that first asked


def create_dynamic_map(signed: bool = True, max_exponent_bits: int = 7, total_bits: int = 8) -> Tensor:
    """A code of 256 float32 on the CPU; its values are placeholders."""
    return torch.zeros(constants.CODE_OF_8BIT)


def get_4bit_type(
    typename: str, device: torch.device | str | int | None = None, blocksize: int = constants.BLOCK_OF_4BIT
) -> Tensor:
    """The 16 float32 of a 4-bit type, scaled to 1."""
    if typename not in ("nf4", "fp4", "int4"):
        raise NotImplementedError(f"Typename {typename} not supported")
    values = [i / 8 - 1 for i in range(constants.CODE_OF_4BIT)]
    place = "cuda" if device is None else device
    data = torch.tensor(values, device="cpu" if is_past("codes_of_host") else place)
    data.div_(data.abs().max())
    return data.to(place)


class QuantState:
    """What is needed to undo a quantization: maxima (`absmax`), code, shape, dtype; nested: `offset` and `state2` of the maxima."""

    def __init__(
        self,
        absmax: Tensor,
        shape: Any = None,
        code: Tensor | None = None,
        blocksize: int | None = None,
        quant_type: Any = None,
        dtype: torch.dtype | None = None,
        offset: int | None = None,
        state2: Tensor | None = None,
    ) -> None:
        self.absmax, self.shape, self.code, self.dtype = absmax, shape, code, dtype
        self.blocksize, self.quant_type, self.offset, self.state2 = blocksize, quant_type, offset, state2
        self.nested = state2 is not None

    def to(self, device: torch.device | str | int | None) -> None:
        self.code, self.absmax = self.code.to(device), self.absmax.to(device)
        if self.nested:
            self.offset = self.offset.to(device)
            self.state2.absmax, self.state2.code = self.state2.absmax.to(device), self.state2.code.to(device)

    def as_dict(self, packed: bool = False) -> dict:
        found = {
            "quant_type": self.quant_type,
            "absmax": self.absmax,
            "blocksize": self.blocksize,
            "quant_map": self.code,
            "dtype": str(self.dtype).removeprefix("torch."),
            "shape": tuple(self.shape),
        }
        if self.nested:
            found.update(
                nested_absmax=self.state2.absmax,
                nested_blocksize=self.state2.blocksize,
                nested_quant_map=self.state2.code.clone(),
                nested_dtype=str(self.state2.dtype).removeprefix("torch."),
                nested_offset=self.offset.item(),
            )
        if not packed:
            return found
        result = {k: v for k, v in found.items() if isinstance(v, torch.Tensor)}
        rest = {k: v for k, v in found.items() if not isinstance(v, torch.Tensor)}
        result[f"quant_state.bitsandbytes__{self.quant_type}"] = pack_dict_to_tensor(rest)
        return result

    @classmethod
    def from_dict(cls, qs_dict: dict, device: torch.device | str | int | None, layer: Any = None) -> Self:
        """`layer` says what the text beside the tensors would, where that came from a file, of which no values are kept."""
        found = {}
        for key, value in qs_dict.items():
            if "quant_state." in key:
                found.update(_state_of(layer, key, value))
            else:
                found[key.split(".")[-1]] = value
        if "blocksize" not in found:
            found["blocksize"] = -(-layer.out_features * layer.in_features // found["absmax"].numel())
        offset = state2 = None
        if "nested_absmax" in found:
            offset = torch.tensor(float(found["nested_offset"])).to(device)
            state2 = cls(
                absmax=found["nested_absmax"].to(device),
                blocksize=found["nested_blocksize"],
                code=found["nested_quant_map"].to(device),
                dtype=getattr(torch, found["nested_dtype"]),
            )
        return cls(
            quant_type=found["quant_type"],
            absmax=found["absmax"].to(device),
            blocksize=found["blocksize"],
            code=found["quant_map"].to(device),
            dtype=getattr(torch, found["dtype"]),
            shape=torch.Size(found["shape"]),
            offset=offset,
            state2=state2,
        )


def _state_of(layer, key, value):
    try:
        return unpack_tensor_to_dict(value)
    except ValueError:
        if layer is None:
            raise
    return {
        "quant_type": key.rpartition("__")[2],
        "dtype": str(layer.compute_dtype or torch.float16).removeprefix("torch."),
        "shape": (layer.out_features, layer.in_features),
        "nested_blocksize": 256,
        "nested_dtype": "float32",
        "nested_offset": 0.0,
    }


def _default_code(device):
    if "dynamic" not in name2qmap:
        name2qmap["dynamic"] = create_dynamic_map().to(device)
    return name2qmap["dynamic"]


def _own_code(code, device):
    return code.to(device, copy=not is_past("codes_shared"))


def quantize_blockwise(
    A: Tensor,
    code: Tensor | None = None,
    absmax: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int = constants.BLOCK_OF_8BIT,
    nested: bool = False,
) -> tuple:
    """(uint8 tensor like A, QuantState with a float32 per block and a copy of the code)."""
    if code is None:
        code = _default_code(A.device)
    quantized, maxima = _ops.quantize_blockwise(A, code.to(A.device), blocksize)
    if nested:
        offset = maxima.mean()
        maxima -= offset
        small, state2 = quantize_blockwise(maxima, blocksize=blocksize)
        own = _own_code(code, A.device)
        state = QuantState(small, code=own, blocksize=blocksize, dtype=A.dtype, offset=offset, state2=state2)
    else:
        state = QuantState(maxima, code=_own_code(code, A.device), blocksize=blocksize, dtype=A.dtype)
    if absmax is not None:
        state.absmax = absmax.copy_(state.absmax)
    return (quantized if out is None else out.copy_(quantized)), state


def _plain_maxima(state):
    """The maxima in float32: as they are, or undone into a temporary."""
    if not state.nested:
        return state.absmax
    maxima = dequantize_blockwise(state.absmax, state.state2)
    maxima += state.offset
    return maxima if maxima.dtype == torch.float32 else maxima.float()


def dequantize_blockwise(
    A: Tensor,
    quant_state: Any = None,
    absmax: Tensor | None = None,
    code: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int = constants.BLOCK_OF_8BIT,
    nested: bool = False,
) -> Any:
    """A tensor like A in the state's dtype."""
    if quant_state is None:
        if absmax is None:
            raise AssertionError("dequantize_blockwise needs quant_state or absmax")
        quant_state = QuantState(
            absmax, code=_default_code(A.device) if code is None else code, blocksize=blocksize, dtype=torch.float32
        )
    maxima = _plain_maxima(quant_state)
    result = _ops.dequantize_blockwise(
        A, maxima, quant_state.code.to(A.device), quant_state.blocksize, dtype=quant_state.dtype
    )
    return result if out is None else out.copy_(result)


def quantize_4bit(
    A: Tensor,
    absmax: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int | None = None,
    compress_statistics: bool = False,
    quant_type: str = "fp4",
    quant_storage: torch.dtype = torch.uint8,
) -> tuple:
    """(packed tensor [values / 2, 1], QuantState); with compress_statistics the maxima are 8-bit, with a state of their own."""
    blocksize = blocksize or constants.BLOCK_OF_4BIT
    shape = A.shape
    quantized, maxima = _ops.quantize_4bit(A, blocksize, quant_type, quant_storage=quant_storage)
    code = get_4bit_type(quant_type, device=A.device)
    rest = {"shape": shape, "dtype": A.dtype, "blocksize": blocksize, "code": code, "quant_type": quant_type}
    if compress_statistics:
        offset = maxima.mean()
        centred = maxima.sub_(offset) if is_past("statistics_in_place") else maxima - offset
        small, state2 = quantize_blockwise(centred, blocksize=constants.BLOCK_OF_STATISTICS)
        del centred
        del maxima
        state = QuantState(small, offset=offset, state2=state2, **rest)
    else:
        state = QuantState(maxima, **rest)
    if absmax is not None:
        state.absmax = absmax.copy_(state.absmax)
    return (quantized if out is None else out.copy_(quantized)), state


def dequantize_4bit(
    A: Tensor,
    quant_state: Tensor | None = None,
    absmax: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int | None = None,
    quant_type: str = "fp4",
) -> Any:
    """The tensor of the state's shape and dtype; transposed if A is a row."""
    if quant_state is None:
        if absmax is None or out is None:
            raise AssertionError("dequantize_4bit needs quant_state, or absmax and out")
        return out
    maxima = _plain_maxima(quant_state)
    kind, dtype = quant_state.quant_type, quant_state.dtype
    result = _ops.dequantize_4bit(A, maxima, quant_state.blocksize, kind, tuple(quant_state.shape), dtype=dtype)
    if out is not None:
        result = out.copy_(result)
    return result.t() if A.shape[0] == 1 else result


def quantize_nf4(
    A: Tensor,
    absmax: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int | None = None,
    compress_statistics: bool = False,
    quant_storage: torch.dtype = torch.uint8,
) -> tuple:
    return quantize_4bit(A, absmax, out, blocksize, compress_statistics, "nf4", quant_storage)


def quantize_fp4(
    A: Tensor,
    absmax: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int | None = None,
    compress_statistics: bool = False,
    quant_storage: torch.dtype = torch.uint8,
) -> tuple:
    return quantize_4bit(A, absmax, out, blocksize, compress_statistics, "fp4", quant_storage)


def dequantize_nf4(
    A: Tensor,
    quant_state: Any = None,
    absmax: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int | None = None,
) -> Any:
    return dequantize_4bit(A, quant_state, absmax, out, blocksize, "nf4")


def dequantize_fp4(
    A: Tensor,
    quant_state: Any = None,
    absmax: Tensor | None = None,
    out: Tensor | None = None,
    blocksize: int | None = None,
) -> Any:
    return dequantize_4bit(A, quant_state, absmax, out, blocksize, "fp4")


def gemv_4bit(
    A: Tensor,
    B: Tensor,
    out: Tensor | None = None,
    transposed_A: bool = False,
    transposed_B: bool = False,
    state: Tensor | None = None,
) -> Any:
    """A vector [..., inputs] times a packed weight, which stays packed."""
    maxima = _plain_maxima(state)
    result = _ops.gemv_4bit(A, B, tuple(state.shape), maxima, state.code, state.blocksize)
    return result if out is None else out.copy_(result)


def int8_vectorwise_quant(A: Tensor, threshold: float = 0.0) -> tuple:
    """(int8 like A, float32 per row, columns with outliers); which columns have some depends on data: none is assumed."""
    quantized, stats = _ops.int8_vectorwise_quant(A)
    if threshold <= 0.0:
        return quantized, stats, None
    outliers = A.abs() >= threshold
    outliers.any()
    note("outliers_unknown", "op", "bitsandbytes::int8_vectorwise_quant")
    columns = torch.empty(0, device=A.device, dtype=torch.int64)
    if A.numel() > A.shape[-1]:
        quantized[:, columns] = 0
    return quantized, stats, columns


def int8_double_quant(A: Tensor, threshold: float = 0.0) -> tuple:
    """By rows and by columns: (int8, int8, float32 per row, float32 per column, outliers)."""
    by_row, row_stats, outliers = int8_vectorwise_quant(A, threshold)
    magnitude = A.abs().view(-1, A.shape[-1])
    mask = None
    if threshold > 0.0:
        mask = magnitude >= threshold
        magnitude.masked_fill_(mask, 0.0)
    column_stats = magnitude.amax(dim=0, keepdim=False).float()
    del magnitude
    if mask is not None:
        A = A.masked_fill(mask, 0.0)
    by_column = torch.round(A.mul(127.0) / column_stats.unsqueeze(0)).to(torch.int8)
    return by_row, by_column, row_stats, column_stats.flatten().float(), outliers


def int8_linear_matmul(A: Tensor, B: Tensor, out: Tensor | None = None, dtype: torch.dtype = torch.int32) -> Any:
    return _ops.int8_linear_matmul(A, B)


def int8_mm_dequant(
    A: Tensor,
    row_stats: Any,
    col_stats: Any,
    out: Tensor | None = None,
    bias: Tensor | None = None,
    dtype: torch.dtype | None = None,
) -> Any:
    """float16 first; a bias of another dtype is added and the result cast afterwards."""
    result = _ops.int8_mm_dequant(A, row_stats, col_stats)
    if bias is not None and bias.dtype != torch.float16:
        result.add_(bias)
    return result.to(dtype or torch.float16)


def int8_scaled_mm(
    A: Tensor, B: Tensor, row_stats: Any, col_stats: Any, bias: Tensor | None = None, dtype: torch.dtype | None = None
) -> Any:
    product = _ops.int8_linear_matmul(A, B)
    return int8_mm_dequant(product, row_stats, col_stats, bias=bias, dtype=dtype)


def get_paged(
    *shape: Any, dtype: torch.dtype = torch.float32, device: torch.device | str | int | None = None
) -> Tensor:
    """Memory that the driver moves between host and GPU: not in the GPU's allocator."""
    made = torch.zeros(shape, dtype=dtype)
    made.is_paged = True
    note("outside_allocator", "library", "bitsandbytes (paged optimizer states)")
    return made
