"""What the recipes share: a training or inference each, as people write it with real packages, at the widths of real models and few of their layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

if TYPE_CHECKING:
    from typing import Any


BATCH, LENGTH = 2, 512


def show(phase: str) -> None:
    """Prints allocated bytes, their peak since the last phase, and reserved bytes."""
    c = torch.cuda
    c.synchronize()
    print(f"{phase}\t{c.memory_allocated()}\t{c.max_memory_allocated()}\t{c.memory_reserved()}", flush=True)
    c.reset_peak_memory_stats()


def tokens(model: Any, batch: int = BATCH, length: int = LENGTH) -> Any:
    vocabulary = getattr(model.config, "vocab_size", None) or model.config.get_text_config().vocab_size
    return torch.randint(10, vocabulary - 10, (batch, length), device="cuda")


def steps(
    model: Any,
    inputs: dict,
    count: int = 3,
    optimizer: Any = None,
    loss_of: Any = None,
    autocast: Any = None,
) -> None:
    """Forward, backward and optimizer step, a phase each; `autocast` is a dtype."""
    optimizer = optimizer or torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
    for step in range(count):
        with torch.autocast("cuda", autocast or torch.bfloat16, enabled=autocast is not None):
            output = model(**inputs)
            loss = loss_of(output) if loss_of else output.loss
        del output
        show(f"forward {step}")
        loss.backward()
        show(f"backward {step}")
        optimizer.step()
        optimizer.zero_grad()
        del loss
        show(f"step {step}")


def rows(vocabulary: int, count: int = 12, length: int = LENGTH) -> Any:
    """Rows of one length for a Trainer, drawn from a seed."""
    generator = torch.Generator().manual_seed(0)
    drawn = [torch.randint(10, vocabulary - 10, (length,), generator=generator) for _ in range(count)]
    return [{"input_ids": ids, "labels": ids} for ids in drawn]


def phases_of_steps() -> Any:
    """A Trainer's callback that ends a phase after each step."""
    from transformers import TrainerCallback

    class Ends(TrainerCallback):
        def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            show("begin")

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            show(f"step {state.global_step}")

        def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            show(f"evaluated {state.global_step}")

    return Ends()


def arguments(kind: Any = None, **changes: Any) -> Any:
    from transformers import TrainingArguments

    usual = dict(
        per_device_train_batch_size=2,
        max_steps=3,
        report_to="none",
        disable_tqdm=True,
        save_strategy="no",
        logging_steps=1,
    )
    return (kind or TrainingArguments)(output_dir="/tmp/recipes", **(usual | changes))


def run(recipes: dict) -> None:
    """Runs the recipe that the command line names."""
    torch.manual_seed(0)
    recipes[sys.argv[1].replace("-", "_")]()
