"""Random numbers on distributed tensors: at the first random operator the ranks compare their generators' states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .. import _collectives

if TYPE_CHECKING:
    from torch.distributed.device_mesh import DeviceMesh


NAMES = frozenset(
    """normal_ uniform_ bernoulli bernoulli_ native_dropout rand_like randn_like randint_like trunc_normal_ exponential_
    log_normal_ cauchy_ geometric_ random_ normal_Tensor_Tensor""".split()
)
_state = {}


def _device_state():
    return torch.zeros(16, dtype=torch.uint8).to("cuda")


def before_random() -> None:
    """Once for a process: 16 bytes are broadcast and compared."""
    if "synchronized" in _state:
        return
    _state["synchronized"] = True
    rng_state = _device_state()
    _collectives.broadcast(rng_state, 0)
    my_rng_state = _device_state()
    torch._C.ops.eq(my_rng_state, rng_state)
    del my_rng_state, rng_state


def read_state() -> None:
    """_distribute_region of a factory reads where the generator is."""
    _device_state()


def manual_seed(seed: int, device_mesh: DeviceMesh) -> None:
    _state["synchronized"] = True
    torch.manual_seed(seed)


def is_rng_supported_mesh(device_mesh: DeviceMesh) -> bool:
    return True
