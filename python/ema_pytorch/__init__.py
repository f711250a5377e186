"""ema_pytorch: a second model that follows the first; the package itself wins where it is installed."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("ema_pytorch")


class EMA(nn.Module):
    """A deep copy of the model; one update copies the model's numbers over at first, and moves a share of the way later."""

    def __init__(
        self,
        model: nn.Module,
        ema_model: nn.Module | Callable | None = None,
        beta: float = 0.9999,
        update_after_step: int = 100,
        update_every: int = 10,
        inv_gamma: float = 1.0,
        power: float = 2 / 3,
        min_value: float = 0.0,
        param_or_buffer_names_no_ema: Any = (),
        ignore_names: Any = (),
        ignore_startswith_names: Any = (),
        include_online_model: bool = True,
        allow_different_devices: bool = False,
        use_foreach: bool = False,
        update_model_with_ema_every: int | None = None,
        update_model_with_ema_beta: float = 0.0,
        forward_method_names: Any = (),
        move_ema_to_online_device: bool = False,
        coerce_dtype: bool = False,
        lazy_init_ema: bool = False,
    ) -> None:
        super().__init__()
        self.beta, self.min_value, self.inv_gamma, self.power = beta, min_value, inv_gamma, power
        self.update_after_step, self.update_every = update_after_step, update_every
        self.update_model_with_ema_every, self.update_model_with_ema_beta = (
            update_model_with_ema_every,
            update_model_with_ema_beta,
        )
        self.include_online_model = include_online_model
        self.online_model = model if include_online_model else [model]
        self._copied, self._left = set(param_or_buffer_names_no_ema), set(ignore_names)
        self._left_out = tuple(ignore_startswith_names)
        self._forwarded, self._foreach = forward_method_names, use_foreach
        self._may_move, self._casts = allow_different_devices, coerce_dtype
        self._follows = move_ema_to_online_device
        self.ema_model = None
        if not lazy_init_ema:
            self.init_ema(ema_model if isinstance(ema_model, nn.Module) or ema_model is None else ema_model())
        self.register_buffer("initted", torch.tensor(False))
        self.register_buffer("step", torch.tensor(0))

    def init_ema(self, ema_model: nn.Module | None = None) -> None:
        self.ema_model = deepcopy(self.model) if ema_model is None else ema_model
        for p in self.ema_model.parameters():
            p.detach_()
        for name in self._forwarded:
            setattr(self, name, getattr(self.ema_model, name))
        self.parameter_names = {n for n, p in self.ema_model.named_parameters() if _moves(p)}
        self.buffer_names = {n for n, b in self.ema_model.named_buffers() if _moves(b)}

    model = property(lambda self: self.online_model if self.include_online_model else self.online_model[0])

    def eval(self) -> nn.Module:
        return self.ema_model.eval()

    @torch.no_grad()
    def forward_eval(self, *args: Any, **kwargs: Any) -> Any:
        training = self.ema_model.training
        out = self.ema_model(*args, **kwargs)
        self.ema_model.train(training)
        return out

    def restore_ema_model_device(self) -> None:
        self.ema_model.to(self.initted.device)

    def add_to_optimizer_post_step_hook(self, optimizer: torch.optim.Optimizer) -> Any:
        return optimizer.register_step_post_hook(lambda *_: self.update())

    def get_params_iter(self, model: nn.Module) -> Iterator[tuple[str, Tensor]]:
        return ((n, p) for n, p in model.named_parameters() if n in self.parameter_names)

    def get_buffers_iter(self, model: nn.Module) -> Iterator[tuple[str, Tensor]]:
        return ((n, b) for n, b in model.named_buffers() if n in self.buffer_names)

    def _pairs(self, target, source):
        for found in (self.get_params_iter, self.get_buffers_iter):
            for (name, own), (_, other) in zip(found(target), found(source)):
                yield name, own.data, other.data

    def _fitting(self, own, other):
        other = other.to(own.device) if self._may_move else other
        return other.to(own.dtype) if self._casts and other.dtype != own.dtype else other

    def copy_params_from_model_to_ema(self) -> None:
        for _, own, other in self._pairs(self.ema_model, self.model):
            own.copy_(self._fitting(own, other))

    def copy_params_from_ema_to_model(self) -> None:
        for _, own, other in self._pairs(self.model, self.ema_model):
            own.copy_(self._fitting(own, other))

    def update_model_with_ema(self, decay: float | None = None) -> None:
        decay = self.update_model_with_ema_beta if decay is None else decay
        if decay == 0.0:
            self.copy_params_from_ema_to_model()
        else:
            self.update_moving_average(self.model, self.ema_model, decay)

    def get_current_decay(self) -> float:
        epoch = (self.step - self.update_after_step - 1).clamp(min=0.0)
        value = 1 - (1 + epoch / self.inv_gamma) ** -self.power
        return 0.0 if epoch.item() <= 0 else value.clamp(min=self.min_value, max=self.beta).item()

    def update(self) -> None:
        step = self.step.item()
        self.step += 1
        if not self.initted.item():
            if self.ema_model is None:
                self.init_ema()
            self.copy_params_from_model_to_ema()
            self.initted.data.copy_(torch.tensor(True))
            return
        if step % self.update_every == 0:
            if step <= self.update_after_step:
                self.copy_params_from_model_to_ema()
                return
            self.update_moving_average(self.ema_model, self.model)
        if self.update_model_with_ema_every is not None and step % self.update_model_with_ema_every == 0:
            self.update_model_with_ema()

    @torch.no_grad()
    def update_moving_average(
        self, ma_model: nn.Module, current_model: nn.Module, current_decay: float | None = None
    ) -> None:
        if self.beta == 1.0:
            return
        if self._follows:
            ma_model.to(next(current_model.parameters()).device)
        decay = self.get_current_decay() if current_decay is None else current_decay
        copied, moved = [], []
        for name, own, other in self._pairs(ma_model, current_model):
            if name not in self._left and not name.startswith(self._left_out):
                (copied if name in self._copied else moved).append((own, other))
        if self._foreach:
            copied, moved = ([(own, self._fitting(own, other)) for own, other in pairs] for pairs in (copied, moved))
            if copied:
                torch._foreach_copy_(*zip(*copied))
            if moved:
                torch._foreach_lerp_(*zip(*moved), 1.0 - decay)
            return
        for own, other in copied:
            own.copy_(self._fitting(own, other))
        for own, other in moved:
            own.lerp_(self._fitting(own, other), 1.0 - decay)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.ema_model(*args, **kwargs)


def _moves(tensor):
    return torch.is_floating_point(tensor) or torch.is_complex(tensor)
