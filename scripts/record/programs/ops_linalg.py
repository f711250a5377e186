"""Decompositions, solvers, transforms and sparse products: what cuSOLVER, MAGMA, cuFFT and cuSPARSE take beside the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from sections import run_all

if TYPE_CHECKING:
    from typing import Any


SHAPES = {"64": (64, 64), "512": (512, 512), "32 of 16": (32, 16, 16), "tall": (512, 64), "1024": (1024, 1024)}


def square(m: Any, shape: tuple) -> Any:
    """A symmetric matrix with positive eigenvalues, or as many as the shape says."""
    x = m.x(*shape, grad=False)
    return (x @ x.mT + torch.eye(shape[-2], device="cuda")).requires_grad_()


WITH_ANY = {
    "svd": lambda x: torch.linalg.svd(x, full_matrices=False)[1],
    "svdvals": torch.linalg.svdvals,
    "qr": lambda x: torch.linalg.qr(x)[1],
    "pinv": torch.linalg.pinv,
    "matrix_norm 2": lambda x: torch.linalg.matrix_norm(x, 2),
    "lstsq": lambda x: torch.linalg.lstsq(x, torch.ones(*x.shape[:-1], 1, device="cuda")).solution,
}
WITH_SQUARE = {
    "cholesky": torch.linalg.cholesky,
    "inv": torch.linalg.inv,
    "solve": lambda x: torch.linalg.solve(x, torch.ones(*x.shape[:-1], 1, device="cuda")),
    "det": torch.linalg.det,
    "slogdet": lambda x: torch.linalg.slogdet(x)[1],
    "eigh": lambda x: torch.linalg.eigh(x)[0],
    "eigvalsh": torch.linalg.eigvalsh,
    "lu": lambda x: torch.linalg.lu(x)[2],
    "matrix_exp": lambda x: torch.linalg.matrix_exp(x * 1e-3),
    "matrix_power": lambda x: torch.linalg.matrix_power(x * 1e-3, 3),
    "cholesky_solve": lambda x: torch.cholesky_solve(
        torch.ones(*x.shape[:-1], 1, device="cuda"), torch.linalg.cholesky(x)
    ),
    "triangular": lambda x: torch.linalg.solve_triangular(x, torch.ones(*x.shape[:-1], 1, device="cuda"), upper=False),
}
cases = {
    **{
        f"{name} {size}": lambda m, f=f, shape=shape: f(m.x(*shape))
        for name, f in WITH_ANY.items()
        for size, shape in SHAPES.items()
    },
    **{
        f"{name} {size}": lambda m, f=f, shape=shape: f(square(m, shape))
        for name, f in WITH_SQUARE.items()
        for size, shape in SHAPES.items()
        if shape[-1] == shape[-2]
    },
    "eig 64": lambda m: torch.linalg.eig(m.x(64, 64))[0].abs(),
    "fft 4096": lambda m: torch.fft.fft(m.x(64, 4096)).abs(),
    "fft odd": lambda m: torch.fft.fft(m.x(64, 1009)).abs(),
    "rfft": lambda m: torch.fft.rfft(m.x(64, 4096)).abs(),
    "irfft": lambda m: torch.fft.irfft(torch.fft.rfft(m.x(64, 4096))),
    "fft2": lambda m: torch.fft.fft2(m.x(8, 3, 128, 128)).abs(),
    "rfft2": lambda m: torch.fft.irfft2(torch.fft.rfft2(m.x(8, 3, 128, 128))),
    "fftn": lambda m: torch.fft.fftn(m.x(2, 32, 32, 32)).abs(),
    "fft of a middle dimension": lambda m: torch.fft.fft(m.x(16, 512, 32), dim=1).abs(),
    "stft": lambda m: torch.stft(
        m.x(4, 16000), 400, 160, window=torch.hann_window(400, device="cuda"), return_complex=True
    ).abs(),
    "sparse coo product": lambda m: torch.sparse.mm(m.x(512, 512, grad=False).relu().to_sparse(), m.x(512, 64)),
    "sparse csr product": lambda m: m.x(512, 512, grad=False).relu().to_sparse_csr() @ m.x(512, 64, grad=False),
    "sparse coalesce": lambda m: torch.sparse_coo_tensor(
        torch.randint(0, 100, (2, 4096), device="cuda"), torch.ones(4096, device="cuda"), (100, 100)
    ).coalesce(),
    "cdist": lambda m: torch.cdist(m.x(512, 64), m.x(256, 64)),
    "cov": lambda m: torch.cov(m.x(64, 512)),
    "logdet": lambda m: torch.logdet(square(m, (64, 64))),
}
run_all(cases, dtypes=("float32",), sizes=("fixed",))
