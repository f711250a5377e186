"""Trains a model for some steps and prints what is allocated: what the drivers of this folder share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable


def say(word: str) -> None:
    torch.cuda.synchronize()
    print(word, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


def train(model: torch.nn.Module, loss_of: Callable, optimizer: torch.optim.Optimizer | None = None) -> None:
    model = model.cuda()
    say("model")
    optimizer = optimizer or torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(3):
        loss = loss_of(model)
        say("forward")
        loss.backward()
        say("backward")
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        del loss
        say("step")
