"""LightningModule: a module with its steps, optimizers and logging. Mirrors core/module.py of lightning.pytorch."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import torch
from torch import nn

from .hooks import DataHooks, ModelHooks
from .hparams import HyperparametersMixin, lacking, of_call

if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


class LightningModule(HyperparametersMixin, ModelHooks, DataHooks, nn.Module):
    """What a Trainer trains."""

    CHECKPOINT_HYPER_PARAMS_KEY = "hyper_parameters"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.__dict__.update(_trainer=None, _fabric=None, example_input_array=None, prepare_data_per_node=True)
        self.__dict__["automatic_optimization"] = True
        self.__dict__["strict_loading"] = True

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("trainer", "automatic_optimization", "example_input_array", "_trainer"):
            self.__dict__["_trainer" if name == "trainer" else name] = value
        else:
            super().__setattr__(name, value)

    @property
    def trainer(self) -> Any:
        if self._trainer is None:
            raise RuntimeError(f"{type(self).__qualname__} is not attached to a `Trainer`.")
        return self._trainer

    current_epoch = property(lambda self: self._trainer.current_epoch if self._trainer else 0)
    global_step = property(lambda self: self._trainer.global_step if self._trainer else 0)
    global_rank = property(lambda self: self._trainer.global_rank if self._trainer else 0)
    local_rank = property(lambda self: self._trainer.local_rank if self._trainer else 0)
    logger = property(lambda self: self._trainer.logger if self._trainer else None)
    loggers = property(lambda self: self._trainer.loggers if self._trainer else [])
    on_gpu = property(lambda self: self.device.type == "cuda")

    @property
    def device(self) -> Any:
        return next((t.device for t in (*self.parameters(), *self.buffers())), torch.device("cpu"))

    @property
    def dtype(self) -> Any:
        return next((p.dtype for p in self.parameters()), torch.get_default_dtype())

    # --- what users override

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return super().forward(*args, **kwargs)

    def training_step(self, *args: Any, **kwargs: Any) -> None:
        return None

    def validation_step(self, *args: Any, **kwargs: Any) -> None:
        return None

    def test_step(self, *args: Any, **kwargs: Any) -> None:
        return None

    def predict_step(self, *args: Any, **kwargs: Any) -> Any:
        return self(args[0])

    def configure_optimizers(self) -> None:
        return None

    def on_validation_model_zero_grad(self) -> None:
        self.zero_grad()

    def configure_callbacks(self) -> list:
        return []

    def configure_gradient_clipping(
        self,
        optimizer: torch.optim.Optimizer,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        self.clip_gradients(optimizer, gradient_clip_val, gradient_clip_algorithm)

    def optimizer_step(
        self, epoch: Any, batch_idx: Any, optimizer: torch.optim.Optimizer, optimizer_closure: Any = None
    ) -> None:
        optimizer.step(closure=optimizer_closure)

    def optimizer_zero_grad(self, epoch: Any, batch_idx: Any, optimizer: torch.optim.Optimizer) -> None:
        optimizer.zero_grad()

    def lr_scheduler_step(self, scheduler: Any, metric: Any) -> None:
        scheduler.step() if metric is None else scheduler.step(metric)

    def backward(self, loss: Tensor, *args: Any, **kwargs: Any) -> None:
        loss.backward(*args, **kwargs)

    def train_dataloader(self) -> None:
        return None

    val_dataloader = test_dataloader = predict_dataloader = train_dataloader

    # --- what steps call

    def log(
        self,
        name: str,
        value: Any,
        prog_bar: bool = False,
        logger: Any = None,
        on_step: Any = None,
        on_epoch: Any = None,
        reduce_fx: str = "mean",
        **_: Any,
    ) -> None:
        if self._trainer is not None:
            self._trainer._log(name, value, on_step, on_epoch)

    def log_dict(self, dictionary: dict, *args: Any, **kwargs: Any) -> None:
        for name, value in dictionary.items():
            self.log(name, value, *args, **kwargs)

    def print(self, *args: Any, **kwargs: Any) -> None:
        print(*args, **kwargs)

    def optimizers(self, use_pl_optimizer: bool = True) -> Any:
        made = self.trainer._wrapped
        return made[0] if len(made) == 1 else made

    def lr_schedulers(self) -> Any:
        made = [row["scheduler"] for row in self.trainer.lr_scheduler_configs]
        return None if not made else made[0] if len(made) == 1 else made

    def manual_backward(self, loss: Any, *args: Any, **kwargs: Any) -> None:
        trainer = self.trainer
        trainer._call("on_before_backward", loss)
        self.backward(trainer.precision_plugin.scale(loss), *args, **kwargs)
        trainer._call("on_after_backward")

    def clip_gradients(
        self,
        optimizer: torch.optim.Optimizer,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        value = self.trainer.gradient_clip_val if gradient_clip_val is None else gradient_clip_val
        if value is None or value <= 0:
            return
        how = gradient_clip_algorithm or self.trainer.gradient_clip_algorithm or "norm"
        inner = getattr(optimizer, "optimizer", optimizer)
        parameters = [p for group in inner.param_groups for p in group["params"]]
        clip = nn.utils.clip_grad_value_ if how == "value" else nn.utils.clip_grad_norm_
        clip(parameters, value)

    def toggle_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        """Only the optimizer's own parameters require gradients until `untoggle_optimizer`."""
        own = {id(p) for group in optimizer.param_groups for p in group["params"]}
        states = {}
        for other in self.trainer.optimizers:
            for p in (p for group in other.param_groups for p in group["params"]):
                if p not in states:
                    states[p] = p.requires_grad
                    if id(p) not in own:
                        p.requires_grad = False
        self.__dict__["_toggled"] = states

    def untoggle_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        for p, wanted in self.__dict__.pop("_toggled", {}).items():
            p.requires_grad = wanted

    def toggled_optimizer(
        self, optimizer: torch.optim.Optimizer, toggle_model: bool = True, sync_grad: bool = True
    ) -> Any:
        from contextlib import contextmanager

        @contextmanager
        def toggled():
            self.toggle_optimizer(optimizer)
            yield optimizer
            self.untoggle_optimizer(optimizer)

        return toggled()

    def freeze(self) -> None:
        for p in self.parameters():
            p.requires_grad = False
        self.eval()

    def unfreeze(self) -> None:
        for p in self.parameters():
            p.requires_grad = True
        self.train()

    def all_gather(self, data: Any, group: Any = None, sync_grads: bool = False) -> Any:
        return data

    @classmethod
    def load_from_checkpoint(
        cls,
        checkpoint_path: str,
        map_location: Any = None,
        hparams_file: str | None = None,
        strict: bool | None = None,
        weights_only: Any = None,
        **kwargs: Any,
    ) -> Self:
        found = torch.load(checkpoint_path, map_location=map_location or "cpu", weights_only=False)
        given = {**found.get(cls.CHECKPOINT_HYPER_PARAMS_KEY, {}), **kwargs}
        if lacking(cls, given):
            given = of_call(cls, inspect.currentframe().f_back, checkpoint_path) | given
        model = cls(**given)
        model.load_state_dict(found["state_dict"], strict=strict is not False)
        return model

    def to_torchscript(
        self, file_path: str | None = None, method: str = "script", example_inputs: Any = None, **_: Any
    ) -> Any:
        return torch.jit.script(self)

    def __getstate__(self) -> dict:
        return {**self.__dict__, "_trainer": None}
