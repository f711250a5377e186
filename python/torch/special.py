"""torch.special: other names of element-wise functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from typing import Any


_NAMES = {
    "expit": "sigmoid",
    "gammaln": "lgamma",
    "psi": "digamma",
    "digamma": "digamma",
    "polygamma": "polygamma",
    "multigammaln": "mvlgamma",
    "gammainc": "igamma",
    "gammaincc": "igammac",
    "i0": "i0",
    "sinc": "sinc",
    "xlogy": "xlogy",
    "erf": "erf",
    "erfc": "erfc",
    "erfinv": "erfinv",
    "exp2": "exp2",
    "expm1": "expm1",
    "log1p": "log1p",
    "logit": "logit",
    "log_softmax": "log_softmax",
    "softmax": "softmax",
    "logsumexp": "logsumexp",
    "round": "round",
}


def __getattr__(name: str) -> Any:
    op = _NAMES.get(name, "special_" + name)
    if hasattr(type(_C.ops), op):
        return getattr(_C.ops, op)
    raise AttributeError(f"vramscope has no row for torch.special.{name}")
