"""torch.autograd.forward_ad: no tensor has a tangent, for no forward derivative is taken here."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torch import _C

if TYPE_CHECKING:
    from typing import NoReturn

    from torch import Tensor


class UnpackedDualTensor(NamedTuple):
    primal: Tensor
    tangent: Tensor | None


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    return UnpackedDualTensor(tensor, None)


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> NoReturn:
    raise _C.UnsupportedOp("vramscope does not simulate torch.autograd.forward_ad.make_dual")


class dual_level:  # noqa: N801
    """A level in which duals could be made."""

    def __enter__(self) -> int:
        return 0

    def __exit__(self, *_: object) -> None:
        pass
