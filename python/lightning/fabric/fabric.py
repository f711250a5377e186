"""Fabric: moves modules, wraps their forward in the precision, and does what DDP adds where a launcher started several ranks."""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.optim import Optimizer

from .devices import check_strategy, count_of, device_of, to_device
from .precision import Precision
from .seeds import seed_everything

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class _FabricModule(nn.Module):
    """A module whose forward casts inputs, runs in the precision's context and casts outputs back."""

    def __init__(self, forward_module: Any, precision: int | str | None, original: Any = None) -> None:
        super().__init__()
        self._forward_module = forward_module
        self._original_module = original or forward_module
        self._precision = precision

    @property
    def module(self) -> Any:
        return self._original_module

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._precision.convert_input((args, kwargs))
        with self._precision.forward_context():
            output = self._forward_module(*args, **kwargs)
        return self._precision.convert_output(output)

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        return self._original_module.state_dict(*args, **kwargs)

    def load_state_dict(self, state_dict: Any, strict: bool = True, **kwargs: Any) -> Any:
        return self._original_module.load_state_dict(state_dict, strict=strict, **kwargs)

    def mark_forward_method(self, method: Any) -> None:
        """The method of this name runs as forward does."""
        own = getattr(self._original_module, method if isinstance(method, str) else method.__name__)

        def call(*args, **kwargs):
            args, kwargs = self._precision.convert_input((args, kwargs))
            with self._precision.forward_context():
                output = own(*args, **kwargs)
            return self._precision.convert_output(output)

        self.__dict__[own.__name__] = call

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("_original_module"), name)


class _FabricOptimizer:
    """An optimizer whose step goes through the precision."""

    def __init__(self, optimizer: torch.optim.Optimizer, precision: int | str | None) -> None:
        self.__dict__.update(_optimizer=optimizer, _precision=precision)

    @property
    def optimizer(self) -> Any:
        return self._optimizer

    def step(self, closure: Any = None) -> Any:
        return self._precision.step(self._optimizer, *(() if closure is None else (closure,)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._optimizer, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._optimizer, name, value)


class _FabricDataLoader:
    """A data loader whose batches come on the device."""

    def __init__(self, loader: Any, device: torch.device | str | int | None) -> None:
        self.__dict__.update(vars(loader))
        self._loader, self._device = loader, device

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> Iterator[Any]:
        for batch in self._loader:
            yield batch if self._device is None else to_device(batch, self._device)


class Fabric:
    """One process of Fabric. `precision` as of the Trainer; sharded strategies are refused."""

    def __init__(
        self,
        *,
        accelerator: Any = "auto",
        strategy: Any = "auto",
        devices: int | str | list[int] = "auto",
        num_nodes: int = 1,
        precision: int | str | None = None,
        plugins: Any = None,
        callbacks: Any = None,
        loggers: Any = None,
    ) -> None:
        self._world_size = count_of(devices, num_nodes)
        self._strategy_name = check_strategy(strategy, self._world_size)
        self.strategy = strategy
        self.device = device_of(accelerator, devices)
        precisions = [
            p for p in (plugins if isinstance(plugins, (list, tuple)) else [plugins]) if isinstance(p, Precision)
        ]
        self._precision = precisions[0] if precisions else Precision(precision)
        self._loggers = loggers if isinstance(loggers, (list, tuple)) else [] if loggers is None else [loggers]
        self._callbacks = callbacks or []

    global_rank = property(lambda self: int(os.environ.get("RANK", 0)))
    local_rank = property(lambda self: int(os.environ.get("LOCAL_RANK", 0)))
    node_rank = property(lambda self: int(os.environ.get("GROUP_RANK", 0)))
    world_size = property(lambda self: int(os.environ.get("WORLD_SIZE", 1)))
    is_global_zero = property(lambda self: self.global_rank == 0)
    loggers = property(lambda self: self._loggers)
    logger = property(lambda self: self._loggers[0])

    def launch(self, function: Callable | None = None, *args: Any, **kwargs: Any) -> Any:
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)
        if self.world_size > 1 and not torch.distributed.is_initialized():
            torch.distributed.init_process_group("nccl" if self.device.type == "cuda" else "gloo")
        return function(self, *args, **kwargs) if function is not None else None

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Overridden by those who derive."""

    def setup(
        self,
        module: torch.nn.Module,
        *optimizers: Any,
        scheduler: Any = None,
        move_to_device: bool = True,
        _reapply_compile: bool = True,
    ) -> tuple | _FabricModule:
        made = self.setup_module(module, move_to_device)
        wrapped = [_FabricOptimizer(optimizer, self._precision) for optimizer in optimizers]
        return (made, *wrapped) if wrapped else made

    def setup_module(
        self, module: torch.nn.Module, move_to_device: bool = True, _reapply_compile: bool = True
    ) -> _FabricModule:
        original = module
        module = self._precision.convert_module(module)
        if move_to_device:
            module = module.to(self.device)
        if self.world_size > 1 and any(p.requires_grad for p in module.parameters()):
            ids = [self.device.index] if self.device.type == "cuda" else None
            module = nn.parallel.DistributedDataParallel(module, device_ids=ids)
        made = _FabricModule(module, self._precision, original)
        made.train(original.training)
        return made

    def setup_optimizers(self, *optimizers: Any) -> Any:
        made = [_FabricOptimizer(optimizer, self._precision) for optimizer in optimizers]
        return made[0] if len(made) == 1 else tuple(made)

    def setup_dataloaders(
        self, *dataloaders: Any, use_distributed_sampler: bool = True, move_to_device: bool = True
    ) -> Any:
        made = [_FabricDataLoader(loader, self.device if move_to_device else None) for loader in dataloaders]
        return made[0] if len(made) == 1 else made

    def backward(self, tensor: Any, *args: Any, model: torch.nn.Module | None = None, **kwargs: Any) -> None:
        self._precision.scale(tensor).backward(*args, **kwargs)

    def clip_gradients(
        self,
        module: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        clip_val: Any = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        error_if_nonfinite: bool = True,
    ) -> Any:
        inner = optimizer.optimizer if isinstance(optimizer, _FabricOptimizer) else optimizer
        self._precision.unscale(inner)
        parameters = [p for group in inner.param_groups for p in group["params"]]
        if clip_val is not None:
            return torch.nn.utils.clip_grad_value_(parameters, clip_val)
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)

    def autocast(self) -> Any:
        return self._precision.forward_context()

    @contextmanager
    def init_module(self, empty_init: Any = None) -> Iterator[Any]:
        with self.device, self._precision.init_context() if not self._precision.mixed else nullcontext():
            yield

    init_tensor = sharded_model = init_module

    def no_backward_sync(self, module: torch.nn.Module, enabled: bool = True) -> Any:
        inner = module._forward_module if isinstance(module, _FabricModule) else module
        return inner.no_sync() if enabled and hasattr(inner, "no_sync") else nullcontext()

    def to_device(self, obj: Any) -> Any:
        return obj.to(self.device) if isinstance(obj, nn.Module) else to_device(obj, self.device)

    def print(self, *args: Any, **kwargs: Any) -> None:
        if self.global_rank == 0:
            print(*args, **kwargs)

    def barrier(self, name: str | None = None) -> None:
        if torch.distributed.is_initialized():
            torch.distributed.barrier()

    def broadcast(self, obj: Any, src: int = 0) -> Any:
        return obj

    def all_gather(self, data: Any, group: Any = None, sync_grads: bool = False) -> Any:
        return data if self.world_size == 1 else torch.stack([data] * self.world_size)

    def all_reduce(self, data: Any, group: Any = None, reduce_op: str = "mean") -> Any:
        if self.world_size > 1 and isinstance(data, torch.Tensor):
            torch.distributed.all_reduce(data)
        return data

    @contextmanager
    def rank_zero_first(self, local: bool = False) -> Iterator[Any]:
        yield

    def save(self, path: str, state: dict, filter: Any = None) -> None:
        torch.save({k: _plain(v) for k, v in state.items()}, path)

    def load(self, path: str, state: Any = None, strict: bool = True, weights_only: Any = None) -> Any:
        found = torch.load(path, weights_only=False, map_location="cpu")
        for key, value in (state or {}).items():
            if key in found and hasattr(value, "load_state_dict"):
                value.load_state_dict(found.pop(key))
            elif key in found:
                state[key] = found.pop(key)
        return found

    def load_raw(self, path: str, obj: torch.nn.Module, strict: bool = True, weights_only: Any = None) -> None:
        obj.load_state_dict(torch.load(path, map_location="cpu", weights_only=False))

    def log(self, name: str, value: Any, step: int | None = None) -> None:
        self.log_dict({name: value}, step)

    def log_dict(self, metrics: Any, step: int | None = None) -> None:
        for logger in self._loggers:
            logger.log_metrics(metrics, step)

    def call(self, hook_name: str, *args: Any, **kwargs: Any) -> None:
        for callback in self._callbacks:
            hook = getattr(callback, hook_name, None)
            if callable(hook):
                hook(*args, **kwargs)

    seed_everything = staticmethod(seed_everything)


def _plain(value):
    return value.state_dict() if isinstance(value, (nn.Module, Optimizer, _FabricOptimizer)) else value
