"""Accelerator: moves what it prepares to the GPU, runs forward under autocast, scales float16 losses, counts accumulation steps."""

from __future__ import annotations

import contextlib
import functools
import os
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks, note

from . import checkpointing, tracking
from .state import AcceleratorState, GradientState, OneProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


__getattr__ = lacks("accelerate.accelerator")


def _moved(value, device):
    if isinstance(value, torch.Tensor):
        return value.to(device, non_blocking=True)
    if isinstance(value, dict):
        return type(value)({key: _moved(v, device) for key, v in value.items()})
    if isinstance(value, (list, tuple)):
        made = [_moved(v, device) for v in value]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    return value


def _widened(value):
    """Results of a forward pass under autocast come back in float32."""
    if isinstance(value, torch.Tensor):
        return value.float() if value.dtype in (torch.float16, torch.bfloat16) else value
    if isinstance(value, dict):
        made = {key: _widened(v) for key, v in value.items()}
        return type(value)(**made) if type(value) is not dict else made
    if isinstance(value, (list, tuple)):
        return (
            type(value)(map(_widened, value)) if not hasattr(value, "_fields") else type(value)(*map(_widened, value))
        )
    return value


class _Loader:
    """A DataLoader whose batches are on the device."""

    def __init__(self, loader: Any, accelerator: Any) -> None:
        self._loader, self._accelerator = loader, accelerator

    def __iter__(self) -> Iterator[Any]:
        left = len(self._loader) if hasattr(self._loader, "__len__") else None
        for batch in self._loader:
            if left is not None:
                left -= 1
                self._accelerator._at_end = left == 0
            yield _moved(batch, self._accelerator.device)

    def __len__(self) -> int:
        return len(self._loader)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _Stepper:
    """An optimizer or scheduler that steps only when gradients are complete."""

    def __init__(self, inner: Any, accelerator: Any, scaled: Any) -> None:
        self._inner, self._accelerator, self._scaled = inner, accelerator, scaled

    def step(self, *args: Any, **kwargs: Any) -> None:
        if not self._accelerator.sync_gradients:
            return
        scaler = self._accelerator.scaler if self._scaled else None
        if scaler is None:
            self._inner.step(*args, **kwargs)
        else:
            scaler.step(self._inner, *args, **kwargs)
            scaler.update()

    def zero_grad(self, set_to_none: Any = None) -> None:
        if self._accelerator.sync_gradients:
            self._inner.zero_grad(True if set_to_none is None else set_to_none)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _require_one_process():
    """A launcher may have asked for more than this stand-in does; it would silently count another program's memory."""
    asked = [
        name
        for name in ("ACCELERATE_USE_FSDP", "ACCELERATE_USE_DEEPSPEED", "ACCELERATE_USE_MEGATRON_LM")
        if os.environ.get(name, "").lower() == "true"
    ]
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        asked.insert(0, f"WORLD_SIZE={os.environ['WORLD_SIZE']}")
    if asked:
        raise NotImplementedError(
            f"vramscope's stand-in for accelerate is for one process, and the launcher asked for {', '.join(asked)}: "
            "name the folder of the real accelerate with --site-packages"
        )


class Accelerator(OneProcess):
    """`mixed_precision`: no, bf16 or fp16. What needs several processes is refused."""

    split_batches = dispatch_batches = optimizer_step_was_skipped = False
    even_batches = True

    def __init__(
        self,
        device_placement: bool = True,
        split_batches: bool = False,
        mixed_precision: Any = None,
        gradient_accumulation_steps: int = 1,
        cpu: bool = False,
        log_with: Any = None,
        project_dir: str | None = None,
        step_scheduler_with_optimizer: bool = True,
        project_config: Any = None,
        gradient_accumulation_plugin: Any = None,
        **options: Any,
    ) -> None:
        unknown = {
            "dataloader_config",
            "rng_types",
            "kwargs_handlers",
            "even_batches",
            "dispatch_batches",
        }
        for name, value in options.items():
            if value is not None and name not in unknown:
                raise NotImplementedError(f"vramscope's stand-in for accelerate has no Accelerator({name}=...)")
        _require_one_process()
        self.mixed_precision = mixed_precision or os.environ.get("ACCELERATE_MIXED_PRECISION", "no")
        if self.mixed_precision not in ("no", "bf16", "fp16"):
            raise NotImplementedError(f"vramscope's stand-in for accelerate has no mixed_precision={mixed_precision!r}")
        self.device = torch.device("cpu" if cpu or not torch.cuda.is_available() else "cuda")
        self.gradient_accumulation_steps, self.device_placement = gradient_accumulation_steps, device_placement
        self.scaler = (
            torch.amp.GradScaler("cuda") if self.mixed_precision == "fp16" and self.device.type == "cuda" else None
        )
        if gradient_accumulation_plugin is not None:
            self.gradient_accumulation_steps = gradient_accumulation_plugin.num_steps or 1
        self.sync_gradients, self._step, self._at_end = True, 0, False
        self._models, self._optimizers, self._schedulers, self._custom = [], [], [], []
        self.project_configuration, self._folder = project_config, project_dir
        self.log_with, self.trackers = log_with, []
        self.state, self.gradient_state = AcceleratorState(self.mixed_precision, cpu), GradientState(self)

    @property
    def use_fp16(self) -> bool:
        note("former_name", library="accelerate", name="use_fp16")
        return self.mixed_precision == "fp16"

    def prepare(self, *things: Any, device_placement: Any = None) -> Any:
        made = tuple(self._prepared(thing) for thing in things)
        return made[0] if len(made) == 1 else made

    def _prepared(self, thing):
        if isinstance(thing, torch.nn.Module):
            return self.prepare_model(thing)
        if isinstance(thing, torch.optim.Optimizer):
            self._optimizers.append(thing)
            return _Stepper(thing, self, True)
        if isinstance(thing, torch.utils.data.DataLoader):
            return _Loader(thing, self)
        if hasattr(thing, "step") and hasattr(thing, "get_last_lr"):
            self._schedulers.append(thing)
            return _Stepper(thing, self, False)
        return thing

    def prepare_model(self, model: torch.nn.Module, device_placement: Any = None, evaluation_mode: bool = False) -> Any:
        """The same model on the device; its forward runs under autocast and gives float32."""
        if self.device_placement:
            model = model.to(self.device)
        if self.mixed_precision != "no":
            plain = model.forward
            dtype = torch.float16 if self.mixed_precision == "fp16" else torch.bfloat16

            @functools.wraps(plain)
            def forward(*args, **kwargs):
                with torch.autocast(self.device.type, dtype=dtype):
                    result = plain(*args, **kwargs)
                return _widened(result)

            model._original_forward, model.forward = plain, forward
        self._models.append(model)
        return model

    prepare_optimizer = prepare_scheduler = prepare_data_loader = _prepared

    def backward(self, loss: Any, **options: Any) -> None:
        loss = loss / self.gradient_accumulation_steps
        if self.scaler is not None:
            loss = self.scaler.scale(loss)
        loss.backward(**options)

    @contextlib.contextmanager
    def accumulate(self, *models: Any) -> Iterator[Any]:
        self._step = 0 if self._at_end else self._step + 1
        self.sync_gradients = self._at_end or self._step % self.gradient_accumulation_steps == 0
        yield

    @contextlib.contextmanager
    def autocast(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        if self.mixed_precision == "no":
            yield
            return
        dtype = torch.float16 if self.mixed_precision == "fp16" else torch.bfloat16
        with torch.autocast(self.device.type, dtype=dtype):
            yield

    def clip_grad_norm_(self, parameters: Any, max_norm: float, norm_type: int = 2) -> Any:
        self.unscale_gradients()
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type)

    def clip_grad_value_(self, parameters: Any, clip_value: Any) -> None:
        self.unscale_gradients()
        torch.nn.utils.clip_grad_value_(parameters, clip_value)

    def unscale_gradients(self, optimizer: torch.optim.Optimizer | None = None) -> None:
        """Only float16 losses are scaled."""
        if self.scaler is not None and self.sync_gradients:
            for inner in self._optimizers if optimizer is None else [optimizer._inner]:
                self.scaler.unscale_(inner)

    def unwrap_model(self, model: torch.nn.Module, keep_fp32_wrapper: bool = True) -> Any:
        return model

    def gather(self, tensor: Any) -> Any:
        return tensor

    gather_for_metrics = gather

    def reduce(self, tensor: Any, reduction: str = "sum", scale: float = 1.0) -> Any:
        return tensor

    def pad_across_processes(self, tensor: Any, dim: int = 0, pad_index: int = 0, pad_first: bool = False) -> Any:
        return tensor

    @property
    def project_dir(self) -> Any:
        return self._folder or getattr(self.project_configuration, "project_dir", None)

    @property
    def logging_dir(self) -> Any:
        return getattr(self.project_configuration, "logging_dir", None) or self._folder

    def init_trackers(self, project_name: str, config: Any = None, init_kwargs: dict | None = None) -> None:
        self.trackers = tracking.begin(self.log_with, project_name, self.logging_dir, init_kwargs or {})

    def get_tracker(self, name: str, unwrap: bool = False) -> Any:
        for tracker in self.trackers:
            if tracker.name == name:
                return tracker.tracker if unwrap else tracker
        if self.trackers:
            raise ValueError(f"{name} is not an available tracker stored inside the `Accelerator`.")
        return tracking.GeneralTracker()

    def log(self, values: Any, step: int | None = None, log_kwargs: dict | None = None) -> None:
        for tracker in self.trackers:
            tracker.log(values, step=step, **(log_kwargs or {}).get(tracker.name, {}))

    def end_training(self) -> None:
        for tracker in self.trackers:
            tracker.finish()

    @property
    def _kept(self):
        """What a checkpoint holds, by kind."""
        return {
            "models": self._models,
            "optimizers": self._optimizers,
            "schedulers": self._schedulers,
            "custom": [*self._custom, *([] if self.scaler is None else [self.scaler])],
        }

    def register_for_checkpointing(self, *objects: Any) -> None:
        self._custom += objects

    def save_state(self, output_dir: Any = None, safe_serialization: bool = True, **_: Any) -> str:
        return checkpointing.save(
            os.fspath(output_dir or os.path.join(self.project_dir or ".", "checkpoints")), self._kept
        )

    def load_state(self, input_dir: Any = None, **_: Any) -> None:
        checkpointing.load(os.fspath(input_dir or os.path.join(self.project_dir or ".", "checkpoints")), self._kept)

    def get_state_dict(self, model: torch.nn.Module, unwrap: bool = True) -> dict:
        return model.state_dict()

    def save_model(self, model: torch.nn.Module, save_directory: Any, *_: Any, **__: Any) -> None:
        os.makedirs(save_directory, exist_ok=True)
        torch.save(model.state_dict(), os.path.join(save_directory, "pytorch_model.bin"))

    def skip_first_batches(self, dataloader: Any, num_batches: int = 0) -> Any:
        from .data_loader import skip_first_batches

        return skip_first_batches(dataloader, num_batches)

    def free_memory(self, *objects: Any) -> Any:
        for kept in (self._models, self._optimizers, self._schedulers):
            kept.clear()
        torch.cuda.empty_cache()
        return [None] * len(objects)

    clear = free_memory

    def save(self, obj: Any, f: Any, **options: Any) -> None:
        torch.save(obj, f)

    @contextlib.contextmanager
    def no_sync(self, model: torch.nn.Module) -> Iterator[Any]:
        yield

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"vramscope's stand-in for accelerate does not have Accelerator.{name}")
