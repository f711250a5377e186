"""What a Trainer tells others while it trains: its state, what they may ask of it, and callbacks."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

EVENTS = (
    "init_end train_begin train_end epoch_begin epoch_end step_begin pre_optimizer_step optimizer_step substep_end step_end "
    "evaluate predict save log prediction_step push_begin"
).split()


@dataclasses.dataclass
class TrainerState:
    """How far a training is."""

    epoch: float = 0
    global_step: int = 0
    max_steps: int = 0
    logging_steps: int = 500
    eval_steps: int = 500
    save_steps: int = 500
    train_batch_size: int | None = None
    num_train_epochs: int = 0
    num_input_tokens_seen: int = 0
    total_flos: float = 0
    log_history: list = dataclasses.field(default_factory=list)
    best_metric: float | None = None
    best_global_step: int | None = None
    best_model_checkpoint: str | None = None
    is_local_process_zero: bool = True
    is_world_process_zero: bool = True
    is_hyper_param_search: bool = False
    trial_name: str | None = None
    trial_params: dict | None = None

    def save_to_json(self, json_path: str) -> None:
        with open(json_path, "w") as file:
            json.dump(dataclasses.asdict(self), file, default=str)


@dataclasses.dataclass
class TrainerControl:
    """What callbacks ask of a training. The stand-in stops where it is asked to; it writes no logs and checkpoints in between."""

    should_training_stop: bool = False
    should_epoch_stop: bool = False
    should_save: bool = False
    should_evaluate: bool = False
    should_log: bool = False


class TrainerCallback:
    """Does nothing at any event."""


def _nothing(self, args, state, control, **kwargs):
    """Nothing."""


for _event in EVENTS:
    setattr(TrainerCallback, f"on_{_event}", _nothing)


class DefaultFlowCallback(TrainerCallback):
    """The Trainer itself says when it evaluates and stops."""


class ProgressCallback(TrainerCallback):
    """Draws nothing."""


class PrinterCallback(TrainerCallback):
    """Prints nothing."""


class EarlyStoppingCallback(TrainerCallback):
    """Losses have no values here: no training stops early."""

    def __init__(self, early_stopping_patience: int = 1, early_stopping_threshold: float | None = 0.0) -> None:
        self.early_stopping_patience, self.early_stopping_threshold = early_stopping_patience, early_stopping_threshold


class CallbackHandler:
    """The callbacks of one Trainer."""

    def __init__(self, callbacks: Any = ()) -> None:
        self.callbacks = []
        for callback in callbacks or ():
            self.add_callback(callback)

    def add_callback(self, callback: Any) -> None:
        self.callbacks.append(callback() if isinstance(callback, type) else callback)

    def remove_callback(self, callback: Any) -> Any:
        for one in self.callbacks:
            if one is callback or (isinstance(callback, type) and isinstance(one, callback)):
                self.callbacks.remove(one)
                return one
        return None

    def tell(self, trainer: Any, event: str, **more: Any) -> None:
        for callback in self.callbacks:
            answer = getattr(callback, f"on_{event}")(
                trainer.args,
                trainer.state,
                trainer.control,
                model=trainer.model,
                processing_class=trainer.processing_class,
                tokenizer=trainer.processing_class,
                optimizer=trainer.optimizer,
                lr_scheduler=trainer.lr_scheduler,
                **more,
            )
            if answer is not None:
                trainer.control = answer
