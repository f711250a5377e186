"""bert-large as a classifier under the Trainer of January 2022, written out: its loop, its AdamW, gradients that stay and are zeroed.

usage: bert_trainer.py BATCH ACCUMULATE adamw|adafactor|adam8bit [checkpoint] [fp16]
Prints the reserved bytes after three steps, and those with the context that the same source measured (1,343 MiB).
"""

import sys
from contextlib import nullcontext

import torch
from transformers import Adafactor, AutoConfig, AutoModelForSequenceClassification

BATCH, ACCUMULATE, OPTIMIZER, OPTIONS = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
CONTEXT_BYTES = 1343 << 20
LENGTH, STEPS = 512, 3


class WrittenAdamW(torch.optim.Optimizer):
    """One parameter after the other."""

    def __init__(self, parameters):
        super().__init__(parameters, {"lr": 5e-5})

    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                gradient = parameter.grad.data
                state = self.state[parameter]
                if not state:
                    state["first"], state["second"] = (torch.zeros_like(parameter.data) for _ in range(2))
                state["first"].mul_(0.9).add_(gradient, alpha=0.1)
                state["second"].mul_(0.999).addcmul_(gradient, gradient, value=0.001)
                below = state["second"].sqrt().add_(1e-8)
                parameter.data.addcdiv_(state["first"], below, value=-group["lr"])


def make_optimizer(parameters):
    if OPTIMIZER == "adamw":
        return WrittenAdamW(parameters)
    if OPTIMIZER == "adafactor":
        return Adafactor(parameters, lr=5e-5, scale_parameter=False, relative_step=False)
    import bitsandbytes as bnb

    return bnb.optim.Adam8bit(parameters, lr=5e-5)


class KeptInput(torch.autograd.Function):
    """Before PyTorch 1.11 softmax kept its input for backward, beside its result."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad


softmax = torch.nn.functional.softmax


def softmax_of_2022(x, dim=None, dtype=None):
    return softmax(KeptInput.apply(x.float() if scaler else x), dim=dim, dtype=dtype)


torch.nn.functional.softmax = softmax_of_2022
config = AutoConfig.for_model("bert", hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
model = AutoModelForSequenceClassification.from_config(config, attn_implementation="eager").to("cuda")
if "checkpoint" in OPTIONS:
    model.gradient_checkpointing_enable({"use_reentrant": True})
scaler = torch.cuda.amp.GradScaler() if "fp16" in OPTIONS else None
optimizer = make_optimizer(list(model.parameters()))
model.zero_grad(set_to_none=False)
model.train()
for _ in range(STEPS):
    for _ in range(ACCUMULATE):
        inputs = {"input_ids": torch.randint(100, 30_000, (BATCH, LENGTH)), "labels": torch.randint(0, 2, (BATCH,))}
        inputs = {name: value.to("cuda") for name, value in inputs.items()}
        with torch.cuda.amp.autocast() if scaler else nullcontext():
            loss = model(**inputs).loss
        loss = loss / ACCUMULATE
        (scaler.scale(loss) if scaler else loss).backward()
        loss = loss.detach()
    if scaler:
        scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if scaler:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()
    model.zero_grad(set_to_none=False)
print(f"reserved\t{torch.cuda.max_memory_reserved()}")
print(f"end of run\t{torch.cuda.max_memory_reserved() + CONTEXT_BYTES}")
