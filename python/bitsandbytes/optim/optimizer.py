"""Optimizers whose states are 8-bit in blocks, or float32 for small parameters. Updates happen in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks, note

from .. import _constants as constants
from .. import functional as F
from ..releases import is_past

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("bitsandbytes.optim.optimizer")


class GlobalOptimManager:
    """Settings of single parameters that override an optimizer's."""

    _instance = None

    def __init__(self) -> None:
        raise RuntimeError("Call get_instance() instead")

    @classmethod
    def get_instance(cls) -> Any:
        if cls._instance is None:
            cls._instance = made = cls.__new__(cls)
            made.pid2config, made.index2config, made.module_weight_config_triple = {}, {}, []
        return cls._instance

    def register_parameters(self, params: Sequence) -> None:
        groups = list(params)
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for g, group in enumerate(groups):
            for i, p in enumerate(group["params"]):
                if id(p) in self.pid2config:
                    self.index2config[(g, i)] = self.pid2config[id(p)]

    def override_config(
        self, parameters: Any, key: Tensor | None = None, value: Any = None, key_value_dict: Any = None
    ) -> None:
        chosen = {key: value} if key is not None else key_value_dict
        for p in [parameters] if isinstance(parameters, torch.Tensor) else parameters:
            self.pid2config.setdefault(id(p), {}).update(chosen)

    def register_module_override(self, module: torch.nn.Module, param_name: str, config: Any) -> None:
        self.module_weight_config_triple.append((module, param_name, config))


class Optimizer8bit(torch.optim.Optimizer):
    """`optim_bits` 8 or 32; paged states of large parameters live outside the GPU's allocator."""

    states = 2

    def __init__(
        self,
        optimizer_name: str,
        params: Sequence,
        defaults: Any,
        optim_bits: int,
        min_8bit_size: int,
        percentile_clipping: int,
        block_wise: Any,
        max_unorm: Any,
        is_paged: bool,
    ) -> None:
        super().__init__(params, defaults)
        if optim_bits not in (8, 32):
            raise NotImplementedError(f"Amount of optimizer bits not supported: {optim_bits}")
        self.optimizer_name, self.is_paged = optimizer_name, is_paged
        self.initialized, self.name2qmap = False, {}
        self.settings = {
            "optim_bits": optim_bits,
            "min_8bit_size": min_8bit_size,
            "percentile_clipping": percentile_clipping,
            "block_wise": block_wise,
            "max_unorm": max_unorm,
        }
        self.mng = GlobalOptimManager.get_instance()

    def get_config(self, gindex: Any, pindex: Any, group: dict) -> dict:
        config = {**self.settings, **{k: group[k] for k in ("betas", "eps", "weight_decay", "lr")}}
        config.update(self.mng.index2config.get((gindex, pindex), {}))
        return config

    def check_overrides(self) -> None:
        for module, name, config in self.mng.module_weight_config_triple:
            wanted = getattr(module, name)
            for g, group in enumerate(self.param_groups):
                for i, p in enumerate(group["params"]):
                    if p is wanted:
                        self.mng.index2config[(g, i)] = config

    def to_gpu(self) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                for key, value in self.state.get(p, {}).items():
                    if isinstance(value, torch.Tensor) and not getattr(value, "is_paged", False):
                        self.state[p][key] = value.to(p.device)

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        if not self.initialized:
            self.check_overrides()
            self.to_gpu()
            self.initialized = True
        note("unverified_op", "op", "bitsandbytes.optim")
        for gindex, group in enumerate(self.param_groups):
            for pindex, p in enumerate(group["params"]):
                if p.grad is None:
                    continue
                config = self.get_config(gindex, pindex, group)
                if not self.state[p]:
                    self.init_state(config, p)
                self.update_step(config, p)
        return loss

    def get_state_buffer(self, p: Tensor, dtype: torch.dtype = torch.float32) -> Any:
        if not self.is_paged or p.numel() < constants.SMALLEST_PAGED_STATE:
            return torch.zeros_like(p, dtype=dtype, device=p.device)
        return F.get_paged(*p.shape, dtype=dtype, device=p.device)

    def _code(self, name, device):
        if not self.name2qmap:
            self.name2qmap = {"dynamic": F.create_dynamic_map(True), "udynamic": F.create_dynamic_map(False)}
        self.name2qmap[name] = self.name2qmap[name].to(device)
        return self.name2qmap[name]

    def init_state(self, config: Any, p: Tensor) -> None:
        """Buffers in the package's order: states, then maxima of their blocks."""
        state = self.state[p]
        state["step"] = 0
        small = p.numel() < config["min_8bit_size"]
        numbers = range(1, self.states + 1)
        if config["optim_bits"] == 32 or small:
            for i in numbers:
                state[f"state{i}"] = self.get_state_buffer(p)
        else:
            codes = [self._code(name, p.device) for name in ("dynamic", "udynamic")[: self.states]]
            for i in numbers:
                state[f"state{i}"] = self.get_state_buffer(p, dtype=torch.uint8)
                state[f"qmap{i}"] = codes[i - 1]
            if config["block_wise"]:
                long = is_past("long_blocks_of_states")
                blocks = -(-p.numel() // (constants.PAST_BLOCK_OF_STATE if long else constants.BLOCK_OF_STATE))
                for i in numbers:
                    state[f"absmax{i}"] = torch.zeros((blocks,), dtype=torch.float32, device=p.device)
            else:
                for i in numbers:
                    state[f"max{i}"] = torch.zeros((1,), dtype=torch.float32, device=p.device)
                    state[f"new_max{i}"] = torch.zeros((1,), dtype=torch.float32, device=p.device)
        if config["percentile_clipping"] < 100:
            state["gnorm_vec"] = torch.zeros((constants.NORM_HISTORY,), device=p.device)
        if config["max_unorm"] > 0.0:
            state["unorm_vec"] = torch.zeros((1,), device=p.device)

    def update_step(self, config: Any, p: Tensor) -> None:
        """The kernel changes parameter and states in place; only norms, for clipping, make something."""
        p.data = p.data.contiguous()
        p.grad = p.grad.contiguous()
        state = self.state[p]
        state["step"] += 1
        if config["percentile_clipping"] < 100:
            current = torch.sqrt(state["gnorm_vec"][state["step"] % constants.NORM_HISTORY])
            ordered, order = torch.sort(state["gnorm_vec"])
            limit = torch.sqrt(ordered[config["percentile_clipping"]])
            bool(current > limit)
            del current, ordered, order, limit
        if config["max_unorm"] > 0.0:
            torch.norm(p.data.float())


class Optimizer2State(Optimizer8bit):
    def __init__(
        self,
        optimizer_name: str,
        params: Sequence,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        optim_bits: int = 32,
        args: Any = None,
        min_8bit_size: int = constants.SMALLEST_8BIT_STATE,
        percentile_clipping: int = 100,
        block_wise: bool = True,
        max_unorm: float = 0.0,
        skip_zeros: bool = False,
        is_paged: bool = False,
    ) -> None:
        _check(lr, betas, eps, weight_decay)
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(
            optimizer_name,
            params,
            defaults,
            optim_bits,
            min_8bit_size,
            percentile_clipping,
            block_wise,
            max_unorm,
            is_paged,
        )


class Optimizer1State(Optimizer2State):
    states = 1


def _check(lr, betas, eps, weight_decay):
    if lr < 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")
    if eps < 0.0:
        raise ValueError(f"Invalid epsilon value: {eps}")
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
    if weight_decay < 0.0:
        raise ValueError(f"Invalid weight_decay value: {weight_decay}")
