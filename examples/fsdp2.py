"""fully_shard (FSDP2): parameters, gradients and optimizer states are dealt out over the GPUs and gathered block by block.

    vramscope torchrun --standalone --nproc-per-node=8 examples/fsdp2.py
    vramscope run --nproc-per-node 8 --nnodes 4 --rank 0 examples/fsdp2.py

States shrink with the number of GPUs; activations and three to four gathered blocks stay.
"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")

layer = nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True)
model = nn.TransformerEncoder(layer, 12, enable_nested_tensor=False)
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for block in model.layers:
    fully_shard(block, mp_policy=policy)
fully_shard(model, mp_policy=policy)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

for _ in range(2):
    x = torch.randn(4, 512, 1024, device="cuda")
    model(x).float().pow(2).mean().backward()
    optimizer.step()
    optimizer.zero_grad()

print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
dist.destroy_process_group()
