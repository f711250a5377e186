"""Layers and optimizers of bitsandbytes, forward and backward; after each phase allocated bytes and their peak.

Expected lines are those of released wheels' own Python over PyTorch 2.14 on a stand-in device, the kernel library replaced by nothing.
"""

import bitsandbytes as bnb
import torch
from torch import nn
from torch.nn import functional as F

HALF, BRAIN, WHOLE = torch.float16, torch.bfloat16, torch.float32


def show(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), flush=True)
    torch.cuda.reset_peak_memory_stats()


def placed(layers, dtype):
    for layer in layers:
        layer.weight.data = layer.weight.data.to(dtype)
        if layer.bias is not None:
            layer.bias.data = layer.bias.data.to(dtype)
    moved = [layer.to("cuda").requires_grad_(False) for layer in layers]
    show("  loaded")
    return moved


def four_bits(quant, nested, dtype, compute, grad, lead):
    options = dict(compute_dtype=compute, quant_type=quant, compress_statistics=nested)
    first, second = placed(
        [bnb.nn.Linear4bit(512, 1024, bias=False, **options), bnb.nn.Linear4bit(1024, 512, bias=True, **options)], dtype
    )
    x = torch.zeros(*lead, 512, device="cuda", dtype=dtype, requires_grad=grad)
    h = first(x * 1)
    show("  first")
    y = second(F.gelu(h))
    del h
    show("  second")
    if grad:
        y.sum().backward()
        show("  backward")


def eight_bits(dtype, grad, lead, bias, inner):
    options = dict(bias=bias, has_fp16_weights=False, threshold=6.0)
    first, second = placed([bnb.nn.Linear8bitLt(512, inner, **options), bnb.nn.Linear8bitLt(inner, 512, **options)], dtype)
    x = torch.zeros(*lead, 512, device="cuda", dtype=dtype, requires_grad=grad)
    y = second(F.gelu(first(x * 1)))
    show("  forward")
    if grad:
        y.sum().backward()
        show("  backward")
    with torch.no_grad():
        y = second(first(x))
    show("  again")


def optimizer(name, rows):
    weight = nn.Parameter(torch.zeros(rows, 300, device="cuda"))
    made = getattr(bnb.optim, name)([weight], lr=1e-3)
    for _ in range(2):
        (weight * 2).sum().backward()
        made.step()
        show("  step")
        made.zero_grad()


CASES = {
    "nf4 in bfloat16": lambda: four_bits("nf4", False, BRAIN, BRAIN, True, (2, 64)),
    "nf4 twice quantized, float16": lambda: four_bits("nf4", True, HALF, HALF, True, (2, 64)),
    "nf4 twice quantized, types that differ": lambda: four_bits("nf4", True, BRAIN, HALF, False, (2, 64)),
    "one vector": lambda: four_bits("nf4", True, BRAIN, BRAIN, False, (1, 1)),
    "fp4 in float32": lambda: four_bits("fp4", False, WHOLE, WHOLE, True, (2, 64)),
    "int8 of float16": lambda: eight_bits(HALF, False, (2, 70), True, 1000),
    "int8 of bfloat16": lambda: eight_bits(BRAIN, False, (2, 70), False, 1000),
    "int8 of float16, gradients": lambda: eight_bits(HALF, True, (2, 70), True, 1024),
    "int8 of bfloat16, gradients": lambda: eight_bits(BRAIN, True, (3, 33), True, 1024),
    "AdamW in 8 bits": lambda: optimizer("AdamW8bit", 1000),
    "Lion in 8 bits": lambda: optimizer("Lion8bit", 1000),
}
for name, case in CASES.items():
    print(name)
    case()
    torch.cuda.reset_peak_memory_stats()
