"""Whole state dicts into sharded models: each rank cuts its part, or rank 0 sends each tensor."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict
from torch.distributed.fsdp import fully_shard

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


with torch.device("meta"):
    net = nn.Sequential(nn.Linear(700, 500), nn.LayerNorm(500), nn.Linear(500, 700))
whole = {name: torch.randn(value.shape) for name, value in net.state_dict().items()}
for layer in net:
    fully_shard(layer)
fully_shard(net)
net.to_empty(device="cuda")
mem("empty")
set_model_state_dict(net, whole, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))
mem("sent")
state = get_model_state_dict(net, options=StateDictOptions(full_state_dict=True))
mem("gathered")
set_model_state_dict(net, state, options=StateDictOptions(full_state_dict=True))
mem("cut")
print(sorted({type(value).__name__ for value in state.values()}))
dist.destroy_process_group()
