import gc
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, MixedPrecision, StateDictType
from torch.distributed.fsdp.wrap import ModuleWrapPolicy
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("dp", "tp"))


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


class MLP(nn.Module):
    def __init__(self, dim=520):
        super().__init__()
        self.up, self.down, self.norm = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim), nn.LayerNorm(dim)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


def split():
    model = nn.Sequential(*[MLP() for _ in range(3)]).cuda()
    for block in model:
        parallelize_module(block, mesh["tp"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
    return model


# the modules' own parameters stay, a state dictionary goes out and comes back
model = FSDP(split(), device_mesh=mesh["dp"], use_orig_params=True)
mem("wrapped")
opt = torch.optim.AdamW(model.parameters())
for step in range(2):
    model(torch.randn(8, 520, device="cuda")).sum().backward()
    mem("backward")
    model.clip_grad_norm_(1.0)
    opt.step()
    opt.zero_grad()
    mem("step")
FSDP.set_state_dict_type(model, StateDictType.SHARDED_STATE_DICT)
states = model.state_dict()
print(*(f"{tuple(v.shape)}/{tuple(v.to_local().shape)}" for v in states.values()))
mem("state dict")
model.load_state_dict(states)
mem("loaded")
del model, opt, states
gc.collect()

# flat parameters in bfloat16, accumulated
mixed = MixedPrecision(param_dtype=torch.bfloat16)
model = FSDP(split(), device_mesh=mesh["dp"], auto_wrap_policy=ModuleWrapPolicy({MLP}), mixed_precision=mixed)
opt = torch.optim.Adam(model.parameters())
for step in range(2):
    with model.no_sync():
        model(torch.randn(8, 520, device="cuda")).sum().backward()
    mem("first")
    model(torch.randn(8, 520, device="cuda")).sum().backward()
    mem("second")
    opt.step()
    opt.zero_grad()
    mem("step")
try:
    FSDP(split(), process_group=mesh["dp"].get_group())
except RuntimeError as error:
    print(error)
dist.destroy_process_group()
