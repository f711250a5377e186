"""Fine-tuning with LoRA by hand: frozen bfloat16 weights and two thin trained matrices beside each of them.

What it shows: gradients and optimizer state shrink to the trained half percent; the activations do not, because backward still
has to pass through every layer.

Run it with `vramscope run examples/lora.py` and `vramscope run examples/lora.py -- --full` (trains everything).
"""

import argparse

import torch
from torch import nn

GIB = 1024**3


class LoraLinear(nn.Module):
    """A frozen linear layer plus B(A(x)) / rank * alpha."""

    def __init__(self, base, rank=8, alpha=16):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Linear(base.in_features, rank, bias=False, device="cuda", dtype=torch.bfloat16)
        self.up = nn.Linear(rank, base.out_features, bias=False, device="cuda", dtype=torch.bfloat16)
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.up(self.down(x)) * self.scale


class Layer(nn.Module):
    def __init__(self, width=2048):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


parser = argparse.ArgumentParser()
parser.add_argument("--full", action="store_true")
options = parser.parse_args()

model = nn.Sequential(*[Layer() for _ in range(12)]).to("cuda", torch.bfloat16)
if not options.full:
    model.requires_grad_(False)
    for layer in model:
        layer.up = LoraLinear(layer.up)
        layer.down = LoraLinear(layer.down)
trained = [p for p in model.parameters() if p.requires_grad]
print(f"trained parameters: {sum(p.numel() for p in trained):,} of {sum(p.numel() for p in model.parameters()):,}")

optimizer = torch.optim.AdamW(trained, lr=1e-4)
x = torch.randn(8, 512, 2048, device="cuda", dtype=torch.bfloat16)
for _ in range(2):
    loss = model(x).float().pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(f"peak {torch.cuda.max_memory_allocated() / GIB:.2f} GiB")
