"""Operators that few programs use, so that every row of the simulator meets a real allocator once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from sections import run_all

if TYPE_CHECKING:
    from typing import Any


def volume(m: Any, channels: int = 4) -> Any:
    return m.x(2, channels, 8, 12, 12)


def image(m: Any) -> Any:
    return m.x(2, 4, 16, 16)


def ints(m: Any) -> Any:
    return m.ids(50, m.rows, m.columns)


def flags(m: Any) -> bool:
    return m.x(grad=False) > 0


BINARY = {
    "fmax": torch.fmax,
    "fmin": torch.fmin,
    "logaddexp": torch.logaddexp,
    "logaddexp2": torch.logaddexp2,
    "copysign": torch.copysign,
    "xlogy": torch.xlogy,
}
SPECIAL = "asinh atanh i0 deg2rad rad2deg signbit isneginf isposinf".split()
FUNCTIONS = "entr erfcx log_ndtr i0e i1 i1e ndtri ndtr xlog1py".split()

BESSEL = """airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1
scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0""".split()
POLYNOMIALS = """chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w hermite_polynomial_h
hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u
shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w""".split()

cases = {name: lambda m, f=f: f(m.positive(), m.positive()) for name, f in BINARY.items()}
for name in SPECIAL:
    cases[name] = lambda m, f=getattr(torch, name): f(m.positive() * 0.4)
for name in FUNCTIONS:
    f = getattr(torch.special, name)
    cases[f"special.{name}"] = (
        (lambda m, f=f: f(m.positive(), m.positive())) if name == "xlog1py" else (lambda m, f=f: f(m.positive() * 0.5))
    )

cases.update(
    {
        "acosh": lambda m: torch.acosh(m.positive() + 1),
        "mvlgamma": lambda m: torch.mvlgamma(m.positive() + 2, 2),
        "logical": lambda m: (
            flags(m) | flags(m),
            flags(m) ^ flags(m),
            torch.logical_or(flags(m), flags(m)),
            torch.logical_xor(flags(m), flags(m)),
        ),
        "bits": lambda m: (ints(m) & 3, ints(m) | 4, ints(m) ^ 1, ints(m) << 1, ints(m) >> 1, ~ints(m)),
        "clamp_max": lambda m: torch.clamp_max(m.x(), 1.0),
        "threshold": lambda m: F.threshold(m.x(), 0.1, 0.0),
        "leaky_relu_": lambda m: F.leaky_relu_(m.x() + 1),
        "elu_": lambda m: F.elu_(m.x() + 1),
        "rrelu_": lambda m: F.rrelu(m.x() + 1, training=True, inplace=True),
        "heaviside": lambda m: torch.heaviside(m.x(grad=False), m.x(grad=False)),
        "floor_divide": lambda m: m.x(grad=False) // 0.3,
        "gcd": lambda m: torch.gcd(ints(m), ints(m)),
        "complex": lambda m: torch.angle(
            torch.complex(torch.rand(m.rows, device="cuda"), torch.rand(m.rows, device="cuda"))
        ),
        "polar": lambda m: torch.polar(torch.rand(m.rows, device="cuda"), torch.rand(m.rows, device="cuda")),
        "tril_indices": lambda m: torch.tril_indices(32, 32, device="cuda"),
        "like": lambda m: (torch.rand_like(m.x()), torch.randn_like(m.x()), torch.randint_like(ints(m), 5)),
        "in place random": lambda m: (
            m.x(grad=False).random_(5),
            m.x(grad=False).cauchy_(),
            m.x(grad=False).log_normal_(),
            m.x(grad=False).geometric_(0.5),
        ),
        "normal": lambda m: torch.normal(m.x(grad=False), 1.0),
        "poisson": lambda m: torch.poisson(torch.rand(m.rows, device="cuda")),
        "binomial": lambda m: torch.binomial(torch.ones(m.rows, device="cuda"), torch.rand(m.rows, device="cuda")),
        "coalesce": lambda m: torch.sparse_coo_tensor(
            torch.zeros(2, m.rows, dtype=torch.int64, device="cuda"), torch.rand(m.rows, device="cuda"), (8, 8)
        ).coalesce(),
        "block_diag": lambda m: torch.block_diag(m.x(8, 8), m.x(4, 4)),
        "out argument": lambda m: torch.add(m.x(grad=False), 1, out=m.x(grad=False)),
        "squeeze": lambda m: m.x(1, m.rows, 1).squeeze() * 1,
        "view as ints": lambda m: torch.rand(m.rows, device="cuda").view(torch.int32) + 1,
        "max of all": lambda m: m.x().max(),
        "min of all": lambda m: m.x().min(),
        "nanmedian": lambda m: (m.x().nanmedian(), m.x().nanmedian(-1)),
        "addbmm": lambda m: torch.addbmm(m.x(32, 48), m.x(4, 32, 16), m.x(4, 16, 48)),
        "addmv": lambda m: torch.addmv(m.x(32), m.x(32, 16), m.x(16)),
        "addr": lambda m: torch.addr(m.x(32, 16), m.x(32), m.x(16)),
        "soft_margin_loss": lambda m: F.soft_margin_loss(
            m.x(), torch.ones(m.rows, m.columns, device="cuda", dtype=m.dtype)
        ),
        "multilabel_margin_loss": lambda m: F.multilabel_margin_loss(m.x(16, 32), m.ids(31, 16, 32)),
        "embedding sparse": lambda m: F.embedding(m.ids(100, 64), m.x(100, 64), sparse=True),
        "embedding max_norm": lambda m: nn.Embedding(100, 64, max_norm=1.0, device="cuda", dtype=m.dtype)(
            m.ids(100, 64)
        ),
        "embedding_bag weights": lambda m: F.embedding_bag(
            m.ids(100, 16, 8), m.x(100, 64), mode="sum", per_sample_weights=m.x(16, 8)
        ),
        "embedding_bag without grad": lambda m: F.embedding_bag(m.ids(100, 16, 8), m.x(100, 64, grad=False)),
        "put": lambda m: m.x().put(m.ids(100, 50), m.x(50)),
        "index_reduce": lambda m: m.x().index_reduce(0, m.ids(m.rows, 20), m.x(20, m.columns), "amax"),
        "unique of rows": lambda m: torch.unique(m.ids(3, 200, 4), dim=0),
        "unique_consecutive": lambda m: torch.unique_consecutive(m.ids(3, 2000)),
        "conv_tbc": lambda m: torch.conv_tbc(m.x(16, 4, 8), m.x(3, 8, 12), m.x(12), 1),
        "max_pool1d": lambda m: F.max_pool1d(m.x(4, 8, m.columns), 2),
        "max_pool3d": lambda m: F.max_pool3d(volume(m), 2),
        "avg_pool3d": lambda m: F.avg_pool3d(volume(m), 2),
        "adaptive_avg_pool3d": lambda m: F.adaptive_avg_pool3d(volume(m), 3),
        "adaptive_max_pool3d": lambda m: F.adaptive_max_pool3d(volume(m), 3),
        "max_unpool2d": lambda m: F.max_unpool2d(*F.max_pool2d(image(m), 2, return_indices=True), 2),
        "max_unpool3d": lambda m: F.max_unpool3d(*F.max_pool3d(volume(m), 2, return_indices=True), 2),
        "fractional_max_pool2d": lambda m: F.fractional_max_pool2d(image(m), 3, output_ratio=0.5),
        "fractional_max_pool3d": lambda m: F.fractional_max_pool3d(volume(m), 2, output_ratio=0.5),
        "interpolate 1d": lambda m: F.interpolate(m.x(2, 4, 32), scale_factor=2),
        "interpolate exact 1d": lambda m: F.interpolate(m.x(2, 4, 32), scale_factor=2, mode="nearest-exact"),
        "interpolate exact 2d": lambda m: F.interpolate(image(m), scale_factor=2, mode="nearest-exact"),
        "interpolate 3d": lambda m: F.interpolate(volume(m), scale_factor=2),
        "interpolate exact 3d": lambda m: F.interpolate(volume(m), scale_factor=2, mode="nearest-exact"),
        "interpolate linear": lambda m: F.interpolate(m.x(2, 4, 32), scale_factor=2, mode="linear"),
        "interpolate trilinear": lambda m: F.interpolate(volume(m), scale_factor=2, mode="trilinear"),
        "interpolate bilinear smooth": lambda m: F.interpolate(
            image(m), scale_factor=0.5, mode="bilinear", antialias=True
        ),
        "interpolate bicubic smooth": lambda m: F.interpolate(
            image(m), scale_factor=0.5, mode="bicubic", antialias=True
        ),
        "grid_sample 3d": lambda m: F.grid_sample(volume(m), m.x(2, 4, 4, 4, 3), align_corners=False),
        "affine_grid": lambda m: F.affine_grid(m.x(2, 2, 3), [2, 4, 8, 8], align_corners=False),
        "channel_shuffle": lambda m: F.channel_shuffle(image(m), 2),
        "pad replicate 1d": lambda m: F.pad(m.x(2, 4, 32), (2, 2), mode="replicate"),
        "pad replicate 2d": lambda m: F.pad(image(m), (2, 2, 2, 2), mode="replicate"),
        "pad replicate 3d": lambda m: F.pad(volume(m), (2, 2, 2, 2, 2, 2), mode="replicate"),
        "pad reflect 2d": lambda m: F.pad(image(m), (2, 2, 2, 2), mode="reflect"),
        "pad reflect 3d": lambda m: F.pad(volume(m), (2, 2, 2, 2, 2, 2), mode="reflect"),
        "pad circular": lambda m: F.pad(image(m), (2, 2, 2, 2), mode="circular"),
        "packed sequence": lambda m: pad_packed_sequence(
            m.module(nn.LSTM(16, 32))(pack_padded_sequence(m.x(20, 4, 16), [20, 15, 10, 5]))[0]
        )[0],
        "cdist": lambda m: torch.cdist(m.x(200, 64), m.x(200, 64), p=1.0),
        "pdist": lambda m: F.pdist(m.x(100, 16)),
        "trace": lambda m: torch.trace(m.x(64, 64)),
        "cross": lambda m: torch.linalg.cross(m.x(64, 3), m.x(64, 3)),
        "rms_norm without weight": lambda m: F.rms_norm(m.x(), (m.columns,)),
    }
)
run_all(cases)
run_all(
    {
        **{f"special.{name}": lambda m, f=getattr(torch.special, name): f(m.positive()) for name in BESSEL},
        **{
            f"special.{name}": lambda m, f=getattr(torch.special, name): f(m.positive(), m.positive())
            for name in POLYNOMIALS
        },
        "special.zeta": lambda m: torch.special.zeta(m.positive().detach() + 1.5, m.positive()),
        "igamma": lambda m: torch.igamma(m.positive().detach(), m.positive()),
        "igammac": lambda m: torch.igammac(m.positive().detach(), m.positive()),
        "frexp": lambda m: torch.frexp(m.positive())[0],
        "ldexp": lambda m: torch.ldexp(m.positive(), ints(m)),
        "nextafter": lambda m: torch.nextafter(m.positive(), m.positive()),
        "logcumsumexp": lambda m: torch.logcumsumexp(m.positive(), 1),
        "lu": lambda m: torch.linalg.lu_factor(m.x(64, 64))[0],
        "slogdet": lambda m: torch.linalg.slogdet(m.x(32, 32))[1],
        "matrix_exp": lambda m: torch.linalg.matrix_exp(m.x(32, 32) * 0.1),
        "cholesky_solve": lambda m: torch.cholesky_solve(
            m.x(64, 4), torch.linalg.cholesky(torch.eye(64, device="cuda") * 3)
        ),
        "cholesky_inverse": lambda m: torch.cholesky_inverse(torch.linalg.cholesky(torch.eye(64, device="cuda") * 3)),
        "eig": lambda m: torch.linalg.eigvals(m.x(32, 32, grad=False)),
        "householder": lambda m: torch.linalg.householder_product(*torch.geqrf(m.x(32, 16, grad=False))),
        "pinv": lambda m: torch.linalg.pinv(m.x(32, 16)),
        "lstsq": lambda m: torch.linalg.lstsq(m.x(64, 16), m.x(64, 4)).solution,
    },
    dtypes=("float32",),
    sizes=("small",),
)
