"""Trainer: the loop of one process on one GPU, with evaluation in between, without logs and checkpoints."""

from __future__ import annotations

import itertools
import json
import math
import os
from contextlib import nullcontext
from typing import TYPE_CHECKING

import torch
from torch.utils.data import DataLoader, RandomSampler

from .cores.decoder_heads import CausalLM
from .evaluating import EvalPrediction, Evaluation, label_names, taken_columns  # noqa: F401
from .modeling_utils import PreTrainedModel
from .cores.multimodal import ConditionalLM
from .optimization import Adafactor, get_scheduler
from .trainer_callback import CallbackHandler, TrainerControl, TrainerState
from .trainer_utils import TrainOutput
from .training_args import TrainingArguments

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


_PLAIN = frozenset(("bias",))


def default_data_collator(features: list, return_tensors: str = "pt") -> dict[str, Any]:
    """A batch of rows: tensors are stacked, numbers become one tensor per name; labels come first."""
    batch = {}
    for name, value in sorted(features[0].items(), key=lambda row: row[0] not in ("label", "label_ids")):
        if value is None or isinstance(value, str):
            continue
        rows = [feature[name] for feature in features]
        name = "labels" if name in ("label", "label_ids") else name
        batch[name] = torch.stack(rows) if isinstance(value, torch.Tensor) else torch.tensor(rows)
    return batch


def _usual_collator(tokenizer):
    if not hasattr(tokenizer, "pad"):
        return default_data_collator
    from .tokens.collating import DataCollatorWithPadding

    return DataCollatorWithPadding(tokenizer)


def _bitsandbytes(name):
    def make(groups, args):
        import bitsandbytes

        return getattr(bitsandbytes.optim, name)(
            groups, lr=args.learning_rate, betas=(args.adam_beta1, args.adam_beta2), eps=args.adam_epsilon
        )

    return make


def _adamw(**options):
    return lambda groups, args: torch.optim.AdamW(
        groups, lr=args.learning_rate, betas=(args.adam_beta1, args.adam_beta2), eps=args.adam_epsilon, **options
    )


OPTIMIZERS = {
    "adamw_torch": _adamw(),
    "adamw_torch_fused": _adamw(fused=True),
    "adafactor": lambda groups, args: Adafactor(
        groups, lr=args.learning_rate, scale_parameter=False, relative_step=False
    ),
    "sgd": lambda groups, args: torch.optim.SGD(groups, lr=args.learning_rate),
    "adagrad": lambda groups, args: torch.optim.Adagrad(groups, lr=args.learning_rate),
    "rmsprop": lambda groups, args: torch.optim.RMSprop(groups, lr=args.learning_rate),
    "adamw_bnb_8bit": _bitsandbytes("AdamW8bit"),
    "adamw_8bit": _bitsandbytes("AdamW8bit"),
    "paged_adamw_8bit": _bitsandbytes("PagedAdamW8bit"),
    "paged_adamw_32bit": _bitsandbytes("PagedAdamW32bit"),
    "lion_8bit": _bitsandbytes("Lion8bit"),
}


def _in_float32(value):
    """What a model returns under mixed precision, its 16-bit tensors as float32."""
    if isinstance(value, torch.Tensor):
        return value.float() if value.dtype in (torch.float16, torch.bfloat16) else value
    if isinstance(value, dict):
        for name, part in list(value.items()):
            value[name] = _in_float32(part)
        return value
    return type(value)(_in_float32(part) for part in value) if isinstance(value, (list, tuple)) else value


class Trainer(Evaluation):
    """Trains a model on a dataset."""

    def __init__(
        self,
        model: PreTrainedModel | torch.nn.Module | None = None,
        args: TrainingArguments | None = None,
        data_collator: Any = None,
        train_dataset: Any = None,
        eval_dataset: Any = None,
        processing_class: Any = None,
        tokenizer: Any = None,
        optimizers: tuple = (None, None),
        compute_loss_func: Callable | None = None,
        callbacks: list | None = None,
        compute_metrics: Callable | None = None,
        preprocess_logits_for_metrics: Callable | None = None,
        **_: Any,
    ) -> None:
        self.model, self.args = model, args if args is not None else TrainingArguments()
        tokenizer = processing_class if processing_class is not None else tokenizer
        self.data_collator = data_collator or _usual_collator(tokenizer)
        self.processing_class, self.compute_metrics = tokenizer, compute_metrics
        self.label_names = label_names(model, self.args)
        self.preprocess_logits_for_metrics = preprocess_logits_for_metrics
        self.train_dataset, self.eval_dataset = train_dataset, eval_dataset
        self.optimizer, self.lr_scheduler = optimizers
        self.compute_loss_func = compute_loss_func
        self.scaler = torch.amp.GradScaler("cuda") if self.args.fp16 else None
        self.state, self.control = TrainerState(), TrainerControl()
        self.callback_handler = CallbackHandler(callbacks)
        model.to(self.args.device)
        self._tell("init_end")

    def _tell(self, event, **more):
        self.callback_handler.tell(self, event, **more)

    def add_callback(self, callback: Any) -> None:
        self.callback_handler.add_callback(callback)

    def remove_callback(self, callback: Any) -> Any:
        return self.callback_handler.remove_callback(callback)

    pop_callback = remove_callback

    def get_train_dataloader(self) -> DataLoader:
        return DataLoader(
            self.train_dataset,
            batch_size=self.args.train_batch_size,
            sampler=RandomSampler(self.train_dataset),
            collate_fn=taken_columns(self.model, self.data_collator, self.args),
            drop_last=self.args.dataloader_drop_last,
        )

    def create_optimizer(self) -> torch.optim.Optimizer:
        """Biases and norms decay by nothing, all else by `weight_decay`."""
        if self.optimizer is None:
            norms = {
                f"{path}.{name}".lstrip(".")
                for path, module in self.model.named_modules()
                if "norm" in type(module).__name__.lower()
                for name, _ in module.named_parameters(recurse=False)
            }
            trained = [(name, p) for name, p in self.model.named_parameters() if p.requires_grad]
            kept = [p for name, p in trained if name in norms or name.rpartition(".")[2] in _PLAIN]
            kept_ids = {id(p) for p in kept}
            decaying = [p for _, p in trained if id(p) not in kept_ids]
            if self.args.optim not in OPTIMIZERS:
                raise ValueError(
                    f"vramscope's Trainer has no optimizer {self.args.optim!r}; it has {', '.join(sorted(OPTIMIZERS))}"
                )
            groups = [
                {"params": decaying, "weight_decay": self.args.weight_decay},
                {"params": kept, "weight_decay": 0.0},
            ]
            self.optimizer = OPTIMIZERS[self.args.optim](groups, self.args)
        return self.optimizer

    def autocast(self) -> Any:
        dtype = torch.bfloat16 if self.args.bf16 else torch.float16 if self.args.fp16 else None
        return nullcontext() if dtype is None else torch.autocast("cuda", dtype=dtype)

    def _call(self, model, inputs):
        with self.autocast():
            outputs = model(**inputs)
        return _in_float32(outputs) if self.args.bf16 or self.args.fp16 else outputs

    def compute_loss(
        self,
        model: torch.nn.Module,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,
    ) -> Tensor | tuple[Tensor, Any]:
        if num_items_in_batch is not None and isinstance(self.model, (CausalLM, ConditionalLM)):
            inputs = {**inputs, "num_items_in_batch": num_items_in_batch}
        outputs = self._call(model, inputs)
        if self.compute_loss_func is not None:
            loss = self.compute_loss_func(outputs, inputs.get("labels"), num_items_in_batch=num_items_in_batch)
        else:
            loss = outputs["loss"] if isinstance(outputs, dict) else outputs[0]
        return (loss, outputs) if return_outputs else loss

    @property
    def counts_items(self) -> bool:
        """Whether the model divides its loss by the number of labels in all batches of a step."""
        return isinstance(self.model, PreTrainedModel) or self.compute_loss_func is not None

    def get_batch_samples(self, batches: Any, count: int) -> tuple[list, Tensor | int | None]:
        """The batches of one step on the device, and how many labels they have."""
        samples = [self._prepare_inputs(batch) for batch in itertools.islice(batches, count)]
        return samples, self._items(samples)

    def _items(self, samples):
        if not (samples and "labels" in samples[0] and self.counts_items):
            return None
        shifts = not isinstance(self.model, PreTrainedModel) or self.model.loss_type.endswith("ForCausalLM")
        labels = [batch["labels"][..., 1:] if shifts else batch["labels"] for batch in samples]
        return sum(part.ne(-100).sum() for part in labels)

    def _prepare_inputs(self, inputs):
        return {k: v.to(self.args.device) if isinstance(v, torch.Tensor) else v for k, v in inputs.items()}

    def training_step(
        self, model: torch.nn.Module, inputs: dict[str, Any], num_items_in_batch: Tensor | int | None = None
    ) -> Tensor:
        model.train()
        inputs = self._prepare_inputs(inputs)
        loss = self.compute_loss(model, inputs, num_items_in_batch=num_items_in_batch)
        del inputs
        if num_items_in_batch is None or not self.counts_items:
            loss = loss / self.args.gradient_accumulation_steps
        # accelerate divides by its own number of steps, which is one
        divided = loss / 1
        (self.scaler.scale(divided) if self.scaler else divided).backward()
        del divided
        return loss.detach()

    def train(self, *_: Any, **__: Any) -> TrainOutput:
        args, model, tell = self.args, self.model, self._tell
        # Accelerator.free_memory
        torch.cuda.empty_cache()
        if args.gradient_checkpointing:
            model.gradient_checkpointing_enable(args.gradient_checkpointing_kwargs)
        loader = self.get_train_dataloader()
        per_epoch = max(len(loader) // args.gradient_accumulation_steps, 1)
        total = args.max_steps if args.max_steps > 0 else math.ceil(per_epoch * args.num_train_epochs)
        self.create_optimizer()
        if self.lr_scheduler is None:
            self.lr_scheduler = get_scheduler(args.lr_scheduler_type, self.optimizer, args.warmup_steps, total)
        # summed up for logs, and kept
        self._tr_loss = torch.tensor(0.0, device=args.device)
        model.zero_grad()
        self.state.max_steps, self.state.num_train_epochs = total, math.ceil(args.num_train_epochs)
        tell("train_begin", train_dataloader=loader)
        done = 0
        when = str(getattr(args.eval_strategy, "value", args.eval_strategy))
        every = (args.eval_steps or args.logging_steps) if when == "steps" else None
        while done < total and not self.control.should_training_stop:
            batches = iter(loader)
            tell("epoch_begin")
            while done < total and not self.control.should_training_stop:
                # the batches of the step before live until those of this one are there
                samples, items = self.get_batch_samples(batches, args.gradient_accumulation_steps)
                if not samples:
                    break
                tell("step_begin")
                for inputs in samples:
                    step = self.training_step(model, inputs, items)
                    self._tr_loss += step
                norm = None
                tell("pre_optimizer_step")
                if args.max_grad_norm:
                    if self.scaler:
                        self.scaler.unscale_(self.optimizer)
                    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                if self.scaler:
                    self.scaler.step(self.optimizer)
                    self.scaler.update()
                else:
                    self.optimizer.step()
                tell("optimizer_step")
                self.lr_scheduler.step()
                model.zero_grad()
                done += 1
                self.state.global_step, self.state.epoch = done, done / per_epoch
                tell("step_end")
                if every is not None and done % every == 0:
                    tell("evaluate", metrics=self.evaluate())
            tell("epoch_end")
            if when == "epoch":
                tell("evaluate", metrics=self.evaluate())
        tell("train_end")
        return TrainOutput(done, 0.0, {"train_runtime": 0.0, "train_loss": 0.0, "epoch": self.state.epoch})

    def save_model(self, output_dir: str | None = None, **_: Any) -> None:
        self.model.save_pretrained(output_dir or self.args.output_dir)
        if hasattr(self.processing_class, "save_pretrained"):
            self.processing_class.save_pretrained(output_dir or self.args.output_dir)

    def save_state(self) -> None:
        os.makedirs(self.args.output_dir, exist_ok=True)
        self.state.save_to_json(os.path.join(self.args.output_dir, "trainer_state.json"))

    def log(self, logs: dict[str, float], *_: Any) -> None:
        self.state.log_history.append({**logs, "step": self.state.global_step})
        self._tell("log", logs=logs)

    def log_metrics(self, split: str, metrics: dict[str, float]) -> None:
        for name, value in metrics.items():
            print(f"  {name} = {value}")

    def save_metrics(self, split: str, metrics: dict[str, float], *_: Any) -> None:
        os.makedirs(self.args.output_dir, exist_ok=True)
        with open(os.path.join(self.args.output_dir, f"{split}_results.json"), "w") as file:
            json.dump(metrics, file, default=str)

    def is_world_process_zero(self) -> bool:
        return True

    is_local_process_zero = is_world_process_zero

    def push_to_hub(self, *_: Any, **__: Any) -> None:
        """Nothing leaves this machine."""
