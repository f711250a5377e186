"""LightningCLI: classes, their arguments and the trainer's from the command line and YAML files."""

from __future__ import annotations

import argparse
import inspect
import sys
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from .datamodule import LightningDataModule
from .module import LightningModule
from .trainer import Trainer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__getattr__ = lacks("lightning.pytorch.cli")
_SUBCOMMANDS = ("fit", "validate", "test", "predict")


class LightningArgumentParser(argparse.ArgumentParser):
    def add_lightning_class_args(self, *args: Any, **kwargs: Any) -> None:
        """Everything that classes take is taken."""

    add_optimizer_args = add_lr_scheduler_args = link_arguments = set_defaults = add_lightning_class_args


class SaveConfigCallback:
    """Would write the configuration."""


class LightningCLI:
    """Builds model, data and trainer and runs the subcommand, `fit` by default."""

    def __init__(
        self, model_class: Any=None, datamodule_class: Any=None, trainer_class: Callable=Trainer, trainer_defaults: Any=None, seed_everything_default: bool=True,
        run: bool=True, args: Any=None, **_: Any
    ) -> None:  # fmt: skip
        words = list(sys.argv[1:] if args is None else args)
        self.subcommand = words.pop(0) if words and words[0] in _SUBCOMMANDS else None
        parsed = _parsed(words)
        self.config = parsed
        model_class = _named(parsed, "model", model_class, LightningModule)
        datamodule_class = _named(parsed, "data", datamodule_class, LightningDataModule)
        self.datamodule = _made(datamodule_class, parsed.get("data", {})) if datamodule_class else None
        self.model = _made(model_class, parsed.get("model", {}))
        self.trainer = trainer_class(**{**(trainer_defaults or {}), **parsed.get("trainer", {})})
        if run and self.subcommand:
            getattr(self.trainer, self.subcommand)(self.model, datamodule=self.datamodule)
        elif run:
            raise SystemExit('expected "subcommand" to be one of {fit,validate,test,predict}, but it was not provided.')


def _parsed(words):
    """{"model": {...}, "data": {...}, "trainer": {...}} of `--trainer.max_epochs 3`, `--config FILE`."""
    import yaml

    found = {}
    while words:
        key, equals, value = words.pop(0).lstrip("-").partition("=")
        value = value if equals else words.pop(0) if words else ""
        if key in ("config", "c"):
            with open(value) as file:
                for name, part in (yaml.safe_load(file) or {}).items():
                    found[name] = {**found.get(name, {}), **part} if isinstance(part, dict) else part
            continue
        place = found
        *path, last = key.split(".")
        for part in path:
            place = place.setdefault(part, {})
        place[last] = yaml.safe_load(value)
    return found


def _named(options, part, known, base):
    """The class that a configuration names by `class_path`."""
    row = options.get(part)
    if isinstance(row, dict) and "class_path" in row:
        module, _, name = row["class_path"].rpartition(".")
        options[part] = row.get("init_args", {})
        return getattr(__import__(module, fromlist=[name]), name) if module else vars(sys.modules["__main__"])[name]
    if isinstance(row, str):
        options[part] = {}
        return next(c for c in base.__subclasses__() if c.__name__ == row)
    return known


def _made(made_by, arguments):
    if not inspect.isclass(made_by):
        return made_by(**arguments)
    return made_by(**arguments)
