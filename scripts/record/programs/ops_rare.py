"""Operators that only particular calls reach: conjugates, kernels of attention by name, fused inference, in-place variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from sections import run_all

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def complex_row(m: Any) -> Tensor:
    return torch.randn(m.columns, device="cuda", dtype=torch.complex64, requires_grad=True)


def attend_with(kernel: Any) -> Any:
    def case(m):
        length = 1024 if m.large else 96
        with sdpa_kernel(kernel):
            return F.scaled_dot_product_attention(*(m.x(2, 8, length, 64) for _ in "qkv"))

    return case


def multihead(m: Any, **options: Any) -> Any:
    layer = m.module(nn.MultiheadAttention(256, 4, batch_first=True)).eval()
    x = m.x(2, 96, 256, grad=False)
    with torch.inference_mode():
        return layer(x, x, x, **options)


def grouped(m: Any) -> Any:
    """Rows of two groups against two matrices, as layers of experts do it; a kernel of bfloat16."""
    ends = torch.tensor([32, 64], dtype=torch.int32, device="cuda")
    rows = torch.randn(64, 128, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    matrices = torch.randn(2, 128, 256, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    return F.grouped_mm(rows, matrices, offs=ends)


def scaled(m: Any) -> Any:
    left, right = (m.x(32, 64, grad=False).to(torch.float8_e4m3fn) for _ in range(2))
    one = torch.ones((), device="cuda")
    return torch._scaled_mm(left, right.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)


cases = {
    # 8-bit products exist from Ada on
    **({"scaled_mm": scaled} if torch.cuda.get_device_capability() >= (8, 9) else {}),
    **({"grouped_mm": grouped} if hasattr(F, "grouped_mm") else {}),
    "attention by math": attend_with(SDPBackend.MATH),
    "attention by cudnn": attend_with(SDPBackend.CUDNN_ATTENTION),
    "attention by efficient": attend_with(SDPBackend.EFFICIENT_ATTENTION),
    "multihead inference": multihead,
    "multihead inference without weights": lambda m: multihead(m, need_weights=False),
    "multihead inference padded": lambda m: multihead(
        m, key_padding_mask=torch.zeros(2, 96, dtype=torch.bool, device="cuda")
    ),
    "encoder inference": lambda m: torch.inference_mode()(
        lambda: m.module(nn.TransformerEncoderLayer(256, 4, 512, batch_first=True)).eval()(m.x(2, 96, 256, grad=False))
    )(),
    "asinh_": lambda m: m.x(grad=False).asinh_(),
    "acosh_": lambda m: (m.positive().detach() + 1).acosh_(),
    "atanh_": lambda m: (m.positive().detach() * 0.4).atanh_(),
    "erfinv_": lambda m: (m.positive() * 0.4).erfinv_(),
    "trunc_normal_": lambda m: nn.init.trunc_normal_(m.x(grad=False)),
    "squeeze of two": lambda m: m.x(1, m.rows, 1).squeeze((0, 2)) * 1,
    "repeat_interleave by tensor": lambda m: m.x(3, m.columns).repeat_interleave(
        torch.tensor([1, 2, 3], device="cuda"), dim=0
    ),
    "alias": lambda m: torch.ops.aten.alias(m.x()) * 1,
    "cat into another dtype": lambda m: torch.cat(
        (m.x(grad=False), m.x(grad=False)), out=torch.empty(2 * m.rows, m.columns, device="cuda", dtype=torch.float64)
    ),
    "matmul into a tensor": lambda m: torch.matmul(
        m.x(64, 64, grad=False), m.x(64, 64, grad=False), out=torch.empty(64, 64, device="cuda", dtype=m.dtype)
    ),
    "product into a tensor": lambda m: torch.outer(
        m.x(64, grad=False), m.x(32, grad=False), out=torch.empty(64, 32, device="cuda", dtype=m.dtype)
    ),
    "kron into a tensor": lambda m: torch.kron(
        m.x(8, 8, grad=False), m.x(8, 4, grad=False), out=torch.empty(64, 32, device="cuda", dtype=m.dtype)
    ),
    "nonzero_static": lambda m: torch.nonzero_static(m.x(grad=False) > 0, size=8),
    "interpolate lanczos smooth": lambda m: F.interpolate(
        m.x(2, 3, 16, 16), scale_factor=0.5, mode="lanczos", antialias=True
    ),
}
run_all(cases)
run_all(
    {
        "fake_quantize": lambda m: torch.fake_quantize_per_tensor_affine(m.x(), 0.1, 0, -128, 127),
        "fake_quantize per channel": lambda m: torch.fake_quantize_per_channel_affine(
            m.x(),
            torch.rand(m.rows, device="cuda"),
            torch.zeros(m.rows, dtype=torch.int32, device="cuda"),
            0,
            -128,
            127,
        ),
        "vdot": lambda m: torch.vdot(complex_row(m), complex_row(m)).abs(),
        "conj": lambda m: (complex_row(m).conj() * 2).abs(),
        "resolve_conj": lambda m: complex_row(m).conj().resolve_conj().abs(),
        "conj_physical": lambda m: torch.conj_physical(complex_row(m)).abs(),
        "resolve_neg": lambda m: complex_row(m).conj().imag.resolve_neg() * 1,
    },
    dtypes=("float32",),
)
