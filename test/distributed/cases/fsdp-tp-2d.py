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
from torch.distributed.fsdp import fully_shard, MixedPrecisionPolicy
from torch.distributed.tensor import Shard, Replicate
from torch.distributed.tensor.parallel import parallelize_module, ColwiseParallel, RowwiseParallel, SequenceParallel, PrepareModuleInput
from torch.distributed.checkpoint.state_dict import get_model_state_dict, StateDictOptions
mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("dp", "tp"))
class FF(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n, self.up, self.down = nn.RMSNorm(d), nn.Linear(d, 3 * d), nn.Linear(3 * d, d)
    def forward(self, x):
        return x + self.down(F.relu(self.up(self.n(x))))
net = nn.Sequential(*[FF(102) for _ in range(3)], nn.Linear(102, 31)).cuda()
for b in net[:3]:
    parallelize_module(b, mesh["tp"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
parallelize_module(net, mesh["tp"], {"3": ColwiseParallel(output_layouts=Replicate())}) if False else None
for b in net[:3]:
    fully_shard(b, mesh=mesh["dp"], mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
net3 = nn.Sequential(*net[:3])
fully_shard(net3, mesh=mesh["dp"])
mem("parallel")
opt = torch.optim.AdamW(net3.parameters(), foreach=False)
for step in range(2):
    net3(torch.randn(4, 9, 102, device="cuda")).float().sum().backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
sd = get_model_state_dict(net3, options=StateDictOptions(full_state_dict=True, cpu_offload=False))
mem("full")
print(len(sd))
dist.destroy_process_group()
