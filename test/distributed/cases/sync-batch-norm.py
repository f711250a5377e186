"""Batch normalisation over ranks: channels last under autocast, without affine parameters, and with three dimensions in evaluation."""

import os

import torch
import torch.distributed as dist
from torch import nn

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def show(step):
    print(step, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


flat = nn.SyncBatchNorm(48, affine=False).cuda()
deep = nn.SyncBatchNorm(24, track_running_stats=False).cuda()
half = nn.SyncBatchNorm(40).cuda()
show("modules")

a = torch.randn(6, 48, device="cuda", requires_grad=True)
flat(a).sum().backward()
show("rows")
b = torch.randn(3, 24, 5, 6, 7, device="cuda").to(memory_format=torch.channels_last_3d).requires_grad_()
deep(b).sum().backward()
show("volumes")
c = torch.randn(4, 40, 9, 9, device="cuda", dtype=torch.bfloat16).to(memory_format=torch.channels_last)
out = half(c)
show("half forward")
out.sum().backward()
show("half backward")
for module in (flat, half):
    module.eval()
flat(a)
half(c)
show("evaluation")
dist.destroy_process_group()
