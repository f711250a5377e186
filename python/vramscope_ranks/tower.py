"""What sees pictures in front of the first stage: transformers' own tower, whole on every tensor rank, as ms-swift's bridge takes it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from vramscope_ranks.job import Job


def tower_of(job: Job, new: Callable) -> Any:
    """A tower that runs, or parameters alone where none is known."""
    return Tower(job, new) if job.sees else new(job.tower, frozen=not job.tower_trains)


class Tower:
    def __init__(self, job: Job, new: Callable) -> None:
        from transformers import AutoConfig, AutoModel

        self.job, self.sees = job, job.sees
        frozen = not job.tower_trains
        config = AutoConfig.for_model(
            self.sees["type"], **{k: v for k, v in self.sees["config"].items() if k != "model_type"}
        )
        with torch.device("cuda"):
            self.model = AutoModel.from_config(config, dtype=job.dtype)
        count = 0
        for module in self.model.modules():
            for name, parameter in list(module._parameters.items()):
                if parameter is not None:
                    count += parameter.numel()
                    module._parameters[name] = new(*parameter.shape, frozen=frozen)
        # what joins the tower and the language model
        self.rest = new(job.tower - count, frozen=frozen) if job.tower > count else None
        if self.sees["again"]:
            self.model.gradient_checkpointing_enable()
            self.model.enable_input_require_grads()

    def features(self, batch: int) -> Any:
        """States of the pictures of `batch` sequences, or as many of the text's width where something joins them."""
        job, (first, *others) = self.job, self.sees["shape"]
        count = batch * self.sees["pictures"]
        if self.sees["grid"] is None:
            pixels = torch.empty(count, first, *others, device="cuda").to(job.dtype)
            out = self.model(pixels).last_hidden_state
        else:
            grid = torch.tensor([[1, *self.sees["grid"]]] * count, device="cuda")
            pixels = torch.empty(count * first, *others, device="cuda")
            out = self.model(pixels.to(job.dtype), grid_thw=grid).pooler_output
        rows = count * self.sees["tokens"]
        return out if out.numel() == rows * job.hidden else out.new_empty(rows, job.hidden)

    def into(self, words: Tensor) -> Tensor:
        """Pictures take the places of words, [rows, batch, hidden]."""
        sees = self.job.tower_trains or self.sees["again"]
        with nullcontext() if sees else torch.no_grad():
            features = self.features(words.shape[1])
        image_mask = torch.zeros(*words.shape[:2], 1, dtype=torch.bool, device="cuda").expand_as(words)
        return words.masked_scatter(image_mask, features)
