"""DistributedDataParallel: every GPU holds the whole model, its gradients twice (in `.grad` and in buckets), and all optimizer states.

    vramscope torchrun --standalone --nproc-per-node=8 examples/ddp.py

Memory does not fall with more GPUs; gradient_as_bucket_view=True saves one copy of the gradients.
"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")

layer = nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True)
model = nn.TransformerEncoder(layer, 12, enable_nested_tensor=False).cuda()
model = DistributedDataParallel(model, device_ids=[local_rank])
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

for _ in range(2):
    x = torch.randn(4, 512, 1024, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).float().pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()

print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
dist.destroy_process_group()
