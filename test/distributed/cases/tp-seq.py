import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, Replicate
from torch.distributed.tensor.parallel import parallelize_module, ColwiseParallel, RowwiseParallel, SequenceParallel, PrepareModuleInput, PrepareModuleOutput
mesh = init_device_mesh("cuda", (world,))
class FF(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.w1, self.w2, self.w3 = nn.Linear(d, f), nn.Linear(f, d), nn.Linear(d, f, bias=False)
    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))
class L(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n, self.ff, self.drop = nn.LayerNorm(d), FF(d, 4 * d), nn.Dropout(0.2)
    def forward(self, x):
        return x + self.drop(self.ff(self.n(x)))
net = nn.Sequential(nn.Embedding(400, 88), L(88), L(88), nn.RMSNorm(88), nn.Linear(88, 400)).cuda()
net = parallelize_module(net, mesh, {"0": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)), "3": SequenceParallel(), "4": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
  **{f"{i}.n": SequenceParallel() for i in (1, 2)}, **{f"{i}.ff": PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)) for i in (1, 2)},
  **{f"{i}.ff.w1": ColwiseParallel() for i in (1, 2)}, **{f"{i}.ff.w3": ColwiseParallel() for i in (1, 2)}, **{f"{i}.ff.w2": RowwiseParallel(output_layouts=Shard(1)) for i in (1, 2)},
  **{f"{i}.drop": SequenceParallel(use_local_output=True) for i in (1, 2)}})
mem("parallel")
opt = torch.optim.Adam(net.parameters(), fused=True)
for step in range(2):
    ids = torch.randint(0, 400, (2, 32), device="cuda")
    with torch.autocast("cuda", torch.bfloat16):
        out = net(ids)
        loss = F.cross_entropy(out.flatten(0, 1), ids.flatten())
    mem("forward")
    loss.backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
dist.destroy_process_group()
