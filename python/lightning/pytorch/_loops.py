"""The loops of a Trainer over epochs and batches: apart, so that they end by themselves once their passes repeat."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def epochs(trainer: Any, model: Any, loader: Any, validates: Any) -> None:
    for epoch in _numbers(trainer.current_epoch, trainer.max_epochs):
        trainer.current_epoch = epoch
        trainer._call("on_train_epoch_start")
        batches(trainer, model, loader, validates)
        trainer._call("on_train_epoch_end")
        trainer._epoch_ended()
        if trainer._is_done():
            break


def batches(trainer: Any, model: Any, loader: Any, validates: Any) -> None:
    limit = trainer._limit(trainer.limit_train_batches, loader)
    for index, batch in enumerate(islice(iter(loader), limit)):
        if not trainer._train_batch(model, batch, index, trainer._is_last(index, limit, loader)):
            break
        if validates and trainer._validates_after(index, limit, loader):
            trainer._validate(model)
        if trainer._is_done():
            break
    else:
        if validates and trainer._validates_at_end():
            trainer._validate(model)


def evaluate(trainer: Any, model: Any, loader: Any, number: int, limit: int, stage: str) -> list:
    results = []
    for index, batch in enumerate(islice(iter(loader), limit)):
        made = trainer._evaluate_batch(model, batch, index, number, stage)
        if stage == "predict":
            results.append(made)
        del made
    return results


def _numbers(start, end):
    return count(start) if end is None or end < 0 else range(start, end)
