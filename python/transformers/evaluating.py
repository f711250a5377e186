"""What a Trainer does with data that it does not learn from: which columns a model takes, and what is kept of its answers until all are there.

Mirrors transformers 5.12, trainer.py (`_remove_unused_columns`, `evaluation_loop`, `prediction_step`) and trainer_pt_utils.py
(`EvalLoopContainer`, `nested_concat`): answers and labels stay on the device, joined anew with each batch.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch.utils.data import DataLoader

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy import ndarray


class EvalPrediction(NamedTuple):
    """What `compute_metrics` is given: answers and labels as arrays."""

    predictions: Any
    label_ids: Any


class PredictionOutput(NamedTuple):
    """What `predict` returns."""

    predictions: Any
    label_ids: Any
    metrics: dict[str, float] | None


# What models here take by `**kwargs` that the library's name one by one.
_UNNAMED = ("attention_mask", "token_type_ids", "position_ids", "inputs_embeds")


def parameters_of(model: Any) -> list[str]:
    """Names that the model's forward takes; of adapters, the one of the model below them."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    found = inspect.signature(base.forward).parameters
    takes_more = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in found.values())
    return [*found, *(_UNNAMED if takes_more else ())]


def label_names(model: Any, args: Any) -> list[str]:
    """The inputs that are answers."""
    given = getattr(args, "label_names", None)
    if given is not None:
        return list(given)
    spans = ("start_positions", "end_positions") if "QuestionAnswering" in type(model).__name__ else ()
    return [name for name in parameters_of(model) if "label" in name or name in spans]


def taken_columns(model: Any, collate: Callable, args: Any) -> Callable:
    """A collator that leaves out what the model does not take, where the settings say so."""
    if not args.remove_unused_columns:
        return collate
    kept = {*parameters_of(model), "label", "label_ids", *label_names(model, args)}

    def collated(features: list) -> Any:
        if isinstance(features[0], dict):
            features = [{name: value for name, value in row.items() if name in kept} for row in features]
        return collate(features)

    return collated


class _Joined:
    """Tensors of all batches as one, on the device until somebody wants arrays."""

    def __init__(self) -> None:
        self.tensors = self.arrays = None

    def add(self, tensors: Any) -> None:
        self.tensors = tensors if self.tensors is None else _joined(self.tensors, tensors)

    def to_arrays(self) -> None:
        if self.tensors is not None:
            arrays = _each(self.tensors, _numpy)
            self.arrays = arrays if self.arrays is None else _joined(self.arrays, arrays)
            self.tensors = None


def _joined(first, second):
    if isinstance(first, (list, tuple)):
        return type(first)(_joined(a, b) for a, b in zip(first, second, strict=True))
    if isinstance(first, dict):
        return {name: _joined(value, second[name]) for name, value in first.items()}
    if not isinstance(first, torch.Tensor):
        import numpy as np

        return np.concatenate((first, second), axis=0)
    if first.ndim == 1 or first.shape[1] == second.shape[1]:
        return torch.cat((first, second), dim=0)
    width = max(first.shape[1], second.shape[1])
    whole = first.new_full((first.shape[0] + second.shape[0], width) + first.shape[2:], -100)
    whole[: first.shape[0], : first.shape[1]] = first
    whole[first.shape[0] :, : second.shape[1]] = second
    return whole


def _each(tensors, act):
    """The same with each tensor inside replaced by what `act` makes of it."""
    if isinstance(tensors, (list, tuple)):
        return type(tensors)(_each(one, act) for one in tensors)
    if isinstance(tensors, dict):
        return {name: _each(one, act) for name, one in tensors.items()}
    return act(tensors)


def _numpy(tensor):
    host = tensor.cpu()
    return (host.to(torch.float32) if host.dtype == torch.bfloat16 else host).numpy()


def _detached(value):
    return value.detach() if isinstance(value, torch.Tensor) else value


class Evaluation:
    """Of a Trainer: `evaluate` and `predict`."""

    label_names: list[str]
    compute_metrics: Callable | None
    preprocess_logits_for_metrics: Callable | None

    def get_eval_dataloader(self, eval_dataset: Any = None) -> DataLoader:
        dataset = self.eval_dataset if eval_dataset is None else eval_dataset
        if dataset is None:
            raise ValueError("Trainer: evaluation requires an eval_dataset.")
        collate = taken_columns(self.model, self.data_collator, self.args)
        return DataLoader(dataset, batch_size=self.args.per_device_eval_batch_size, collate_fn=collate)

    def evaluate(
        self, eval_dataset: Any = None, ignore_keys: list | None = None, metric_key_prefix: str = "eval"
    ) -> dict[str, float]:
        """The metrics over a dataset, the loss among them; sets by name are taken one after another."""
        dataset = self.eval_dataset if eval_dataset is None else eval_dataset
        if isinstance(dataset, dict):
            parts = {
                name: self.evaluate(part, ignore_keys, f"{metric_key_prefix}_{name}") for name, part in dataset.items()
            }
            return {name: value for part in parts.values() for name, value in part.items()}
        loader = self.get_eval_dataloader(dataset)
        alone = True if self.compute_metrics is None else None
        return self._evaluated(loader, alone, ignore_keys, metric_key_prefix).metrics

    def predict(
        self, test_dataset: Any, ignore_keys: list | None = None, metric_key_prefix: str = "test"
    ) -> PredictionOutput:
        """Answers of all rows as arrays, with labels and metrics where there are labels."""
        return self._evaluated(self.get_eval_dataloader(test_dataset), None, ignore_keys, metric_key_prefix)

    def _evaluated(self, loader, loss_alone, ignore_keys, prefix):
        model, args = self.model, self.args
        loss_alone = getattr(args, "prediction_loss_only", False) if loss_alone is None else loss_alone
        model.eval()
        batch_size, every = args.per_device_eval_batch_size, getattr(args, "eval_accumulation_steps", None)
        all_losses, all_logits, all_labels = kept = (_Joined(), _Joined(), _Joined())
        for step, inputs in enumerate(self._placed(loader)):
            losses, logits, labels = self.prediction_step(model, inputs, loss_alone, ignore_keys)
            if losses is not None:
                losses = losses.repeat(batch_size)
                all_losses.add(losses)
            if logits is not None:
                if self.preprocess_logits_for_metrics is not None:
                    logits = self.preprocess_logits_for_metrics(logits, labels)
                all_logits.add(logits)
            if labels is not None:
                all_labels.add(labels)
            if every is not None and (step + 1) % every == 0:
                for one in kept:
                    one.to_arrays()
                del losses, logits, labels, inputs
                torch.cuda.empty_cache()
        for one in kept:
            one.to_arrays()
        metrics = {}
        if self.compute_metrics is not None and all_logits.arrays is not None and all_labels.arrays is not None:
            metrics = dict(self.compute_metrics(EvalPrediction(all_logits.arrays, all_labels.arrays)) or {})
        if all_losses.arrays is not None:
            metrics[f"{prefix}_loss"] = float(all_losses.arrays.mean())
        named = {
            name if name.startswith(f"{prefix}_") else f"{prefix}_{name}": value for name, value in metrics.items()
        }
        return PredictionOutput(all_logits.arrays, all_labels.arrays, named)

    def _placed(self, loader):
        """Batches on the device, each held until the next one is there, as accelerate's DataLoaderShard hands them out."""
        batches = iter(loader)
        current = next(batches, None)
        while current is not None:
            current = self._prepare_inputs(current)
            following = next(batches, None)
            yield current
            current = following

    def prediction_step(
        self, model: Any, inputs: dict, prediction_loss_only: bool, ignore_keys: list | None = None
    ) -> tuple[Any, Any, Any]:
        """(loss, answers, labels) of a batch; None for what there is not."""
        names = self.label_names
        has_labels = bool(names) and all(inputs.get(name) is not None for name in names)
        inputs = self._prepare_inputs(inputs)
        if ignore_keys is None:
            config = getattr(self.model, "config", None)
            ignore_keys = getattr(config, "keys_to_ignore_at_inference", ["past_key_values"]) if config else []
        labels = _each(tuple(inputs.get(name) for name in names), _detached) if has_labels else None
        if labels is not None and len(labels) == 1:
            labels = labels[0]
        with torch.no_grad():
            if has_labels:
                items = self._items([inputs])
                loss, outputs = self.compute_loss(model, inputs, return_outputs=True, num_items_in_batch=items)
                loss = loss.detach().mean()
            else:
                loss, outputs = None, self._call(model, inputs)
        if prediction_loss_only:
            return loss, None, None
        if isinstance(outputs, dict):
            left_out = [*ignore_keys, "loss"] if has_labels else ignore_keys
            logits = tuple(value for name, value in outputs.items() if name not in left_out)
        else:
            logits = outputs[1:] if has_labels else outputs
        logits = _each(logits, _detached)
        return loss, logits[0] if len(logits) == 1 else logits, labels
