"""Adam, AdamW, AdEMAMix, LAMB, Lion, SGD, RMSprop and Adagrad (LARS has no CUDA kernel in this version), each with 32-bit, 8-bit and (some) paged states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from .. import _constants as constants
from .optimizer import GlobalOptimManager, Optimizer1State, Optimizer2State

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("bitsandbytes.optim")
_SMALL = constants.SMALLEST_8BIT_STATE


class Adam(Optimizer2State):
    def __init__(
        self,
        params: Sequence,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = _SMALL,
        percentile_clipping: int = 100,
        block_wise: bool = True,
        is_paged: bool = False,
    ) -> None:
        super().__init__(
            "adam",
            params,
            lr,
            betas,
            eps,
            weight_decay,
            optim_bits,
            args,
            min_8bit_size,
            percentile_clipping,
            block_wise,
            is_paged=is_paged,
        )


class AdamW(Optimizer2State):
    def __init__(
        self,
        params: Sequence,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = _SMALL,
        percentile_clipping: int = 100,
        block_wise: bool = True,
        is_paged: bool = False,
    ) -> None:
        super().__init__(
            "adam",
            params,
            lr,
            betas,
            eps,
            weight_decay,
            optim_bits,
            args,
            min_8bit_size,
            percentile_clipping,
            block_wise,
            is_paged=is_paged,
        )


class AdEMAMix(Optimizer2State):
    """Its first state is two tensors in one."""

    def __init__(
        self,
        params: Sequence,
        lr: float = 1e-3,
        betas: tuple[float, float, float] = (0.9, 0.999, 0.9999),
        alpha: float = 5.0,
        t_alpha: Any = None,
        t_beta3: Any = None,
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        optim_bits: int = 32,
        min_8bit_size: int = _SMALL,
        is_paged: bool = False,
    ) -> None:
        super().__init__(
            "ademamix", params, lr, betas, eps, weight_decay, optim_bits, None, min_8bit_size, is_paged=is_paged
        )

    def init_state(self, config: Any, p: Tensor) -> None:
        state = self.state[p]
        state["step"] = 0
        dtype = torch.float32
        if config["optim_bits"] == 8 and p.numel() >= config["min_8bit_size"]:
            dtype = torch.uint8
            state["qmap1"], state["qmap2"] = self._code("dynamic", p.device), self._code("udynamic", p.device)
            blocks = -(-p.numel() // constants.BLOCK_OF_STATE)
            state["absmax1"] = torch.zeros((2, blocks), dtype=torch.float32, device=p.device)
            state["absmax2"] = torch.zeros((blocks,), dtype=torch.float32, device=p.device)
        both = torch.empty((2, *p.shape), dtype=dtype, device="meta")
        paged = self.is_paged and p.numel() >= constants.SMALLEST_PAGED_STATE
        state["state1"] = (
            self.get_state_buffer(both, dtype=dtype) if paged else torch.zeros(both.shape, dtype=dtype, device=p.device)
        )
        state["state2"] = self.get_state_buffer(p, dtype=dtype)


class LAMB(Optimizer2State):
    def __init__(
        self,
        params: Sequence,
        lr: float = 1e-3,
        bias_correction: bool = True,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        adam_w_mode: bool = True,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = _SMALL,
        percentile_clipping: int = 100,
        block_wise: bool = False,
        max_unorm: float = 1.0,
    ) -> None:
        super().__init__(
            "lamb",
            params,
            lr,
            betas,
            eps,
            weight_decay,
            optim_bits,
            args,
            min_8bit_size,
            percentile_clipping,
            block_wise,
            max_unorm=1.0,
        )


class Lion(Optimizer1State):
    def __init__(
        self,
        params: Sequence,
        lr: float = 1e-4,
        betas: tuple[float, float] = (0.9, 0.99),
        weight_decay: float = 0,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = _SMALL,
        percentile_clipping: int = 100,
        block_wise: bool = True,
        is_paged: bool = False,
    ) -> None:
        super().__init__(
            "lion",
            params,
            lr,
            betas,
            0.0,
            weight_decay,
            optim_bits,
            args,
            min_8bit_size,
            percentile_clipping,
            block_wise,
            is_paged=is_paged,
        )


class SGD(Optimizer1State):
    def __init__(
        self,
        params: Sequence,
        lr: float,
        momentum: float = 0,
        dampening: int = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = _SMALL,
        percentile_clipping: int = 100,
        block_wise: bool = True,
    ) -> None:
        if momentum == 0:
            raise NotImplementedError("SGD without momentum is not supported!")
        super().__init__(
            "momentum",
            params,
            lr,
            (momentum, dampening),
            0.0,
            weight_decay,
            optim_bits,
            args,
            min_8bit_size,
            percentile_clipping,
            block_wise,
        )


class RMSprop(Optimizer1State):
    def __init__(
        self,
        params: Sequence,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = _SMALL,
        percentile_clipping: int = 100,
        block_wise: bool = True,
    ) -> None:
        if alpha == 0:
            raise NotImplementedError("RMSprop with alpha==0.0 is not supported!")
        if centered:
            raise NotImplementedError("Centered RMSprop is not supported!")
        super().__init__(
            "rmsprop",
            params,
            lr,
            (alpha, momentum),
            eps,
            weight_decay,
            optim_bits,
            args,
            min_8bit_size,
            percentile_clipping,
            block_wise,
        )


class Adagrad(Optimizer1State):
    def __init__(
        self,
        params: Sequence,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: int = 0,
        eps: float = 1e-10,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = _SMALL,
        percentile_clipping: int = 100,
        block_wise: bool = True,
    ) -> None:
        if initial_accumulator_value != 0.0:
            raise ValueError("Initial accumulator value != 0.0 not supported!")
        if lr_decay != 0.0:
            raise ValueError("Lr Decay != 0.0 not supported!")
        super().__init__(
            "adagrad",
            params,
            lr,
            (0.0, 0.0),
            eps,
            weight_decay,
            optim_bits,
            args,
            min_8bit_size,
            percentile_clipping,
            block_wise,
        )


def _variant(base, name, **fixed):
    """The same optimizer with settings that its name says."""

    def __init__(self, *args, **kwargs):
        if kwargs.get("amsgrad") and fixed.get("optim_bits") == 8:
            raise ValueError(f"{name} does not support amsgrad=True")
        base.__init__(self, *args, **{**kwargs, **fixed})

    return type(
        name, (base,), {"__init__": __init__, "__module__": __name__, "__doc__": f"{base.__name__} with {fixed}."}
    )


for _base in (Adam, AdamW, AdEMAMix, LAMB, Lion, SGD, RMSprop, Adagrad):
    _name = _base.__name__
    for _bits in (8, 32):
        globals()[f"{_name}{_bits}bit"] = _variant(_base, f"{_name}{_bits}bit", optim_bits=_bits)
    if _base in (Adam, AdamW, AdEMAMix, Lion):
        globals()[f"Paged{_name}"] = _variant(_base, f"Paged{_name}", is_paged=True)
        for _bits in (8, 32):
            globals()[f"Paged{_name}{_bits}bit"] = _variant(
                _base, f"Paged{_name}{_bits}bit", is_paged=True, optim_bits=_bits
            )
