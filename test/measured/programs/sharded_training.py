"""One of two data-parallel processes that train the course's language model at 3.4 billion parameters: one step, measured in parts.

usage: sharded_training.py whole|halves|halves-of-each fp32|autocast
whole: AdamW of all parameters. halves: the parameters are one buffer, and this process holds the moments of its half, with a
gradient of its own (halves) or with pieces of the parameters' gradients (halves-of-each). Reductions and gathers work in
place in these programs, so they are left out. Prints allocated and highest bytes after each part.
"""

import sys

import language_model as course
import torch

LAYOUT, PRECISION = sys.argv[1:]
# read when a model is made
course.WIDTH, course.INNER, course.LAYERS, course.HEADS = 2560, 10_240, 32, 32
LENGTH, BATCH = 512, 2


def say(point):
    torch.cuda.synchronize()
    print(f"{point}\t{torch.cuda.memory_allocated()}")
    print(f"highest, {point}\t{torch.cuda.max_memory_allocated()}")
    torch.cuda.reset_peak_memory_stats()


class HalfAdamW:
    """Parameters become views of one buffer; AdamW has the first half of it."""

    @torch.no_grad()
    def __init__(self, parameters):
        self.parameters = list(parameters)
        count = sum(p.numel() for p in self.parameters)
        self.buffer = torch.empty(count, dtype=torch.float32, device="cuda")
        start = 0
        for p in self.parameters:
            self.buffer[start : start + p.numel()].copy_(p.data.view(-1))
            p.set_(self.buffer[start : start + p.numel()].view_as(p))
            start += p.numel()
        self.half = self.buffer[: count // 2]
        self.pieces = []
        start = 0
        for p in self.parameters:
            end = min(start + p.numel(), count // 2)
            if start < end:
                self.pieces.append((self.buffer[start:end], p, end - start))
            start += p.numel()
        held = [self.half] if LAYOUT == "halves" else [piece for piece, _, _ in self.pieces]
        self.inner = torch.optim.AdamW(held, lr=1e-3, foreach=False)

    def zero_grad(self):
        for p in self.parameters:
            p.grad = None

    def step(self):
        if LAYOUT == "halves":
            self.half.grad = torch.zeros_like(self.half)
            start = 0
            for piece, p, length in self.pieces:
                self.half.grad[start : start + length] = p.grad.view(-1)[:length]
                start += length
            self.inner.step()
            self.half.grad = None
            gathered = self.half.clone()
            del gathered
            return
        for piece, p, length in self.pieces:
            piece.grad = p.grad.view(-1)[:length]
        self.inner.step()


model = course.Model(LENGTH).to("cuda")
say("after model init")
parameters = model.parameters()
optimizer = torch.optim.AdamW(parameters, lr=1e-3, foreach=False) if LAYOUT == "whole" else HalfAdamW(parameters)
ids, target = (torch.randint(0, course.VOCABULARY, (BATCH, LENGTH), device="cuda") for _ in range(2))
optimizer.zero_grad()
with torch.autocast("cuda", dtype=torch.bfloat16, enabled=PRECISION == "autocast"):
    loss = course.loss_of(model(ids), target)
loss.backward()
say("before optimizer step")
optimizer.step()
say("after optimizer step")
