"""Trainer: fit, validate, test and predict on one device. Mirrors trainer/, loops/ and strategies/ of lightning.pytorch.

A step is the optimizer's closure: forward, then gradients of the step before are freed, then backward. Batches are moved one by one
and die when their step ends; logged values are small copies that live as long as their epoch.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import torch
from lightning.fabric.devices import check_strategy, count_of, device_of
from lightning.fabric.precision import Precision
from torch import nn
from torch._stand_ins import note

from . import _loops
from ._optimizers import LightningOptimizer, optimizers_of
from ._evaluation import Evaluates
from ._answers import Answers
from .arguments import OnCommandLines
from ._parts import Steps, combined, loggers_of, overrides
from .callbacks import Callback, Checkpoint, ModelCheckpoint

if TYPE_CHECKING:
    from typing import Any


_IGNORED = frozenset(
    """num_nodes enable_progress_bar enable_model_summary log_every_n_steps deterministic benchmark profiler detect_anomaly barebones
    use_distributed_sampler sync_batchnorm reload_dataloaders_every_n_epochs overfit_batches max_time model_registry enable_autolog_hparams
    gpus tpu_cores auto_scale_batch_size auto_lr_find weights_summary progress_bar_refresh_rate amp_backend replace_sampler_ddp
    resume_from_checkpoint move_metrics_to_cpu track_grad_norm terminate_on_nan checkpoint_callback multiple_trainloader_mode amp_level
    auto_select_gpus flush_logs_every_n_steps process_position stochastic_weight_avg weights_save_path distributed_backend""".split()
)


class Trainer(Evaluates, Answers, OnCommandLines):
    """Takes the arguments of lightning's Trainer."""

    FORMER = _IGNORED

    def __init__(
        self,
        *,
        accelerator: Any = "auto",
        strategy: Any = "auto",
        devices: int | str | list[int] = "auto",
        precision: int | str | None = None,
        logger: Any = None,
        callbacks: Any = None,
        fast_dev_run: int | bool = False,
        max_epochs: int | None = None,
        min_epochs: int | None = None,
        max_steps: int = -1,
        min_steps: int | None = None,
        limit_train_batches: float | None = None,
        limit_val_batches: float | None = None,
        limit_test_batches: float | None = None,
        limit_predict_batches: float | None = None,
        val_check_interval: float | None = None,
        check_val_every_n_epoch: int = 1,
        num_sanity_val_steps: int | None = None,
        enable_checkpointing: bool | None = None,
        accumulate_grad_batches: int = 1,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
        inference_mode: bool = True,
        plugins: Any = None,
        default_root_dir: str | None = None,
        **others: Any,
    ) -> None:
        unknown = sorted(set(others) - _IGNORED)
        if unknown:
            raise TypeError(f"Trainer.__init__() got an unexpected keyword argument '{unknown[0]}'")
        devices = others.get("gpus") or devices
        self.num_devices = count_of(devices, others.get("num_nodes") or 1)
        self.strategy_name = check_strategy(strategy or others.get("distributed_backend"), self.num_devices)
        self.strategy = self
        self.root_device = device_of(accelerator, devices)
        plugins = plugins if isinstance(plugins, (list, tuple)) else [plugins]
        precisions = [p for p in plugins if isinstance(p, Precision)]
        self.precision_plugin = precisions[0] if precisions else Precision(precision)
        if fast_dev_run:
            few = int(fast_dev_run)
            max_steps, max_epochs, num_sanity_val_steps, logger, enable_checkpointing = few, 1, 0, False, False
            limit_train_batches = limit_val_batches = limit_test_batches = limit_predict_batches = few
        self.fast_dev_run = fast_dev_run
        self.max_steps = -1 if max_steps is None else max_steps
        self.max_epochs = max_epochs if max_epochs is not None else -1 if self.max_steps >= 0 else 1000
        self.min_epochs, self.min_steps = min_epochs, min_steps
        self.limit_train_batches, self.limit_val_batches = limit_train_batches, limit_val_batches
        self.limit_test_batches, self.limit_predict_batches = limit_test_batches, limit_predict_batches
        self.val_check_interval = 1.0 if val_check_interval is None else val_check_interval
        self.check_val_every_n_epoch = check_val_every_n_epoch
        self.num_sanity_val_steps = 2 if num_sanity_val_steps is None else num_sanity_val_steps
        self.accumulate_grad_batches = accumulate_grad_batches
        self.gradient_clip_val, self.gradient_clip_algorithm = gradient_clip_val, gradient_clip_algorithm
        self._no_grad = torch.inference_mode if inference_mode else torch.no_grad
        self.default_root_dir = str(default_root_dir or os.getcwd())
        self.loggers = loggers_of(logger, self.default_root_dir)
        self.callbacks = [callbacks] if isinstance(callbacks, Callback) else list(callbacks or ())
        if enable_checkpointing is not False and not any(isinstance(c, Checkpoint) for c in self.callbacks):
            self.callbacks.append(
                ModelCheckpoint(os.path.join(self.default_root_dir, "lightning_logs/version_0/checkpoints"))
            )
        self.current_epoch = self.global_step = 0
        self.optimizers, self._wrapped, self.lr_scheduler_configs = [], [], []
        self.should_stop = self.sanity_checking = self.training = False
        self.lightning_module = self.datamodule = self.train_dataloader = self.val_dataloaders = None
        self.callback_metrics, self.logged_metrics, self.progress_bar_metrics = {}, {}, {}
        self._sums, self.predictions, self.state = {}, None, None
        self._wrapped_module = None

    logger = property(lambda self: self.loggers[0] if self.loggers else None)
    global_rank = property(lambda self: int(os.environ.get("RANK", 0)))
    local_rank = property(lambda self: int(os.environ.get("LOCAL_RANK", 0)))
    node_rank = property(lambda self: int(os.environ.get("GROUP_RANK", 0)))
    world_size = property(lambda self: int(os.environ.get("WORLD_SIZE", 1)))
    is_global_zero = property(lambda self: self.global_rank == 0)
    precision = property(lambda self: self.precision_plugin.precision)
    model = property(lambda self: self._wrapped_module or self.lightning_module)
    log_dir = property(lambda self: self.logger.log_dir if self.logger else self.default_root_dir)
    checkpoint_callbacks = property(lambda self: [c for c in self.callbacks if isinstance(c, Checkpoint)])
    checkpoint_callback = property(lambda self: next(iter(self.checkpoint_callbacks), None))
    early_stopping_callback = property(lambda self: None)
    progress_bar_callback = property(lambda self: None)
    device_ids = property(lambda self: [self.root_device.index or 0])
    num_nodes = property(lambda self: 1)

    # --- entry points

    def fit(
        self,
        model: torch.nn.Module,
        train_dataloaders: Any = None,
        val_dataloaders: Any = None,
        datamodule: Any = None,
        ckpt_path: str | None = None,
        train_dataloader: Any = None,
        **_: Any,
    ) -> None:
        train_dataloaders = train_dataloaders if train_dataloader is None else train_dataloader
        if hasattr(train_dataloaders, "train_dataloader"):
            train_dataloaders, datamodule = None, train_dataloaders
        self._begin(model, datamodule, "fit")
        loader = train_dataloaders if train_dataloaders is not None else self._loader("train_dataloader")
        if loader is None:
            raise ValueError("`Trainer.fit()` requires a `train_dataloader`.")
        self.train_dataloader = loader = combined(loader)
        self.optimizers, self.lr_scheduler_configs = optimizers_of(model.configure_optimizers())
        self._wrapped = [LightningOptimizer(o, self) for o in self.optimizers]
        if ckpt_path not in (None, "last", "best", "hpc"):
            self._restore(ckpt_path)
        self.val_dataloaders = val_dataloaders if val_dataloaders is not None else self._loader("val_dataloader")
        self._call("on_fit_start")
        validates = self.val_dataloaders is not None and overrides(model, "validation_step")
        if validates and self.num_sanity_val_steps:
            self.sanity_checking = True
            self._call("on_sanity_check_start")
            self._evaluate(model, self.val_dataloaders, "validation", self.num_sanity_val_steps)
            self._call("on_sanity_check_end")
            self.sanity_checking = False
        model.train()
        self.training = True
        self._call("on_train_start")
        with torch.enable_grad():
            _loops.epochs(self, model, loader, validates)
        self.training = False
        self._call("on_train_end")
        self._call("on_fit_end")
        self._end("fit")

    def validate(
        self,
        model: torch.nn.Module | None = None,
        dataloaders: Any = None,
        ckpt_path: str | None = None,
        verbose: bool = True,
        datamodule: Any = None,
        **_: Any,
    ) -> Any:
        return self._only(model, dataloaders, datamodule, "validate", "validation", "val_dataloader")

    def test(
        self,
        model: torch.nn.Module | None = None,
        dataloaders: Any = None,
        ckpt_path: str | None = None,
        verbose: bool = True,
        datamodule: Any = None,
        **_: Any,
    ) -> Any:
        return self._only(model, dataloaders, datamodule, "test", "test", "test_dataloader")

    def predict(
        self,
        model: torch.nn.Module | None = None,
        dataloaders: Any = None,
        datamodule: Any = None,
        return_predictions: bool | None = None,
        ckpt_path: str | None = None,
        **_: Any,
    ) -> Any:
        return self._only(model, dataloaders, datamodule, "predict", "predict", "predict_dataloader")

    def tune(self, *args: Any, **kwargs: Any) -> None:
        """Changes nothing."""

    def save_checkpoint(self, filepath: Any, weights_only: bool = False, storage_options: Any = None) -> None:
        model = self.lightning_module
        made = {"epoch": self.current_epoch, "global_step": self.global_step, "state_dict": model.state_dict()}
        if not weights_only:
            made["optimizer_states"] = [o.state_dict() for o in self.optimizers]
            made["lr_schedulers"] = [row["scheduler"].state_dict() for row in self.lr_scheduler_configs]
        made[model.CHECKPOINT_HYPER_PARAMS_KEY] = dict(model.hparams)
        model.on_save_checkpoint(made)
        os.makedirs(os.path.dirname(os.path.abspath(filepath)), exist_ok=True)
        try:
            torch.save(made, filepath)
        except (TypeError, AttributeError):  # hyperparameters that cannot be pickled
            torch.save({**made, model.CHECKPOINT_HYPER_PARAMS_KEY: {}}, filepath)

    # --- parts

    def _begin(self, model, datamodule, stage):
        note("short_form_runs", "library", "lightning")
        self.lightning_module, self.datamodule = model, datamodule
        model.trainer = self
        if datamodule is not None:
            datamodule.trainer = self
            datamodule.prepare_data()
        model.prepare_data()
        if datamodule is not None:
            datamodule.setup(stage)
        for callback in self.callbacks:
            callback.setup(self, model, stage)
        model.setup(stage)
        model.configure_model()
        self.callbacks += [c for c in model.configure_callbacks() or () if c not in self.callbacks]
        self._clear_card()
        self.precision_plugin.convert_module(model)
        model.to(self.root_device)
        if self.world_size > 1:
            self._distribute(model, stage)

    def _distribute(self, model, stage):
        if not torch.distributed.is_initialized():
            torch.distributed.init_process_group("nccl" if self.root_device.type == "cuda" else "gloo")
        if stage == "fit":
            ids = [self.root_device.index] if self.root_device.type == "cuda" else None
            unused = "find_unused" in self.strategy_name
            self._wrapped_module = nn.parallel.DistributedDataParallel(
                Steps(model), device_ids=ids, find_unused_parameters=unused
            )

    def _end(self, stage):
        if self.datamodule is not None:
            self.datamodule.teardown(stage)
        self._call("teardown", stage)
        # Strategy.teardown: what was trained goes back to the host
        for state in (state for optimizer in self.optimizers for state in optimizer.state.values()):
            state.update({name: value.cpu() for name, value in state.items() if isinstance(value, torch.Tensor)})
        self.lightning_module.cpu()
        self._clear_card()

    def _clear_card(self):
        """CUDAAccelerator.setup and teardown: workspaces of cuBLAS and unused blocks go back."""
        if self.root_device.type == "cuda":
            torch._C._cuda_clearCublasWorkspaces()
            torch.cuda.empty_cache()

    def _loader(self, name):
        for source in (self.datamodule, self.lightning_module):
            if source is not None and overrides(source, name):
                return getattr(source, name)()
        return None

    def _call(self, hook, *args):
        model = self.lightning_module
        for callback in self.callbacks:
            getattr(callback, hook)(self, model, *args)
        own = getattr(model, hook, None)
        return own(*args) if own is not None else None

    def _moved(self, batch, number=0):
        model, source = self.lightning_module, self.lightning_module
        batch = self.precision_plugin.convert_batch(batch)
        if self.datamodule is not None and overrides(self.datamodule, "transfer_batch_to_device"):
            source = self.datamodule
        batch = model.on_before_batch_transfer(batch, number)
        batch = source.transfer_batch_to_device(batch, self.root_device, number)
        return model.on_after_batch_transfer(batch, number)

    def _train_batch(self, model, batch, index, is_last):
        """One batch; whether the epoch goes on."""
        batch = self._moved(batch)
        for callback in self.callbacks:
            callback.on_train_batch_start(self, model, batch, index)
        if model.on_train_batch_start(batch, index) == -1:
            return False
        if model.automatic_optimization:
            outputs = self._automatic(model, batch, index, is_last)
        else:
            with self.precision_plugin.step_context():
                outputs = self._step(model, "training_step", batch, index)
        self._schedule("step")
        self._call("on_train_batch_end", outputs, batch, index)
        return True

    def _step(self, model, name, batch, index, *more):
        step = getattr(model, name)
        parameters = step.__func__.__code__.co_argcount - 1 if hasattr(step, "__func__") else 2
        arguments = (batch, index, *more)[: max(parameters, 1)]
        if self._wrapped_module is not None and name == "training_step":
            return self._wrapped_module(*arguments)
        return step(*arguments)

    def _automatic(self, model, batch, index, is_last):
        made = {}
        accumulates = (index + 1) % self.accumulate_grad_batches != 0 and not is_last

        def closure():
            with torch.enable_grad():
                with self.precision_plugin.step_context():
                    output = self._step(model, "training_step", batch, index)
                loss = output["loss"] if isinstance(output, dict) else output
                made["extra"] = {k: v for k, v in output.items() if k != "loss"} if isinstance(output, dict) else {}
                if loss is None:
                    return None
                loss = loss / self.accumulate_grad_batches
                made["of_graph"], made["loss"] = loss, loss.detach().clone()  # both live until the step is over
                del output
                if index % self.accumulate_grad_batches == 0:
                    self._call("on_before_zero_grad", optimizer)
                    model.optimizer_zero_grad(self.current_epoch, index, optimizer)
                self._call("on_before_backward", loss)
                model.backward(self.precision_plugin.scale(loss))
                self._call("on_after_backward")
            return made["loss"]

        optimizer = self._wrapped[0] if self._wrapped else None
        if accumulates or optimizer is None:
            closure()
        else:
            model.optimizer_step(
                self.current_epoch, index, optimizer, lambda: self._stepping(model, optimizer, closure)
            )
        return {"loss": made["loss"], **made["extra"]} if "loss" in made else made.get("extra")

    def _stepping(self, model, optimizer, closure):
        """What an optimizer calls: the closure, then clipping."""
        loss = closure()
        self.precision_plugin.unscale(optimizer.optimizer)
        self._call("on_before_optimizer_step", optimizer.optimizer)
        if self.gradient_clip_val:
            model.configure_gradient_clipping(optimizer.optimizer, self.gradient_clip_val, self.gradient_clip_algorithm)
        return loss

    def _schedule(self, interval):
        for row in self.lr_scheduler_configs if self.lightning_module.automatic_optimization else ():
            if row["interval"] == interval:
                metric = torch.tensor(0.0) if row["monitor"] else None
                self.lightning_module.lr_scheduler_step(row["scheduler"], metric)

    def _epoch_ended(self):
        self._schedule("epoch")
        self._sums.clear()

    def _is_done(self):
        return self.should_stop or 0 <= self.max_steps <= self.global_step

    def _log(self, name, value, on_step, on_epoch):
        """Keeps a copy of a value, and its sum over the epoch in evaluation; each is a tensor of no axes."""
        if not isinstance(value, (torch.Tensor, int, float)):
            self.callback_metrics[name] = value  # a metric keeps its own state
            return
        device = self.root_device
        value = (
            value.detach()
            if isinstance(value, torch.Tensor)
            else torch.tensor(value, device=device, dtype=torch.float32)
        )
        by_epoch = on_epoch if on_epoch is not None else not self.training
        if by_epoch:
            total = self._sums.get(name)
            if total is None:
                total = self._sums[name] = torch.zeros((), device=device)
            total += value
        self.callback_metrics[name] = self.logged_metrics[name] = (
            value.clone() if on_step or not by_epoch else self._sums[name]
        )

    def _restore(self, path):
        found = torch.load(path, map_location="cpu", weights_only=False)
        self.lightning_module.load_state_dict(found["state_dict"])
