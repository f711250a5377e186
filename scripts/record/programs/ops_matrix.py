"""Matrix products, attention, recurrent layers and linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from sections import run_all

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def heads(m: Any, length: int | None = None, width: int = 64, count: int = 8, kv: Any = None) -> tuple:
    length = length or (1024 if m.large else 96)
    q = m.x(2, count, length, width)
    return q, m.x(2, kv or count, length, width), m.x(2, kv or count, length, width)


def attend(m: Any, **settings: Any) -> Tensor:
    return F.scaled_dot_product_attention(*heads(m), **settings)


def causal_mask(m: Any) -> Any:
    length = 1024 if m.large else 96
    return torch.ones(length, length, dtype=torch.bool, device="cuda").tril()


cases = {
    "mm": lambda m: m.x() @ m.x(m.columns, m.rows),
    "mm transposed": lambda m: m.x() @ m.x().t(),
    "addmm": lambda m: torch.addmm(m.x(m.rows), m.x(), m.x(m.columns, m.rows)),
    "addmm odd": lambda m: torch.addmm(m.x(33), m.x(m.rows, 17), m.x(17, 33)),
    "mv": lambda m: m.x() @ m.x(m.columns),
    "dot": lambda m: m.x(m.columns) @ m.x(m.columns),
    "outer": lambda m: torch.outer(m.x(m.rows), m.x(m.columns)),
    "bmm": lambda m: torch.bmm(m.x(8, 128, 64), m.x(8, 64, 128)),
    "baddbmm": lambda m: torch.baddbmm(m.x(8, 128, 128), m.x(8, 128, 64), m.x(8, 64, 128)),
    "matmul 4d": lambda m: m.x(2, 8, m.rows // 8, 64) @ m.x(2, 8, 64, m.rows // 8),
    "matmul of transposed heads": lambda m: (
        m.x(2, m.rows // 8, 8, 64).transpose(1, 2) @ m.x(2, m.rows // 8, 8, 64).permute(0, 2, 3, 1)
    ),
    "linear": lambda m: F.linear(m.x(), m.x(256, m.columns), m.x(256)),
    "linear without bias": lambda m: F.linear(m.x(), m.x(256, m.columns)),
    "linear 3d": lambda m: F.linear(m.x(4, m.rows // 4, m.columns), m.x(256, m.columns), m.x(256)),
    "linear one row": lambda m: F.linear(m.x(1, m.columns), m.x(256, m.columns), m.x(256)),
    "linear wide bias gradient": lambda m: F.linear(m.x(m.rows, 64), m.x(4 * m.columns, 64), m.x(4 * m.columns)),
    "linear odd bias gradient": lambda m: F.linear(m.x(m.rows, 64), m.x(1001, 64), m.x(1001)),
    "linear of expanded gradient": lambda m: F.linear(m.x(), m.x(256, m.columns), m.x(256)).sum(),
    "bilinear": lambda m: F.bilinear(m.x(64, 32), m.x(64, 16), m.x(8, 32, 16), m.x(8)),
    "einsum product": lambda m: torch.einsum("ij,jk->ik", m.x(), m.x(m.columns, 64)),
    "einsum heads": lambda m: torch.einsum("bqhd,bkhd->bhqk", m.x(2, 96, 8, 64), m.x(2, 96, 8, 64)),
    "einsum sum": lambda m: torch.einsum("ij->j", m.x()),
    "tensordot": lambda m: torch.tensordot(m.x(8, 16, 32), m.x(16, 32, 4), 2),
    "chain_matmul": lambda m: torch.linalg.multi_dot([m.x(64, 32), m.x(32, 64), m.x(64, 16)]),
    "cdist": lambda m: torch.cdist(m.x(64, 16), m.x(64, 16)),
    "attention": attend,
    "attention causal": lambda m: attend(m, is_causal=True),
    "attention dropout": lambda m: attend(m, dropout_p=0.1),
    "attention bool mask": lambda m: attend(m, attn_mask=causal_mask(m)),
    "attention float mask": lambda m: attend(m, attn_mask=m.x(heads(m)[0].shape[2], heads(m)[0].shape[2], grad=False)),
    "attention odd width": lambda m: F.scaled_dot_product_attention(*heads(m, width=60)),
    "attention wide": lambda m: F.scaled_dot_product_attention(*heads(m, width=192)),
    "attention odd length": lambda m: F.scaled_dot_product_attention(*heads(m, length=77)),
    "attention grouped": lambda m: F.scaled_dot_product_attention(*heads(m, kv=2), enable_gqa=True),
    "attention one query": lambda m: F.scaled_dot_product_attention(
        m.x(2, 8, 1, 64, grad=False), m.x(2, 8, 2048, 64, grad=False), m.x(2, 8, 2048, 64, grad=False)
    ),
    "attention without grad": lambda m: F.scaled_dot_product_attention(*(t.detach() for t in heads(m))),
    "multihead attention": lambda m: m.module(nn.MultiheadAttention(256, 4, batch_first=True))(
        m.x(2, 96, 256), m.x(2, 96, 256), m.x(2, 96, 256)
    ),
    "multihead attention without weights": lambda m: m.module(nn.MultiheadAttention(256, 4))(
        m.x(96, 2, 256), m.x(96, 2, 256), m.x(96, 2, 256), need_weights=False
    ),
    "encoder layer": lambda m: m.module(nn.TransformerEncoderLayer(256, 4, 512, batch_first=True))(m.x(2, 96, 256)),
    "decoder layer": lambda m: m.module(nn.TransformerDecoderLayer(256, 4, 512, batch_first=True))(
        m.x(2, 96, 256), m.x(2, 48, 256)
    ),
    "encoder layer in evaluation": lambda m: torch.no_grad()(
        lambda: m.module(nn.TransformerEncoderLayer(256, 4, 512, batch_first=True)).eval()(m.x(2, 96, 256))
    )(),
    "rnn": lambda m: m.module(nn.RNN(64, 128, batch_first=True))(m.x(8, 32, 64)),
    "lstm": lambda m: m.module(nn.LSTM(64, 128, 2, batch_first=True))(m.x(8, 32, 64)),
    "lstm bidirectional": lambda m: m.module(nn.LSTM(64, 128, bidirectional=True))(m.x(32, 8, 64)),
    "gru": lambda m: m.module(nn.GRU(64, 128, 2, dropout=0.1))(m.x(32, 8, 64)),
    "lstm cell": lambda m: m.module(nn.LSTMCell(64, 128))(m.x(8, 64)),
    "gru cell": lambda m: m.module(nn.GRUCell(64, 128))(m.x(8, 64)),
    "norm 2": lambda m: torch.linalg.vector_norm(m.x(), dim=1),
    "matrix norm": lambda m: torch.linalg.matrix_norm(m.x(64, 64)),
    "normalize": lambda m: F.normalize(m.x(), dim=-1),
    "cosine_similarity": lambda m: F.cosine_similarity(m.x(), m.x()),
}
if __name__ == "__main__":
    run_all(cases)
    plain = {
        "cholesky": lambda m: torch.linalg.cholesky(torch.eye(64, device="cuda") * 3 + m.x(64, 64) * 0.01),
        "qr": lambda m: torch.linalg.qr(m.x(64, 32)),
        "svd": lambda m: torch.linalg.svd(m.x(64, 32), full_matrices=False)[1],
        "eigh": lambda m: torch.linalg.eigh(m.x(32, 32))[0],
        "inv": lambda m: torch.linalg.inv(m.x(64, 64)),
        "solve": lambda m: torch.linalg.solve(m.x(64, 64), m.x(64, 4)),
        "det": lambda m: torch.linalg.det(m.x(16, 16)),
        "triangular": lambda m: torch.linalg.solve_triangular(m.x(64, 64).tril(), m.x(64, 4), upper=False),
        "fft": lambda m: torch.fft.fft(m.x(64, 256)).abs(),
        "rfft": lambda m: torch.fft.irfft(torch.fft.rfft(m.x(64, 256))),
    }
    run_all(plain, dtypes=("float32",), sizes=("small",))
