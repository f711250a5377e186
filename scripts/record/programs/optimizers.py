"""Every optimizer in its three forms over a small model: two steps, counters after each part."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from typing import Any


def model() -> Any:
    return nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 512), nn.LayerNorm(512)).to("cuda")


FORMS = {"default": {}, "for-loop": {"foreach": False}, "foreach": {"foreach": True}, "fused": {"fused": True}}
OPTIMIZERS = {
    "SGD": {"lr": 0.1},
    "SGD momentum": {"lr": 0.1, "momentum": 0.9},
    "SGD decay": {"lr": 0.1, "weight_decay": 0.1, "nesterov": True, "momentum": 0.9},
    "Adam": {},
    "Adam amsgrad": {"amsgrad": True},
    "Adam decay": {"weight_decay": 0.1},
    "AdamW": {},
    "NAdam": {},
    "RAdam": {},
    "Adamax": {},
    "Adagrad": {},
    "Adadelta": {},
    "RMSprop": {},
    "RMSprop momentum": {"momentum": 0.9, "centered": True},
    "Rprop": {},
    "ASGD": {},
    "Adafactor": {},
}


def line(*parts: Any) -> None:
    print(
        *parts,
        torch.cuda.memory_allocated(),
        torch.cuda.max_memory_allocated(),
        torch.cuda.memory_reserved(),
        flush=True,
    )


x = torch.randn(64, 512, device="cuda")
for name, settings in OPTIMIZERS.items():
    for form, extra in FORMS.items():
        gc.collect()
        torch.cuda.empty_cache()
        net = model()
        try:
            optimizer = getattr(torch.optim, name.split()[0])(net.parameters(), **settings, **extra)
        except (AttributeError, TypeError, RuntimeError, ValueError) as problem:
            print(name, form, type(problem).__name__)
            continue
        for step in range(2):
            torch.cuda.reset_peak_memory_stats()
            net(x).sum().backward()
            line(name, form, step, "backward")
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            line(name, form, step, "clip")
            torch.cuda.reset_peak_memory_stats()
            try:
                optimizer.step()
            except (RuntimeError, ValueError) as problem:
                print(name, form, type(problem).__name__)
                break
            line(name, form, step, "step")
            optimizer.zero_grad()
            line(name, form, step, "zero_grad")
        del net, optimizer
