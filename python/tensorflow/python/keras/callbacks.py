"""Keras' callbacks, which programs on PyTorch drive by hand: what is called when a training, an epoch or a batch begins and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

_MOMENTS = [f"on_{part}_{end}" for part in ("train", "test", "predict", "epoch", "batch") for end in ("begin", "end")]
_MOMENTS += [f"on_{part}_batch_{end}" for part in ("train", "test", "predict") for end in ("begin", "end")]


class Callback:
    def __init__(self) -> None:
        self.model = self.params = self.validation_data = None

    def set_params(self, params: Any) -> None:
        self.params = params

    def set_model(self, model: Any) -> None:
        self.model = model


for _name in _MOMENTS:
    setattr(Callback, _name, lambda self, *args: None)


class CallbackList:
    def __init__(self, callbacks: Any = None, *_: Any, **__: Any) -> None:
        self.callbacks = list(callbacks or ())
        self.model = None

    def append(self, callback: Callback) -> None:
        self.callbacks.append(callback)

    def set_params(self, params: Any) -> None:
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def __iter__(self) -> Any:
        return iter(self.callbacks)


def _each(name):
    def call_all(self, *args):
        for callback in self.callbacks:
            getattr(callback, name)(*args)

    return call_all


for _name in _MOMENTS:
    setattr(CallbackList, _name, _each(_name))


class History(Callback):
    def on_train_begin(self, logs: Any = None) -> None:
        self.epoch: list = []
        self.history: dict = {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


class EarlyStopping(Callback):
    """Stops nothing: what would be watched is not known here."""

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        **_: Any,
    ) -> None:
        super().__init__()
        self.monitor, self.patience, self.stopped_epoch = monitor, patience, 0


class ModelCheckpoint(Callback):
    """Names and settings; whoever derives from it saves."""

    def __init__(self, filepath: str, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False, save_weights_only: bool = False, mode: str = "auto", save_freq: Any = "epoch", period: int = 1, **_: Any) -> None:  # fmt: skip
        super().__init__()
        self.filepath, self.monitor, self.verbose, self.period = filepath, monitor, verbose, period
        self.save_best_only, self.save_weights_only, self.save_freq = save_best_only, save_weights_only, save_freq
        self.epochs_since_last_save, self.best = 0, float("-inf" if mode == "max" else "inf")
        self.monitor_op = max_op if mode == "max" or "acc" in monitor or "auc" in monitor else min_op


def max_op(new: float, best: float) -> bool:
    return new > best


def min_op(new: float, best: float) -> bool:
    return new < best


__getattr__ = lacks("tensorflow.python.keras.callbacks")
