"""Trackers of a run: they are set up as programs ask for them, and what they are given is kept nowhere but in their own logs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("accelerate.tracking")


class GeneralTracker:
    """What a program's own tracker is derived from."""

    name, requires_logging_directory, main_process_only, tracker = "", False, True, None

    def __init__(self, _blank: bool = False, **_: Any) -> None:
        pass

    def start(self) -> None:
        pass

    def store_init_configuration(self, values: Any) -> None:
        pass

    def log(self, values: Any, step: int | None = None, **options: Any) -> None:
        pass

    log_images = log_table = log

    def finish(self) -> None:
        pass


class WandBTracker(GeneralTracker):
    """A run of wandb."""

    name = "wandb"

    def __init__(self, run_name: str, **options: Any) -> None:
        import wandb

        self.run = self.tracker = wandb.init(project=run_name, **options)

    def log(self, values: Any, step: int | None = None, **options: Any) -> None:
        self.run.log(values, step=step, **options)

    def finish(self) -> None:
        self.run.finish()


class TensorBoardTracker(GeneralTracker):
    """A writer of TensorBoard's files."""

    name, requires_logging_directory = "tensorboard", True

    def __init__(self, run_name: str, logging_dir: str = ".", **options: Any) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.logging_dir = os.path.join(str(logging_dir), run_name)
        self.writer = self.tracker = SummaryWriter(self.logging_dir, **options)

    def log(self, values: Any, step: int | None = None, **options: Any) -> None:
        for name, value in values.items():
            if isinstance(value, (int, float)):
                self.writer.add_scalar(name, value, global_step=step, **options)
        self.writer.flush()

    def finish(self) -> None:
        self.writer.close()


_KNOWN = {tracker.name: tracker for tracker in (WandBTracker, TensorBoardTracker)}


def begin(wanted: Any, project: str, folder: Any, options: dict) -> list[GeneralTracker]:
    """The trackers that `log_with` names; one whose service is not here does nothing."""
    made = []
    for one in wanted if isinstance(wanted, (list, tuple)) else [] if wanted is None else [wanted]:
        if isinstance(one, GeneralTracker):
            made.append(one)
            continue
        name = str(getattr(one, "value", one)).lower()
        for each in _KNOWN if name == "all" else [name]:
            made.append(_one(each, project, folder, options.get(each, {})))
    return made


def _one(name, project, folder, options):
    kind = _KNOWN.get(name)
    if kind is None:
        made = GeneralTracker()
        made.name = name
        return made
    more = {"logging_dir": folder} if kind.requires_logging_directory and folder is not None else {}
    return kind(project, **more, **options)
